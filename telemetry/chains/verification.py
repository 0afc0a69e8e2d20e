"""Walking the chains: does every row follow from the one before, does the last one match the head, is it signed?

Bounded memory: a page of chains at a time, its rows in blocks from a server-side cursor. Each page is one statement,
hence one snapshot, so rows appended meanwhile are no faults; and nothing is locked. All tables are walked alike.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db import connection, transaction

from telemetry.chains.signatures import Signature, signature_fault, signature_of
from telemetry.chains.tables import ChainedRow, ChainedTable, FaultOf, chained_tables, witnesses_of
from telemetry.contracts import ChainCheck, ChainFault, FaultKind
from telemetry.contracts.hashing import genesis_hash

PAGE_CHAINS = 500
BLOCK_ROWS = 2000
_PLACES = len(ChainedRow._fields) - 1

_PAGE = """
SELECT page.*, e.id, e.seq, e.previous_hash, e.hash, {columns}
FROM (
    SELECT key, length, head_hash, verified_length, signature FROM {heads}
    WHERE key > %(after)s AND (%(only)s::text[] IS NULL OR key = ANY(%(only)s::text[]))
    ORDER BY key LIMIT %(limit)s
) AS page LEFT JOIN {rows} AS e ON e.chain_id = page.key
ORDER BY page.key, e.seq
"""
_ORPHANS = """
SELECT DISTINCT ON (e.chain_id) e.chain_id, e.seq, e.id FROM {rows} AS e
WHERE NOT EXISTS (SELECT FROM {heads} AS c WHERE c.key = e.chain_id)
  AND (%(only)s::text[] IS NULL OR e.chain_id = ANY(%(only)s::text[]))
ORDER BY e.chain_id, e.seq
"""
_MISSING_ENTRIES = "SELECT key, place, what, NULL::int FROM ({entries}) AS missing (key, place, what)"
_CONTRADICTIONS = """
SELECT DISTINCT ON (key) key, what, seq FROM ({all}) AS wrong (key, place, what, seq) ORDER BY key, place, what
"""
_Contradiction = tuple[str, int | None]
"""What it is, and the place in the chain that tells otherwise; None where no row tells of it."""
_OnRows = Callable[[int], None] | None


def chains_verify(
    chains: Sequence[str] | None = None, *, tables: Sequence[ChainedTable] | None = None, on_rows: _OnRows = None
) -> Iterator[ChainCheck]:
    """Check the named chains, or all, of these tables, or all: table by table, in the order of their keys.

    After the chains of a table come those that have lost their head. `on_rows` is told, now and then, how many rows
    were read since it was told last. An unknown name yields nothing.
    """
    only = None if chains is None else list(chains)
    for table in chained_tables() if tables is None else tables:
        yield from _Walk(table, only, on_rows).checks()


class _Walk:
    """Through the chains of one table."""

    def __init__(self, table: ChainedTable, only: list[str] | None, on_rows: _OnRows) -> None:
        self._table, self._only, self._on_rows = table, only, on_rows
        self._fault_of = table.check() if table.check else None
        self._names = {"heads": table.heads._meta.db_table, "rows": table.rows._meta.db_table}

    def checks(self) -> Iterator[ChainCheck]:
        """Whole chains and broken ones, then what is left of chains without a head."""
        contradictions = self._contradictions()
        after, size = "", PAGE_CHAINS
        while size == PAGE_CHAINS:
            page = self._page(after, contradictions)
            yield from page
            size = len(page)
            after = page[-1].chain if page else after
            for check in page:
                contradictions.pop(check.chain, None)
        for check in self._orphans():
            contradictions.pop(check.chain, None)
            yield check
        for key, contradiction in contradictions.items():
            fault = _contradiction_fault(self._table, 0, contradiction)
            yield ChainCheck(table=self._table.name, chain=key, length=0, fault=fault)

    def _contradictions(self) -> dict[str, _Contradiction]:
        """By chain the first thing that its rows do not tell of, or tell otherwise; asked first: nothing newer is in
        it.
        """
        queries = [witness.sql for witness in witnesses_of(self._table)]
        if self._table.missing_entries:
            queries.append(_MISSING_ENTRIES.format(entries=self._table.missing_entries))
        if not queries:
            return {}
        with connection.cursor() as cursor:
            union = " UNION ALL ".join(f"({query})" for query in queries)
            cursor.execute(_CONTRADICTIONS.format(all=union), {"only": self._only})
            return {key: (what, seq) for key, what, seq in cursor.fetchall()}

    def _page(self, after: str, contradictions: dict[str, _Contradiction]) -> list[ChainCheck]:
        sql = _PAGE.format(columns=self._table.columns, **self._names)
        with transaction.atomic(), connection.chunked_cursor() as cursor:
            cursor.execute(sql, {"after": after, "only": self._only, "limit": PAGE_CHAINS})
            chains = groupby(self._rows(cursor), key=itemgetter(0))
            return [chain_verify(self._table, rows, self._fault_of, contradictions.get(key)) for key, rows in chains]

    def _rows(self, cursor: Any) -> Iterator[ChainedRow]:
        while block := cursor.fetchmany(BLOCK_ROWS):
            for values in block:
                yield ChainedRow._make((*values[:_PLACES], values[_PLACES:]))
            if self._on_rows:
                self._on_rows(len(block))

    def _orphans(self) -> Iterator[ChainCheck]:
        with connection.cursor() as cursor:
            cursor.execute(_ORPHANS.format(**self._names), {"only": self._only})
            orphans = cursor.fetchall()
        for key, seq, row_id in orphans:
            detail = f"the chain of this {self._table.name} is missing"
            fault = ChainFault(kind=FaultKind.ORPHANED, seq=seq, row_id=row_id, detail=detail)
            yield ChainCheck(table=self._table.name, chain=key, length=0, fault=fault)


def chain_verify(
    table: ChainedTable,
    rows: Iterator[ChainedRow],
    fault_of: FaultOf | None = None,
    contradiction: _Contradiction | None = None,
) -> ChainCheck:
    """Check the rows of one chain up to its first fault; the caller skips the rest. Of no rows the head alone comes."""
    head = next(rows)
    signature = signature_of(head.signature)
    check = ChainCheck(table=table.name, chain=head.chain, length=head.length)
    count, previous, signed_hash = 0, genesis_hash(head.chain), ""
    row: ChainedRow | None = head if head.id is not None else None
    while row is not None:
        if fault := _row_fault(table, row, fault_of, count + 1, previous):
            return check.model_copy(update={"fault": fault})
        count, previous = row.seq, row.hash
        if signature and signature.length == count:
            signed_hash = row.hash
        row = next(rows, None)
    fault = (
        _head_fault(table, head, count, previous)
        or (_contradiction_fault(table, count, contradiction) if contradiction else None)
        or _signature_fault(table, head, signature, signed_hash)
    )
    return check.model_copy(update={"fault": fault})


def _row_fault(
    table: ChainedTable, row: ChainedRow, fault_of: FaultOf | None, expected: int, previous: str
) -> ChainFault | None:
    name = table.name
    if row.seq != expected:
        return _fault(FaultKind.GAP, row, f"{name} {expected} is missing: {name} {row.seq} follows {expected - 1}")
    if row.previous_hash != previous:
        return _fault(FaultKind.WRONG_PREVIOUS, row, f"its previous hash is not the hash of {name} {expected - 1}")
    if row.hash != _hash_of(table, row):
        return _fault(FaultKind.ALTERED, row, "its content was altered: it does not match its hash")
    if fault_of and (fault := fault_of(row)):
        return _fault(fault[0], row, fault[1])
    if row.seq > row.length:
        return _fault(FaultKind.WRONG_HEAD, row, f"it lies beyond the head, which says {row.length} {table.plural}")
    return None


def _head_fault(table: ChainedTable, head: ChainedRow, count: int, previous: str) -> ChainFault | None:
    if count < head.length:
        detail = f"the tail was cut off: the head says {head.length} {table.plural}, {count} are there"
        return ChainFault(kind=FaultKind.TRUNCATED, seq=count + 1, row_id=None, detail=detail)
    if count < head.verified_length:
        detail = f"the tail was cut off: {head.verified_length} {table.plural} at the last good check, now {count}"
        return ChainFault(kind=FaultKind.TRUNCATED, seq=count + 1, row_id=None, detail=detail)
    if previous != head.head_hash:
        detail = f"the head's hash is not that of the last {table.name}"
        return ChainFault(kind=FaultKind.WRONG_HEAD, seq=count, row_id=None, detail=detail)
    return None


def _signature_fault(
    table: ChainedTable, head: ChainedRow, signature: Signature | None, signed_hash: str
) -> ChainFault | None:
    """The fault of a chain whose rows and head agree; `signed_hash` is that of the row up to which it is signed."""
    signed = signature.length if signature else 0
    if signature and signed > head.length:
        detail = f"the tail was cut off: {signed} {table.plural} were signed, {head.length} are there"
        return ChainFault(kind=FaultKind.TRUNCATED, seq=head.length + 1, row_id=None, detail=detail)
    if signature and (fault := signature_fault(table.heads._meta.db_table, head.chain, signature, signed_hash)):
        return ChainFault(kind=fault[0], seq=signed, row_id=None, detail=fault[1])
    if signed < head.length:
        detail = f"from here on it is not signed: {table.name} {signed + 1} to {head.length}"
        return ChainFault(kind=FaultKind.UNSIGNED, seq=signed + 1, row_id=None, detail=detail)
    return None


def _contradiction_fault(table: ChainedTable, count: int, contradiction: _Contradiction) -> ChainFault:
    what, seq = contradiction
    if seq is not None:
        detail = f"the {what} is not the one that it tells of"
        return ChainFault(kind=FaultKind.ALTERED, seq=seq, row_id=None, detail=detail)
    detail = f"the {table.name} of {what} is missing: it was cut off, or never written"
    return ChainFault(kind=FaultKind.TRUNCATED, seq=count + 1, row_id=None, detail=detail)


def _fault(kind: FaultKind, row: ChainedRow, detail: str) -> ChainFault:
    return ChainFault(kind=kind, seq=row.seq, row_id=row.id, detail=detail)


def _hash_of(table: ChainedTable, row: ChainedRow) -> str | None:
    """The hash the row should have; None when its content is none that could have been written here."""
    try:
        return table.hash_of(row)
    except (ValueError, RecursionError):
        return None
