"""The conditions of a question that hold numbers and dates against bounds."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from django.utils import timezone

from analysis.contracts.requirements import Filter, Operator
from analysis.contracts.tables import Column
from analysis.requirements.amounts import Amount
from analysis.requirements.columns import YEARS, amount_column, period_column, words_at
from analysis.requirements.evidence import Evidence, Named
from analysis.requirements.periods import Period
from language.numbers import plain_number

_AHEAD: Final = frozenset(["next", "coming", "following", "upcoming", "proximos", "proximas", "siguientes"])


def amount_conditions(evidence: Evidence, used: Sequence[Amount], measure: int | None) -> list[Filter]:
    """Conditions on numbers. Amounts that are `used` otherwise, as how many rows are wanted, are left out; `measure` is
    the column that the question is about.
    """
    conditions = []
    for amount in evidence.amounts:
        inside = any(period.start <= amount.number_start < period.end for period in evidence.periods)
        valued = any(_covers(evidence, value, amount) for value in evidence.named) or _is_of_share(evidence, amount)
        if amount in used or inside or valued or _is_ahead(evidence, amount):
            continue
        if chosen := amount_column(evidence, amount, measure):
            column = evidence.schema.columns[chosen[0]]
            conditions.append(_amount_filter(evidence, column, amount))
    return _merged(conditions)


def _merged(conditions: Sequence[Filter]) -> list[Filter]:
    """Several numbers that one column may be equal to are one condition."""
    merged: dict[str, Filter] = {}
    others = []
    for condition in conditions:
        before = merged.get(condition.column)
        if condition.op != "=":
            others.append(condition)
        elif before is None:
            merged[condition.column] = condition
        else:
            values = [*(before.value if before.op == "in" else [before.value]), condition.value]
            merged[condition.column] = before.model_copy(update={"op": "in", "value": values})
    return [*others, *merged.values()]


def _is_ahead(evidence: Evidence, amount: Amount) -> bool:
    """Whether the number counts coming periods: "the next three months"."""
    first, _ = words_at(evidence, amount.number_start, amount.number_end)
    return first > 0 and evidence.question.words[first - 1] in _AHEAD


def _covers(evidence: Evidence, value: Named, amount: Amount) -> bool:
    first, after = words_at(evidence, amount.number_start, amount.number_end)
    return value.start <= first and after <= value.end


def _is_of_share(evidence: Evidence, amount: Amount) -> bool:
    """Whether the number is a part of the words for a share: "tanto por ciento"."""
    first, after = words_at(evidence, amount.number_start, amount.number_end)
    listed = evidence.cues.listed[:, evidence.cues.column("analysis:share")]
    return any(
        listed[place] and span.start <= first and after <= span.end
        for place, span in enumerate(evidence.question.spans)
    )


def _amount_filter(evidence: Evidence, column: Column, amount: Amount) -> Filter:
    value = _number(amount.value, amount, column)
    pair = [value, _number(amount.high, amount, column)] if amount.high is not None else None
    phrase = evidence.question.text[amount.start : amount.end]
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


_EDGES: Final[dict[str, Operator]] = {"from": ">=", "after": ">", "until": "<=", "before": "<"}


def period_conditions(evidence: Evidence, axis: list[float]) -> list[Filter]:
    """Conditions on dates, or on whole years where the table has no dates."""
    conditions = []
    months = [period for period in evidence.periods if period.year is None and period.low.day == 1]
    for period in evidence.periods:
        if len(months) > 1 and period in months and period.edge == "in" and _names_months(evidence):
            continue  # "each month (January, February ...)"
        at = period_column(evidence, period, axis)
        if at is None or _is_amount(evidence, period) or _is_value(evidence, period):
            continue
        column = evidence.schema.columns[at]
        conditions.append(_period_filter(column, period, evidence.question.text[period.start : period.end]))
    return conditions


def _names_months(evidence: Evidence) -> bool:
    """Whether results are wanted by month."""
    cues = evidence.cues
    places = [cues.column(label) for label in ("grain:month", "grain:month_of_year")]
    return bool(len(cues.listed)) and bool(cues.listed[:, places].any())


def _is_amount(evidence: Evidence, period: Period) -> bool:
    """Whether what seems a year is a number that is compared: "more than 2000"."""
    return period.edge == "in" and any(
        amount.op != "="
        and amount.start < period.start
        and period.start < amount.number_end
        and not _is_dated(evidence, amount)
        for amount in evidence.amounts
    )


def _is_dated(evidence: Evidence, amount: Amount) -> bool:
    """Whether a range of numbers is one of years, by what follows: "between 2010 and 2015"."""
    numbers = (amount.value, amount.high if amount.high is not None else amount.value)
    return amount.op == "between" and all(YEARS[0] <= number <= YEARS[1] and number <= 2100 for number in numbers)


def _is_value(evidence: Evidence, period: Period) -> bool:
    first, after = words_at(evidence, period.start, period.end)
    return any(value.start <= first and after <= value.end for value in evidence.named)


def _period_filter(column: Column, period: Period, phrase: str) -> Filter:
    if not column.is_time:
        years: list[int] = [period.low.year, period.high.year]
        if period.edge in _EDGES:
            return Filter(column=column.name, op=_EDGES[period.edge], value=years[0], phrase=phrase)
        is_one = years[0] == years[1]
        return Filter(
            column=column.name, op="=" if is_one else "between", value=years[0] if is_one else years, phrase=phrase
        )
    if period.year is None:
        years_there = years_of(column)
        if (
            period.edge == "in"
            and len(years_there) != 1
            and period.low.day == 1
            and period.low.month == period.high.month
        ):
            return Filter(column=column.name, op="=", value=period.low.month, grain="month_of_year", phrase=phrase)
        period = period.of_year(years_there[-1] if years_there else timezone.now().year)
    low, high = period.low.isoformat(), period.high.isoformat()
    if period.edge in _EDGES:
        day = high if period.edge in ("after", "until") else low
        return Filter(column=column.name, op=_EDGES[period.edge], value=day, phrase=phrase)
    if low == high:
        return Filter(column=column.name, op="=", value=low, phrase=phrase)
    return Filter(column=column.name, op="between", value=[low, high], phrase=phrase)


def years_of(column: Column) -> list[int]:
    """The years that a column of dates covers; empty where that is not known."""
    if not (column.lowest and column.highest):
        return []
    return list(range(int(column.lowest[:4]), int(column.highest[:4]) + 1))
