"""A result of any shape as a flat list of what it says, within bounds. Nothing in it is called, changed or used up."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from .plain import OPAQUE, Opaque, Plain, entries, is_scalar, items, plain, unwrapped

LEAVES: Final = 5_000
DEPTH: Final = 30
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
    is in, empty outside of lists. `label` is the name of an enum's member. `beside` are scalars with the same parent.
    """

    path: str
    names: tuple[str, ...]
    pattern: str
    item: str
    value: Plain | Listing | Group | Opaque
    label: str | None = None
    beside: dict[str, Plain | Opaque] = field(default_factory=dict, repr=False)

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
    """A result, walked once; every criterion is held against the same one. `cut`: it was larger than the bounds."""

    nodes: tuple[Node, ...]
    cut: bool


@dataclass(frozen=True, slots=True)
class _Place:
    path: str = ""
    names: tuple[str, ...] = ()
    pattern: str = ""
    item: str = ""

    def under(self, key: str) -> "_Place":
        dot = "." if self.path else ""
        return _Place(f"{self.path}{dot}{key}", (*self.names, key), f"{self.pattern}{dot}{key}", self.item)

    def at(self, index: int) -> "_Place":
        path = f"{self.path}[{index}]"
        return _Place(path, self.names, f"{self.pattern}[*]", path)


class _Walker:
    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.cut = False
        self._above: set[int] = set()

    def walk(self, value: object, place: _Place, beside: dict[str, Plain | Opaque], depth: int) -> None:
        if len(self.nodes) >= LEAVES or depth > DEPTH:
            self.cut = True
            return
        value = unwrapped(value)
        if is_scalar(value):
            self._scalar(value, place, beside)
            return
        if id(value) in self._above:  # a cycle: what is in it has been read already
            return
        self._above.add(id(value))
        try:
            self._container(value, place, beside, depth)
        finally:
            self._above.discard(id(value))

    def _scalar(self, value: object, place: _Place, beside: dict[str, Plain | Opaque]) -> None:
        label = value.name if isinstance(value, Enum) and not isinstance(value.value, str) else None
        self._add(place, plain(value), beside, label)

    def _container(self, value: object, place: _Place, beside: dict[str, Plain | Opaque], depth: int) -> None:
        if (listed := items(value)) is not None and not hasattr(type(value), "_fields"):
            self._list(listed, place, beside, depth)
        elif named := entries(value):
            self._add(place, Group(len(named)), beside)
            scalars = {key: plain(one) for key, one in named if is_scalar(unwrapped(one))}
            for key, one in named:
                self.walk(one, place.under(key), scalars, depth + 1)
        else:
            self._add(place, OPAQUE if named is None else Group(0), beside)

    def _list(self, listed: list[object], place: _Place, beside: dict[str, Plain | Opaque], depth: int) -> None:
        scalars = [plain(one) for one in map(unwrapped, listed) if is_scalar(one)]
        texts = tuple(str(one) for one in scalars if isinstance(one, (str, int, float)) and one != "")
        numbers = tuple(float(one) for one in scalars if isinstance(one, (int, float)) and not isinstance(one, bool))
        self._add(place, Listing(len(listed), texts, numbers), beside)
        for index, one in enumerate(listed):
            self.walk(one, place.at(index), {}, depth + 1)

    def _add(
        self,
        place: _Place,
        value: Plain | Listing | Group | Opaque,
        beside: dict[str, Plain | Opaque],
        label: str | None = None,
    ) -> None:
        self.nodes.append(Node(place.path, place.names, place.pattern, place.item, value, label, beside))


def result_read(result: object) -> ResultReading:
    """What a result says, in its order; at most `LEAVES` nodes and `DEPTH` levels. Never raises.

    A text that is JSON is read as what it holds.
    """
    walker = _Walker()
    walker.walk(_decoded(result), _Place(), {}, 0)
    return ResultReading(tuple(walker.nodes), walker.cut)


def _decoded(result: object) -> object:
    if isinstance(result, (str, bytes)) and len(result) <= _JSON_LENGTH and result[:1] in ("{", "[", b"{", b"["):
        try:
            return json.loads(result)
        except (ValueError, RecursionError):
            return result
    return result


def leaves(reading: ResultReading) -> Iterator[Node]:
    """Nodes that hold one value, not others."""
    return (node for node in reading.nodes if not isinstance(node.value, (Listing, Group)))
