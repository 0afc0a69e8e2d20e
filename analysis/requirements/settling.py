"""Shares of a part, and what does not fit the rest."""

from dataclasses import replace
from typing import Final

import numpy as np

from analysis.contracts.requirements import UNKNOWN
from analysis.requirements.case import CLEARLY, LISTED, Case
from analysis.requirements.columns import time_columns
from analysis.requirements.figures import other_numbers
from analysis.requirements.linking import is_identifier
from analysis.requirements.meaning import Figure, Reason

_STUDIED: Final = frozenset({"correlation", "distribution", "anomaly"})


def part_decide(case: Case) -> None:
    """A share of rows that meet a condition: the last condition on a value is the part, the others the whole."""
    meaning = case.meaning
    if "share" not in meaning.labels or not meaning.figures:
        return
    text = case.evidence.question.text
    parts = [
        condition
        for condition in meaning.filters
        if condition.op in ("=", "in", ">", "<", ">=", "<=", "null", "not_null")
        and condition.column not in meaning.groups
        and not case.is_time(condition)
    ]
    if parts:
        meaning.part = [max(parts, key=lambda condition: text.find(condition.phrase))]
        figure = meaning.figures[0]
        is_named = bool(figure.reason.phrase) and case.link_of(figure.column) > CLEARLY
        is_summed = (
            is_named
            and figure.column is not None
            and case.is_number(figure.column)
            and figure.column != meaning.part[0].column
        )
        meaning.figures = [replace(figure, func="sum") if is_summed else Figure(None, "count", reason=figure.reason)]


def meaning_settle(case: Case) -> None:
    """Take back what does not fit the rest."""
    meaning = case.meaning
    _settle_correlation(case)
    _settle_forecast(case)
    _settle_distribution(case)
    counted = [figure for figure in meaning.figures if figure.func != "none"]
    is_spread = bool(meaning.groups or meaning.time)
    fits = {
        "total": bool(counted),
        "trend": meaning.time is not None,
        "compare": is_spread or len(counted) > 1,
        "rank": meaning.direction is not None,
        "list": not counted,
        "anomaly": bool(meaning.figures),
    }
    meaning.labels = {label: reason for label, reason in meaning.labels.items() if fits.get(label, True)}
    if not meaning.figures and is_spread:
        meaning.figures = [Figure(None, "count")]
    if not meaning.figures:
        rows_list(case)
    elif case.is_bare() and not meaning.groups and not meaning.chart and _STUDIED.isdisjoint(meaning.labels):
        columns_show(case)


def _settle_correlation(case: Case) -> None:
    """A correlation is of two columns of numbers; where one is missing, of the one that is named most clearly."""
    meaning, labels = case.meaning, case.meaning.labels
    if meaning.chart == "scatter":
        labels.setdefault("correlation", meaning.chart_reason)
    if "correlation" not in labels or sum(figure.func == "none" for figure in meaning.figures) > 1:
        return
    numbers = [figure for figure in meaning.figures if figure.column and case.is_number(figure.column)]
    numbers += other_numbers(case, numbers)
    if len(numbers) > 1:
        meaning.figures = [replace(figure, func="none") for figure in numbers[:2]]
    else:
        labels.pop("correlation")


def _settle_forecast(case: Case) -> None:
    """A forecast needs a time."""
    times = time_columns(case.evidence)
    if "forecast" in case.meaning.labels and case.meaning.time is None:
        if times:
            case.meaning.time = (case.columns[times[0]].name, UNKNOWN)
        else:
            case.meaning.labels.pop("forecast")


def _settle_distribution(case: Case) -> None:
    """A distribution without groups is one of bare values."""
    meaning = case.meaning
    if "distribution" not in meaning.labels or meaning.groups or meaning.time:
        return
    numbers = [figure for figure in meaning.figures if figure.column and case.is_number(figure.column)]
    if numbers:
        meaning.figures = [replace(figure, func="none") for figure in numbers]
    elif any(figure.func != "none" for figure in meaning.figures):
        meaning.labels.pop("distribution")


def columns_show(case: Case) -> None:
    """Beside the columns of a list: those that the question names too, that it is ordered by or filtered on, and the
    one that numbers the rows, so that a reader sees which rows they are.
    """
    meaning = case.meaning
    named = case.evidence.links.max(axis=0) if len(case.evidence.links) else np.zeros(len(case.columns))
    filtered = {condition.column for condition in meaning.filters}
    first = next((at for at, column in enumerate(case.columns) if is_identifier(column)), None)
    shown = {figure.column for figure in meaning.figures}
    meaning.listed = [
        column.name
        for at, column in enumerate(case.columns)
        if column.name not in shown and (named[at] > LISTED or column.name in filtered or at == first)
    ]


def rows_list(case: Case) -> None:
    """A list of whole rows."""
    case.meaning.labels.setdefault("list", Reason())
    case.meaning.listed = [column.name for column in case.columns]
