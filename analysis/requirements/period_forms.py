"""Forms in which a period is written, with the days that they mean: "5 May 2023", "primer semestre", "2010s"."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from functools import cache
from typing import Final, NamedTuple

from language.dates import MONTHS

NO_YEAR: Final = 2000
"""The year of days that were named without one."""
_YEARS: Final = range(1600, 2200)
_ORDINALS: Final = {
    **dict.fromkeys(("first", "1st", "primer", "primero", "primera", "1er", "1o", "1º"), 1),
    **dict.fromkeys(("second", "2nd", "segundo", "segunda", "2o", "2º"), 2),
    **dict.fromkeys(("third", "3rd", "tercer", "tercero", "3er", "3º"), 3),
    **dict.fromkeys(("fourth", "4th", "last", "cuarto", "ultimo", "4o", "4º"), 4),
}
_RELATIVE: Final = ("last", "ultimo")
"""Without a year: the one before now, whenever that is."""


class Days(NamedTuple):
    """First and last day; `year` is None where none was named."""

    low: date
    high: date
    year: int | None


class Form(NamedTuple):
    """A pattern over folded text, and what its groups mean. `read` raises `ValueError` for days that there are not."""

    pattern: str
    read: Callable[[Mapping[str, str]], Days]


def days_written(folded: str) -> Iterator[tuple[Days, int, int]]:
    """The periods in a folded text, each with its first character and the one after its last."""
    pattern, readers = _patterns()
    for match in pattern.finditer(folded):
        form = match.lastgroup or ""
        groups = {name.removeprefix(f"{form}_"): text for name, text in match.groupdict().items() if text}
        try:
            yield readers[form](groups), match.start(), match.end()
        except ValueError:
            continue


@cache
def _patterns() -> tuple[re.Pattern[str], dict[str, Callable[[Mapping[str, str]], Days]]]:
    """One pattern of all forms, and the reader of each by its group."""
    named = {f"f{number}": form for number, form in enumerate(_forms())}
    source = "|".join(f"(?P<{name}>{form.pattern.replace('(?P<', f'(?P<{name}_')})" for name, form in named.items())
    pattern = re.compile(rf"(?<![\w.,])(?:{source})(?![\w]|[.,]\d|\s?%)")
    return pattern, {name: form.read for name, form in named.items()}


def _forms() -> tuple[Form, ...]:
    months = "|".join(sorted(MONTHS, key=len, reverse=True))
    ordinals = "|".join(sorted(_ORDINALS, key=len, reverse=True))
    four = r"(?:1[6-9]|20)\d\d"
    month, year, decade = rf"(?P<month>{months})", rf"(?P<year>{four})", r"(?P<decade>(?:1[6-9]|20)\d0)"
    of, by_sign = r",?\s+(?:of\s+|de\s+|del\s+|in\s+|en\s+)?(?:ano\s+)?", r"\s?[-/]\s?"
    day, rank = r"(?P<day>\d\d?)", "(?:st|nd|rd|th)?"
    of_year, of_month = rf"(?:{of}{year})?", r"\s+(?:of\s+|de\s+)?"
    between = r"(?:between|entre)\s+(?:el\s+)?"
    pair = r"(?P<first>\d\d?){}(?:el\s+)?(?P<last>\d\d?)"
    return (
        Form(rf"{year}-(?P<month>\d\d?)-{day}", _day),
        Form(rf"{year}[-/](?P<month>0[1-9]|1[0-2])", _month),
        Form(rf"(?P<month>0?[1-9]|1[0-2])/{year}", _month),
        Form(pair.format(r"(?:\s?[-–]\s?|\s+(?:al?|to)\s+)") + rf"{of_month}{month}{of_year}", _days_of_month),
        Form(between + pair.format(r"\s+(?:and|y)\s+") + rf"{of_month}{month}{of_year}", _days_of_month),
        Form(rf"{month}\.?\s+" + pair.format(r"\s?[-–]\s?") + of_year, _days_of_month),
        Form(r"(?P<one>\d\d?)[/.-](?P<two>\d\d?)[/.-](?P<year>\d{4}|\d\d)", _slashed),
        Form(rf"{day}{rank}{of_month}{month}{of_year}", _day),
        Form(rf"{month}\.?\s+{day}{rank}(?!\d){of_year}", _day),
        Form(rf"{month}\.?(?:(?:{of}|{by_sign}){year})?", _month),
        Form(rf"q(?P<number>[1-4])(?:(?:{of}|{by_sign}){year})?", _quarter),
        Form(rf"{year}\s*-?\s*q(?P<number>[1-4])", _quarter),
        Form(rf"t(?P<number>[1-4])(?:{of}|{by_sign}){year}", _quarter),
        Form(rf"(?P<number>[1-4])t(?:{of}|{by_sign}){year}", _quarter),
        Form(rf"h(?P<number>[12])(?:{of}|{by_sign}){year}", _half),
        Form(rf"(?P<number>[12])[hs](?:{of}|{by_sign}){year}", _half),
        Form(rf"(?P<part>{ordinals})\s+(?:quarter|trimestre)(?:{of}(?:the\s+year\s+)?{year})?", _quarter),
        Form(rf"(?P<part>{ordinals})\s+(?:half|semestre|mitad)(?:{of}(?:the\s+year\s+)?{year})?", _half),
        Form(rf"{decade}s", _decade),
        Form(rf"(?:decada|decade)\s+(?:(?:de|of)\s+)?(?:los\s+|the\s+)?(?:anos\s+)?{decade}s?", _decade),
        Form(r"the\s+(?P<tens>[5-9]0)s", _decade),
        Form(r"anos\s+(?P<tens>[2-9]0)", _decade),
        Form(year, _year),
    )  # fmt: skip


def _known(named: Mapping[str, str]) -> int | None:
    return int(named["year"]) if "year" in named else None


def _number(month: str) -> int:
    return MONTHS[month] if month in MONTHS else int(month)


def _day(named: Mapping[str, str]) -> Days:
    known = _known(named)
    day = date(known or NO_YEAR, _number(named["month"]), int(named["day"]))
    return Days(day, day, known)


def _days_of_month(named: Mapping[str, str]) -> Days:
    known, month = _known(named), _number(named["month"])
    low, high = (date(known or NO_YEAR, month, int(named[name])) for name in ("first", "last"))
    if low > high:
        raise ValueError("the last day is before the first")
    return Days(low, high, known)


def _slashed(named: Mapping[str, str]) -> Days:
    """The day first, unless that cannot be."""
    one, two, year = int(named["one"]), int(named["two"]), int(named["year"])
    year += 2000 if len(named["year"]) == 2 else 0
    if year not in _YEARS:
        raise ValueError("no year of any table")
    day = date(year, two, one) if two <= 12 else date(year, one, two)
    return Days(day, day, year)


def _month(named: Mapping[str, str]) -> Days:
    return _months(_number(named["month"]), 1, _known(named))


def _quarter(named: Mapping[str, str]) -> Days:
    return _months(_place(named) * 3 - 2, 3, _known(named))


def _half(named: Mapping[str, str]) -> Days:
    return _months(min(_place(named), 2) * 6 - 5, 6, _known(named))


def _place(named: Mapping[str, str]) -> int:
    if "number" in named:
        return int(named["number"])
    if named["part"] in _RELATIVE and "year" not in named:
        raise ValueError("relative to a day that is not known")
    return _ORDINALS[named["part"]]


def _decade(named: Mapping[str, str]) -> Days:
    tens = int(named.get("tens", 0))
    start = int(named["decade"]) if "decade" in named else tens + (2000 if tens <= 20 else 1900)
    return Days(date(start, 1, 1), date(start + 9, 12, 31), start)


def _year(named: Mapping[str, str]) -> Days:
    return _months(1, 12, _known(named))


def _months(first: int, count: int, known: int | None) -> Days:
    low, last = date(known or NO_YEAR, first, 1), first + count - 1
    high = date(low.year + last // 12, last % 12 + 1, 1) - timedelta(days=1)
    return Days(low, high, known)
