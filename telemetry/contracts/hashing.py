"""The hash chain, without a database: what is hashed, in which form, and which data may be hashed at all.

Data is put in a form that survives JSONB unchanged (`data_normalise`), so that the hash made before writing is the hash
of what is read back. PostgreSQL keeps numbers as decimals: it has no negative zero and writes 1e16 as a whole number.
"""

import hashlib
import json
import math
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from telemetry.errors import DataRefused

FORMAT = "andamio.chain/1"
DEPTH_LIMIT = 32
# Every whole number a double can stand for; also far below the digits at which Python refuses to parse an integer.
INTEGER_BITS_LIMIT = 1024


def genesis_hash(chain: str) -> str:
    """What the first event of a chain has as its previous hash: another one for every chain, so none can be moved."""
    return _sha256(f"{FORMAT}:{chain}")


def event_hash(
    *,
    chain: str,
    seq: int,
    timestamp: str,
    level: str,
    event: str,
    course: str,
    mode: str,
    data: Any,
    previous_hash: str,
) -> str:
    """SHA-256 in hex of one event and all before it; `timestamp` as `timestamp_text` writes it, `data` normalised."""
    return _sha256(canonical_json([chain, seq, timestamp, level, event, course, mode, data, previous_hash]))


def timestamp_text(moment: datetime) -> str:
    """The hashed form of an aware time: UTC with all six digits, `2024-01-01T12:00:00.000000Z`."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def to_millisecond(moment: datetime) -> datetime:
    """The moment in UTC, as exact as the trail keeps it; raises `ValueError` without a time zone."""
    if moment.tzinfo is None:
        raise ValueError(f"the time of an event needs a time zone: {moment.isoformat()}")
    return moment.astimezone(UTC).replace(microsecond=moment.microsecond // 1000 * 1000)


def canonical_json(value: Any) -> str:
    """One spelling for one value: keys sorted, no spaces, characters as they are."""
    return _ENCODER.encode(value)


def data_normalise(value: Any, path: str = "data", depth: int = 1) -> Any:
    """A copy of a JSON value in the form PostgreSQL gives back: whole floats as integers, tuples as lists.

    Raises `DataRefused`, naming the path, for what is no JSON value (NaN, infinities, keys that are no text, other
    types), what PostgreSQL cannot store (NUL characters, lone surrogates), and what no reader should have to expect
    (nesting over `DEPTH_LIMIT`, integers over `INTEGER_BITS_LIMIT` bits).
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value, path)
    if isinstance(value, int):
        return _integer(value, path)
    if isinstance(value, float):
        return _float(value, path)
    if depth > DEPTH_LIMIT:
        raise DataRefused(f"{path[:200]}: nested deeper than {DEPTH_LIMIT} levels")
    if isinstance(value, dict):
        return {_key(key, path): data_normalise(item, f"{path}.{key}", depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [data_normalise(item, f"{path}[{index}]", depth + 1) for index, item in enumerate(value)]
    raise DataRefused(f"{path}: {type(value).__name__} is no JSON value")


def _key(key: Any, path: str) -> str:
    if not isinstance(key, str):
        raise DataRefused(f"{path}: the key {key!r} is not text")
    return _text(key, f"{path}, key {key!r}")


def _text(value: str, path: str) -> str:
    if "\0" in value:
        raise DataRefused(f"{path}: text with a NUL character cannot be stored")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise DataRefused(f"{path}: text with half of a surrogate pair cannot be stored") from None
    return str.__str__(value)  # plain text, also of an enumeration's member


def _integer(value: int, path: str) -> int:
    if value.bit_length() > INTEGER_BITS_LIMIT:
        raise DataRefused(f"{path}: an integer of more than {INTEGER_BITS_LIMIT} bits")
    return int(value)


def _float(value: float, path: str) -> int | float:
    if not math.isfinite(value):
        raise DataRefused(f"{path}: {value} is no JSON value")
    if value.is_integer():
        # By its shortest decimal, as PostgreSQL reads it: 1e23 is 10**23, not the double's 99999999999999991611392.
        return int(Decimal(float.__repr__(value)))
    return float(value)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
