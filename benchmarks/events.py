"""Many events in little time: sessions like those of real walks, at other times, with hashes that hold."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from django.test import Client
from django.utils import timezone

from benchmarks.learner import Learner
from benchmarks.own_place import filling
from benchmarks.statements import FORM
from telemetry.chains.signatures import head_sign
from telemetry.contracts.hashing import canonical_json, event_hash, genesis_hash, timestamp_text
from telemetry.models import Event

WALKS = 6
DAYS = 60
COURSES = ("fotosintesis", *(f"lesson-{number}" for number in range(2, 9)))  # the demo's, which one can choose
_SESSIONS_AT_ONCE = 400
_CHAINS = (
    """COPY telemetry_chain (key, course, length, head_hash, signature, verified_length, verified_at) FROM STDIN"""
)
_EVENTS = """
COPY telemetry_event (chain_id, seq, timestamp, level, event, course, mode, data, previous_hash, hash) FROM STDIN
"""
_HEADS = "telemetry_chain"
_TABLES = ("telemetry_event", _HEADS)


class _Kind(NamedTuple):
    level: str
    event: str
    data: dict[str, Any]


def events_make(count: int) -> int:
    """Store about `count` events more, of sessions spread over the last `DAYS` days, and return how many they are.

    The first `WALKS` sessions are walked through the pages; each that is made has the events of one of them, with its
    own times, course and mode. Every chain verifies. Foreign keys are not checked row by row: chains come first.
    """
    random = Random(count)
    walks = [_walked(Random(number)) for number in range(WALKS)]
    made = sum(map(len, walks))
    with filling() as cursor, cursor.connection.transaction():
        cursor.execute("SET LOCAL session_replication_role = replica")
        while made < count:
            sessions: list[tuple[str, list[tuple[Any, ...]]]] = []
            while len(sessions) < _SESSIONS_AT_ONCE and made < count:
                sessions.append(_session(random, random.choice(walks)))
                made += len(sessions[-1][1])
            with cursor.copy(_CHAINS) as copy:
                for chain, events in sessions:
                    head = len(events), events[-1][9]
                    signature = head_sign(_HEADS, chain, *head)
                    copy.write_row((chain, events[-1][5], *head, signature, 0, None))
            with cursor.copy(_EVENTS) as copy:
                for _, events in sessions:
                    for event in events:
                        copy.write_row(event)
    with filling() as cursor:
        for table in _TABLES:
            cursor.execute(f"VACUUM ANALYZE {table}")  # as autovacuum would soon, in the middle of measuring
    return made


def _walked(random: Random) -> list[_Kind]:
    """The events of one lesson walked from start to end."""
    browser, learner = Client(SERVER_NAME="127.0.0.1"), Learner(random)
    before = Event.objects.order_by("-id").values_list("id", flat=True).first() or 0
    while not learner.finished:
        step = learner.next_step()
        method = "GET" if step.body is None else "POST"
        response = browser.generic(method, step.path, step.body or "", FORM, headers=dict(step.headers))
        learner.see(response.status_code, response.headers.get("Location", ""), response.content.decode())
    rows = Event.objects.filter(id__gt=before).order_by("id").values_list("level", "event", "data")
    return [_Kind(*row) for row in rows]


def _session(random: Random, walk: list[_Kind]) -> tuple[str, list[tuple[Any, ...]]]:
    chain = str(UUID(int=random.getrandbits(128), version=4))
    course, mode = random.choice(COURSES), random.choice(("deterministic", "adaptive"))
    moment = timezone.now().astimezone(UTC) - timedelta(seconds=random.uniform(3600, DAYS * 86400))
    return chain, list(_rows(random, walk, chain, course, mode, moment.replace(microsecond=0)))


def _rows(
    random: Random, walk: list[_Kind], chain: str, course: str, mode: str, moment: datetime
) -> Iterator[tuple[Any, ...]]:
    previous = genesis_hash(chain)
    for seq, kind in enumerate(walk, start=1):
        data = kind.data
        if "leftSeconds" in data:
            seconds = round(random.lognormvariate(3, 1), 1)
            data, moment = {**data, "leftSeconds": seconds}, moment + timedelta(seconds=int(seconds))
        hash_ = event_hash(
            chain=chain,
            seq=seq,
            timestamp=timestamp_text(moment),
            level=kind.level,
            event=kind.event,
            course=course,
            mode=mode,
            data=data,
            previous_hash=previous,
        )
        yield chain, seq, moment, kind.level, kind.event, course, mode, canonical_json(data), previous, hash_
        previous = hash_
