"""Takes back what does not fit the rest, and adds what the rest needs."""

from dataclasses import replace
from typing import Final

from analysis.contracts.requirements import UNKNOWN, Unmatched
from analysis.contracts.tables import TableSchema
from analysis.requirements.columns import holds_time
from analysis.requirements.figures import count_of, likeliest_figure, number_beside
from analysis.requirements.linking import is_identifier
from analysis.requirements.meaning import Meaning, Reason
from analysis.requirements.network import Outcome
from analysis.requirements.phrasing import Naming

_STUDIED: Final = frozenset({"correlation", "distribution", "anomaly"})


def meaning_settle(meaning: Meaning, schema: TableSchema, outcome: Outcome, naming: Naming) -> None:
    """Make the decisions fit each other."""
    _settle_figures(meaning, schema, outcome, naming)
    _settle_correlation(meaning, schema, outcome, naming)
    _settle_forecast(meaning, schema)
    _settle_distribution(meaning, schema)
    if meaning.part and not any(figure.func != "none" for figure in meaning.figures):
        meaning.figures = [count_of(naming, outcome)]
    made = [figure for figure in meaning.figures if figure.func != "none"]
    is_spread = bool(meaning.groups or meaning.time)
    if not (is_spread and made):
        meaning.having = []
    fits = {
        "total": bool(made),
        "trend": meaning.time is not None,
        "compare": is_spread or len(made) > 1,
        "rank": meaning.direction is not None,
        "list": not made,
        "anomaly": bool(meaning.figures),
    }
    meaning.labels = {label: reason for label, reason in meaning.labels.items() if fits.get(label, True)}
    if not meaning.figures:
        meaning.labels.setdefault("list", Reason())
        meaning.listed = [column.name for column in schema.columns]
    elif not made and not meaning.groups and not meaning.chart and _STUDIED.isdisjoint(meaning.labels):
        meaning.listed = _columns_shown(meaning, schema)


def _settle_figures(meaning: Meaning, schema: TableSchema, outcome: Outcome, naming: Naming) -> None:
    """What is spread over groups or time has a figure; where rows are shown as they are, none is made of them."""
    busy = {*meaning.groups, *([meaning.time[0]] if meaning.time else [])}
    if meaning.figures or ("list" in meaning.labels and not busy):
        return
    if busy or meaning.labels or meaning.filters:
        figure = likeliest_figure(schema, outcome, naming, busy)
        meaning.figures = [figure]


def _settle_correlation(meaning: Meaning, schema: TableSchema, outcome: Outcome, naming: Naming) -> None:
    """A correlation is of two columns of numbers; where one is missing, of the likeliest."""
    if meaning.chart == "scatter":
        meaning.labels.setdefault("correlation", meaning.chart_reason)
    if "correlation" not in meaning.labels:
        return
    numbers = [figure for figure in meaning.figures if figure.column and _is_number(schema, figure.column)]
    if len(numbers) == 1 and (other := number_beside(schema, outcome, naming, numbers)):
        numbers.append(other)
    if len(numbers) > 1:
        meaning.figures = [replace(figure, func="none") for figure in numbers[:2]]
    else:
        meaning.labels.pop("correlation")


def _settle_forecast(meaning: Meaning, schema: TableSchema) -> None:
    """A forecast needs a time; a table without one has nothing for it."""
    if "forecast" not in meaning.labels or meaning.time is not None:
        return
    times = [column.name for column in schema.columns if holds_time(column)]
    if times:
        meaning.time = (times[0], UNKNOWN)
    else:
        meaning.unmatched.append(Unmatched(field="time", phrase=meaning.labels["forecast"].phrase or "forecast"))


def _settle_distribution(meaning: Meaning, schema: TableSchema) -> None:
    """A distribution without groups is one of bare values."""
    if "distribution" not in meaning.labels or meaning.groups or meaning.time:
        return
    numbers = [figure for figure in meaning.figures if figure.column and _is_number(schema, figure.column)]
    if numbers:
        meaning.figures = [replace(figure, func="none") for figure in numbers]
    elif any(figure.func != "none" for figure in meaning.figures):
        meaning.labels.pop("distribution")


def _is_number(schema: TableSchema, name: str) -> bool:
    column = schema.column(name)
    return bool(column and column.is_number)


def _columns_shown(meaning: Meaning, schema: TableSchema) -> list[str]:
    """Beside the columns of a list: those that it is filtered on and the one that numbers the rows, so that a reader
    sees which rows they are.
    """
    filtered = {condition.column for condition in meaning.filters}
    first = next((column.name for column in schema.columns if is_identifier(column)), None)
    shown = {figure.column for figure in meaning.figures}
    return [
        column.name
        for column in schema.columns
        if column.name not in shown and (column.name in filtered or column.name == first)
    ]
