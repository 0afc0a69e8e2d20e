"""Criteria about one value: comparisons and ranges of numbers and of dates, equality and membership."""

import re
from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar, Final

from evaluation.checking.amounts import Span
from evaluation.checking.comparing import compare, equate, is_comparable, is_equatable, verdict_of
from evaluation.checking.evaluators.base import GrammarEvaluator, quantifier_of
from evaluation.checking.evaluators.presence import present
from evaluation.checking.finding import Candidate, best, candidates
from evaluation.checking.lexicon import names, words
from evaluation.checking.naming import Name, Target, are_opposed, name_read, target_of
from evaluation.checking.outcome import MISSING, Outcome, Quantifier, combined, opposite
from evaluation.checking.result_parts import result_parts_of
from evaluation.checking.speakers import is_opinion
from evaluation.checking.sums import as_share, sum_of, sum_outcome, together_counted
from evaluation.checking.values import MOMENTS, says_unit
from evaluation.checking.walk import Group, Node, ResultReading
from evaluation.checking.words import cosines, name_words, plain_text, stem
from evaluation.contracts import Reason
from planning.contracts import SuccessCriterion
from planning.criteria import CriterionKind, CriterionParse, ValueType

_TOTAL: Final = re.compile(r"\b(?:total|totales|altogether|overall|combined|en conjunto)\b")
_FLOOR, _MARGIN, _NAMES = 0.7, 0.08, 60
"""Where a name that no list knows counts as the same (docs/checks.md)."""
_BUDGETS: Final = frozenset({"budget", "presupuesto", "total_budget"})
_TIMES: Final = frozenset({"second", "minute", "hour", "day", "week", "month", "millisecond"})
_KINDS_OF_NAMES: Final = frozenset(map(stem, ("name", "type", "status", "code", "nombre", "tipo")))
IsReadable = Callable[[Node], bool]


class ValueEvaluator(GrammarEvaluator):
    """Finds the value of the criterion's name and compares it with the wanted one.

    `name_parts` are words that the name may have besides.
    """

    name_parts: ClassVar[frozenset[str]] = frozenset()

    @abstractmethod
    def is_readable(self, node: Node, parse: CriterionParse) -> bool:
        """Whether the node has a value that can be held against the wanted one."""

    @abstractmethod
    def judge(self, reading: ResultReading, node: Node, parse: CriterionParse) -> Outcome:
        """What the value of the node says."""

    def outcome(self, text: str, parse: CriterionParse, reading: ResultReading) -> Outcome:
        quantifier = quantifier_of(text, parse)
        if not (parse.count or "total" in parse.field) and _TOTAL.search(plain_text(text)):
            # A total that the field has lost: "Total cost" of an order is not the cost of an item.
            parse = parse.model_copy(update={"field": f"total_{parse.field}"})
        if parse.kind is not CriterionKind.MEMBERSHIP and (counted := together_counted(reading, parse)):
            total = sum_of(counted)
            return sum_outcome(bool(verdict_of(Span(total, total), parse)), counted, total)
        readings = self._readings(reading, parse, quantifier)
        return combined(readings, lambda node: self.judge(reading, node, parse), quantifier) if readings else MISSING

    def _readings(self, reading: ResultReading, parse: CriterionParse, quantifier: Quantifier) -> list[Candidate]:
        """Equally good readings of the value: by its name, by a name that is like it, by another name."""

        def readable(node: Node) -> bool:
            return self.is_readable(node, parse)

        wanted = target_of(_field(reading, parse), parse.subject, parse.operator.value)
        allowed = self.name_parts | ({"count"} if parse.count else frozenset())
        named = candidates(reading, wanted, allowed)
        if not parse.count:
            named = [candidate for candidate in named if not isinstance(candidate.node.value, Group)]
        chosen = best(named, readable, of_many=quantifier is not Quantifier.ONE)
        if parse.count:  # a thing that is counted is no count
            chosen = [other for other in chosen if not (other.node.is_item or isinstance(other.node.value, Group))]
        readings = chosen
        if not readings and all(candidate.fit < 0.9 for candidate in named):  # no good name is there
            readings = _alike(reading, wanted, readable)
        if not readings and not named:
            readings = _otherwise(reading, parse, readable)
        return readings


class _Threshold(ValueEvaluator):
    """A value against a bound or a range. `of_time`: of dates and times of day, not of numbers."""

    kinds = frozenset({CriterionKind.COMPARISON, CriterionKind.RANGE})
    of_time: ClassVar[bool]

    def applies_to(self, criterion: SuccessCriterion) -> bool:
        parse = criterion.parse
        return parse is not None and parse.kind in self.kinds and (parse.value_type in MOMENTS) is self.of_time

    def is_readable(self, node: Node, parse: CriterionParse) -> bool:
        return is_comparable(node, parse)

    def judge(self, reading: ResultReading, node: Node, parse: CriterionParse) -> Outcome:
        return compare(node, parse, as_share(reading, node, parse))


class NumericThreshold(_Threshold):
    """Numbers: "Hotel quality >= 7", "price between 100 and 200 euros"."""

    name, version, of_time = "numeric-threshold", 1, False


class DateThreshold(_Threshold):
    """Days and times of day: "check-in before 15 March", "arrival by 18:30"."""

    name, version, of_time = "date-threshold", 1, True


class Equality(ValueEvaluator):
    """A value against one value, or against several of which it is to be one: "status is confirmed"."""

    name, version = "equality", 1
    kinds = frozenset({CriterionKind.EQUALITY, CriterionKind.MEMBERSHIP})
    name_parts = _KINDS_OF_NAMES

    def is_readable(self, node: Node, parse: CriterionParse) -> bool:
        return is_equatable(node, parse)

    def judge(self, reading: ResultReading, node: Node, parse: CriterionParse) -> Outcome:
        return equate(node, parse)

    def outcome(self, text: str, parse: CriterionParse, reading: ResultReading) -> Outcome:
        outcome = super().outcome(text, parse, reading)
        if outcome.reason is Reason.DATA_MISSING and parse.kind is CriterionKind.EQUALITY:
            stated = _as_state(reading, parse, quantifier_of(text, parse))
            return stated if stated is not None and stated.path != outcome.path else outcome
        return outcome


def _field(reading: ResultReading, parse: CriterionParse) -> str:
    """What keeps to a budget is what was spent; the budget in a result is what was allowed."""
    if parse.field not in _BUDGETS or not parse.operator.value.startswith("<"):
        return parse.field
    return "total" if candidates(reading, target_of("total", parse.subject), floor=0.7) else parse.field


def _otherwise(reading: ResultReading, parse: CriterionParse, readable: IsReadable) -> list[Candidate]:
    """Other names: "team size" of a size; what the subject measures, where the value says its unit ("screen of 6
    inches" in `screen_size: "6.1 in"`) or it is counted (`hotels`); and how long, of what happens in less than an hour.
    """
    if parse.subject:
        joined = _named(reading, target_of(f"{parse.subject}_{parse.field}", None), readable)
        if joined:
            return joined
        if parse.count or parse.unit or parse.currency:
            of_subject = _named(reading, target_of(parse.subject, None), readable)
            if measured := [other for other in of_subject if parse.count or says_unit(other.node, parse)]:
                return measured
    if parse.value_type is ValueType.PERCENT:
        return _named(reading, target_of(f"{parse.field}_rate", parse.subject), readable)
    if parse.unit and (measured := _named_by_unit(reading, parse)):
        return measured
    if parse.unit in _TIMES and parse.value_type is ValueType.NUMBER:
        lasting = _named(reading, target_of("duration", parse.subject), readable)
        return lasting if len({candidate.node.path for candidate in lasting}) == 1 else []
    return []


def _named_by_unit(reading: ResultReading, parse: CriterionParse) -> list[Candidate]:
    """A key that is the unit: {"megapixels": 24}, where it is the only one."""
    named = [node for node in reading.nodes if node.names and name_read(node.name).unit == parse.unit]
    units = [node for node in named if len(name_words(node.name)) == 1 and not isinstance(node.value, Group)]
    return [Candidate(node, 1.0, 1, of_subject=False, at_root=False) for node in units] if len(units) == 1 else []


def _named(reading: ResultReading, wanted: Target, readable: IsReadable) -> list[Candidate]:
    chosen = best(candidates(reading, wanted, words().sizes), readable)
    return [candidate for candidate in chosen if readable(candidate.node)]


def _alike(reading: ResultReading, wanted: Target, readable: IsReadable) -> list[Candidate]:
    """Names that no list knows, by the local embedder; never the opposite of what is wanted, nor an opinion."""
    by_name: dict[str, list[Node]] = {}
    for part in result_parts_of(reading, wanted):
        for node in part.nodes:
            if node.names and not isinstance(node.value, Group) and _may_be(wanted, name_read(node.name)):
                name = " ".join(name_words(node.name))
                if name in by_name or len(by_name) < 2 * _NAMES:
                    by_name.setdefault(name, []).append(node)
    spoken = [name for name, nodes in by_name.items() if any(map(readable, nodes[:_NAMES]))][:_NAMES]
    scores = sorted(zip(cosines(" ".join(wanted.spoken), spoken), spoken, strict=True), reverse=True)
    if not scores or scores[0][0] < _FLOOR or (len(scores) > 1 and scores[0][0] - scores[1][0] < _MARGIN):
        return []
    nodes = by_name[scores[0][1]]
    return best([Candidate(node, scores[0][0], 1, False, not node.owner) for node in nodes], readable)


def _may_be(wanted: Target, key: Name) -> bool:
    changing = words().changing
    if key.stems in names().groups_of and wanted.name.stems in names().groups_of:
        return False  # both are known, and not to be the same
    if is_opinion(key) or key.negated != wanted.name.negated or are_opposed(wanted.name, key):
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
    return opposite(outcome) if parse.operator.value == "!=" else outcome
