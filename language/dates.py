"""Dates and times of day as ISO 8601 text: 2026-12-15, 12-15 without a year, 18:30."""

from datetime import date, datetime, time
from typing import Final

from language import Language

_LEAP: Final = 2024
"""The year in which a date without one must be possible."""
MONTHS: Final = {
    word: month
    for month, words in enumerate(
        (
            "january jan enero ene",
            "february feb febrero",
            "march mar marzo",
            "april apr abril abr",
            "may mayo",
            "june jun junio",
            "july jul julio",
            "august aug agosto ago",
            "september sept sep septiembre setiembre",
            "october oct octubre",
            "november nov noviembre",
            "december dec diciembre dic",
        ),
        1,
    )
    for word in words.split()
}
"""Months by their folded names in both languages."""


def date_text(year: int | None, month: int, day: int) -> str | None:
    """The date, without a year as `12-15`; None where there is no such day."""
    try:
        known = date(year or _LEAP, month, day)
    except ValueError:
        return None
    return known.isoformat() if year else known.isoformat()[5:]


def moment_text(stamp: str) -> str | None:
    """An ISO date or date with time, written in one way; None where there is no such moment."""
    try:
        if len(stamp) == 10:
            return date.fromisoformat(stamp).isoformat()
        moment = datetime.fromisoformat(stamp.replace(" ", "T").replace("t", "T").replace("z", "Z"))
    except ValueError:
        return None
    return moment.isoformat(timespec="seconds" if moment.second else "minutes")


def numeric_date(text: str, language: Language | str) -> str | None:
    """A date in three numbers. The day is first in Spanish; in English only where no month could be meant. None where
    either may be meant ("03/04/2026").
    """
    parts = [int(part) for part in text.replace(".", "/").replace("-", "/").split("/")]
    if parts[0] > 31:
        return date_text(*parts)
    first, second, year = parts
    if language == "es" or (first > 12 >= second) or "." in text or first == second:
        return date_text(year, second, first)
    return date_text(year, first, second) if second > 12 >= first else None


def clock_text(hours: int, minutes: int = 0, seconds: int = 0) -> str | None:
    """The time of day, with seconds where there are any; None where there is no such time."""
    try:
        known = time(hours, minutes, seconds)
    except ValueError:
        return None
    return known.isoformat(timespec="seconds" if known.second else "minutes")


def hour_of_day(hour: int, half: str) -> int:
    """The hour from 0 to 23 that an hour from 1 to 12 is in a half of the day, "am" or "pm"."""
    return hour % 12 + (12 if half == "pm" else 0)
