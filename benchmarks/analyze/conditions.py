"""Which inputs the conditions of a question are made of: values that it names, numbers, periods, states of columns."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from analysis.contracts.tables import Column
from analysis.requirements.amounts import Amount
from analysis.requirements.inputs import Inputs
from analysis.requirements.network import HAVING, HOLDS, LIMIT, LIMITS, NOTHING, STATES
from analysis.requirements.periods import Period
from analysis.requirements.valuing import yes_of
from benchmarks.analyze.corpus import Row, Sketch
from language.fold import fold

NO_LESSON: Final = -1
"""Where nothing is to be learnt: the sketch does not say it."""
_NEGATIONS: Final = ("!=", "not_in")
_SAME: Final = 1e-6


class Conditions:
    """Each condition of the sketch, looked for among the inputs. The attributes are named as those of `Wanted`."""

    def __init__(self, row: Row, inputs: Inputs) -> None:
        columns = len(row.schema.columns)
        self.places, self.schema, self.inputs, self.columns = row.places, row.schema, inputs, columns
        self.values, self.refused, self.of_part = np.zeros((3, len(inputs.groups)), dtype=np.int64)
        self.states = np.zeros(columns, dtype=np.int64)
        self.held, self.held_left, self.held_right = 0, NO_LESSON, NO_LESSON
        self.amounts = np.full(len(inputs.amounts), columns + NOTHING)
        self.periods = np.full(len(inputs.periods), columns)
        self.missed = 0
        for is_part, key in enumerate(("filters", "part")):
            for condition in row.sketch.get(key, ()):
                self.missed += not self._condition(condition, is_part)
        self._having(row.sketch)
        self.limit = self._limit(row.sketch.get("limit"))

    @property
    def wanted(self) -> dict[str, Any]:
        """The attributes that are fields of `Wanted`, by name."""
        names = ("held", "held_left", "held_right", "states", "values", "refused", "of_part", "amounts", "periods")
        return {name: getattr(self, name) for name in (*names, "limit", "missed")}

    def _condition(self, condition: Sketch, is_part: int) -> bool:
        """Mark the inputs that express a condition; whether there are any."""
        at, op, value = self.places[condition["column"]], condition["op"], condition.get("value")
        column = self.schema.columns[at]
        if isinstance(value, dict):
            self.held, self.held_left, self.held_right = HOLDS.index(op), at, self.places[value["column"]]
            return True
        if op in ("null", "not_null") or value is None:
            self.states[at] = STATES.index("null" if op in ("null", "=") else "not_null")
            return True
        values = value if isinstance(value, list) else [value]
        if column.is_time:
            return self._period(at, {str(day)[:10] for day in values})
        if column.is_number:
            return self._number(at, op, [float(number) for number in values])
        return self._value(at, column, values, is_refused=op in _NEGATIONS, is_part=is_part)

    def _period(self, at: int, days: set[str]) -> bool:
        """The periods that begin or end on one of the days; where there are none, those of about their years."""
        chosen = [place for place, (period, _, _) in enumerate(self.inputs.periods) if _is_same_day(period, days)]
        chosen = chosen or [
            place
            for place, (period, _, _) in enumerate(self.inputs.periods)
            if self.periods[place] == self.columns and _is_near(period, days)
        ]
        self.periods[chosen] = at
        return bool(chosen)

    def _number(self, at: int, op: str, numbers: Sequence[float]) -> bool:
        amounts = [place for place, (amount, _, _) in enumerate(self.inputs.amounts) if _is_same(amount, numbers)]
        years = [
            place
            for place, (period, _, _) in enumerate(self.inputs.periods)
            if period.low.year in numbers or period.high.year in numbers
        ]
        self.amounts[amounts], self.periods[years] = at, at
        if amounts or years:
            return True
        if op in (">", ">=", "!=") and numbers[0] in (0, 1):
            self.states[at] = STATES.index("some")
            return True
        return False

    def _value(self, at: int, column: Column, values: Sequence[Any], *, is_refused: bool, is_part: int) -> bool:
        yes, folded = yes_of(column), [fold(str(value)).strip() for value in values]
        chosen = [
            place
            for place, group in enumerate(self.inputs.groups)
            if group.column == at and (yes is not None or fold(group.value).strip() in folded)
        ]
        is_no = yes is not None and yes_of(Column(name=column.name, values=(str(values[0]),))) is None
        self.values[chosen], self.refused[chosen], self.of_part[chosen] = 1, is_no != is_refused, is_part
        return bool(chosen)

    def _having(self, sketch: Sketch) -> None:
        for condition in sketch.get("having", ()):
            for place, (amount, _, _) in enumerate(self.inputs.amounts):
                if abs(float(condition["value"]) - amount.value) < _SAME:
                    self.amounts[place] = self.columns + HAVING

    def _limit(self, limit: int | None) -> int:
        """The first number that is the limit and nothing else is marked as it."""
        if not limit:
            return LIMITS.index("no")
        for place, (amount, _, _) in enumerate(self.inputs.amounts):
            is_free = self.amounts[place] == self.columns + NOTHING
            if amount.value == limit and is_free and amount.op == "=":
                self.amounts[place] = self.columns + LIMIT
                return LIMITS.index("number")
        return LIMITS.index("one" if limit == 1 else "number")


def _is_same_day(period: Period, days: set[str]) -> bool:
    own = {period.low.isoformat(), period.high.isoformat()}
    if period.year is None:
        return not {day[5:] for day in own}.isdisjoint(day[5:] for day in days)
    return not own.isdisjoint(days)


def _is_near(period: Period, days: set[str]) -> bool:
    years = {period.low.year - 1, period.low.year, period.high.year, period.high.year + 1}
    return period.year is None or not {day[:4] for day in days}.isdisjoint(map(str, years))


def _is_same(amount: Amount, numbers: Sequence[float]) -> bool:
    """Whether the amount has one of the numbers, or one of them as a percentage."""
    own = [amount.value] if amount.high is None else [amount.value, amount.high]
    return any(abs(number * times - value) < _SAME for number in numbers for times in (1, 100) for value in own)
