"""Criteria as they were checked, with the numbers that they compare; and the values of a result."""

import re
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Final

from evaluation.contracts import CriterionResult
from planning.contracts import CriterionSource, SuccessCriterion
from planning.criteria import CriterionKind, CriterionParse, Operator, ValueType, amount_convert, amount_read
from planning.experience import condition_said, field_key, stems
from reflection.causes.contracts import Fact
from reflection.causes.texts import cues, number_in, shown

_DATE: Final = re.compile(r"(?:(\d{4})-)?(\d{2})-(\d{2})")
_MONTH: Final = 30.0
"""Days that count as wholly missed for a date."""
_LOW: Final = (Operator.AT_LEAST, Operator.MORE_THAN)
_HIGH: Final = (Operator.AT_MOST, Operator.LESS_THAN)


def parent_of(path: str | None) -> str:
    """The place around a place: "hotel" of "hotel.price"; empty for none."""
    return (path or "").rpartition(".")[0]


def parse_of(text: str) -> CriterionParse | None:
    """What the grammar of criteria makes of a text."""
    return SuccessCriterion(text=text[:500]).parse if text.strip() else None


@dataclass(frozen=True)
class Leaf:
    """A value of the result, its place ("hotel.rooms[0].price") and the last name in it, normalised."""

    path: str
    key: str
    value: Any

    def is_a(self, cue: str) -> bool:
        """Whether its name is one of the cues of this kind."""
        return cues(cue).fullmatch(self.key.replace("_", " ").replace("-", " ")) is not None


@dataclass(frozen=True)
class Check:
    """A criterion as it was checked. `wanted` and `found` are numbers in one unit, None where it compares none.
    `side` is "low" for a least value, "high" for a largest one, empty for whatever else.
    """

    place: int
    result: CriterionResult
    criterion: SuccessCriterion
    wanted: float | None
    found: float | None
    side: str

    @property
    def parse(self) -> CriterionParse | None:
        return self.criterion.parse

    @property
    def kind(self) -> CriterionKind | None:
        return self.parse.kind if self.parse else None

    @property
    def is_verdict(self) -> bool:
        return self.kind is CriterionKind.VERDICT

    @property
    def is_date(self) -> bool:
        return self.parse is not None and self.parse.value_type is ValueType.DATE

    @property
    def source(self) -> CriterionSource:
        return self.criterion.source

    @property
    def asked(self) -> bool:
        """Whether the task or the caller asks for it."""
        return self.source in (CriterionSource.GIVEN, CriterionSource.TASK)

    @cached_property
    def field(self) -> str:
        return field_key(self.parse.field) if self.parse else "_".join(stems(self.criterion.text))

    @property
    def name(self) -> str:
        """The field in the words of the criterion."""
        return shown(self.parse.field.replace("_", " ") if self.parse else self.criterion.text, 50)

    @cached_property
    def condition(self) -> str:
        """It as a condition that a plan can hold to; empty where there is none."""
        if self.parse is None or self.is_verdict:
            return ""
        return condition_said(self.criterion.text) or ""

    @property
    def gap(self) -> float | None:
        """How far off, as a share of what was wanted; of a met one, how much room there was."""
        if self.wanted is None or self.found is None:
            return None
        scale = self.parse.scale if self.parse and self.parse.scale else abs(self.wanted)
        return min(abs(self.found - self.wanted) / ((_MONTH if self.is_date else scale) or 1.0), 1e6)

    @property
    def at(self) -> str:
        """Its place in the evaluation."""
        return f"evaluation.criteria_met[{self.place}]"

    @property
    def fact(self) -> Fact:
        """Its outcome, with the value that was read and where."""
        outcome = {True: "met", False: "not met", None: "unknown"}[self.result.met]
        actual = shown(self.result.actual, 40)
        where = f" (result.{self.result.path})" if self.result.path else ""
        return Fact(self.at, f"{self.result.criterion}: {outcome}{f', {actual}' if actual else ''}{where}")

    @property
    def source_place(self) -> str:
        """The place in the plan that says where it comes from."""
        return f"plan.success_criteria[{self.place}].source"

    def is_named_in(self, text: str) -> bool:
        """Whether a text has all words of its field."""
        words = set(stems(self.name))
        return bool(words) and words <= set(stems(text))

    def is_field_of(self, condition: str) -> bool:
        """Whether a condition is of its field."""
        parse = parse_of(condition)
        return parse is not None and field_key(parse.field) == self.field


def check_of(place: int, result: CriterionResult, criterion: SuccessCriterion | None) -> Check:
    """The check of a criterion; of one that is not the plan's, by its text."""
    criterion = criterion or SuccessCriterion(text=(result.source or result.criterion or "?")[:500])
    parse = criterion.parse
    if parse is None:
        return Check(place, result, criterion, None, None, "")
    side = "low" if parse.operator in _LOW else "high" if parse.operator in _HIGH else ""
    return Check(place, result, criterion, *_numbers(parse, result.actual), side)


def _numbers(parse: CriterionParse, actual: object) -> tuple[float | None, float | None]:
    """What was wanted and what was found, in the unit of the criterion; dates in days."""
    if parse.value_type is ValueType.DATE:
        with_year = all(isinstance(text, str) and re.search(r"\d{4}-", text) for text in (parse.value, actual))
        return _days(parse.value, with_year=with_year), _days(actual, with_year=with_year)
    if parse.kind is CriterionKind.RANGE:
        number = _number(parse, actual)
        ends = [float(end) for end in (parse.low, parse.high) if isinstance(end, int | float)]
        return (min(ends, key=lambda end: abs(end - number)), number) if ends and number is not None else (None, None)
    wanted = number_in(parse.value)
    return (None, None) if wanted is None else (wanted, _number(parse, actual))


def _number(parse: CriterionParse, actual: object) -> float | None:
    if isinstance(actual, list):
        return float(len(actual))
    amount = amount_read(actual, parse.language)
    if amount is not None and parse.unit and amount.unit and amount.unit != parse.unit:
        amount = amount_convert(amount, parse.unit)
    return number_in(amount.value) if amount else None


def _days(value: object, *, with_year: bool) -> float | None:
    """A date as days; without its year it is one of a leap year."""
    match = _DATE.search(value) if isinstance(value, str) else None
    if match is None:
        return None
    try:
        year = int(match[1]) if with_year and match[1] else 2000
        return float(date(year, int(match[2]), int(match[3])).toordinal())
    except ValueError:
        return None
