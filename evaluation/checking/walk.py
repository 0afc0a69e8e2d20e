"""A result of any shape as a flat list of what it says, within bounds. Nothing in it is called, changed or used up."""

import json
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import Any, Final, cast

from .plain import OPAQUE, Opaque, Plain, entries, is_scalar, items, plain, unwrapped

LEAVES: Final = 5_000
DEPTH: Final = 30
TEXTS: Final = 400_000
"""Characters of all texts together that are read whole; of those that come later, the beginning."""
_BEGINNING: Final = 200
_LABEL, _LABELS = 60, 32
_JSON_LENGTH: Final = 200_000


@dataclass(frozen=True, slots=True)
class Listing:
    """A list, by what it holds: `texts` are its scalars as texts, `size` counts everything."""

    size: int
    texts: tuple[str, ...] = ()
    numbers: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """A mapping or object, by how many entries it has."""

    size: int


@dataclass(slots=True)
class Node:
    """One thing that a result says.

    `path` is the place as people write it ("hotels[0].price"); `names` the keys on the way without positions, the last
    being its own; `pattern` the path with every position as [*]; `item` the path of the innermost list item that it
    is in, `owner` that of the outermost that holds more than itself, both empty outside of lists. `label` is
    the name of an enum's member. `siblings` are short texts with the same parent.
    """

    path: str
    names: tuple[str, ...]
    pattern: str
    item: str
    owner: str
    value: Plain | Listing | Group | Opaque
    label: str | None = None
    siblings: dict[str, str] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """Its own key; empty for the result itself."""
        return self.names[-1] if self.names else ""

    @property
    def is_item(self) -> bool:
        """Whether it is an item of a list itself, not an entry of one."""
        return self.path == self.item and bool(self.path)


@dataclass(frozen=True, slots=True)
class ResultReading:
    """A result, walked once; every criterion and the relevance are taken from the same one.

    `cut`: it was larger than the bounds. `kind` is the name of its class. `memo` keeps what checks work out of it.
    """

    nodes: tuple[Node, ...]
    cut: bool
    kind: str = "dict"
    memo: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class _Place:
    path: str = ""
    names: tuple[str, ...] = ()
    pattern: str = ""
    item: str = ""
    owner: str = ""
    siblings: dict[str, str] = field(default_factory=dict)

    def under(self, key: str, siblings: dict[str, str]) -> "_Place":
        dot = "." if self.path else ""
        path, pattern = f"{self.path}{dot}{key}", f"{self.pattern}{dot}{key}"
        return _Place(path, (*self.names, key), pattern, self.item, self.owner, siblings)

    def at(self, index: int, holds_more: bool) -> "_Place":
        path = f"{self.path}[{index}]"
        return _Place(path, self.names, f"{self.pattern}[*]", path, self.owner or (path if holds_more else ""))


class _Walker:
    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.cut = False
        self._above: set[int] = set()
        self._characters = 0

    def walk(self, value: object, place: _Place, depth: int) -> None:
        if len(self.nodes) >= LEAVES or depth > DEPTH:
            self.cut = True
            return
        try:
            self._walk(unwrapped(value), place, depth)
        except Exception:  # a value that raises whatever one does with it
            self._add(place, OPAQUE)

    def _walk(self, value: object, place: _Place, depth: int) -> None:
        if is_scalar(value):
            self._scalar(value, place)
            return
        if id(value) in self._above:  # a cycle: what is in it has been read already
            return
        self._above.add(id(value))
        try:
            self._container(value, place, depth)
        finally:
            self._above.discard(id(value))

    def _scalar(self, value: object, place: _Place) -> None:
        label = value.name if isinstance(value, Enum) and not isinstance(value.value, str) else None
        read = plain(value)
        if isinstance(read, str):
            read = read if self._characters <= TEXTS else read[:_BEGINNING]
            self._characters += len(read)
        self._add(place, read, label)

    def _container(self, value: object, place: _Place, depth: int) -> None:
        if (listed := items(value)) is not None and not hasattr(type(value), "_fields"):
            self._list(listed, place, depth)
        elif named := entries(value):
            self._add(place, Group(len(named)))
            labels = _labels(named)
            for key, entry in named:
                self.walk(entry, place.under(key, labels), depth + 1)
        else:
            self._add(place, OPAQUE if named is None else Group(0))

    def _list(self, listed: list[object], place: _Place, depth: int) -> None:
        scalars = [plain(item) for item in map(unwrapped, listed) if is_scalar(item)]
        texts = tuple(str(scalar) for scalar in scalars if isinstance(scalar, (str, int, float)) and scalar != "")
        numbers = tuple(
            float(scalar) for scalar in scalars if isinstance(scalar, (int, float)) and not isinstance(scalar, bool)
        )
        self._add(place, Listing(len(listed), texts, numbers))
        for index, item in enumerate(listed):
            self.walk(item, place.at(index, not is_scalar(item)), depth + 1)

    def _add(self, place: _Place, value: Plain | Listing | Group | Opaque, label: str | None = None) -> None:
        where = (place.path, place.names, place.pattern, place.item, place.owner)
        self.nodes.append(Node(*where, value, label, place.siblings))


def _labels(named: list[tuple[str, object]]) -> dict[str, str]:
    """Short texts among named values: a currency, a unit, a role. Few: every value of the same parent looks at them."""
    short = ((key, entry) for key, entry in named if isinstance(entry, str) and len(entry) <= _LABEL)
    return dict(islice(short, _LABELS))


def result_read(result: object) -> ResultReading:
    """What a result says, in its order; at most `LEAVES` nodes and `DEPTH` levels. Never raises.

    A text that is JSON is read as what it holds.
    """
    walker = _Walker()
    walker.walk(_decoded(result), _Place(), 0)
    return ResultReading(tuple(walker.nodes), walker.cut, type(result).__name__)


def _decoded(result: object) -> object:
    if not issubclass(type(result), (str, bytes)):  # isinstance asks the object itself
        return result
    text = cast("str | bytes", result)
    if len(text) > _JSON_LENGTH or text[:1] not in ("{", "[", b"{", b"["):
        return result
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return result
