"""Do the entries of each account make a chain, and is its head signed?"""

from collections.abc import Iterator
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

from django.db import connection

from gateway.ledger.chaining import IS_CHAINED, Movement, chain_key, entry_hash
from gateway.models import Account, Entry
from telemetry.chains.tables import ChainedRow, ChainedTable, moment_column, moment_text
from telemetry.chains.verification import chain_verify
from telemetry.contracts import FaultKind
from telemetry.contracts.hashing import genesis_hash

_BLOCK_ROWS = 2000
MOVED = f"""entry.kind, entry.hold_id::text, entry.granted, entry.available, entry.held, entry.spent,
    {moment_column("entry.at")}, entry.by_id, entry.reason"""
# Entries that have no place and should have one come last in their account.
_ROWS = f"""
SELECT account.id, account.scope, account.key, account.length, account.head_hash, account.signature,
       entry.id, entry.seq, entry.previous_hash, entry.hash, {MOVED}
FROM gateway_account AS account
LEFT JOIN gateway_entry AS entry ON entry.account_id = account.id AND (entry.seq IS NOT NULL OR {IS_CHAINED})
WHERE %(only)s::bigint[] IS NULL OR account.id = ANY(%(only)s::bigint[])
ORDER BY account.id, entry.seq NULLS LAST, entry.id
"""  # noqa: S608 - names of our own
_ENTRY, _SEQ, _CONTENT = 6, 7, 10


def entry_faults(accounts: list[int] | None = None) -> Iterator[tuple[int, str, FaultKind, str]]:
    """The first fault of each account's chain: its id, what to call it, a kind, a sentence; of all accounts with None.

    Needs a transaction. One statement, read in blocks.
    """
    with connection.chunked_cursor() as cursor:
        cursor.execute(_ROWS, {"only": accounts})
        for account_id, rows in groupby(_read(cursor), key=itemgetter(0)):
            yield from _faults(account_id, rows)


def _read(cursor: Any) -> Iterator[tuple[Any, ...]]:
    while block := cursor.fetchmany(_BLOCK_ROWS):
        yield from block


def _faults(account_id: int, rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[int, str, FaultKind, str]]:
    first = next(rows)
    about = f"account {first[1]} {first[2]}"
    loose: list[int] = []

    def chained() -> Iterator[ChainedRow]:
        for row in (first, *rows):
            if row[_SEQ] is not None or row[_ENTRY] is None:
                yield _chained_row(row)
            else:
                loose.append(row[_ENTRY])

    places = chained()
    head = next(places, None) or _chained_row((*first[:_ENTRY], *[None] * (len(first) - _ENTRY)))
    fault = chain_verify(_TABLE, chain([head], places)).fault
    for _ in places:  # the rest, behind a fault
        pass
    if fault is not None:
        place = f"entry {fault.seq}" + (f", row {fault.row_id}" if fault.row_id else "")
        yield account_id, about, fault.kind, f"{place}: {fault.detail}"
    elif loose:
        detail = (
            f"{len(loose)} entries are in no chain, the first of them row {loose[0]}: forged, or from before chains"
        )
        yield account_id, about, FaultKind.UNSIGNED, detail


def _chained_row(row: tuple[Any, ...]) -> ChainedRow:
    _id, scope, key, length, head_hash, signature, entry_id, seq, previous, hash_ = row[:_CONTENT]
    name = chain_key(scope, key)
    # An account from before chains has no hash yet.
    return ChainedRow(
        *(name, length, head_hash or genesis_hash(name), 0, signature),
        *(entry_id, seq, previous, hash_, row[_CONTENT:]),
    )


def movement_stored(content: tuple[Any, ...]) -> Movement:
    """The movement that a row tells of."""
    *money, at, by, reason = content
    return Movement._make((*money, moment_text(at), by, reason))


def _hash_of(row: ChainedRow) -> str:
    return entry_hash(row.chain, row.seq, movement_stored(row.content), row.previous_hash)


_TABLE = ChainedTable(name="entry", plural="entries", heads=Account, rows=Entry, columns=MOVED, hash_of=_hash_of)
"""For what checks all chains alike; not registered: `ledger_check` reads accounts in its own snapshot."""
