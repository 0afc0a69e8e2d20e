"""Comparisons, ranges and equality of numbers and moments."""

import math
from typing import Final

from evaluation.contracts import Reason
from planning.grammar import CriterionKind, CriterionParse, Operator

from .amounts import span_of, stands_for_its_size
from .outcome import Outcome, decided, unknown
from .span import Point, Span, Unread
from .values import shown
from .walk import Group, Listing, Node

_CLOSE: Final = 1e-9


def is_comparable(node: Node, parse: CriterionParse) -> bool:
    """Whether the node has a value that compares with what is wanted."""
    return not _is_part(node, parse) and isinstance(span_of(node, parse), Span)


def _is_part(node: Node, parse: CriterionParse) -> bool:
    """A thing that is counted is no count, and a list that is read by its values is not read itself."""
    if parse.count:
        return node.is_item
    if isinstance(node.value, Listing):
        return not stands_for_its_size(node, parse)
    return isinstance(node.value, Group)


def compared(node: Node, parse: CriterionParse, span: Span | None = None) -> Outcome:
    """The value of a node against what the criterion wants; `span` where it has been read already."""
    read = span or span_of(node, parse)
    actual = shown(node)
    if isinstance(read, Unread):
        return unknown(read.reason, node, actual)
    try:
        met = verdict_of(read, parse)
    except TypeError:
        return unknown(Reason.WRONG_TYPE, node, actual)
    return unknown(Reason.AMBIGUOUS, node, actual, "range") if met is None else decided(met, node, actual)


def verdict_of(span: Span, parse: CriterionParse) -> bool | None:
    """None where a value that is not known exactly may be on either side."""
    if parse.kind is CriterionKind.RANGE or parse.operator is Operator.BETWEEN:
        low, high = _point(parse.low, span), _point(parse.high, span)
        return _both(
            True if low is None else _at_least(span, low, parse.exclusive),
            True if high is None else _at_most(span, high, parse.exclusive),
        )
    wanted = _point(parse.value, span)
    if wanted is None:
        raise TypeError
    match parse.operator:
        case Operator.AT_LEAST | Operator.MORE_THAN:
            return _at_least(span, wanted, parse.operator is Operator.MORE_THAN)
        case Operator.AT_MOST | Operator.LESS_THAN:
            return _at_most(span, wanted, parse.operator is Operator.LESS_THAN)
        case Operator.NOT_EQUAL:
            same = _same(span, wanted)
            return None if same is None else not same
        case _:
            return _same(span, wanted)


def _point(value: object, span: Span) -> Point | None:
    if value is None:
        return None
    return float(str(value)) if isinstance(span.low, float) else str(value)


def _both(one: bool | None, other: bool | None) -> bool | None:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def _at_least(span: Span, wanted: Point, exclusive: bool) -> bool | None:
    if _above(span.low, wanted, exclusive and not span.open):
        return True
    return None if _above(span.high, wanted, exclusive or span.open) else False


def _at_most(span: Span, wanted: Point, exclusive: bool) -> bool | None:
    if _above(wanted, span.high, exclusive and not span.open):
        return True
    return None if _above(wanted, span.low, exclusive or span.open) else False


def _same(span: Span, wanted: Point) -> bool | None:
    if _equal(span.low, wanted) and _equal(span.high, wanted):
        return True
    strict = not span.open
    return False if _above(span.low, wanted, strict) or _above(wanted, span.high, strict) else None


def _above(one: Point, other: Point, exclusive: bool) -> bool:
    """Whether one is over the other, or equal to it unless exclusive."""
    if _equal(one, other):
        return not exclusive
    return one > other  # type: ignore[operator]


def _equal(one: Point, other: Point) -> bool:
    """0.1 + 0.2 is 0.3."""
    if isinstance(one, float) and isinstance(other, float):
        if not (math.isfinite(one) and math.isfinite(other)):
            return one == other
        return one == other or abs(one - other) <= _CLOSE * max(1.0, abs(one), abs(other))
    return one == other
