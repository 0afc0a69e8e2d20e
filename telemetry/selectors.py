"""Reads of the audit trail."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import F, QuerySet

from telemetry.contracts import EventLevel, EventRecord
from telemetry.models import Chain, Event

BLOCK_ROWS = 2000


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


def records_stream(events: QuerySet[Event]) -> Iterator[EventRecord]:
    """The rows as records, in blocks from a server-side cursor: any number in little memory.

    Inside a transaction the first row comes at once; outside one PostgreSQL first copies the whole result.
    """
    columns = ("timestamp", "level", "event", "chain_id", "data", "seq", "course", "mode")
    for timestamp, level, event, chain, data, seq, course, mode in events.values_list(*columns).iterator(BLOCK_ROWS):
        # Not validated again: the rows were when they were written, and this is a loop over millions.
        yield EventRecord.model_construct(
            timestamp=timestamp,
            level=EventLevel(level),
            event=event,
            session_id=chain,
            data=data,
            seq=seq,
            course=course,
            mode=mode,
        )


def chains_due(limit: int) -> list[str]:
    """Keys of at most `limit` chains that grew since their last good check, never checked first, then the longest ago.

    Chains already known as broken are not due: they would come first for ever.
    """
    grown = Chain.objects.filter(length__gt=F("verified_length"), broken_at=None)
    return list(grown.order_by(F("verified_at").asc(nulls_first=True), "key").values_list("key", flat=True)[:limit])
