"""Decides the figures: columns with their functions."""

from typing import Final

import numpy as np

from analysis.contracts.requirements import (
    Function,
)
from analysis.contracts.tables import Column
from analysis.requirements.case import LIKELY, LISTED, MOST_GROUPS, OF_ROWS, SECOND, SMALL_WORDS, Case
from analysis.requirements.columns import is_of_years
from analysis.requirements.computing import figure_computed
from analysis.requirements.linking import is_identifier, name_read
from analysis.requirements.meaning import Figure, Reason
from analysis.requirements.pairing import Pair
from analysis.requirements.spans import Span

_BY_PHRASE: Final[tuple[Function, ...]] = ("median", "std", "mean", "max", "min")
_BESIDE: Final = 2
_COUNTED: Final = 0.45
"""The probability from which the words after "how many" mean a column that counts them."""


def figures_decide(case: Case, measure: list[float]) -> None:
    counting, bare = case.chances.decisions["count"], case.chances.decisions["bare"]
    if case.meaning.chart in OF_ROWS:
        counting, bare = 0.0, 1.0
    busy = {*case.meaning.groups, *([case.meaning.time[0]] if case.meaning.time else [])}
    enough = LIKELY if bare <= LIKELY else LISTED
    chosen = [at for at in range(len(measure)) if measure[at] > enough and case.columns[at].name not in busy]
    places = case.evidence.links.argmax(axis=0) if len(case.evidence.links) else [0] * len(measure)
    chosen.sort(
        key=lambda at: (
            case.evidence.question.spans[places[at]].start if len(case.evidence.question.spans) else 0,
            at,
        )
    )
    if (distinct := column_counted(case, "func:count_distinct", busy)) is not None:
        case.meaning.figures = [
            Figure(case.columns[distinct].name, "count_distinct", reason=case.reason("func:count_distinct", 1.0))
        ]
    elif made := figure_computed(case, chosen, measure):
        case.meaning.figures = [made]
    elif (
        counting > LISTED
        and chosen
        and case.cue("func:count")[0] >= 1
        and not set(case.evidence.question.words).isdisjoint(("and", "y"))
    ):
        case.meaning.figures = [
            Figure(None, "count", reason=case.reason("func:count", counting)),
            *(figure_of(case, at, measure) for at in chosen),
        ]
    elif bare > LIKELY:
        case.meaning.figures = [figure_bare(case, at, measure) for at in chosen]
    elif case.pair:
        case.meaning.figures = figures_joined(case, case.pair, chosen, measure, counting)
    else:
        case.meaning.figures = [figure_of(case, at, measure) for at in chosen] or figures_without_column(
            case, measure, counting, busy
        )


def figure_counted(case: Case, counting: float, busy: set[str]) -> Figure:
    """The count of rows; the sum of a column that counts what the words say, such as "Nº de personas"."""
    reason = case.reason("func:count", counting)
    at = column_counted(case, "func:count", busy)
    if at is not None and case.columns[at].type == "integer" and not _is_key(case.columns[at]):
        return Figure(case.columns[at].name, "sum", reason=reason)
    return Figure(None, "count", reason=reason)


def column_counted(case: Case, label: str, busy: set[str]) -> int | None:
    """The column that the words right after a phrase of counting name; None where they name none clearly."""
    cues, question, links = case.evidence.cues, case.evidence.question, case.evidence.links
    for place in np.flatnonzero(cues.listed[:, cues.column(label)]) if len(links) else []:
        cue = question.spans[int(place)]
        after = [number for number, span in enumerate(question.spans) if 0 <= span.start - cue.end <= 1]
        scores = [
            (float(links[number, at]), at)
            for number in after
            for at in range(len(case.columns))
            if case.columns[at].name not in busy
        ]
        best = max(scores, default=(0.0, -1))
        if best[0] > _COUNTED:
            return best[1]
    return None


def figures_joined(case: Case, pair: Pair, chosen: list[int], measure: list[float], counting: float) -> list[Figure]:
    """The figure of the likeliest pair, and those that the question joins to it ("orders and average price")."""
    busy = {*case.meaning.groups, *([case.meaning.time[0]] if case.meaning.time else [])}
    first = figure_counted(case, counting, busy) if pair.y is None else figure_of(case, pair.y, measure, pair.function)
    if set(case.evidence.question.words).isdisjoint(("and", "y", "e")):
        return [first]
    others = [
        figure_of(case, at, measure)
        for at in chosen
        if at != pair.y and measure[at] > SECOND and case.columns[at].is_number
    ]
    counted = (
        []
        if pair.y is None or counting <= SECOND
        else [Figure(None, "count", reason=case.reason("func:count", counting))]
    )
    return [*counted, first, *others][:MOST_GROUPS]


def figure_bare(case: Case, at: int, measure: list[float]) -> Figure:
    return Figure(
        case.columns[at].name, "none", is_number=case.columns[at].is_number, reason=case.reason_of(at, measure)
    )


def figure_of(case: Case, at: int, measure: list[float], ranked: Function | None = None) -> Figure:
    column = case.columns[at]
    function = function_beside(case, at) or ranked or case.chances.function(at)
    if not column.is_number and function in ("sum", "mean", "median", "std"):
        function = "mean" if column.type == "boolean" else "count_distinct"
    if function == "none":
        function = "sum" if column.is_number else "count_distinct"
    return Figure(
        column.name,
        function,
        is_number=column.is_number or column.type == "boolean",
        reason=case.reason_of(at, measure),
    )


def function_beside(case: Case, at: int) -> Function | None:
    """The function whose phrase is in the words of a column or right beside them; None where there is none.

    "Highest" and the like order the rows where an order is wanted.
    """
    links, question, cues = case.evidence.links, case.evidence.question, case.evidence.cues
    span = question.spans[int(links[:, at].argmax())] if len(links) else None
    if span is None or links[:, at].max() < LISTED:
        return None
    for function in _BY_PHRASE:
        listed = cues.listed[:, cues.column(f"func:{function}")]
        for place in np.flatnonzero(listed):
            cue = question.spans[int(place)]
            gap = max(cue.start - span.end, span.start - cue.end)
            between = question.words[min(cue.end, span.end) : max(cue.start, span.start)]
            if gap <= _BESIDE and set(between) <= SMALL_WORDS and not says_order(case, cue, function):
                return function
    return None


def says_order(case: Case, cue: Span, function: Function) -> bool:
    """Whether the words of an extreme say the order instead."""
    is_extreme = function in ("max", "min")
    decisions = case.chances.decisions
    wants_order = decisions["ordered"] > LIKELY or decisions["single"] > LIKELY
    return is_extreme and wants_order and case.is_listed(cue, "order:desc", "order:asc")


def figures_without_column(case: Case, measure: list[float], counting: float, busy: set[str]) -> list[Figure]:
    """Where no column is likely: the likeliest of numbers, or the count of rows."""
    numbers = [
        at
        for at, column in enumerate(case.columns)
        if column.is_number and column.name not in busy and not is_identifier(column) and not is_of_years(column)
    ]
    best = max(numbers, key=lambda at: measure[at], default=None)
    if best is not None and measure[best] > max(counting, LISTED) and "share" not in case.meaning.labels:
        return [figure_of(case, best, measure)]
    return [Figure(None, "count", reason=case.reason("func:count", counting))]


def figure_aggregated(case: Case, figure: Figure) -> Figure:
    at = next((at for at, column in enumerate(case.columns) if column.name == figure.column), None)
    return figure if at is None or figure.func != "none" else figure_of(case, at, case.chances.roles["measure"])


def other_numbers(case: Case, there: list[Figure]) -> list[Figure]:
    """The column of numbers that is named most clearly beside those that are there."""
    links = case.evidence.links.max(axis=0) if len(case.evidence.links) else np.zeros(len(case.columns))
    names = {figure.column for figure in there}
    others = [
        at
        for at, column in enumerate(case.columns)
        if column.is_number and column.name not in names and links[at] > 0.2
    ]
    best = max(others, key=lambda at: float(links[at]), default=None)
    return [] if best is None else [Figure(case.columns[best].name, "none", reason=Reason(case.named_by(best)))]


def _is_key(column: Column) -> bool:
    """Whether a column numbers rows, rather than "Nº de personas", which counts something."""
    words = name_read(column.name).words
    return is_identifier(column) and len(words) < 2
