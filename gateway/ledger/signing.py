"""Signing entries that are in no chain yet, or in one that is not signed up to its end: see `audit_sign`."""

from typing import Any

from django.db import connection, transaction

from gateway.ledger.chaining import HEADS, IS_CHAINED, AccountEnd, chain_key, entry_hash
from gateway.ledger.checking_chains import MOVED, entry_faults, movement_stored
from telemetry.chains.signatures import Head, head_sign
from telemetry.chains.signing import Chosen, Signing, needs_signing
from telemetry.contracts import FaultKind
from telemetry.contracts.hashing import genesis_hash

_PAGE = 1000
_ACCOUNTS = f"""
SELECT id, scope, key, length, head_hash, signature,
       EXISTS (SELECT FROM gateway_entry AS entry
               WHERE entry.account_id = account.id AND entry.seq IS NULL AND {IS_CHAINED})
FROM gateway_account AS account WHERE id > %s ORDER BY id LIMIT {_PAGE}
"""  # noqa: S608 - names of our own
_LOCK = """
SELECT id, scope, key, length, head_hash, signature FROM gateway_account WHERE id = %s FOR NO KEY UPDATE
"""
_LOOSE = f"""
SELECT entry.id, {MOVED} FROM gateway_entry AS entry JOIN gateway_account AS account ON account.id = entry.account_id
WHERE account.id = %s AND entry.seq IS NULL AND {IS_CHAINED} ORDER BY entry.id
"""  # noqa: S608
_PLACE = """
UPDATE gateway_entry AS entry SET seq = link.seq, previous_hash = link.previous, hash = link.hash
FROM unnest(%s::bigint[], %s::int[], %s::text[], %s::text[]) AS link (id, seq, previous, hash) WHERE entry.id = link.id
"""
_MOVE = "UPDATE gateway_account SET length = %s, head_hash = %s, signature = %s WHERE id = %s"


def accounts_sign(chosen: Chosen) -> Signing:
    """Put entries without a place at the end of their chains where these are chosen, and sign with the newest key.

    The owner of the tables alone may give an entry its place. A transaction for each account; one whose chain has
    another fault stays as it is.
    """
    after, size, signed, refused = 0, _PAGE, 0, list[str]()
    while size == _PAGE:
        with connection.cursor() as cursor:
            cursor.execute(_ACCOUNTS, [after])
            rows = cursor.fetchall()
        size, after = len(rows), rows[-1][0] if rows else after
        for *columns, has_loose in rows:
            end = AccountEnd(*columns)
            head = Head(end.length, end.hash, end.signature)
            key = chain_key(end.scope, end.key)
            if has_loose or needs_signing(HEADS, key, head):
                if fault := _account_sign(end.id, chosen(key)):
                    refused.append(fault)
                else:
                    signed += 1
    return Signing("accounts", signed, tuple(refused))


@transaction.atomic
def _account_sign(account_id: int, is_chosen: bool) -> str:
    """Why the account cannot be signed; empty when it is."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [account_id])
        end = AccountEnd(*cursor.fetchone())
        for _id, about, kind, detail in entry_faults([account_id]):
            if kind != FaultKind.UNSIGNED or not is_chosen:
                return f"{about}: {detail}"
        cursor.execute(_LOOSE, [account_id])
        links = _links(end, cursor.fetchall())
        if links:
            cursor.execute(_PLACE, [list(column) for column in zip(*links, strict=True)])
        length, hash_ = (links[-1][1], links[-1][3]) if links else (end.length, end.hash)
        signature = head_sign(HEADS, chain_key(end.scope, end.key), length, hash_)
        cursor.execute(_MOVE, [length, hash_, signature, account_id])
    return ""


def _links(end: AccountEnd, rows: list[tuple[Any, ...]]) -> list[tuple[int, int, str, str]]:
    """Of each entry its id, place, previous hash and hash."""
    chain = chain_key(end.scope, end.key)
    links, previous = list[tuple[int, int, str, str]](), end.hash or genesis_hash(chain)
    for seq, (entry_id, *content) in enumerate(rows, start=end.length + 1):
        hash_ = entry_hash(chain, seq, movement_stored(tuple(content)), previous)
        links.append((entry_id, seq, previous, hash_))
        previous = hash_
    return links
