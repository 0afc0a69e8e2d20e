"""A chain to work on, and hands that may do what the database refuses everybody else."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection, transaction

from telemetry.contracts import EventDraft, EventRecord
from telemetry.contracts.hashing import event_hash, genesis_hash, timestamp_text
from telemetry.models import Event
from telemetry.services import events_append
from tests.hands import tampering

Append = Callable[..., list[EventRecord]]
Tamper = Callable[..., None]

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)


def drafts_of(count: int) -> list[EventDraft]:
    return [EventDraft(event="evaluation.result", data={"askCode": f"ASK_{n}", "score": n / 7}) for n in range(count)]


@pytest.fixture
def append(db: None) -> Append:
    """Append `count` events at noon to `chain`, in a transaction."""

    def append_events(chain: str = "plan-123", count: int = 1, **changes: Any) -> list[EventRecord]:
        arguments = {"course": "photosynthesis", "mode": "adaptive", "drafts": drafts_of(count), "now": NOON, **changes}
        with transaction.atomic():
            return events_append(chain=chain, **arguments)

    return append_events


@pytest.fixture
def tamper(db: None) -> Tamper:
    """Run SQL as somebody would who has lifted the triggers."""

    def run(sql: str, parameters: list[Any] | None = None) -> None:
        with tampering(), connection.cursor() as cursor:
            cursor.execute(sql, parameters or [])

    return run


def chain_redo(tamper: Tamper, key: str) -> None:
    """Compute a chain anew after its rows were changed, and its head, as all can who have the database and no key."""
    previous = genesis_hash(key)
    rows = list(Event.objects.filter(chain_id=key).order_by("seq"))
    for row in rows:
        hash_ = event_hash(
            chain=key,
            seq=row.seq,
            timestamp=timestamp_text(row.timestamp),
            level=row.level,
            event=row.event,
            course=row.course,
            mode=row.mode,
            data=row.data,
            previous_hash=previous,
        )
        tamper("UPDATE telemetry_event SET previous_hash = %s, hash = %s WHERE id = %s", [previous, hash_, row.pk])
        previous = hash_
    tamper("UPDATE telemetry_chain SET length = %s, head_hash = %s WHERE key = %s", [len(rows), previous, key])
