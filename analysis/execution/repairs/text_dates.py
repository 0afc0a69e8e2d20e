"""Which way a column of text writes its dates, and reading them with portable expressions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import ibis
from django.utils.translation import gettext as _

from analysis.execution.outputs import Ask

_YMD: Final = r"^\s*([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})"
_TIME: Final = r"[ T]([0-9]{1,2}):([0-9]{2})(:([0-9]{2}))?"
_XY: Final = r"^\s*([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})"
_YM: Final = r"^\s*([0-9]{4})[-/.]([0-9]{1,2})\s*$"
_Y: Final = r"^\s*([12][0-9]{3})\s*$"
_COMPACT: Final = r"^\s*([12][0-9]{3})([01][0-9])([0-3][0-9])\s*$"


@dataclass(frozen=True)
class DateFormat:
    """`finest` is the smallest period it can say; `unread`: how many values are not written so."""

    name: str
    finest: str
    read: Callable[[ibis.Value], ibis.Value]
    unread: int = 0


def date_format(text: ibis.Value, ask: Ask, df: ibis.Table, language: str, mostly: float) -> DateFormat | None:
    """The format of nearly all values; None where there is none. One query.

    Which of day and month comes first is seen from values over 12; where there are none, English has the month first
    with slashes, and anything else the day.
    """
    patterns = {"ymd": _YMD, "xy": _XY, "ym": _YM, "y": _Y, "compact": _COMPACT}
    facts = {name: text.re_search(pattern).ifelse(1, 0).sum() for name, pattern in patterns.items()}
    facts["timed"] = text.re_search(_YMD + _TIME).ifelse(1, 0).sum()
    facts["slashed"] = text.contains("/").ifelse(1, 0).sum()
    facts["first_over"] = (_part(text, _XY, 1) > 12).ifelse(1, 0).sum()
    facts["second_over"] = (_part(text, _XY, 2) > 12).ifelse(1, 0).sum()
    counts = {name: count or 0 for name, count in ask(df.aggregate(present=text.count(), **facts))[0].items()}
    best = max(patterns, key=lambda name: counts[name])
    if not counts["present"] or counts[best] < counts["present"] * mostly:
        return None
    month_first = counts["second_over"] > counts["first_over"] or (
        counts["second_over"] == counts["first_over"] and language == "en" and counts["slashed"] > 0
    )
    unread = counts["present"] - counts[best]
    form = FORMATS["mdy" if month_first else "dmy"] if best == "xy" else FORMATS["timed" if counts["timed"] else best]
    return DateFormat(_(form.name), form.finest, form.read, unread)


def _part(text: ibis.Value, pattern: str, group: int) -> ibis.Value:
    """A number in the text; missing where it is not so written, so that casting never fails."""
    digits = text.re_search(pattern).ifelse(text.re_extract(pattern, group), ibis.null("string"))
    return digits.nullif("").cast("int64")


def _date(year: ibis.Value, month: ibis.Value, day: ibis.Value) -> ibis.Value:
    """The date, missing where there is no such day, such as 31 February."""
    first = ibis.date(year.clip(1, 9999), month.clip(1, 12), ibis.literal(1))
    moved = (first + (day.clip(1, 31) - 1).as_interval("D")).cast("date")
    is_real = (moved.month() == month) & (day >= 1) & (year >= 1)
    return is_real.ifelse(moved, ibis.null("date"))


def _reader(pattern: str, year: int, month: int = 0, day: int = 0) -> Callable[[ibis.Value], ibis.Value]:
    """A reader by the places of the parts in the pattern; 0 for one that is not written and is the first."""

    def read(text: ibis.Value) -> ibis.Value:
        parts = [_part(text, pattern, group) if group else ibis.literal(1) for group in (year, month, day)]
        return _date(*parts)

    return read


def _read_timed(text: ibis.Value) -> ibis.Value:
    hour, minute, second = (_part(text, _YMD + _TIME, group).fill_null(0) for group in (4, 5, 7))
    seconds = hour.clip(0, 23) * 3600 + minute.clip(0, 59) * 60 + second.clip(0, 59)
    return FORMATS["ymd"].read(text).cast("timestamp") + seconds.as_interval("s")


FORMATS: Final = {
    "ymd": DateFormat("2024-12-31", "day", _reader(_YMD, 1, 2, 3)),
    "timed": DateFormat("2024-12-31 23:59", "hour", _read_timed),
    "dmy": DateFormat("31/12/2024", "day", _reader(_XY, 3, 2, 1)),
    "mdy": DateFormat("12/31/2024", "day", _reader(_XY, 3, 1, 2)),
    "ym": DateFormat("2024-12", "month", _reader(_YM, 1, 2)),
    "y": DateFormat("2024", "year", _reader(_Y, 1)),
    "compact": DateFormat("20241231", "day", _reader(_COMPACT, 1, 2, 3)),
}
