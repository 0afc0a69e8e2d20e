"""The hashed content of an entry: of a row that is being written, and of one that was read back.

The checksum is the SHA-256 of one JSON object, its keys sorted and without spaces, of `FORMAT` and everything an entry
has but the checksum and the signature over it. Times are UTC with six digits, ids are text.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from routing.models import AuditEntry
from telemetry.chains.tables import ChainedRow, moment_column, moment_text
from telemetry.contracts.hashing import canonical_json, timestamp_text

FORMAT = "andamio.audit/1"

_MOMENTS = ("timestamp", "stored_at")
_IDS = ("correlation_id", "question_id", "query_plan_id", "governor_decision_id", "synthesizer_output_id")
_JSON = ("plan_snapshot", "decision_snapshot", "output_snapshot", "versions", "warnings")
_PLAIN = ("subject", "message_digest", "status", "error_message", "model_used", "retention_days", "key_id")
_NAMES = (*_MOMENTS, *_IDS, *_JSON, *_PLAIN)
# What `content_stored` reads; times, ids and JSON as text.
COLUMNS = ", ".join(
    [
        *map(moment_column, (f"e.{name}" for name in _MOMENTS)),
        *(f"e.{name}::text" for name in (*_IDS, *_JSON)),
        *(f"e.{name}" for name in _PLAIN),
    ]
)


def chain_key(user_id: int) -> str:
    """The chain of one person's entries."""
    return f"consult:{user_id}"


def message_digest(salt: bytes, message: bytes) -> str:
    """SHA-256 in hex of a question's words with their salt; it stays when both are erased."""
    return hashlib.sha256(salt + message).hexdigest()


def checksum(content: Mapping[str, Any]) -> str:
    """SHA-256 in hex of an entry's content."""
    return hashlib.sha256(canonical_json({"format": FORMAT, **content}).encode()).hexdigest()


def content_written(entry: AuditEntry) -> dict[str, Any]:
    """The content of an entry whose JSON is normalised."""
    content = {name: _written(getattr(entry, name), name) for name in _NAMES}
    return {**content, **_place(entry.id, entry.chain_id, entry.seq, entry.previous_hash)}


def content_stored(row: ChainedRow) -> dict[str, Any]:
    """The content of a stored row; raises `ValueError` or `RecursionError` for values that no entry can have."""
    content = {name: _stored(value, name) for name, value in zip(_NAMES, row.content, strict=False)}
    return {**content, **_place(row.id, row.chain, row.seq, row.previous_hash)}


def _place(id_: Any, chain: str, seq: int, previous_hash: str) -> dict[str, Any]:
    return {"id": str(id_), "chain": chain, "seq": seq, "previous_hash": previous_hash}


def _written(value: Any, name: str) -> Any:
    if isinstance(value, datetime):
        return timestamp_text(value)
    return str(value) if name in _IDS and value is not None else value


def _stored(value: Any, name: str) -> Any:
    if name in _MOMENTS:
        return moment_text(value)
    if name not in _JSON or value is None:
        return value
    content = json.loads(value)
    if content is None:
        raise ValueError(f"{name} is the null of JSON, and not that of the database")
    return content
