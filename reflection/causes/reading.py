"""A failure, looked at: criteria with their gaps, the leaves of the result, what was said, what is set."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Final

from evaluation.contracts import CriterionResult
from planning.contracts import CriterionSource, SuccessCriterion
from planning.grammar import CriterionKind, CriterionParse, Operator, ValueType, amount_convert, amount_read
from planning.learning import condition_said, field_key, folded, stems
from planning.understanding import TaskReading, task_read
from reflection.causes.wording import cues, data_read, shown
from reflection.discretion import hidden
from reflection.failure import Failure

LEAVES_AT_MOST: Final = 1_500
DEEPEST: Final = 12
LIST_AT_MOST: Final = 60
_DATE: Final = re.compile(r"(?:(\d{4})-)?(\d{2})-(\d{2})")
_MONTH: Final = 30.0
"""Days that count as wholly missed for a date."""
_LOW: Final = (Operator.AT_LEAST, Operator.MORE_THAN)
_HIGH: Final = (Operator.AT_MOST, Operator.LESS_THAN)


@dataclass(frozen=True)
class Leaf:
    """A value of the result, its place ("hotel.rooms[0].price") and the last name in it, folded."""

    path: str
    key: str
    value: Any


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
    def source(self) -> CriterionSource:
        return self.criterion.source

    @property
    def asked(self) -> bool:
        """Whether the task or whoever gave it wants it."""
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
        if self.parse and self.parse.value_type is ValueType.DATE:
            scale = _MONTH
        return min(abs(self.found - self.wanted) / (scale or 1.0), 1e6)

    @property
    def at(self) -> str:
        """Its place in the evaluation."""
        return f"evaluation.criteria_met[{self.place}]"


class Seen:
    """What a failure shows. Everything is read once, and no more of the result than it takes."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        self.plan = failure.plan
        self.language = failure.language
        by_text = {one.text: one for one in failure.plan.success_criteria}
        self.checks = [
            _check(place, result, by_text.get(result.source) or _criterion(result))
            for place, result in enumerate(failure.evaluation.criteria_met)
        ]

    @cached_property
    def failed(self) -> list[Check]:
        """Criteria that were not met, but for verdicts; the task's own first, then what the user names, then what is
        furthest off.
        """
        found = [one for one in self.checks if one.result.met is False and not one.is_verdict]
        return sorted(
            found, key=lambda one: (not one.asked, not self._names(one), -min(one.gap or 0.5, 2.0), one.place)
        )

    def _names(self, check: Check) -> bool:
        """Whether the user names it in refusing the result."""
        words = set(stems(check.name))
        return self.rejected is not None and bool(words) and words <= set(stems(self.feedback[:400]))

    @cached_property
    def rejected(self) -> Check | None:
        """The verdict of the user that went against it."""
        return next((one for one in self.checks if one.result.met is False and one.is_verdict), None)

    @cached_property
    def met(self) -> list[Check]:
        return [one for one in self.checks if one.result.met is True]

    @cached_property
    def unknown(self) -> list[Check]:
        return [one for one in self.checks if one.result.met is None]

    @property
    def main(self) -> Check | None:
        """The failure that explains most: something measured before what somebody said of it."""
        return self.failed[0] if self.failed else self.rejected

    @property
    def priority(self) -> str:
        """What the plan puts first; empty for nothing."""
        return self.plan.config.priority or ""

    @property
    def confirmed(self) -> bool:
        """Whether the user said yes."""
        return any(one.is_verdict for one in self.met)

    @cached_property
    def reading(self) -> TaskReading | None:
        """The task as it is understood; None for what is none."""
        try:
            return task_read(self.plan.task, self.plan.metadata.task_type or None)
        except ValueError:
            return None

    @property
    def reading_topic(self) -> str:
        """What the task is about in a few words: its object, else its type."""
        phrases = self.reading.phrases if self.reading else {}
        return phrases.get("object") or phrases.get("topic") or self.failure.domain.replace("_", " ")

    @cached_property
    def leaves(self) -> list[Leaf]:
        """The values of the result, as far as they are read."""
        return list(_leaves(self.failure.result))

    @cached_property
    def feedback(self) -> str:
        """What the user said of it, without secrets; empty where nothing is on record."""
        said = [self.rejected.result.actual] if self.rejected else []
        said += [leaf.value for leaf in self.leaves if cues("feedback keys").search(leaf.key.replace("_", " "))]
        texts = [one for one in said if isinstance(one, str) and len(one.split()) > 1]
        return hidden(max(texts, key=lambda one: len(one[:400]), default=""), "…")

    @cached_property
    def option(self) -> str:
        """The name of what was chosen or made."""
        named = [leaf for leaf in self.leaves if leaf.key in data_read("words.json")["name keys"]]
        near = self.main.result.path.rpartition(".")[0] if self.main and self.main.result.path else ""
        for leaf in sorted(named, key=lambda one: (one.path.rpartition(".")[0] != near, one.path.count("["))):
            text = shown(leaf.value, 40)
            if isinstance(leaf.value, str) and text and "[" not in leaf.path:
                return text
        return ""

    def said_of(self, check: Check) -> tuple[str, int]:
        """The constraint that speaks of the field of this criterion, and the order of the step that does; empty and 0
        for none.
        """
        constraint = next((one for one in self.plan.constraints if _speaks_of(one, check)), "")
        step = next(
            (one.order for one in self.plan.steps if _holds(one.description, check)),
            0,
        )
        return constraint, step


def _criterion(result: CriterionResult) -> SuccessCriterion:
    return SuccessCriterion(text=(result.source or result.criterion or "?")[:500])


def _speaks_of(text: str, check: Check) -> bool:
    parse = SuccessCriterion(text=text[:500]).parse if text.strip() else None
    return parse is not None and field_key(parse.field) == check.field


def _holds(description: str, check: Check) -> bool:
    """Whether a step names the field of the criterion, all its words."""
    words = set(stems(check.name))
    return bool(words) and words <= set(stems(description))


def _check(place: int, result: CriterionResult, criterion: SuccessCriterion) -> Check:
    parse = criterion.parse
    wanted = found = None
    side = ""
    if parse is not None:
        side = "low" if parse.operator in _LOW else "high" if parse.operator in _HIGH else ""
        wanted, found = _numbers(parse, result.actual)
    return Check(place, result, criterion, wanted, found, side)


def _numbers(parse: CriterionParse, actual: object) -> tuple[float | None, float | None]:
    """What was wanted and what was found, in the unit of the criterion; dates in days."""
    if parse.value_type is ValueType.DATE:
        known = all(isinstance(one, str) and re.search(r"\d{4}-", one) for one in (parse.value, actual))
        return _days(parse.value, with_year=known), _days(actual, with_year=known)
    wanted = parse.value
    if parse.kind is CriterionKind.RANGE:
        number = _number(parse, actual)
        ends = [float(one) for one in (parse.low, parse.high) if isinstance(one, int | float)]
        return (min(ends, key=lambda end: abs(end - number)), number) if ends and number is not None else (None, None)
    if isinstance(wanted, bool) or not isinstance(wanted, int | float):
        return None, None
    return float(wanted), _number(parse, actual)


def _number(parse: CriterionParse, actual: object) -> float | None:
    if isinstance(actual, list):
        return float(len(actual))
    amount = amount_read(actual, parse.language)
    if amount is not None and parse.unit and amount.unit and amount.unit != parse.unit:
        amount = amount_convert(amount, parse.unit)
    value = amount.value if amount else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)


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


def _leaves(result: object) -> Iterator[Leaf]:
    left: list[tuple[str, str, Any, int]] = [("", "", result, 0)]
    seen = 0
    while left and seen < LEAVES_AT_MOST:
        path, key, value, depth = left.pop()
        seen += 1
        if isinstance(value, dict) and depth < DEEPEST:
            inside = [(str(name)[:60], one) for name, one in list(value.items())[:LIST_AT_MOST]]
            left += [(f"{path}.{name}".lstrip("."), folded(name), one, depth + 1) for name, one in reversed(inside)]
        elif isinstance(value, list | tuple) and depth < DEEPEST:
            items = list(enumerate(value[:LIST_AT_MOST]))
            left += [(f"{path}[{place}]", key, one, depth + 1) for place, one in reversed(items)]
        elif isinstance(value, str | int | float | bool):
            yield Leaf(path[:200], key, value)
