"""Signing what is there: chains that a former key signed, and, where an operator chooses them, what nothing signed.

Each chain is walked first: one with another fault stays as it is, and is named.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from django.db import connection, transaction
from django.db.models import Model

from telemetry.chains.keys import ring
from telemetry.chains.signatures import Head, head_sign, is_whole, signature_of
from telemetry.chains.tables import ChainedTable, chained_tables
from telemetry.chains.verification import PAGE_CHAINS, chains_verify
from telemetry.contracts import ChainCheck, FaultKind

_PAGE = """
SELECT key, length, head_hash, signature FROM {heads} WHERE length > 0 AND key > %s ORDER BY key LIMIT %s
"""
_LOCK = "SELECT key, length, head_hash FROM {heads} WHERE key = ANY(%s) ORDER BY key FOR NO KEY UPDATE"
_IS_UNSIGNED = "SELECT EXISTS (SELECT FROM {heads}), EXISTS (SELECT FROM {heads} WHERE signature <> '')"
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


Chosen = Callable[[str], bool]
"""Whether rows of the chain with this key that nothing signed are to be signed; else they are named."""
_signers: dict[type[Model], Callable[[Chosen], Signing]] = {}


def signer_register(heads: type[Model], signer: Callable[[Chosen], Signing]) -> None:
    """Have the chains of these heads signed by `audit_sign` too; a second time changes nothing."""
    _signers[heads] = signer


def chains_sign(mark: Callable[[list[ChainCheck]], None], chosen: Chosen) -> Iterator[Signing]:
    """Sign the chains of all tables up to their end with the newest key, those that are so already aside.

    `mark` is given the good checks, in the transaction that signs. Locks a page of chains while it walks them.
    """
    for table in chained_tables():
        yield _table_sign(table, mark, chosen)
    for signer in _signers.values():
        yield signer(chosen)


def heads_are_unsigned() -> bool:
    """Whether there are heads, and none has a signature."""
    tables = [*(table.heads for table in chained_tables()), *_signers]
    with connection.cursor() as cursor:
        states = []
        for heads in tables:
            cursor.execute(_IS_UNSIGNED.format(heads=heads._meta.db_table))
            states.append(cursor.fetchone())
    there, signed = (any(column) for column in zip(*states, strict=True))
    return there and not signed


def needs_signing(heads: str, key: str, head: Head) -> bool:
    """Whether the newest key did not sign this chain up to its end."""
    signature = signature_of(head.signature)
    return signature is None or signature.key_id != ring().signing.id or not is_whole(heads, key, head)


def _table_sign(table: ChainedTable, mark: Callable[[list[ChainCheck]], None], chosen: Chosen) -> Signing:
    heads, after, size, done = table.heads._meta.db_table, "", PAGE_CHAINS, Signing(table.plural)
    while size == PAGE_CHAINS:
        with connection.cursor() as cursor:
            cursor.execute(_PAGE.format(heads=heads), [after, PAGE_CHAINS])
            page = [(row[0], Head(*row[1:])) for row in cursor.fetchall()]
        size, after = len(page), page[-1][0] if page else after
        if keys := [key for key, head in page if needs_signing(heads, key, head)]:
            checks = _page_sign(table, keys, mark, chosen)
            refused = tuple(
                f"chain {check.chain}, seq {fault.seq}: {fault.detail}" for check in checks if (fault := check.fault)
            )
            signed = done.signed + len(checks) - len(refused)
            done = replace(done, signed=signed, refused=done.refused + refused)
    return done


@transaction.atomic
def _page_sign(
    table: ChainedTable, keys: list[str], mark: Callable[[list[ChainCheck]], None], chosen: Chosen
) -> list[ChainCheck]:
    heads = table.heads._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(_LOCK.format(heads=heads), [keys])
        ends = {key: (length, hash_) for key, length, hash_ in cursor.fetchall()}
        checks = [_if_signed(check) if chosen(check.chain) else check for check in chains_verify(keys, tables=[table])]
        whole = [check for check in checks if check.fault is None]
        signatures = [head_sign(heads, check.chain, *ends[check.chain]) for check in whole]
        cursor.execute(_SIGN.format(heads=heads), [[check.chain for check in whole], signatures])
    mark(whole)
    return checks


def _if_signed(check: ChainCheck) -> ChainCheck:
    """The outcome as if the chain were signed."""
    unsigned = check.fault is not None and check.fault.kind == FaultKind.UNSIGNED
    return check.model_copy(update={"fault": None}) if unsigned else check
