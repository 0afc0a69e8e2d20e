"""From what a criterion says to the check that fits it."""

import re
from collections.abc import Callable
from typing import Final

from evaluation.contracts import Reason
from planning.contracts import SuccessCriterion
from planning.grammar import CriterionKind, CriterionParse, ValueType

from .comparing import compared, is_comparable, verdict_of
from .finding import Candidate, best, candidates
from .lexicon import names, words
from .likeness import cosines
from .matching import equalled, is_equatable
from .naming import Name, Sought, are_opposed, name_read, sought
from .outcome import MISSING, Outcome, Quantifier, together, turned
from .presence import present
from .scopes import scopes_of
from .span import Span
from .sums import as_share, sum_of, together_counted, told
from .values import says_unit
from .verdicts import verdict_read
from .voices import is_voice
from .walk import Group, Node, ResultReading
from .words import folded, name_words, stem

_ANY: Final = re.compile(
    r"\b(?:any|at least one|one of|some|algun[oa]?s?|al menos un[oa]?|uno de|una de|cualquier\w*)\b"
)
_ALL: Final = re.compile(r"\b(?:all|every|each|todos|todas|cada|both|ambos|ambas|none|ningun[oa]?)\b")
_TOTAL: Final = re.compile(r"\b(?:total|totales|altogether|overall|combined|en conjunto)\b")
_GRATIS: Final = re.compile(
    r"\b(?:free(?!-| from| of (?!charge))|included|includes|complimentary|inclu(?:id[oa]s?|ye)|gratis|gratuit[oa]s?|"
    r"sin coste|sin cargo|at no (?:extra )?c(?:ost|harge))\b"
)
_FLOOR, _MARGIN, _NAMES = 0.7, 0.08, 60
"""Where a name that no list knows counts as the same (docs/checks.md)."""
_SIZES: Final = frozenset(map(stem, ("size", "length", "time", "tamano")))
_BUDGETS: Final = frozenset({"budget", "presupuesto", "total_budget"})
_TIMES: Final = frozenset({"second", "minute", "hour", "day", "week", "month", "millisecond"})
_COMPARING: Final = (CriterionKind.COMPARISON, CriterionKind.RANGE)


def outcome_of(criterion: SuccessCriterion, reading: ResultReading) -> Outcome:
    """What the rules say."""
    parse = criterion.parse
    if parse is None:
        return Outcome(None, Reason.NOT_UNDERSTOOD)
    quantifier = _quantifier(criterion.text, parse)
    match parse.kind:
        case CriterionKind.VERDICT:
            return verdict_read(reading, parse)
        case CriterionKind.PRESENCE:
            return present(reading, parse, quantifier, gratis=bool(_GRATIS.search(folded(criterion.text))))
        case CriterionKind.ABSENCE:
            return turned(present(reading, parse, Quantifier.ANY))
        case _:
            return _valued(reading, _with_total(criterion.text, parse), quantifier)


def _with_total(text: str, parse: CriterionParse) -> CriterionParse:
    """A total that the field has lost: "Total cost" of an order is not the cost of an item."""
    if parse.count or "total" in parse.field or not _TOTAL.search(folded(text)):
        return parse
    return parse.model_copy(update={"field": f"total_{parse.field}"})


def _quantifier(text: str, parse: CriterionParse) -> Quantifier:
    plain = folded(text)
    if parse.every or _ALL.search(plain):
        return Quantifier.ALL
    if not parse.count and _ANY.search(plain):
        return Quantifier.ANY
    return Quantifier.ALL if _is_plural(parse.subject) else Quantifier.ONE


def _is_plural(subject: str | None) -> bool:
    last = name_words(subject or "")[-1:]
    return bool(last) and last[0].endswith("s") and stem(last[0]) != last[0] and not last[0].endswith("ss")


def _valued(reading: ResultReading, parse: CriterionParse, quantifier: Quantifier) -> Outcome:
    """Comparisons, ranges, equality and membership: of the value with that name."""
    if (counted := together_counted(reading, parse)) and parse.kind in (*_COMPARING, CriterionKind.EQUALITY):
        total = sum_of(counted)
        met = verdict_of(Span(total, total), parse)
        return told(bool(met), counted, total)
    is_number = parse.kind in _COMPARING
    readable = (lambda node: is_comparable(node, parse)) if is_number else (lambda node: is_equatable(node, parse))
    judge = (
        (lambda node: compared(node, parse, as_share(reading, node, parse)))
        if is_number
        else (lambda node: equalled(node, parse))
    )
    wanted = sought(_field(reading, parse), parse.subject, parse.operator.value)
    allowed = frozenset({"count"}) if parse.count else frozenset[str]()
    if not is_number:
        allowed |= frozenset(map(stem, ("name", "type", "status", "code", "nombre", "tipo")))
    found = candidates(reading, wanted, allowed)
    if not parse.count:
        found = [one for one in found if not isinstance(one.node.value, Group)]
    of_many = quantifier is not Quantifier.ONE
    readings = [one for one in best(found, readable, of_many=of_many) if not _is_thing_counted(one, parse)]
    if not readings and not (found and _is_told(found)):
        readings = _alike(reading, wanted, readable)
    if not readings and not found:
        readings = _otherwise(reading, parse, readable)
    outcome = together(readings, judge, quantifier) if readings else MISSING
    if outcome.met is None and outcome.reason is Reason.DATA_MISSING and parse.kind is CriterionKind.EQUALITY:
        stated = _as_state(reading, parse, quantifier)
        return stated if stated is not None and stated.path != outcome.path else outcome
    return outcome


def _field(reading: ResultReading, parse: CriterionParse) -> str:
    """What keeps to a budget is what was spent; the budget in a result is what was allowed."""
    if parse.field not in _BUDGETS or not parse.operator.value.startswith("<"):
        return parse.field
    return "total" if candidates(reading, sought("total", parse.subject), floor=0.7) else parse.field


def _is_told(found: list[Candidate]) -> bool:
    """Whether a good name is there, however little it says."""
    return any(one.fit >= 0.9 for one in found)


def _is_thing_counted(one: Candidate, parse: CriterionParse) -> bool:
    return parse.count and (one.node.is_item or isinstance(one.node.value, Group))


def _otherwise(reading: ResultReading, parse: CriterionParse, readable: Callable[[Node], bool]) -> list[Candidate]:
    """Other names: "team size" of a size; what the subject measures, where the value says its unit ("screen of 6
    inches" in `screen_size: "6.1 in"`) or it is counted (`hotels`); and how long, of what happens in less than an hour.
    """
    if parse.subject:
        joined = _found(reading, parse, sought(f"{parse.subject}_{parse.field}", None), readable)
        if joined:
            return joined
        if parse.count or parse.unit or parse.currency:
            found = _found(reading, parse, sought(parse.subject, None), readable)
            if measured := [one for one in found if parse.count or says_unit(one.node, parse)]:
                return measured
    if parse.value_type is ValueType.PERCENT:
        return _found(reading, parse, sought(f"{parse.field}_rate", parse.subject), readable)
    if parse.unit and (measured := _named_by_unit(reading, parse)):
        return measured
    if parse.unit in _TIMES and parse.value_type is ValueType.NUMBER:
        lasting = _found(reading, parse, sought("duration", parse.subject), readable)
        return lasting if len({one.node.path for one in lasting}) == 1 else []
    return []


def _named_by_unit(reading: ResultReading, parse: CriterionParse) -> list[Candidate]:
    """A key that is the unit: {"megapixels": 24}, where it is the only one."""
    named = [node for node in reading.nodes if node.names and name_read(node.name).unit == parse.unit]
    found = [node for node in named if len(name_words(node.name)) == 1 and not isinstance(node.value, Group)]
    return [Candidate(node, 1.0, 1, of_subject=False, at_root=False) for node in found] if len(found) == 1 else []


def _found(
    reading: ResultReading, parse: CriterionParse, wanted: Sought, readable: Callable[[Node], bool]
) -> list[Candidate]:
    return [one for one in best(candidates(reading, wanted, _SIZES), readable) if readable(one.node)]


def _alike(reading: ResultReading, wanted: Sought, readable: Callable[[Node], bool]) -> list[Candidate]:
    """Names that no list knows, by the local embedder; never the opposite of what is wanted, nor anybody's opinion."""
    by_name: dict[str, list[Node]] = {}
    for scope in scopes_of(reading, wanted):
        for node in scope.nodes:
            if node.names and not isinstance(node.value, Group) and _may_be(wanted, name_read(node.name)):
                _under(by_name, node)
    spoken = [name for name, nodes in by_name.items() if any(map(readable, nodes[:_NAMES]))][:_NAMES]
    scores = sorted(zip(cosines(" ".join(wanted.spoken), spoken), spoken, strict=True), reverse=True)
    if not scores or scores[0][0] < _FLOOR or (len(scores) > 1 and scores[0][0] - scores[1][0] < _MARGIN):
        return []
    found = [Candidate(node, scores[0][0], 1, False, not node.owner) for node in by_name[scores[0][1]]]
    return best(found, readable)


def _under(by_name: dict[str, list[Node]], node: Node) -> None:
    name = " ".join(name_words(node.name))
    if name in by_name or len(by_name) < 2 * _NAMES:
        by_name.setdefault(name, []).append(node)


def _may_be(wanted: Sought, key: Name) -> bool:
    changing = words().changing
    if key.stems in names().groups_of and wanted.name.stems in names().groups_of:
        return False  # both are known, and not to be the same
    if is_voice(key) or key.negated != wanted.name.negated or are_opposed(wanted.name, key):
        return False
    return (
        changing.intersection(key.stems) <= changing.intersection(wanted.name.stems)
        and changing.intersection(wanted.name.stems) <= changing.intersection(key.stems) | wanted.bounds
    )


def _as_state(reading: ResultReading, parse: CriterionParse, quantifier: Quantifier) -> Outcome | None:
    """The wanted value may be the name of a flag: {"confirmed": true} of "status is confirmed"."""
    if parse.value_type is not ValueType.TEXT or not isinstance(parse.value, str) or not parse.value.strip():
        return None
    about = parse.model_copy(update={"field": parse.value.strip()[:200].replace(" ", "_"), "options": []})
    outcome = present(reading, about, quantifier)
    if outcome.met is None:
        return None
    return turned(outcome) if parse.operator.value == "!=" else outcome
