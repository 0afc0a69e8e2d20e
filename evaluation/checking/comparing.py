"""Comparisons and equality: numbers and moments, ranges, texts, yes and no."""

import math
from typing import Final

from evaluation.checking.amounts import Point, Span, Unread, span_of, stands_for_its_size
from evaluation.checking.assertions import is_asserted
from evaluation.checking.booleans import FREE, is_free, is_negated_form, shortfall_of, truth
from evaluation.checking.concepts import concept_of, kind_values, kinds
from evaluation.checking.lexicon import Phrase
from evaluation.checking.outcome import Outcome, decided, unknown
from evaluation.checking.speakers import speakers
from evaluation.checking.values import is_missing, json_value
from evaluation.checking.walk import Group, Listing, Node
from evaluation.checking.words import name_stems, plain_text, text_stems
from evaluation.contracts import Reason
from planning.criteria import CriterionKind, CriterionParse, Operator, ValueType

_CLOSE: Final = 1e-9


def is_comparable(node: Node, parse: CriterionParse) -> bool:
    return not _is_part(node, parse) and isinstance(span_of(node, parse), Span)


def _is_part(node: Node, parse: CriterionParse) -> bool:
    """A thing that is counted is no count, and a list that is read by its values is not read itself."""
    if parse.count:
        return node.is_item
    if isinstance(node.value, Listing):
        return not stands_for_its_size(node, parse)
    return isinstance(node.value, Group)


def compare(node: Node, parse: CriterionParse, span: Span | None = None) -> Outcome:
    """The value of a node against what the criterion wants; `span` where it has been read already."""
    read = span or span_of(node, parse)
    if isinstance(read, Unread):
        return unknown(read.reason, node)
    try:
        met = verdict_of(read, parse)
    except TypeError:
        return unknown(Reason.WRONG_TYPE, node)
    return unknown(Reason.AMBIGUOUS, node, "range") if met is None else decided(met, node)


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


def _both(lower: bool | None, upper: bool | None) -> bool | None:
    if lower is False or upper is False:
        return False
    return None if lower is None or upper is None else True


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


def _above(point: Point, other: Point, exclusive: bool) -> bool:
    """Whether one is over the other, or equal to it unless exclusive."""
    if _equal(point, other):
        return not exclusive
    return point > other  # type: ignore[operator]


def _equal(point: Point, other: Point) -> bool:
    """0.1 + 0.2 is 0.3."""
    if isinstance(point, float) and isinstance(other, float):
        if not (math.isfinite(point) and math.isfinite(other)):
            return point == other
        return point == other or abs(point - other) <= _CLOSE * max(1.0, abs(point), abs(other))
    return point == other


_COMPARED: Final = (ValueType.NUMBER, ValueType.MONEY, ValueType.PERCENT, ValueType.DATE, ValueType.TIME)
_NEGATIVE: Final = (Operator.NOT_EQUAL, Operator.NOT_IN)
_NUMBERS: Final = (int, float)
_LONG: Final = 12


def equate(node: Node, parse: CriterionParse) -> Outcome:
    """Whether the value is the wanted one, or one of them; a list has what any of its items has."""
    if parse.value_type is ValueType.BOOLEAN:
        return _as_truth(node, parse)
    if parse.kind is CriterionKind.EQUALITY and parse.value_type in _COMPARED:
        return compare(node, parse)
    if isinstance(node.value, Group):
        return Outcome(None, Reason.WRONG_TYPE, paths=(node.path,))
    if is_missing(node.value, soft=False):
        return unknown(Reason.DATA_MISSING, node)
    wanted = parse.options or [str(parse.value)]
    if name_stems(wanted[0]) in FREE and (free := is_free(node.value)) is not None:
        return decided(free is not (parse.operator in _NEGATIVE), node)
    met = _any_is([node.label] if node.label else _texts(node), wanted)
    if met is None and node.label:
        met = _any_is(_texts(node), wanted)
    if met is None:
        return unknown(Reason.AMBIGUOUS, node, "text")
    return decided(met is not (parse.operator in _NEGATIVE), node)


def is_equatable(node: Node, parse: CriterionParse) -> bool:
    """Whether the node says anything that can be held against the wanted value."""
    return not node.is_item and equate(node, parse).met is not None


def _as_truth(node: Node, parse: CriterionParse) -> Outcome:
    met = truth(node.value)
    if met is None or isinstance(node.value, Group):
        return unknown(Reason.DATA_MISSING if is_missing(node.value) else Reason.WRONG_TYPE, node)
    wanted = truth(parse.value) is not False
    same = met is wanted
    return decided(same is not (parse.operator in _NEGATIVE), node)


def _texts(node: Node) -> list[str]:
    if isinstance(node.value, Listing):
        return list(node.value.texts)
    return [str(json_value(node)) if not isinstance(node.value, str) else node.value]


def _any_is(texts: list[str], wanted: list[str]) -> bool | None:
    """None where a text says both, or nothing that can be told."""
    answers = [is_same(text, option) for text in texts for option in wanted]
    if any(answers):
        return True
    return None if None in answers else False


def is_same(text: str, wanted: str) -> bool | None:
    """Whether a text says the wanted value: the same words, the same value of a kind, or a text that has it in it."""
    if plain_text(text.strip()) == plain_text(wanted.strip()):
        return True
    mine, theirs = tuple(text_stems(text)), tuple(text_stems(wanted))
    if not theirs:
        return False
    if mine == theirs or kind_values(mine) & kind_values(theirs) or _joined(mine) == _joined(theirs):
        return None if text.rstrip(" .)").endswith("?") and "?" not in wanted else True
    if len(theirs) == 1 and theirs[0].isdigit():
        return theirs[0] in mine and len(mine) <= 2
    if _denied(text, theirs) or _contradicts(mine, theirs):
        return False
    answer = is_asserted(text, concept_of(wanted))
    if answer and shortfall_of(text) and not shortfall_of(wanted):
        return None  # "to be confirmed", "almost confirmed", "confirmed?"
    if answer is not None:
        return answer
    return None if len(mine) > _LONG else False


def _joined(stems: Phrase) -> Phrase:
    return name_stems("".join(stems))


def _denied(text: str, wanted: Phrase) -> bool:
    """Whether the text says not: "unconfirmed" and "sin confirmar" are not confirmed, whatever they contain."""
    spoken = plain_text(text[:200]).replace(",", " ").split()
    if any((word,) in speakers().denials for word in spoken[:3]) and wanted[0] not in {"no", "not", "sin", "non"}:
        return True
    return wanted[0] not in {"no", "not", "non"} and is_negated_form(text, frozenset(wanted[-1:]))


def _contradicts(mine: Phrase, wanted: Phrase) -> bool:
    """Another value of the same kind, and only that: "premium economy" is not "economy"."""
    for kind, value in kind_values(wanted):
        values = kinds()[kind].values
        if mine in values:
            return values[mine] != value
    return False
