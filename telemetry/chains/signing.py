"""Signing what is there: chains from before signatures, or by a process that knew none. An operator's act.

Each chain is walked first: one with another fault stays as it is, and is named.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from django.db import connection, transaction

from telemetry.chains.keys import ring
from telemetry.chains.signatures import Head, head_sign, is_whole, signature_of
from telemetry.chains.tables import ChainedTable, chained_tables
from telemetry.chains.verification import PAGE_CHAINS, chains_verify
from telemetry.contracts import ChainCheck, FaultKind

_PAGE = """
SELECT key, length, head_hash, signature FROM {heads} WHERE length > 0 AND key > %s ORDER BY key LIMIT %s
"""
_LOCK = "SELECT key, length, head_hash FROM {heads} WHERE key = ANY(%s) ORDER BY key FOR NO KEY UPDATE"
_SIGN = """
UPDATE {heads} AS head SET signature = signed.signature
FROM unnest(%s::text[], %s::text[]) AS signed (key, signature) WHERE head.key = signed.key
"""


@dataclass(frozen=True)
class Signing:
    """What came of signing one kind of chains: how many were signed, and a line for each that was not, and why."""

    name: str
    signed: int = 0
    refused: tuple[str, ...] = ()


_signers: list[Callable[[], Signing]] = []


def signer_register(signer: Callable[[], Signing]) -> None:
    """Have these signed by `audit_sign` too; a second time changes nothing."""
    if signer not in _signers:
        _signers.append(signer)


def chains_sign(mark: Callable[[list[ChainCheck]], None]) -> Iterator[Signing]:
    """Sign the chains of all tables up to their end with the newest key, those that are so already aside.

    `mark` is given the good checks, in the transaction that signs. Locks a page of chains while it walks them.
    """
    for table in chained_tables():
        yield _table_sign(table, mark)
    for signer in _signers:
        yield signer()


def needs_signing(heads: str, key: str, head: Head) -> bool:
    """Whether the newest key did not sign this chain up to its end."""
    signature = signature_of(head.signature)
    return signature is None or signature.key_id != ring().signing.id or not is_whole(heads, key, head)


def _table_sign(table: ChainedTable, mark: Callable[[list[ChainCheck]], None]) -> Signing:
    heads, after, size, done = table.heads._meta.db_table, "", PAGE_CHAINS, Signing(table.plural)
    while size == PAGE_CHAINS:
        with connection.cursor() as cursor:
            cursor.execute(_PAGE.format(heads=heads), [after, PAGE_CHAINS])
            page = [(row[0], Head(*row[1:])) for row in cursor.fetchall()]
        size, after = len(page), page[-1][0] if page else after
        if keys := [key for key, head in page if needs_signing(heads, key, head)]:
            checks = _page_sign(table, keys, mark)
            refused = tuple(
                f"chain {check.chain}, seq {fault.seq}: {fault.detail}" for check in checks if (fault := check.fault)
            )
            signed = done.signed + len(checks) - len(refused)
            done = replace(done, signed=signed, refused=done.refused + refused)
    return done


@transaction.atomic
def _page_sign(table: ChainedTable, keys: list[str], mark: Callable[[list[ChainCheck]], None]) -> list[ChainCheck]:
    heads = table.heads._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(_LOCK.format(heads=heads), [keys])
        ends = {key: (length, hash_) for key, length, hash_ in cursor.fetchall()}
        checks = [_without_signature(check) for check in chains_verify(keys, tables=[table])]
        whole = [check for check in checks if check.fault is None]
        signatures = [head_sign(heads, check.chain, *ends[check.chain]) for check in whole]
        cursor.execute(_SIGN.format(heads=heads), [[check.chain for check in whole], signatures])
    mark(whole)
    return checks


def _without_signature(check: ChainCheck) -> ChainCheck:
    """The outcome as if the chain were signed."""
    unsigned = check.fault is not None and check.fault.kind == FaultKind.UNSIGNED
    return check.model_copy(update={"fault": None}) if unsigned else check
