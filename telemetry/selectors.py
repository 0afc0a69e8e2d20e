"""Reads of the audit trail."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from telemetry.chains.owners import chains_about
from telemetry.chains.tables import chained_tables
from telemetry.contracts import EXPORTS_CHAIN, EventLevel, EventRecord
from telemetry.models import Event
from telemetry.rollups.figures import figures_read, measure_read

__all__ = (
    "AuditState",
    "BrokenChain",
    "audit_state",
    "chains_due",
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
_HEADS = "SELECT '{page}' AS page, {columns} FROM {table}"
_STATE = """
SELECT count(*), count(*) FILTER (WHERE broken_at IS NULL AND length > verified_length),
       count(*) FILTER (WHERE broken_at IS NOT NULL), min(verified_at) FILTER (WHERE broken_at IS NULL)
FROM ({heads}) AS heads
"""
_BROKEN = "SELECT page, key, broken_at FROM ({heads}) AS heads WHERE broken_at IS NOT NULL ORDER BY key LIMIT %s"
_DUE = """
SELECT key FROM ({heads}) AS heads WHERE broken_at IS NULL AND (length > verified_length OR verified_at < %s)
ORDER BY length > verified_length DESC, verified_at ASC NULLS FIRST, key LIMIT %s
"""
_COLUMNS = ("timestamp", "level", "event", "chain_id", "data", "seq", "course", "mode")
"""Of an event, in the order of the fields of `EventRecord`."""


def events_of(chain: str) -> QuerySet[Event]:
    """The events of one chain in their order."""
    return Event.objects.filter(chain_id=chain).order_by("seq")


def events_settled(
    *,
    upto: int,
    since: datetime | None = None,
    until: datetime | None = None,
    chain: str | None = None,
    course: str | None = None,
    mode: str | None = None,
    event: str | None = None,
    about: QuerySet[User] | None = None,
) -> QuerySet[Event]:
    """Events from `since` (inclusive) to `until` (exclusive) in the order they were recorded; None leaves a side open.

    Up to the one with the id `upto`, of chains about these people where `about` is given, and without the hashes of
    each. Within a chain that is the order of the chain.
    """
    filters: dict[str, Any] = {"timestamp__gte": since, "timestamp__lt": until, "chain_id": chain, "course": course}
    filters |= {"mode": mode, "event": event, "id__lte": upto}
    conditions = {name: value for name, value in filters.items() if value is not None}
    events = Event.objects.filter(**conditions).order_by("id").defer("previous_hash", "hash")
    return events if about is None else events.filter(chain__in=chains_about(about))


def records_in_blocks(events: QuerySet[Event]) -> Iterator[list[EventRecord]]:
    """The rows as records in the order of their ids, in blocks of which each is a statement of its own.

    Needs no transaction, so nothing is held between two blocks however slowly they are taken. The queryset must not
    grow meanwhile: give it an end by id.
    """
    after = 0
    while block := list(events.filter(id__gt=after).order_by("id").values_list("id", *_COLUMNS)[:BLOCK_ROWS]):
        yield [_record(columns) for _id, *columns in block]
        after = block[-1][0]


class BrokenChain(NamedTuple):
    """A chain known as broken, from its row `broken_at` on; `page` is the name of the page that shows its head."""

    page: str
    key: str
    broken_at: int


@dataclass(frozen=True)
class AuditState:
    """The state of the chains of all tables. `due` are new or have grown since their last good check.

    `whole_since` is the oldest last good check of those that had one; None when none had.
    """

    chains: int
    due: int
    broken: int
    whole_since: datetime | None
    first_broken: tuple[BrokenChain, ...]


def audit_state() -> AuditState:
    """Over all chains. One query, one more when some are broken, of which the first few are named."""
    with connection.cursor() as cursor:
        cursor.execute(_STATE.format(heads=_each_head("length, verified_length, verified_at, broken_at")))
        chains, due, broken, whole_since = cursor.fetchone()
        named: list[BrokenChain] = []
        if broken:
            cursor.execute(_BROKEN.format(heads=_each_head("key, broken_at")), [CHAINS_NAMED])
            named = [BrokenChain(*row) for row in cursor.fetchall()]
    return AuditState(chains, due, broken, whole_since, tuple(named))


def exports_latest(limit: int) -> list[Event]:
    """The events of the last exports, the latest first."""
    return list(Event.objects.filter(chain_id=EXPORTS_CHAIN).order_by("-seq")[:limit])


def chains_due(limit: int) -> list[str]:
    """Keys of at most `limit` chains of any table to check: never checked first, then the longest ago.

    Due is what grew since its last good check; then, as far as `limit` allows, what was last checked over
    `CHECKED_AGAIN_AFTER` ago, since the rows before that check can be tampered with too. Chains already known as broken
    are not due: they would come first for ever.
    """
    sql = _DUE.format(heads=_each_head("key, length, verified_length, verified_at, broken_at"))
    with connection.cursor() as cursor:
        cursor.execute(sql, [timezone.now() - CHECKED_AGAIN_AFTER, limit])
        return [key for (key,) in cursor.fetchall()]


def _each_head(columns: str) -> str:
    """SQL for these columns of the heads of all chained tables."""
    return " UNION ALL ".join(
        _HEADS.format(page=table.page, columns=columns, table=table.heads._meta.db_table) for table in chained_tables()
    )


def _record(columns: Sequence[Any]) -> EventRecord:
    # Not validated again: the rows were when they were written, and this is called for millions.
    fields = dict(zip(EventRecord.model_fields, columns, strict=True))
    return EventRecord.model_construct(**fields | {"level": EventLevel(fields["level"])})
