"""Dates and times of day as people write them, as ISO 8601 text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from language.dates import clock_text, date_text, hour_of_day, moment_text, numeric_date

from .contracts import ValueType
from .lexicon import Lexicon
from .tokens import Token

Awaited = Literal["no", "h", "bare"]

_BETWEEN: Final = frozenset({"de", "del", "of", ",", "the", "-", "/"})
_ORDINALS: Final = frozenset({"st", "nd", "rd", "th", "°", "o", "ro", "ero"})
_BEFORE_TIME: Final = frozenset({"at", "a", "las", "la", ",", "t", "on"})


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a time of day or both, and the tokens it takes."""

    used: int
    text: str
    type: ValueType


def moment_at(tokens: Sequence[Token], at: int, words: Lexicon, *, awaited: Awaited = "no") -> Moment | None:
    """The date or time that begins at a place.

    `awaited`: what the words before make of a bare number: "h" where "18 h" is a time ("before 18 h"), "bare" where
    "18" is one too ("antes de las 18").
    """
    day = _day_at(tokens, at, words)
    if day is None:
        return _time_at(tokens, at, words, awaited=awaited)
    if "T" in day.text or day.text.startswith("--"):
        return day
    after = at + day.used
    skipped = 0
    while skipped < 3 and after + skipped < len(tokens) and tokens[after + skipped].text in _BEFORE_TIME:
        skipped += 1
    article = tokens[after + skipped - 1].text in ("las", "la")
    hour = _time_at(tokens, after + skipped, words, awaited="bare" if article else "h")
    if len(day.text) != len("2026-12-15"):
        return day
    if hour is None:
        return day
    return Moment(day.used + skipped + hour.used, f"{day.text}T{hour.text}", ValueType.DATE)


def month_day_at(tokens: Sequence[Token], at: int, done: Sequence[Token]) -> Moment | None:
    """12-15 as month and day, as normal forms write them: after a sign that no range could follow, or of a date.

    `done`: what comes before it.
    """
    row = tokens[at : at + 3]
    if len(row) < 3 or row[1].text != "-" or not (row[1].glued and row[2].glued):
        return None
    month, day = row[0].text, row[2].text
    if not (month.isdigit() and day.isdigit() and len(month) == len(day) == 2):
        return None
    dated = month < "10" or any("moment name" in token.senses for token in done)
    if not _awaits_day(done, dated=dated) or (at + 3 < len(tokens) and tokens[at + 3].glued):
        return None
    return _moment(3, date_text(None, int(month), int(day)))


def _awaits_day(done: Sequence[Token], *, dated: bool) -> bool:
    if not done:
        return False
    last = done[-1]
    if last.kind == "symbol" and "compare" in last.senses:
        numbers = len(done) > 1 and ("attribute" in done[-2].senses or done[-2].text.endswith("s"))  # "price", "pages"
        return dated or not numbers
    signs = last.kind == "symbol" and not {"equal", "not equal"}.isdisjoint(last.senses)
    return dated and (signs or not {"compare moment", "copula", "at"}.isdisjoint(last.senses))


def _day_at(tokens: Sequence[Token], at: int, words: Lexicon) -> Moment | None:
    token = tokens[at]
    if token.kind == "stamp":
        return _moment(1, moment_text(token.raw))
    if token.kind == "date":
        return _moment(1, numeric_date(token.text, words.language))
    if token.kind == "number" and token.text.isdigit():
        return _day_first(tokens, at, words)
    if token.kind == "word" and token.senses.get("month"):
        return _month_first(tokens, at, words)
    return None


def _moment(used: int, text: str | None) -> Moment | None:
    return Moment(used, text, ValueType.DATE) if text else None


def _day_first(tokens: Sequence[Token], at: int, words: Lexicon) -> Moment | None:
    """15 December 2026, 15th of Dec, 15 de diciembre de 2026."""
    place = _skip(tokens, at + 1, _ORDINALS, 1)
    place = _skip(tokens, place, _BETWEEN, 2)
    month = tokens[place].senses.get("month") if place < len(tokens) else None
    if month is None:
        return None
    used, year = _year_at(tokens, place + 1)
    return _moment(place + 1 + used - at, date_text(year, int(month), int(tokens[at].text[:4])))


def _month_first(tokens: Sequence[Token], at: int, words: Lexicon) -> Moment | None:
    """Dec 15, December 15th 2026."""
    place = _skip(tokens, at + 1, _BETWEEN | {"."}, 2)
    if place >= len(tokens) or tokens[place].kind != "number" or not tokens[place].text.isdigit():
        return None
    day = tokens[place].text
    if len(day) > 2 or words.language == "es":
        return None
    place = _skip(tokens, place + 1, _ORDINALS, 1)
    used, year = _year_at(tokens, place)
    return _moment(place + used - at, date_text(year, int(tokens[at].senses["month"]), int(day)))


def _year_at(tokens: Sequence[Token], at: int) -> tuple[int, int | None]:
    place = _skip(tokens, at, _BETWEEN, 2)
    if place < len(tokens) and tokens[place].kind == "number":
        text = tokens[place].text
        if len(text) == 4 and text.isdigit() and text > "1000":
            return place + 1 - at, int(text)
    return 0, None


def _skip(tokens: Sequence[Token], at: int, words: frozenset[str] | set[str], most: int) -> int:
    end = at
    while end < min(at + most, len(tokens)) and tokens[end].text in words:
        end += 1
    return end


def _time_at(tokens: Sequence[Token], at: int, words: Lexicon, *, awaited: Awaited) -> Moment | None:
    """18:30, 6 pm, 6:30 p.m., 18h30, noon; "18 h" and "las 18" where a time is awaited."""
    if at >= len(tokens):
        return None
    token = tokens[at]
    if (name := token.senses.get("clock", "")) and ":" in name:
        return Moment(1, name, ValueType.TIME)
    if token.kind == "time":
        hours, minutes, *seconds = (int(part) for part in token.text.replace("h", ":").split(":"))
        clock = [hours, minutes, *seconds]
    elif token.kind == "number" and token.text.isdigit() and len(token.text) <= 2:
        clock = [int(token.text), 0]
    else:
        return None
    return _with_half(tokens, at, clock, awaited="bare" if token.kind == "time" else awaited)


def _with_half(tokens: Sequence[Token], at: int, clock: list[int], *, awaited: Awaited) -> Moment | None:
    follows = tokens[at + 1] if at + 1 < len(tokens) else None
    half = follows.senses.get("clock", "") if follows else ""
    used = 1
    if half in ("am", "pm"):
        if not 1 <= clock[0] <= 12:
            return None if half == "am" or clock[0] > 23 else Moment(2, clock_text(*clock) or "", ValueType.TIME)
        clock[0] = hour_of_day(clock[0], half)
        used = 2
    elif half == "o'clock" or (follows and follows.text in ("h", "hs", "hrs", "horas", "hours") and awaited != "no"):
        used = 2
    elif awaited != "bare":
        return None
    text = clock_text(*clock)
    return Moment(used, text, ValueType.TIME) if text else None
