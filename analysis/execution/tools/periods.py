"""Periods of time: cutting moments to them."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Final

import ibis
from django.utils.translation import gettext as _

from analysis.execution.failures import ToolRefused
from analysis.execution.tools.columns import is_number, put_column

_UNITS: Final[Mapping[str, str]] = {"day": "D", "week": "W", "month": "M", "quarter": "Q", "year": "Y"}


def cut_to(value: ibis.Value, grain: str) -> ibis.Value:
    """The first day of the period as a date, or the number of a cyclic period: hours from 0, others from 1."""
    if grain == "weekday":
        return (value.day_of_week.index() + 1).cast("int64")
    if grain == "month_of_year":
        return value.month().cast("int64")
    if grain == "hour":
        return value.cast("timestamp").hour().cast("int64")
    day = value.date() if value.type().is_timestamp() else value
    return day if grain == "day" else day.truncate(_UNITS[grain]).cast("date")


def period_number(value: ibis.Value, grain: str) -> ibis.Value:
    """The part of a moment as a number: its year, its month from 1, its weekday from Monday as 1."""
    numbers: dict[str, Callable[[], ibis.Value]] = {
        "day": lambda: value.day(),
        "week": lambda: value.week_of_year(),
        "month": lambda: value.month(),
        "quarter": lambda: value.quarter(),
        "year": lambda: value.year(),
    }
    return numbers[grain]() if grain in numbers else cut_to(value, grain)


def parse_datetime(df: ibis.Table, *, column: str, grain: str = "day") -> ibis.Table:
    """The column under its own name, cut to periods; rows without a time are in none, and left out. Numbers can only
    be years, which stay.
    """
    df = df.filter(df[column].notnull())
    value = df[column]
    if not is_number(value):
        return put_column(df, column, cut_to(value, grain))
    if grain != "year":
        raise ToolRefused(wanted=_("a column of times"), got=_("%(column)s, of numbers") % {"column": column})
    return df


def grain_for(low: date | datetime, high: date | datetime) -> str:
    """The period that cuts this span into a readable number of points. Hours are those of any day: two days would be
    added up by them.
    """
    days = high.toordinal() - low.toordinal()
    for grain, least in (("year", 6 * 365), ("month", 60), ("day", 0)):
        if days > least:
            return grain
    return "hour"
