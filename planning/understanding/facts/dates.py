"""Dates, days and times of day in a task.

Values: "2026-12-15", "12-15" without a year, "2026-12" and "month 12", "year 2026", "18:30", "friday", "next week". A
direction ("before", "after", "from", "until") is put before them where the task has one.
"""

import re
from typing import Final

from language.dates import hour_of_day

from .items import DATE, Item, Reading
from .words import Words, longest, longest_before, word_set

_ISO: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_SLASHED: Final = re.compile(r"(\d{1,4})[/.](\d{1,2})[/.](\d{2,4})")
_CLOCK: Final = re.compile(r"([01]?\d|2[0-3])[:.]([0-5]\d)")
_DAY: Final = re.compile(r"(0?[1-9]|[12]\d|3[01])")
_YEAR: Final = re.compile(r"(19|20)\d\d")
_ORDINAL: Final = frozenset({"st", "nd", "rd", "th"})
_JOINS: Final = word_set("dates_joins")
_AMBIGUOUS: Final = word_set("dates_ambiguous")
_MONTH_BEFORE: Final = word_set("dates_month_before")
_PM: Final = frozenset({"afternoon", "evening", "at night"})
_BEFORE_DATES: Final = frozenset({"the", "el", "on", "las", "la", "at", "dia"})
_UNTIL: Final = frozenset({"by", "until", "till", "hasta", "through"})


def dates_read(reading: Reading, words: Words) -> None:
    place = 0
    while place < len(reading.tokens):
        taken = 0 if reading.used[place] else _date_at(reading, words, place)
        place += taken or 1


def _date_at(reading: Reading, words: Words, place: int) -> int:
    """Take what begins there, and return how many tokens it was; 0 for none."""
    for read in (_whole, _day_and_month, _clock, _relative, _named, _month, _year):
        date = read(reading, words, place)
        if date is not None:
            value, length = date
            _take(reading, words, place, length, value)
            return length
    return 0


def _take(reading: Reading, words: Words, place: int, length: int, value: str) -> None:
    start = place
    part, part_length = longest_before(words.figures["parts"], reading.tokens, start)
    if part:
        start, value = start - part_length, f"{part} {value}"
    while reading.fold(start - 1) in _BEFORE_DATES and reading.is_free(start - 1, start):
        start -= 1
    bearing, before = _bearing(reading, start)
    value = f"{bearing} {value}" if bearing else value
    reading.take(Item(DATE, value, place, place + length, role=bearing, intro=before), also_from=before)


def _bearing(reading: Reading, start: int) -> tuple[str, int]:
    """The direction ("before", "after", "from", "until") in the words before a date, and where these begin."""
    word = reading.fold(start - 1)
    words = (reading.fold(start - 2), word)
    if words in {("antes", "de"), ("antes", "del"), ("prior", "to")}:
        return "before", start - 2
    if words in {("despues", "de"), ("despues", "del")}:
        return "after", start - 2
    if words == ("a", "partir") or word in {"starting", "since", "desde", "from"}:
        return "from", start - 1
    if word in _UNTIL:
        return "until", start - 1
    return (word, start - 1) if word in {"before", "after"} else ("", start)


def _whole(reading: Reading, _words: Words, place: int) -> tuple[str, int] | None:
    text = reading.fold(place)
    if _ISO.fullmatch(text):
        return text, 1
    match = _SLASHED.fullmatch(text)
    if match is None:
        return None
    first, second, third = (int(part) for part in match.groups())
    if first > 31:
        return f"{first:04}-{second:02}-{third:02}", 1
    day_first = (reading.language == "es" or first > 12) and second <= 12
    day, month = (first, second) if day_first else (second, first)
    return f"{third if third > 99 else 2000 + third:04}-{month:02}-{day:02}", 1


def _day_and_month(reading: Reading, words: Words, place: int) -> tuple[str, int] | None:
    """Dec 15, 15 Dec, December 15th 2026, 15 de diciembre de 2026; the first of `Dec 3 to 5` and `3 al 5 de mayo`."""
    month, length = longest(words.figures["months"], reading.tokens, place)
    if month:
        end = place + length + (reading.fold(place + length) == ".")
        day, day_length = _day_at(reading, end)
        return _with_year(reading, f"{month}-{day:02}", place, end + day_length) if day else None
    day, day_length = _day_at(reading, place)
    if not day:
        return None
    end = place + day_length
    month, month_end = _month_of_day(reading, words, end)
    if month:
        return _with_year(reading, f"{month}-{day:02}", place, month_end)
    other = end + (reading.fold(end) in _JOINS)
    second, second_length = _day_at(reading, other)
    if second and (other > end or reading.tokens[other].hyphen):
        month, _ = _month_of_day(reading, words, other + second_length)
        return (f"{month}-{day:02}", day_length) if month else None
    return None


def _month_of_day(reading: Reading, words: Words, place: int) -> tuple[str, int]:
    """The month after a day, and where it ends: "Dec" and "de diciembre"."""
    start = place + (reading.fold(place) in {"of", "de"})
    month, length = longest(words.figures["months"], reading.tokens, start)
    return month, start + length


def _day_at(reading: Reading, place: int) -> tuple[int, int]:
    text = reading.fold(place)
    if not _DAY.fullmatch(text) or not reading.is_free(place, place + 1):
        return 0, 0
    return int(text), 1 + (reading.fold(place + 1) in _ORDINAL)


def _with_year(reading: Reading, value: str, place: int, end: int) -> tuple[str, int]:
    for at in (end, end + 1):
        if _YEAR.fullmatch(reading.fold(at)) and (at == end or reading.fold(end) in {",", "de", "del", "of"}):
            return f"{reading.fold(at)}-{value}", at + 1 - place
    return value, end - place


def _clock(reading: Reading, words: Words, place: int) -> tuple[str, int] | None:
    """6 pm, 18:30, at 7, a las 7 de la tarde, 7 o'clock."""
    text = reading.fold(place)
    match = _CLOCK.fullmatch(text)
    if match is None and not (text.isdigit() and int(text) <= 24 and len(text) <= 2):
        return None
    hour, minute = (int(match[1]), int(match[2])) if match else (int(text), 0)
    after = reading.fold(place + 1)
    if after in {"am", "pm"}:
        return _hour(hour, minute, is_pm=after == "pm"), 2
    if after in {"a", "p"} and reading.fold(place + 2) == "m":
        return _hour(hour, minute, is_pm=after == "p"), 3
    moment, length = longest(words.figures["moments"], reading.tokens, place + 1)
    if moment in {*_PM, "morning"} and length > 1:
        return _hour(hour, minute, is_pm=moment in _PM), 1 + length
    if match and ":" in text:
        return f"{hour:02}:{minute:02}", 1
    if after == "o'clock" or (after == "h" and reading.language == "es" and reading.fold(place - 1) == "las"):
        return f"{hour:02}:{minute:02}", 2
    if reading.fold(place - 1) in {"at", "las"} and not _counts(reading, words, place + 1):
        return f"{hour:02}:{minute:02}", 1
    return None


def _counts(reading: Reading, words: Words, place: int) -> bool:
    """Whether the number before counts what is named there."""
    tables = words.figures["units"], words.figures["durations"], words.figures["currencies"]
    return any(longest(table, reading.tokens, place)[0] for table in tables) or reading.fold(place) in {"%", "/"}


def _hour(hour: int, minute: int, *, is_pm: bool) -> str:
    hour = hour_of_day(hour, "pm" if is_pm else "am") if is_pm or hour <= 12 else hour % 24
    return f"{hour:02}:{minute:02}"


def _relative(reading: Reading, words: Words, place: int) -> tuple[str, int] | None:
    """Next week, this friday, la semana que viene, el proximo viernes, every Monday."""
    which, length = longest(words.figures["relative"], reading.tokens, place)
    if which and which != "that":
        value, more = _day_or_period(reading, words, place + length)
        if value:
            return f"{which} {value}", length + more
    value, length = _day_or_period(reading, words, place)
    if value:
        which, more = longest(words.figures["relative"], reading.tokens, place + length)
        after = tuple(token.fold for token in reading.tokens[place + length : place + length + more])
        if which in {"next", "last"} and after[-1] in {"viene", "proximo", "proxima", "pasado", "pasada", "siguiente"}:
            return f"{which} {value}", length + more
    return None


def _day_or_period(reading: Reading, words: Words, place: int) -> tuple[str, int]:
    tables = [words.figures["periods"], words.figures["weekdays"], words.figures["months"]]
    for table in tables:
        value, length = longest(table, reading.tokens, place)
        if value:
            return (f"month {value}" if table is tables[2] else value), length
    season, length = longest(words.figures["moments"], reading.tokens, place)
    return (season, length) if season in {"spring", "summer", "autumn", "winter", "weekend"} else ("", 0)


def _named(reading: Reading, words: Words, place: int) -> tuple[str, int] | None:
    """Friday, tomorrow, Christmas, in the morning."""
    day, length = longest(words.figures["weekdays"], reading.tokens, place)
    if day and (reading.fold(place) not in _AMBIGUOUS or reading.tokens[place].is_capitalised):
        return day, length
    moment, length = longest(words.figures["moments"], reading.tokens, place)
    if not moment:
        return None
    if moment == "tomorrow" and reading.fold(place - 1) in {"la", "las", "una"} and reading.fold(place) == "manana":
        return "morning", length
    return moment, length


def _month(reading: Reading, words: Words, place: int) -> tuple[str, int] | None:
    month, length = longest(words.figures["months"], reading.tokens, place)
    if not month:
        return None
    before = reading.fold(place - 1)
    capital = reading.tokens[place].is_capitalised and place > 0
    if reading.fold(place) in _AMBIGUOUS and not (capital or before in _MONTH_BEFORE):
        return None
    value, taken = _with_year(reading, month, place, place + length)
    return (value, taken) if taken > length else (f"month {month}", length)


def _year(reading: Reading, words: Words, place: int) -> tuple[str, int] | None:
    text = reading.fold(place)
    if not _YEAR.fullmatch(text) or reading.fold(place - 1) in {"$", "€", "£", "<", ">", "<=", ">="}:
        return None
    if longest_before(words.figures["comparisons"], reading.tokens, place)[0] or _counts(reading, words, place + 1):
        return None
    if words.object_at(reading.tokens, place + 1, reading.language)[1]:
        return None
    return f"year {text}", 1
