"""The signature of a chain's head: who has a key vouches for the chain up to a row.

It says up to which, so a process that knows no signatures may append behind it: what it appended is unsigned, and what
was signed still holds. A signature is moved to the new end only where it was whole: an append never vouches for what it
did not write.
"""

import hashlib
from typing import NamedTuple

from telemetry.chains.keys import Key, ring
from telemetry.contracts import FaultKind
from telemetry.contracts.hashing import canonical_json, genesis_hash

FORMAT = "andamio.head/1"


class Head(NamedTuple):
    """The end of a chain: its length, the hash of its last row, and its signature, empty where there is none."""

    length: int
    hash: str
    signature: str


class Signature(NamedTuple):
    """Up to which row a chain was signed, with which key, and the HMAC in hex."""

    length: int
    key_id: str
    mac: str

    def __str__(self) -> str:
        return f"{self.length}:{self.key_id}:{self.mac}"


def signature_of(text: str) -> Signature | None:
    """What is stored with a head; None for an empty one, and for text that is none: both sign nothing."""
    length, _, rest = text.partition(":")
    key_id, _, mac = rest.partition(":")
    return Signature(int(length), key_id, mac) if length.isascii() and length.isdecimal() and mac else None


def head_sign(table: str, key: str, length: int, hash_: str) -> str:
    """The text of a signature over the first `length` rows of a chain; `table` is that of the heads."""
    signing = ring().signing
    return str(Signature(length, signing.id, signing.sign(_checksum(table, key, length, hash_))))


def head_extend(table: str, key: str, head: Head, length: int, hash_: str) -> str:
    """The text that is to be stored with the head moved to `length`.

    A signature of the whole chain before where that holds, or where the chain begins; else the one that was there,
    which leaves the new rows unsigned: the learner's turn goes on, and `audit_verify` names the place.
    """
    begins = head.length == 0 and head.hash == genesis_hash(key) and not head.signature
    return head_sign(table, key, length, hash_) if begins or is_whole(table, key, head) else head.signature


def is_whole(table: str, key: str, head: Head) -> bool:
    """Whether the chain is signed up to its end, by the newest key or by an older one."""
    signature = signature_of(head.signature)
    return (
        signature is not None
        and signature.length == head.length
        and signature_fault(table, key, signature, head.hash) is None
    )


def signature_fault(table: str, key: str, signature: Signature, hash_: str) -> tuple[FaultKind, str] | None:
    """What is wrong with a signature, as a kind and a sentence; `hash_` is that of the row up to which it signs."""
    signed_with: Key | None = ring().keys.get(signature.key_id)
    if signed_with is None:
        return FaultKind.UNKNOWN_KEY, f"the head is signed with the key {signature.key_id}, which is not in the ring"
    if not signed_with.signed(_checksum(table, key, signature.length, hash_), signature.mac):
        return FaultKind.FORGED, f"the head's signature is not one of the key {signature.key_id}, which it names"
    return None


def _checksum(table: str, key: str, length: int, hash_: str) -> str:
    return hashlib.sha256(canonical_json([FORMAT, table, key, length, hash_]).encode()).hexdigest()
