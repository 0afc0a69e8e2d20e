"""Walking the chains: does every event follow from the one before, and does the last one match the head?

Bounded memory: a page of chains at a time, its events in blocks from a server-side cursor. Each page is one statement,
hence one snapshot, so events appended meanwhile are no faults; and nothing is locked.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db import connection, transaction

from telemetry.chain import event_hash, genesis_hash
from telemetry.contracts import ChainCheck, ChainFault, FaultKind

PAGE_CHAINS = 500
BLOCK_ROWS = 2000

# Times and data come as text: a tampered row may hold what Python cannot read (infinity, a number of 5,000 digits), and
# must be named, not crash the check. The era shows a year moved to before Christ.
_PAGE = """
SELECT page.*, e.id, e.seq, to_char(e.timestamp AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"BC'),
       e.level, e.event, e.course, e.mode, e.data::text, e.previous_hash, e.hash
FROM (
    SELECT key, length, head_hash, verified_length FROM telemetry_chain
    WHERE key > %(after)s AND (%(only)s::text[] IS NULL OR key = ANY(%(only)s::text[]))
    ORDER BY key LIMIT %(limit)s
) AS page LEFT JOIN telemetry_event AS e ON e.chain_id = page.key
ORDER BY page.key, e.seq
"""
_ORPHANS = """
SELECT DISTINCT ON (e.chain_id) e.chain_id, e.seq, e.id FROM telemetry_event AS e
WHERE NOT EXISTS (SELECT FROM telemetry_chain AS c WHERE c.key = e.chain_id)
  AND (%(only)s::text[] IS NULL OR e.chain_id = ANY(%(only)s::text[]))
ORDER BY e.chain_id, e.seq
"""


class _Row(NamedTuple):
    chain: str
    length: int
    head_hash: str
    verified_length: int
    id: int | None  # None, like all that follow, in the one row of a chain without events
    seq: int
    timestamp: str | None
    level: str
    event: str
    course: str
    mode: str
    data: str
    previous_hash: str
    hash: str


def chains_verify(
    chains: Sequence[str] | None = None, *, on_rows: Callable[[int], None] | None = None
) -> Iterator[ChainCheck]:
    """Check the named chains, or all, in the order of their keys; after them come events whose chain is missing.

    `on_rows` is told, now and then, how many rows were read since it was told last. An unknown name yields nothing.
    """
    only = None if chains is None else list(chains)
    after = ""
    while page := _page_verify(after, only, on_rows):
        yield from page
        after = page[-1].chain
    with connection.cursor() as cursor:
        cursor.execute(_ORPHANS, {"only": only})
        orphans = cursor.fetchall()
    for key, seq, event_id in orphans:
        detail = "the chain of this event is missing"
        fault = ChainFault(kind=FaultKind.ORPHANED, seq=seq, event_id=event_id, detail=detail)
        yield ChainCheck(chain=key, length=0, fault=fault)


def _page_verify(after: str, only: list[str] | None, on_rows: Callable[[int], None] | None) -> list[ChainCheck]:
    with transaction.atomic(), connection.chunked_cursor() as cursor:
        cursor.execute(_PAGE, {"after": after, "only": only, "limit": PAGE_CHAINS})
        return [_chain_verify(rows) for _, rows in groupby(_rows(cursor, on_rows), key=itemgetter(0))]


def _rows(cursor: Any, on_rows: Callable[[int], None] | None) -> Iterator[_Row]:
    while block := cursor.fetchmany(BLOCK_ROWS):
        yield from map(_Row._make, block)
        if on_rows:
            on_rows(len(block))


def _chain_verify(rows: Iterator[_Row]) -> ChainCheck:
    """Check the rows of one chain up to its first fault; the caller skips the rest."""
    head = next(rows)
    check = ChainCheck(chain=head.chain, length=head.length)
    count, previous = 0, genesis_hash(head.chain)
    row: _Row | None = head if head.id is not None else None
    while row is not None:
        if fault := _event_fault(row, count + 1, previous):
            return check.model_copy(update={"fault": fault})
        count, previous = row.seq, row.hash
        row = next(rows, None)
    return check.model_copy(update={"fault": _head_fault(head, count, previous)})


def _event_fault(row: _Row, expected: int, previous: str) -> ChainFault | None:
    if row.seq != expected:
        return _fault(FaultKind.GAP, row, f"event {expected} is missing: event {row.seq} follows {expected - 1}")
    if row.previous_hash != previous:
        return _fault(FaultKind.WRONG_PREVIOUS, row, f"its previous hash is not the hash of event {expected - 1}")
    if row.hash != _hash_of(row):
        return _fault(FaultKind.ALTERED, row, "its content was altered: it does not match its hash")
    if row.seq > row.length:
        return _fault(FaultKind.WRONG_HEAD, row, f"it lies beyond the head, which says {row.length} events")
    return None


def _head_fault(head: _Row, count: int, previous: str) -> ChainFault | None:
    if count < head.length:
        detail = f"the tail was cut off: the head says {head.length} events, {count} are there"
        return ChainFault(kind=FaultKind.TRUNCATED, seq=count + 1, event_id=None, detail=detail)
    if count < head.verified_length:
        detail = f"the tail was cut off: {head.verified_length} events at the last good check, now {count}"
        return ChainFault(kind=FaultKind.TRUNCATED, seq=count + 1, event_id=None, detail=detail)
    if previous != head.head_hash:
        detail = "the head's hash is not that of the last event"
        return ChainFault(kind=FaultKind.WRONG_HEAD, seq=count, event_id=None, detail=detail)
    return None


def _fault(kind: FaultKind, row: _Row, detail: str) -> ChainFault:
    return ChainFault(kind=kind, seq=row.seq, event_id=row.id, detail=detail)


def _hash_of(row: _Row) -> str | None:
    """The hash the row should have; None when its content is none that could have been written here."""
    timestamp = row.timestamp or ""
    try:
        return event_hash(
            chain=row.chain,
            seq=row.seq,
            timestamp=timestamp.removesuffix("AD"),
            level=row.level,
            event=row.event,
            course=row.course,
            mode=row.mode,
            data=json.loads(row.data),
            previous_hash=row.previous_hash,
        )
    except (ValueError, RecursionError):
        return None
