"""Periods: the one that fits where none is named, and none finer than the data has."""

from typing import Final

import ibis
from django.utils.translation import gettext as _

from analysis.contracts.requirements import GRAINS
from analysis.execution.chain import Draft
from analysis.execution.param_types import param_type
from analysis.execution.tools.columns import is_moment, is_number
from analysis.execution.tools.periods import grain_for

_SIZE: Final = {"hour": 0, "day": 1, "weekday": 1, "week": 2, "month": 3, "month_of_year": 3, "quarter": 4, "year": 5}

_YEARS: Final = (1900, 2100)


def repair_grain(draft: Draft) -> None:
    """For a tool that cuts a column of time to periods."""
    times = [param for param in draft.entry.params if param_type(draft.entry, param).narrowed == "time"]
    choices = [(param, param_type(draft.entry, param).choices) for param in draft.entry.params]
    grains = [param for param, allowed in choices if allowed and set(allowed) <= set(GRAINS)]
    column = draft.params.get(times[0]) if times and grains else None
    if isinstance(column, str) and column in draft.df.columns:
        _repair(draft, grains[0], column)


def _repair(draft: Draft, param: str, column: str) -> None:
    value = draft.df[column]
    if is_number(value):
        if draft.params.get(param) != "year" and _has_years(draft, value):
            draft.mend(param, "year", _("The column has years as numbers, and is taken as it is."))
        return
    if not is_moment(value):
        return
    finest = draft.finest.get(column, "day" if value.type().is_date() else "hour")
    grain = draft.params.get(param)
    if grain is None:
        chosen = _chosen(draft, value)
        after = chosen if _SIZE[chosen] >= _SIZE[finest] else finest
        draft.mend(param, after, _("No period was said; this one fits the span of the column."))
    elif grain in _SIZE and _SIZE[grain] < _SIZE[finest]:
        draft.mend(param, finest, _("The column has nothing finer."))
    elif grain == "hour" and not _has_hours(draft, value):
        draft.mend(param, "day", _("All its times are at midnight."))


def _chosen(draft: Draft, value: ibis.Value) -> str:
    span = draft.ask(draft.df.aggregate(low=value.min(), high=value.max()))[0]
    if span["low"] is None:
        return "day"
    chosen = grain_for(span["low"], span["high"])
    return "day" if chosen == "hour" and not _has_hours(draft, value) else chosen


def _has_years(draft: Draft, value: ibis.Value) -> bool:
    span = draft.ask(draft.df.aggregate(low=value.min(), high=value.max()))[0]
    return span["low"] is None or (span["low"] >= _YEARS[0] and span["high"] <= _YEARS[1])


def _has_hours(draft: Draft, value: ibis.Value) -> bool:
    if not value.type().is_timestamp():
        return False
    timed = (value != value.truncate("D")).ifelse(1, 0).max()
    return bool(draft.ask(draft.df.aggregate(timed=timed))[0]["timed"])
