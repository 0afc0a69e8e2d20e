"""Equality and membership of texts and of yes and no."""

from typing import Final

from evaluation.contracts import Reason
from planning.grammar import CriterionKind, CriterionParse, Operator, ValueType

from .comparing import compared
from .lexicon import Phrase
from .outcome import Outcome, decided, unknown
from .shortfalls import is_negated_form, shortfall_of
from .statements import said_of
from .things import kind_values, kinds, thing_of
from .truth import FREE, is_free, truth
from .values import is_missing, shown
from .voices import voices
from .walk import Group, Listing, Node
from .words import folded, name_stems, text_stems

_COMPARED: Final = (ValueType.NUMBER, ValueType.MONEY, ValueType.PERCENT, ValueType.DATE, ValueType.TIME)
_NEGATIVE: Final = (Operator.NOT_EQUAL, Operator.NOT_IN)
_NUMBERS: Final = (int, float)
_LONG: Final = 12


def equalled(node: Node, parse: CriterionParse) -> Outcome:
    """Whether the value is the wanted one, or one of them; a list has what any of its items has."""
    if parse.value_type is ValueType.BOOLEAN:
        return _as_truth(node, parse)
    if parse.kind is CriterionKind.EQUALITY and parse.value_type in _COMPARED:
        return compared(node, parse)
    if isinstance(node.value, Group):
        return unknown(Reason.WRONG_TYPE, node)
    if is_missing(node.value, soft=False):
        return unknown(Reason.DATA_MISSING, node, shown(node))
    wanted = parse.options or [str(parse.value)]
    if name_stems(wanted[0]) in FREE and (free := is_free(node.value)) is not None:
        return decided(free is not (parse.operator in _NEGATIVE), node, shown(node))
    met = _any_is([node.label] if node.label else _texts(node), wanted)
    if met is None and node.label:
        met = _any_is(_texts(node), wanted)
    if met is None:
        return unknown(Reason.AMBIGUOUS, node, shown(node), "text")
    return decided(met is not (parse.operator in _NEGATIVE), node, shown(node))


def is_equatable(node: Node, parse: CriterionParse) -> bool:
    """Whether the node says anything that can be held against the wanted value."""
    return not node.is_item and equalled(node, parse).met is not None


def _as_truth(node: Node, parse: CriterionParse) -> Outcome:
    met = truth(node.value)
    if met is None or isinstance(node.value, Group):
        return unknown(Reason.DATA_MISSING if is_missing(node.value) else Reason.WRONG_TYPE, node, shown(node))
    wanted = truth(parse.value) is not False
    same = met is wanted
    return decided(same is not (parse.operator in _NEGATIVE), node, shown(node))


def _texts(node: Node) -> list[str]:
    if isinstance(node.value, Listing):
        return list(node.value.texts)
    return [str(shown(node)) if not isinstance(node.value, str) else node.value]


def _any_is(texts: list[str], wanted: list[str]) -> bool | None:
    """None where a text says both, or nothing that can be told."""
    answers = [is_same(text, one) for text in texts for one in wanted]
    if any(answers):
        return True
    return None if None in answers else False


def is_same(text: str, wanted: str) -> bool | None:
    """Whether a text says the wanted value: the same words, the same value of a kind, or a text that has it in it."""
    if folded(text.strip()) == folded(wanted.strip()):
        return True
    mine, theirs = tuple(text_stems(text)), tuple(text_stems(wanted))
    if not theirs:
        return False
    if mine == theirs or _is_same_value(mine, theirs):
        return None if text.rstrip(" .)").endswith("?") and "?" not in wanted else True
    if len(theirs) == 1 and theirs[0].isdigit():
        return theirs[0] in mine and len(mine) <= 2
    if _denied(text, theirs):
        return False
    if _contradicts(mine, theirs):
        return False
    said = said_of(text, thing_of(wanted))
    if said and shortfall_of(text) and not shortfall_of(wanted):
        return None  # "to be confirmed", "almost confirmed", "confirmed?"
    if said is not None:
        return said
    return None if len(mine) > _LONG else False


def _is_same_value(one: Phrase, other: Phrase) -> bool:
    return bool(kind_values(one) & kind_values(other)) or name_stems("".join(one)) == name_stems("".join(other))


def _denied(text: str, wanted: Phrase) -> bool:
    """Whether the text says not: "unconfirmed" and "sin confirmar" are not confirmed, whatever they contain."""
    spoken = folded(text[:200]).replace(",", " ").split()
    if any((word,) in voices().denials for word in spoken[:3]) and wanted[0] not in {"no", "not", "sin", "non"}:
        return True
    return wanted[0] not in {"no", "not", "non"} and is_negated_form(text, frozenset(wanted[-1:]))


def _contradicts(mine: Phrase, wanted: Phrase) -> bool:
    """Another value of the same kind, and only that: "premium economy" is not "economy"."""
    for kind, value in kind_values(wanted):
        known = kinds()[kind].values
        if mine in known:
            return known[mine] != value
    return False
