"""Entries of an account as a hash chain with a signed head, so that one that was forged or changed is found.

An account of one payer has all its entries in the chain. One that many share has those of calls beside it, since each
call would have to wait for the hash of the one before: they are counted and summed up in the anchor.
"""

import hashlib
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from gateway.models import Account, Entry
from telemetry.chains.signatures import Head, head_extend
from telemetry.contracts.hashing import canonical_json, genesis_hash, timestamp_text

FORMAT = "andamio.ledger/1"
HEADS = Account._meta.db_table
OF_CALLS = (Entry.Kind.RESERVE, Entry.Kind.SETTLE, Entry.Kind.RELEASE, Entry.Kind.EXPIRE)
IS_CHAINED = (
    f"(account.scope NOT IN {tuple(map(str, Account.SHARED))} OR entry.kind NOT IN {tuple(map(str, OF_CALLS))})"
)
"""SQL for whether an entry belongs into the chain of its account."""


class Movement(NamedTuple):
    """What an entry says, in the form that is hashed; amounts in micro-cents, `at` as `timestamp_text` writes it."""

    kind: str
    hold: str | None
    granted: int
    available: int
    held: int
    spent: int
    at: str
    by: int | None
    reason: str

    @classmethod
    def of_call(
        cls, kind: str, hold: UUID, held: int, spent: int, at: datetime, by: int | None = None, reason: str = ""
    ) -> "Movement":
        """What a call moves: what is held and spent comes from what was available."""
        return cls(kind, str(hold), 0, -held - spent, held, spent, timestamp_text(at), by, reason)

    @classmethod
    def of_limit(cls, kind: str, more: int, at: datetime, by: int | None = None, reason: str = "") -> "Movement":
        """What another limit moves."""
        return cls(kind, None, -more, more, 0, 0, timestamp_text(at), by, reason)


class AccountEnd(NamedTuple):
    """The end of an account's chain; its row is locked."""

    id: int
    scope: str
    key: str
    length: int
    hash: str
    signature: str


class Link(NamedTuple):
    """The place of an entry in its account's chain, and the signature of the new end. `seq` None: in no chain."""

    account: int
    seq: int | None
    previous: str
    hash: str
    signature: str


def chain_key(scope: str, key: str) -> str:
    """What the chain of an account is called."""
    return f"{scope}:{key}"


def entry_hash(chain: str, seq: int, movement: Movement, previous: str) -> str:
    """SHA-256 in hex of an entry and all before it in its chain."""
    return hashlib.sha256(canonical_json([FORMAT, chain, seq, *movement, previous]).encode()).hexdigest()


def link_first(scope: str, key: str, limit: int, now: datetime) -> Link:
    """The place of the entry that opens an account."""
    end = AccountEnd(0, scope, key, 0, genesis_hash(chain_key(scope, key)), "")
    return link_next(end, Movement.of_limit(Entry.Kind.OPEN, limit, now))


def link_next(end: AccountEnd, movement: Movement) -> Link:
    """The place of an account's next entry."""
    if end.scope in Account.SHARED and movement.kind in OF_CALLS:
        return Link(end.id, None, "", "", "")
    return link_append(end, movement)


def link_append(end: AccountEnd, movement: Movement) -> Link:
    """The place behind the last entry. Without a hash of that, the account is from before chains."""
    chain, seq = chain_key(end.scope, end.key), end.length + 1
    previous = end.hash or genesis_hash(chain)
    hash_ = entry_hash(chain, seq, movement, previous)
    signature = head_extend(HEADS, chain, Head(end.length, end.hash, end.signature), seq, hash_)
    return Link(end.id, seq, previous, hash_, signature)


def link_columns(links: Iterable[Link]) -> dict[str, list[Any]]:
    """The places as arrays for a statement."""
    columns = zip(*links, strict=True) if (links := list(links)) else ((),) * len(Link._fields)
    return dict(zip(("accounts", "seqs", "previous", "hashes", "signatures"), map(list, columns), strict=True))
