"""The conditions of a question on rows: values that are named, numbers, periods, and columns that are empty."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Any, Final, cast

from django.utils import timezone

from analysis.contracts.requirements import Filter, Operator
from analysis.contracts.tables import Column, TableSchema
from analysis.requirements.amounts import Amount
from analysis.requirements.inputs import Inputs
from analysis.requirements.network import HOLDS, STATES, Outcome
from analysis.requirements.periods import Edge, Period
from analysis.requirements.phrasing import Naming
from analysis.requirements.spans import Question
from analysis.requirements.valuing import no_of, yes_of
from language.fold import fold
from language.numbers import plain_number

LIKELY: Final = 0.5
_EDGES: Final[dict[Edge, Operator]] = {"from": ">=", "after": ">", "until": "<=", "before": "<"}


@dataclass(frozen=True)
class Named:
    """A value that is named by the words of `span`, the first and the one after the last."""

    column: int
    value: str
    span: tuple[int, int]
    probability: float
    refused: bool
    part: bool


def values_named(inputs: Inputs, outcome: Outcome) -> list[Named]:
    """The values that are named, in the order of the question. Words name one value, the likeliest, or several that
    differ in spelling alone.
    """
    best = outcome.values.argmax(axis=1) if len(inputs.groups) else []
    found = [
        Named(
            group.column, group.value, group.spans[place], float(outcome.values[number, place]),
            refused=bool(outcome.refused[number, place] > LIKELY), part=bool(outcome.of_part[number, place] > LIKELY),
        )
        for number, (group, place) in enumerate(zip(inputs.groups, best, strict=True))
    ]  # fmt: skip
    chosen: list[Named] = []
    for value in sorted(found, key=lambda value: -value.probability):
        if value.probability > LIKELY and all(_go_together(value, other) for other in chosen):
            chosen.append(value)
    return sorted(chosen, key=lambda value: value.span)


def _go_together(value: Named, other: Named) -> bool:
    is_apart = value.span[1] <= other.span[0] or other.span[1] <= value.span[0]
    return is_apart or (value.column == other.column and fold(value.value).strip() == fold(other.value).strip())


def value_conditions(question: Question, schema: TableSchema, named: Sequence[Named]) -> list[tuple[Filter, bool]]:
    """A condition for the values of each column, with whether it is the part that a share is of."""
    found = []
    for at, values in groupby(sorted(named, key=lambda value: value.column), key=lambda value: value.column):
        own, column = list(values), schema.columns[at]
        if yes_of(column):
            value = own[0]
            stored = no_of(column) if value.refused else value.value
            found.append((_filter(column, "=", [stored], question.phrase(*value.span)), value.part))
            continue
        for refused, ops in ((False, ("=", "in")), (True, ("!=", "not_in"))):
            side = [value for value in own if value.refused is refused]
            if side:
                phrase = question.phrase(min(value.span[0] for value in side), max(value.span[1] for value in side))
                stored_values = list(dict.fromkeys(value.value for value in side))
                op = cast(Operator, ops[len(stored_values) > 1])
                found.append((_filter(column, op, stored_values, phrase), side[0].part))
    return sorted(found, key=lambda pair: question.text.find(pair[0].phrase))


def _filter(column: Column, op: Operator, values: Sequence[str], phrase: str) -> Filter:
    typed: list[Any] = [value == "true" if column.type == "boolean" else value for value in values]
    return Filter(column=column.name, op=op, value=typed if len(typed) > 1 else typed[0], phrase=phrase)


def amount_condition(question: Question, column: Column, amount: Amount) -> Filter:
    value = _number(amount.value, amount, column)
    pair = [value, _number(amount.high, amount, column)] if amount.high is not None else None
    phrase = question.text[amount.start : amount.end]
    return Filter(column=column.name, op=amount.op, value=pair or value, phrase=phrase)


def _number(value: float, amount: Amount, column: Column) -> int | float:
    """As it is stored: a percentage of a column of fractions is a fraction."""
    if amount.percent and column.highest is not None and _float(column.highest) <= 1:
        value /= 100
    return plain_number(Decimal(str(value)))


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("inf")


def amounts_merged(conditions: Sequence[Filter]) -> list[Filter]:
    """Several numbers that one column may be equal to are one condition."""
    merged: dict[tuple[str, str], Filter] = {}
    for number, condition in enumerate(conditions):
        key = (condition.column, "=" if condition.op == "=" else str(number))
        before = merged.get(key)
        if before is None:
            merged[key] = condition
        else:
            values = [*(before.value if before.op == "in" else [before.value]), condition.value]
            merged[key] = before.model_copy(update={"op": "in", "value": values})
    return list(merged.values())


def period_condition(question: Question, column: Column, period: Period) -> Filter:
    """A period held against a column of dates, or of whole years."""
    phrase = question.text[period.start : period.end]
    if not column.is_time:
        first, last = period.low.year, period.high.year
        if period.edge in _EDGES:
            return Filter(column=column.name, op=_EDGES[period.edge], value=first, phrase=phrase)
        if first == last:
            return Filter(column=column.name, op="=", value=first, phrase=phrase)
        return Filter(column=column.name, op="between", value=[first, last], phrase=phrase)
    if period.year is None:
        years = _years_of(column)
        is_month = period.low.day == 1 and period.low.month == period.high.month
        if period.edge == "in" and len(years) != 1 and is_month:
            return Filter(column=column.name, op="=", value=period.low.month, grain="month_of_year", phrase=phrase)
        period = period.of_year(years[-1] if years else timezone.now().year)
    low, high = period.low.isoformat(), period.high.isoformat()
    if period.edge in _EDGES:
        day = high if period.edge in ("after", "until") else low
        return Filter(column=column.name, op=_EDGES[period.edge], value=day, phrase=phrase)
    if low == high:
        return Filter(column=column.name, op="=", value=low, phrase=phrase)
    return Filter(column=column.name, op="between", value=[low, high], phrase=phrase)


def _years_of(column: Column) -> list[int]:
    """The years that a column of dates covers; empty where that is not known."""
    if not (column.lowest and column.highest):
        return []
    return list(range(int(column.lowest[:4]), int(column.highest[:4]) + 1))


def state_conditions(schema: TableSchema, outcome: Outcome, naming: Naming) -> Iterator[Filter]:
    """Columns that are to be empty, to have a value, or to be more than zero."""
    for at, column in enumerate(schema.columns):
        state = STATES[int(outcome.states[at].argmax())]
        if state == "some" and column.is_number:
            yield Filter(column=column.name, op=">", value=0, phrase=naming.of_column(at))
        elif state in ("null", "not_null"):
            yield Filter(column=column.name, op=cast(Operator, state), phrase=naming.of_column(at))


def held_condition(schema: TableSchema, outcome: Outcome, naming: Naming) -> Iterator[Filter]:
    """A column held against another: "longer than planned"."""
    op = HOLDS[int(outcome.held.argmax())]
    left = int(outcome.held_left.argmax())
    others = outcome.held_right.copy()
    others[left] = 0
    right = int(others.argmax())
    alike = schema.columns[left].is_number == schema.columns[right].is_number
    if op != "no" and alike and len(schema.columns) > 1:
        value = {"column": schema.columns[right].name}
        yield Filter(
            column=schema.columns[left].name, op=cast(Operator, op), value=value, phrase=naming.of_column(left)
        )
