"""Execution results as they are stored and shown to judges: JSON, bounded. Whatever was given, nothing in it is run
twice.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from inspect import isroutine
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from evaluation.checking.plain import entries, is_scalar
from evaluation.contracts import CriterionResult
from evaluation.errors import ResultRefused

DEEPEST, LARGEST = 30, 256 * 1024
_Plain = str | int | float | bool | None
_TEXTS = ("criterion", "source", "expected", "explanation", "error", "path")


def result_json(result: object) -> Any:
    """The result as JSON values: objects become their public attributes, what has no JSON becomes its text.

    Raises `ResultRefused` for one that is too deep (a cycle is), or of more than 256 KB.
    """
    value = _json(result, 0)
    try:
        size = len(json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise ResultRefused("The result is no JSON.") from error
    if size > LARGEST:
        raise ResultRefused(f"The result has {size:,} bytes; at most {LARGEST:,} are stored.")
    return value


def check_storable(check: CriterionResult) -> CriterionResult:
    """The check with nothing in it that the database cannot hold: what was read may be any object with any text."""
    texts = {name: text_storable(getattr(check, name) or "") for name in _TEXTS}
    changes: dict[str, Any] = {name: text or getattr(check, name) for name, text in texts.items()}
    return check.model_copy(update={**changes, "actual": _json(check.actual, DEEPEST - 3)})


def _json(value: object, depth: int) -> Any:
    if depth > DEEPEST:
        raise ResultRefused(f"The result is deeper than {DEEPEST} levels.")
    if isinstance(value, Enum):
        value = value.value
    if value is None or isinstance(value, str | bool | int | float):
        return _plain(value)
    if isinstance(value, Mapping):
        return {text_storable(str(key)): _json(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset) and not hasattr(value, "_fields"):
        return [_json(item, depth + 1) for item in value]
    attributes = _attributes(value)
    if attributes is not None:
        return {text_storable(name): _json(item, depth + 1) for name, item in attributes.items()}
    return _leaf(value)


def _plain(value: _Plain) -> _Plain:
    if isinstance(value, str):
        return text_storable(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**63:
        return str(value)
    return value


def _leaf(value: object) -> _Plain:
    if isinstance(value, Decimal):
        return float(value) if value.is_finite() else None
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if hasattr(value, "item") and callable(value.item):  # a number of numpy
        return _plain(value.item())
    return text_storable(str(value))


def _attributes(value: object) -> dict[str, object] | None:
    """The public attributes of a plain object; None for what is a value by itself."""
    if isinstance(value, Decimal | datetime | date | time | UUID | bytes):
        return None
    if isinstance(value, BaseModel):
        return {name: getattr(value, name) for name in type(value).model_fields}
    if is_scalar(value) or isroutine(value) or type(value).__module__ == "numpy":
        return None
    if is_dataclass(value) and not isinstance(value, type):
        return {entry.name: getattr(value, entry.name) for entry in fields(value)}
    read = entries(value)  # as the checks read it: slots, properties, values of the class
    return dict(read) if read else None


def text_storable(text: str) -> str:
    """What the database can hold: no NUL, no half of a character."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
