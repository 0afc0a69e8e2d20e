"""JSON that every reader takes for the same: no name twice in an object, no number beyond those of a computer.

Of two members with one name RFC 8259 leaves open which counts, so that a filter before us and we may read two things.
"""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from pydantic_core import from_json

from core.errors import Location

_INFINITE, _FAULTS_AT_MOST = float("inf"), 20


class _Repeating(dict[str, Any]):
    """An object with a name that stood in it more than once."""

    repeated: frozenset[str]


def json_read(text: bytes) -> tuple[Any, list[tuple[Location, str]]]:
    """The value, and what is wrong with it and where, at most 20 faults.

    Raises `ValueError` for what is no JSON, for half of a surrogate pair, and for what is nested deeper than 200.
    """
    from_json(text, allow_inf_nan=False, cache_strings=False)  # its messages are the better ones, and it bounds depth
    value = json.loads(text.decode(), object_pairs_hook=_object)
    return value, [*islice(_faults(value, ()), _FAULTS_AT_MOST)]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) == len(pairs):
        return values
    repeating = _Repeating(values)
    repeating.repeated = frozenset(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
    return repeating


def _faults(value: Any, location: Location) -> Iterator[tuple[Location, str]]:
    if isinstance(value, float) and abs(value) == _INFINITE:
        yield location, "Must not be a number beyond 1.8e308"
    elif isinstance(value, dict):
        for name, item in value.items():
            if isinstance(value, _Repeating) and name in value.repeated:
                yield (*location, name), "Must not stand twice in one object"
            yield from _faults(item, (*location, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _faults(item, (*location, index))
