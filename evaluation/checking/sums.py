"""Values that only together say what a criterion asks: a part of a total, adults and children."""

from collections.abc import Sequence
from typing import Final

from evaluation.checking.amounts import Span
from planning.criteria import CriterionParse, ValueType

from .finding import place_of
from .lexicon import words
from .naming import name_read
from .outcome import Outcome
from .walk import Node, ResultReading
from .words import name_stems

_SIBLINGS: Final = 60


def number_of(node: Node) -> float | None:
    """A plain number that counts; None for anything else."""
    value = node.value
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0 else None


def siblings(reading: ResultReading, node: Node) -> list[Node]:
    """The other numbers with the parent of a node."""
    return [sibling for sibling in _by_parent(reading).get(_parent(node), ()) if sibling is not node][:_SIBLINGS]


def _by_parent(reading: ResultReading) -> dict[str, list[Node]]:
    key = ("by_parent", len(reading.nodes), reading.nodes[0].path if reading.nodes else "")
    numbers = reading.memo.get(key)
    if not isinstance(numbers, dict):
        numbers = {}
        for node in reading.nodes:
            if node.names and number_of(node) is not None and not node.is_item:
                numbers.setdefault(_parent(node), []).append(node)
        reading.memo[key] = numbers
    return numbers


def _parent(node: Node) -> str:
    return node.path[: len(node.path) - len(node.name)]


def total_of(reading: ResultReading, node: Node) -> Node | None:
    """The total that a number is part of: `tests_total` of `tests_passed`; None where none is so named."""
    mine, value = set(name_read(node.name).stems), number_of(node)
    if value is None or words().totals & mine:
        return None
    for sibling in siblings(reading, node):
        stems, total = set(name_read(sibling.name).stems), number_of(sibling)
        others = stems - words().totals
        if (
            total is not None
            and total >= max(value, 1)
            and stems & words().totals
            and others <= mine | {"test", "item"}
        ):
            return sibling
    return None


def as_share(reading: ResultReading, node: Node, parse: CriterionParse) -> Span | None:
    """18 of 20 as a share of 1, where a percentage is wanted and both counts are there."""
    if parse.value_type is not ValueType.PERCENT or not isinstance(node.value, int):
        return None
    value, total = number_of(node), total_of(reading, node)
    whole_number = number_of(total) if total else None
    return Span(value / whole_number, value / whole_number) if value is not None and whole_number else None


def together_counted(reading: ResultReading, parse: CriterionParse) -> tuple[Node, ...]:
    """Adults and children of guests, where no number of guests is given; empty where they are not both there."""
    if parse.value_type is not ValueType.NUMBER or name_stems(parse.field) not in words().party:
        return ()
    if any(name_read(node.name).stems in words().party and number_of(node) is not None for node in reading.nodes):
        return ()
    for node in reading.nodes:
        if _group(node) == 0 and place_of(tuple(map(name_read, node.names))) >= 0:
            counts = [node, *(sibling for sibling in siblings(reading, node) if _group(sibling) not in (None, 0))]
            if len(counts) > 1:
                return tuple(counts)
    return ()


def _group(node: Node) -> int | None:
    """Which kind of people a number counts."""
    if number_of(node) is None or not node.names:
        return None
    stems = name_read(node.name).stems
    return next((at for at, group in enumerate(words().party_members) if stems in group), None)


def sum_of(nodes: Sequence[Node]) -> float:
    return sum(number_of(node) or 0.0 for node in nodes)


def sum_outcome(met: bool, nodes: Sequence[Node], actual: float) -> Outcome:
    """What a sum decides, with every place that it was taken from."""
    shown = int(actual) if actual.is_integer() else actual
    return Outcome(met, None, shown, tuple(node.path for node in nodes))
