"""Values of any library as plain ones, without running more foreign code than it takes to read an attribute."""

import math
from collections.abc import Mapping, Sequence, Set
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cached_property
from inspect import isroutine
from itertools import islice
from types import ModuleType
from typing import Any, Final
from uuid import UUID

TEXT_LENGTH: Final = 20_000
"""Characters of one text that are read."""
CHILDREN: Final = 5_000
"""Entries of one mapping, list or object that are looked at."""

Plain = str | int | float | bool | date | datetime | time | timedelta | None


class Opaque:
    """There is something, but nothing that can be read: a generator, a function, a file."""

    def __repr__(self) -> str:
        return "<unreadable>"


OPAQUE: Final = Opaque()
_NO_ENTRIES = (Sequence, Set, type, ModuleType)
_SCALARS = (str, int, float, date, time, timedelta, type(None))  # bool is an int, datetime a date


def plain(value: object) -> "Plain | Opaque":
    """A scalar as plain Python; NaN and infinities, which do not compare, are None; OPAQUE for the rest."""
    try:
        return _plain(value)
    except Exception:
        return OPAQUE


def _plain(value: object) -> "Plain | Opaque":
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, str):
        return str.__str__(value)[:TEXT_LENGTH]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return int(value) if value.bit_length() < 1_000 else OPAQUE
    if isinstance(value, (float, Decimal, Fraction)):
        number = float(value)
        if not math.isfinite(number):
            return None  # Decimal("150.00") is 150: amounts are shown as people write them
        return int(number) if not isinstance(value, float) and number.is_integer() else number
    if isinstance(value, (bytes, bytearray)):
        return bytes(value[:TEXT_LENGTH]).decode(errors="replace")
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, _SCALARS):
        return value
    return OPAQUE


def unwrapped(value: object) -> object:
    """A numpy scalar or array as what it holds; anything else as it is."""
    kind = type(value)
    if kind.__module__ == "numpy" and hasattr(kind, "tolist"):
        try:
            size = getattr(value, "size", 1)
            return value.tolist() if size <= CHILDREN else OPAQUE  # type: ignore[attr-defined]
        except Exception:
            return OPAQUE
    return value


def is_scalar(value: object) -> bool:
    """Whether there is nothing to go into."""
    scalars = (str, int, float, Decimal, Fraction, bytes, bytearray, UUID, date, time, timedelta, Enum, type(None))
    return isinstance(value, (*scalars, Opaque))


def entries(value: object) -> list[tuple[str, object]] | None:
    """The named values of a mapping, a named tuple or an object; None where it has no names."""
    try:
        if isinstance(value, Mapping):
            return [(_key(key), value[key]) for key in islice(value, CHILDREN)]
        if isinstance(value, tuple):
            names = getattr(type(value), "_fields", None)
            return [*zip(map(str, names), value, strict=False)] if isinstance(names, tuple) else None
        if isinstance(value, _NO_ENTRIES) or isroutine(value):
            return None
        if hasattr(type(value), "__next__"):  # nothing of it may be used up, nor what it says of its own reading
            return [(name, attribute) for name, attribute in _own(value).items() if not name.startswith("_")] or None
        return _attributes(value)
    except Exception:
        return None


def items(value: object) -> list[object] | None:
    """The items of a list, tuple, set or the like; None for anything that reading might use up."""
    try:
        return list(islice(value, CHILDREN)) if isinstance(value, (Sequence, Set)) else None
    except Exception:
        return None


def _key(key: object) -> str:
    if isinstance(key, Enum):
        key = key.value
    try:
        return str(key)[:80]
    except Exception:
        return "?"


def _own(value: object) -> dict[str, object]:
    attributes: dict[str, object] = {}
    for store in (getattr(value, "__dict__", None), getattr(value, "__pydantic_extra__", None)):
        if isinstance(store, Mapping):
            attributes |= {name: store[name] for name in islice(store, CHILDREN) if isinstance(name, str)}
    return attributes


def _attributes(value: object) -> list[tuple[str, object]]:
    attributes = _own(value)
    for name in _declared(type(value)):
        if name not in attributes:
            try:
                attributes[name] = getattr(value, name)
            except Exception:
                attributes[name] = None
    return [(name, attributes[name]) for name in attributes if not name.startswith("_")]


def _declared(kind: type[Any]) -> list[str]:
    """Names that a class gives its instances: slots, properties, and plain values of the class itself."""
    names: dict[str, None] = {}
    for base in kind.__mro__[:-1]:
        slots = base.__dict__.get("__slots__", ())
        names |= dict.fromkeys((slots,) if isinstance(slots, str) else slots)
        if base.__module__.startswith(("pydantic", "django", "sqlalchemy")):
            continue  # properties of the library, not of the value; some of them ask a database
        for name, member in base.__dict__.items():
            if isinstance(member, (property, cached_property)) or (
                is_scalar(member) and member is not None and not name.startswith("_")
            ):
                names[name] = None
    return [name for name in islice(names, CHILDREN) if not name.startswith("_")]
