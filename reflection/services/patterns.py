"""Patterns as rows: stored when a reflection names them, counted anew as episodes arrive, retired when they hold no
longer. Docs: decision 25.

Locks are taken in one order: the person, their memory, their patterns (of two people in the order of their keys), then
the chain of events. The patterns of a person are written under their lock alone.
"""

import hashlib
import json
import re
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from django.db import connection, transaction
from django.db.models import Exists, Min, OuterRef, Q
from django.utils import timezone

from accounts.services import person_stays
from memory.contracts import TASK_TYPE_FORM
from memory.models import Episode
from planning.selectors import user_planned_for
from reflection.contracts import PatternFound, PatternState
from reflection.contracts.failure import Failure
from reflection.models import PATTERN_BYTES, PATTERNS_AT_MOST, CachedWork, Pattern, Reflection
from reflection.patterns import OCCURRENCES_AT_LEAST, features_of, pattern_recounted, patterns_found
from reflection.selectors import episodes_of, pattern_of
from reflection.writing.caching import cached_forget, cached_get, cached_put
from telemetry.contracts import EventDraft, EventLevel, EventName
from telemetry.services import events_append

STALE: Final = timedelta(days=1)
"""Patterns are counted anew after this time without new episodes too: episodes expire, and are forgotten."""
_VERSION: Final = 1
"""Of the rules that find patterns; part of the key of what is cached."""
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtext('reflection.patterns'), hashtext(%s))"
_FIGURES: Final = ("support", "contrary", "total", "confidence", "lower_bound", "state", "text")
_log = structlog.get_logger(__name__)


def patterns_known(*, failure: Failure, now: datetime | None = None) -> list[PatternFound]:
    """`patterns_found`, cached for a day under a digest of all that they follow from; not for an unknown user.

    No transaction should be open: others wait until it ends.
    """
    may_be = sum(episode.failed is True for episode in failure.past) >= OCCURRENCES_AT_LEAST - 1
    user = user_planned_for(failure.plan.id) if failure.plan.id and may_be else None
    if user is None:
        return patterns_found(failure)
    key = _key(user.pk, failure)
    cached = cached_get(CachedWork.Kind.PATTERNS, key, now)
    if cached is not None:
        return [PatternFound(**values) for values in cached]
    patterns = patterns_found(failure)
    values = [pattern.model_dump(mode="json") for pattern in patterns]
    cached_put(CachedWork.Kind.PATTERNS, str(user.pk), key, values, now, user_id=user.pk)
    return patterns


@transaction.atomic
def patterns_store(
    *,
    user_id: int,
    found: Sequence[PatternFound],
    language: str,
    found_at: datetime | None = None,
    now: datetime | None = None,
) -> list[Pattern]:
    """Insert patterns; stored ones, by condition and outcome, are counted anew over the present episodes. `found_at`:
    when they were counted, now where left out. Nothing is stored for an erased user.

    For a reflection that is in force, after its failure was remembered: without, the pattern is not confirmed. A user
    has at most 500 in a domain; retired ones make room, the longest retired first. One without room, or over 2 KB, is
    left out with the event quota.exceeded. A pattern known by its words alone is no row.
    """
    moment = now or timezone.now()
    since = min(found_at or moment, moment)
    by_domain: dict[str, dict[str, PatternFound]] = {}
    for pattern in found:
        if pattern.outcome and pattern.state != PatternState.RETIRED and re.fullmatch(TASK_TYPE_FORM, pattern.domain):
            by_domain.setdefault(pattern.domain, {})[_digest(pattern)] = pattern
    if not by_domain or not person_stays(user_id=user_id):
        return []
    _hold([user_id])
    stored: list[Pattern] = []
    for domain, patterns in sorted(by_domain.items()):
        stored += _stored(user_id, domain, patterns, language, since, moment)
    return stored


@transaction.atomic
def patterns_revalidate(*, user_id: int, domain: str, now: datetime | None = None) -> int:
    """Count the patterns of a user in a domain anew over the present episodes; returns how many changed their state.

    Retired ones stay so until they are found again. At most ten statements.
    """
    if not person_stays(user_id=user_id):
        return 0
    _hold([user_id])
    return _recounted(user_id, domain, now or timezone.now())


def patterns_revalidate_due(*, limit: int = 50, now: datetime | None = None) -> int:
    """Do so where an episode has arrived since, or a day has passed: for at most `limit` users and domains, the longest
    waiting first, each in a transaction of its own. Returns how many.
    """
    moment = now or timezone.now()
    newer = {"task_type": OuterRef("domain"), "created_at__gt": OuterRef("validated_at")}
    episodes = Episode.objects.filter(user=OuterRef("user"), **newer)
    failures = Reflection.objects.filter(evaluation__plan__user=OuterRef("user"), **newer)
    due = Pattern.objects.exclude(state=PatternState.RETIRED)
    due = due.filter(Exists(episodes) | Exists(failures) | Q(validated_at__lte=moment - STALE))
    pairs = due.values("user_id", "domain").annotate(since=Min("validated_at")).order_by("since", "user_id", "domain")
    done = 0
    for pair in pairs[:limit]:
        try:
            patterns_revalidate(user_id=pair["user_id"], domain=pair["domain"], now=moment)
            done += 1
        except Exception:  # one that cannot be counted must not keep the others waiting
            _log.exception("patterns were not counted anew", user=pair["user_id"])
    return done


def patterns_transfer(*, source: int, target: int) -> None:
    """Give the patterns of one user to another, inside the caller's transaction, which has moved the episodes already.

    Of a pattern that both have the target's stays; all are counted anew over the episodes of both.
    """
    cached_forget(owner=str(source))
    theirs = Pattern.objects.filter(user_id=source)
    domains = sorted(set(theirs.values_list("domain", flat=True)))
    if not domains:
        return
    _hold([source, target])
    same = Pattern.objects.filter(user_id=target, domain=OuterRef("domain"), digest=OuterRef("digest"))
    theirs.filter(Exists(same)).delete()
    theirs.update(user_id=target)
    moment = timezone.now()
    for domain in domains:
        _recounted(target, domain, moment)
        _room_made(target, domain, 0)


def patterns_erase(*, user_id: int) -> None:
    """Delete all patterns of a user, cached ones too. Needs the transaction that erases the user."""
    Pattern.objects.filter(user_id=user_id).delete()
    cached_forget(owner=str(user_id))


def _stored(
    user_id: int, domain: str, found: dict[str, PatternFound], language: str, since: datetime, now: datetime
) -> list[Pattern]:
    stored = {row.digest: row for row in Pattern.objects.filter(user_id=user_id, domain=domain, digest__in=found)}
    past = episodes_of(user_id, domain, now=now) if stored else ()
    sizes = {digest: _size(pattern) for digest, pattern in found.items()}
    new = [digest for digest, size in sizes.items() if size <= PATTERN_BYTES and digest not in stored]
    free = _room_made(user_id, domain, len(new), keeping=stored)
    rows, events = [], []
    for digest in (*stored, *new[:free]):
        pattern = found[digest]
        row = stored.get(digest) or Pattern(
            user_id=user_id,
            domain=domain,
            digest=digest,
            condition=pattern.condition,
            outcome=pattern.outcome,
            created_at=now,
        )
        if digest in stored:
            events += _updated(row, pattern_recounted(pattern, past, language), now)
        else:
            events += _updated(row, pattern, since)
        row.language = language
        row.save()
        rows.append(row)
    if max(sizes.values()) > PATTERN_BYTES:
        events.append(_quota_event(user_id, "pattern_bytes", max(sizes.values()), PATTERN_BYTES))
    if free < len(new):
        events.append(_quota_event(user_id, "patterns", PATTERNS_AT_MOST, PATTERNS_AT_MOST))
    _events_append(user_id, events, now)
    return rows


def _recounted(user_id: int, domain: str, now: datetime) -> int:
    """The number of patterns that changed their state; they must be held. A text that no longer fits stays."""
    rows = list(Pattern.objects.filter(user_id=user_id, domain=domain).exclude(state=PatternState.RETIRED))
    if not rows:
        return 0
    past = episodes_of(user_id, domain, now=now)
    events = [
        event for row in rows for event in _updated(row, pattern_recounted(pattern_of(row), past, row.language), now)
    ]
    Pattern.objects.bulk_update(rows, [*_FIGURES, "validated_at"])
    _events_append(user_id, events, now)
    return len(events)


def _room_made(user_id: int, domain: str, wanted: int, keeping: Collection[str] = ()) -> int:
    """Delete retired patterns as far as room is wanted, but for those with digests in `keeping`; returns how many more
    there is room for. Over the limit, as after a transfer, those with the lowest bound go after the retired ones.
    """
    theirs = Pattern.objects.filter(user_id=user_id, domain=domain)
    count = theirs.count()
    over = count + wanted - PATTERNS_AT_MOST
    if over <= 0:
        return PATTERNS_AT_MOST - count
    retired = theirs.filter(state=PatternState.RETIRED).exclude(digest__in=keeping).order_by("validated_at", "pk")
    going = list(retired.values_list("pk", flat=True)[:over])
    beyond = count - len(going) - PATTERNS_AT_MOST
    if beyond > 0:
        others = theirs.exclude(pk__in=going).order_by("lower_bound", "validated_at", "pk")
        going += others.values_list("pk", flat=True)[:beyond]
    theirs.filter(pk__in=going).delete()
    return PATTERNS_AT_MOST - count + len(going)


def _hold(user_ids: Collection[int]) -> None:
    """Hold the patterns of these users until the transaction ends."""
    with connection.cursor() as cursor:
        for user_id in sorted(user_ids):
            cursor.execute(_LOCK, [str(user_id)])


def _key(user_id: int, failure: Failure) -> str:
    """Digest of all that patterns of this failure follow from."""
    past = [[episode.id, episode.failed, sorted(episode.features)] for episode in failure.past]
    own = sorted(features_of(failure.plan, failure.evaluation))
    basis = [_VERSION, user_id, failure.domain, failure.language, own, past]
    return hashlib.sha256(json.dumps(basis).encode()).hexdigest()


def _digest(pattern: PatternFound) -> str:
    """The identity of a pattern: its condition and its outcome."""
    return hashlib.sha256(json.dumps([sorted(pattern.condition), pattern.outcome]).encode()).hexdigest()


def _size(pattern: PatternFound) -> int:
    return len(json.dumps([pattern.text, pattern.condition, pattern.outcome], ensure_ascii=False).encode())


def _updated(row: Pattern, pattern: PatternFound, now: datetime) -> list[EventDraft]:
    """Give a row these figures; returns the event of a change of state, without the words of the pattern."""
    before = row.state
    for name in _FIGURES:
        setattr(row, name, getattr(pattern, name))
    row.validated_at = now
    if row.state == before:
        return []
    data = {
        "pattern": str(row.pk),
        "from": before,
        "to": str(row.state),
        "support": row.support,
        "contrary": row.contrary,
        "total": row.total,
        "lowerBound": round(row.lower_bound, 3),
    }
    return [EventDraft(event=EventName.PATTERN_CHANGED, data=data)]


def _quota_event(user_id: int, quota: str, used: int, limit: int) -> EventDraft:
    data: dict[str, Any] = {"quota": quota, "used": used, "limit": limit, "user": user_id}
    _log.warning("a storage quota is reached", **data)
    return EventDraft(event=EventName.QUOTA_EXCEEDED, level=EventLevel.WARNING, data=data)


def _events_append(user_id: int, drafts: Sequence[EventDraft], now: datetime) -> None:
    events_append(chain=f"patterns:{user_id}", course="", mode="", drafts=drafts, now=now)
