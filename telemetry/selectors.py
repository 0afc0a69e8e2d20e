"""Reads of the audit trail."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, Min, Q, QuerySet
from django.utils import timezone

from telemetry.contracts import EXPORTS_CHAIN, EventLevel, EventRecord
from telemetry.figures import figures_read, measure_read
from telemetry.models import Chain, Event

__all__ = (
    "AuditState",
    "audit_state",
    "chains_due",
    "events_between",
    "events_of",
    "events_settled",
    "exports_latest",
    "figures_read",
    "measure_read",
    "records_in_blocks",
)

BLOCK_ROWS = 2000
CHECKED_AGAIN_AFTER = timedelta(days=7)
CHAINS_NAMED = 5
_GROWN = Q(length__gt=F("verified_length"))
_COLUMNS = ("timestamp", "level", "event", "chain_id", "data", "seq", "course", "mode")


def events_of(chain: str) -> QuerySet[Event]:
    """The events of one chain in their order."""
    return Event.objects.filter(chain_id=chain).order_by("seq")


def events_between(
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    chain: str | None = None,
    course: str | None = None,
    event: str | None = None,
) -> QuerySet[Event]:
    """Events from `since` (inclusive) to `until` (exclusive) in the order they were recorded; None leaves a side open.

    Within a chain that is the order of the chain.
    """
    filters = {"timestamp__gte": since, "timestamp__lt": until, "chain_id": chain, "course": course, "event": event}
    given = {name: value for name, value in filters.items() if value is not None}
    return Event.objects.filter(**given).order_by("id")


def events_settled(
    *,
    upto: int,
    since: datetime | None = None,
    until: datetime | None = None,
    chain: str | None = None,
    course: str | None = None,
    mode: str | None = None,
    event: str | None = None,
) -> QuerySet[Event]:
    """As `events_between`, but only up to the event with this id, and without the hashes of each."""
    found = events_between(since=since, until=until, chain=chain, course=course, event=event).filter(id__lte=upto)
    return (found if mode is None else found.filter(mode=mode)).defer("previous_hash", "hash")


def records_in_blocks(events: QuerySet[Event]) -> Iterator[list[EventRecord]]:
    """The rows as records in the order of their ids, in blocks of which each is a statement of its own.

    Needs no transaction, so nothing is held between two blocks however slowly they are taken. The queryset must not
    grow meanwhile: give it an end by id.
    """
    rest = events.order_by("id")
    while block := list(rest.values_list("id", *_COLUMNS)[:BLOCK_ROWS]):
        yield [_record(*row) for _, *row in block]
        rest = events.filter(id__gt=block[-1][0]).order_by("id")


@dataclass(frozen=True)
class AuditState:
    """How the chains stand. `due` are new or have grown since their last good check.

    `whole_since` is the oldest last good check of those that had one; None when none had.
    """

    chains: int
    due: int
    broken: int
    whole_since: datetime | None
    first_broken: tuple[Chain, ...]


def audit_state() -> AuditState:
    """Over all chains. One query, one more when some are broken, of which the first few are named."""
    found = Chain.objects.aggregate(
        chains=Count("*"),
        due=Count("pk", filter=_GROWN & Q(broken_at=None)),
        broken=Count("pk", filter=Q(broken_at__isnull=False)),
        whole_since=Min("verified_at", filter=Q(broken_at=None)),
    )
    broken = Chain.objects.filter(broken_at__isnull=False).order_by("key")[:CHAINS_NAMED] if found["broken"] else ()
    return AuditState(**found, first_broken=tuple(broken))


def exports_latest(limit: int) -> list[Event]:
    """The events that tell of the last exports, the latest first."""
    return list(Event.objects.filter(chain_id=EXPORTS_CHAIN).order_by("-seq")[:limit])


def chains_due(limit: int) -> list[str]:
    """Keys of at most `limit` chains to check: never checked first, then the longest ago.

    Due is what grew since its last good check; then, as far as `limit` allows, what was last checked over
    `CHECKED_AGAIN_AFTER` ago, since the rows before that check can be tampered with too. Chains already known as broken
    are not due: they would come first for ever.
    """
    old = Q(verified_at__lt=timezone.now() - CHECKED_AGAIN_AFTER)
    due = Chain.objects.filter(_GROWN | old, broken_at=None).annotate(grown=Q(_GROWN))
    order = ("-grown", F("verified_at").asc(nulls_first=True), "key")
    return list(due.order_by(*order).values_list("key", flat=True)[:limit])


def _record(
    timestamp: datetime, level: str, event: str, chain: str, data: dict[str, Any], seq: int, course: str, mode: str
) -> EventRecord:
    # Not validated again: the rows were when they were written, and this is called for millions.
    return EventRecord.model_construct(
        timestamp=timestamp,
        level=EventLevel(level),
        event=event,
        session_id=chain,
        data=data,
        seq=seq,
        course=course,
        mode=mode,
    )
