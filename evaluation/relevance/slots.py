"""Dates, amounts and numbers that a task asks for, against those of a result. What it does not say is no conflict."""

import datetime
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from evaluation.checking.lexicon import names, phrase_of
from language import LANGUAGES
from language.word_lists import word_set
from planning.understanding import facts_read
from planning.understanding.known import known_in, of_kind

from .request import Request
from .result import Content, Entry
from .words import WORDS, alike, words_and_numbers

_TEXT: Final = 300
_DATED: Final = re.compile(r"\d{1,4}[-/:.h]\d{1,2}|\b\d{1,2}\b.{0,6}[a-z]{3}|[ap]\.?m\b|[a-z]{4,}", re.IGNORECASE)
_ISO: Final = re.compile(r"(?:(\d{4})-)?(\d{2})-(\d{2})$")
_CLOCK: Final = re.compile(r"(\d{1,2}):(\d{2})$")
_MONTH: Final = re.compile(r"(before |after |by |until |from )?month (\d{2})$")
_BOUND: Final = re.compile(r"(<=|>=|<|>|~)?\s*(\d+(?:\.\d+)?)(?:\.\.(\d+(?:\.\d+)?))?\s*(.*)$")
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_PARTS: Final = {"morning": (5, 13), "noon": (12, 15), "afternoon": (12, 21), "evening": (17, 24), "night": (18, 24)}
_MONEY_NAMES: Final = ("price", "total", "cost", "rent", "budget", "amount", "monthly payment", "fee", "salary")
_NEAR: Final = 0.8
_CLOCK_OFF: Final = 45
"""Minutes by which a time may be off."""
_PRICE_OFF: Final = 1.02


@dataclass(frozen=True, slots=True)
class Slots:
    """How many of the dates, amounts and numbers asked for are met, and how many are contradicted."""

    met: int
    contradicted: tuple[str, ...]


def slots_of(request: Request, content: Content) -> Slots:
    """Each of `contradicted` is "date", "amount" or "quantity"."""
    verdicts = [("date", verdict) for verdict in _dates(request, content)]
    verdicts += [("amount", verdict) for verdict in _amounts(request, content)]
    verdicts += [("quantity", verdict) for verdict in _numbers(request, content)]
    return Slots(
        sum(verdict is True for _, verdict in verdicts), tuple(kind for kind, verdict in verdicts if verdict is False)
    )


# Dates and times


def _dates(request: Request, content: Content) -> Iterator[bool | None]:
    wanted = [fits for date in request.facts.dates if (fits := _fits(date)) is not None]
    dates = _dates_of(content) if wanted else []
    for fits in wanted:
        verdicts = [verdict for date in dates if (verdict := fits(date)) is not None]
        yield any(verdicts) if verdicts else None


def _dates_of(content: Content) -> list[str]:
    texts = [entry.text for entry in content.entries if isinstance(entry.value, str) and _DATED.search(entry.text[:80])]
    text = "; ".join(part[:60] for part in texts)[:_TEXT]
    dates = [date for language in LANGUAGES for date in facts_read(text, language).dates] if text else []
    return [date.removeprefix("from ").removeprefix("on ") for date in dict.fromkeys(dates)]


Fits = Callable[[str], bool | None]


def _fits(wanted: str) -> Fits | None:
    """A test whether a date of the result is the wanted one; None where the wanted one cannot be read."""
    plain = wanted.removeprefix("on ").removeprefix("from ")
    if match := _ISO.match(plain):
        return partial(_same_day, match)
    if match := _CLOCK.match(plain):
        return partial(_same_time, match)
    if plain in _WEEKDAYS:
        return partial(_same_weekday, plain)
    if plain in _PARTS:
        return partial(_in_part, plain)
    if match := _MONTH.match(wanted):
        return partial(_in_month, match)
    return None


def _same_day(wanted: re.Match[str], date: str) -> bool | None:
    day = _ISO.match(date)
    if day is None:
        return None
    years = {year for year in (wanted[1], day[1]) if year}
    return day[2] == wanted[2] and day[3] == wanted[3] and len(years) < 2


def _same_time(wanted: re.Match[str], date: str) -> bool | None:
    clock = _CLOCK.match(date)
    return None if clock is None else abs(_minutes(clock) - _minutes(wanted)) <= _CLOCK_OFF


def _minutes(clock: re.Match[str]) -> int:
    return 60 * int(clock[1]) + int(clock[2])


def _same_weekday(wanted: str, date: str) -> bool | None:
    if date in _WEEKDAYS:
        return date == wanted
    try:
        return _WEEKDAYS[datetime.date.fromisoformat(date).weekday()] == wanted
    except ValueError:
        return None


def _in_part(wanted: str, date: str) -> bool | None:
    clock = _CLOCK.match(date)
    if clock is None:
        return date == wanted if date in _PARTS else None
    begin, end = _PARTS[wanted]
    return begin <= int(clock[1]) < end


def _in_month(wanted: re.Match[str], date: str) -> bool | None:
    month_of = _ISO.match(date) or _MONTH.match(date)
    if month_of is None:
        return None
    month, limit = int(month_of[2]), int(wanted[2])
    if wanted[1] in {"before ", "by ", "until "}:
        return month < limit or (wanted[1] != "before " and month == limit)
    return month >= limit if wanted[1] in {"after ", "from "} else month == limit


# Amounts


def _amounts(request: Request, content: Content) -> Iterator[bool | None]:
    wanted = [match for amount in request.facts.amounts if (match := _BOUND.match(amount)) and _currency(match[4])]
    if not wanted:
        return
    sums = [*_money(request, content)]
    everything = {number for entry in content.entries for number in _numbers_of(entry)}
    for bound in wanted:
        values = [value for value, currency in sums if not currency or currency == _currency(bound[4])]
        if not bound[1] and not bound[3] and float(bound[2]) in everything:
            yield True
        else:
            yield any(_within(bound, value) for value in values) if values else None


def _currency(unit: str) -> str | None:
    code = unit.partition("/")[0]
    return code if len(code) == 3 and code.isupper() else None


def _money(request: Request, content: Content) -> Iterator[tuple[float, str | None]]:
    """Sums of money that the result says, with their currency where it says so."""
    texts = []
    for entry in content.entries:
        if isinstance(entry.value, str):
            if any(character.isdigit() for character in entry.value[:40]):
                texts.append((_is_money(entry), entry.value[:40]))
        elif not isinstance(entry.value, bool) and _is_money(entry):
            yield float(entry.value), None
    for is_money, text in texts[:6]:
        for amount in facts_read(text, request.language).amounts:
            if (match := _BOUND.match(amount)) and (_currency(match[4]) or is_money):
                yield float(match[2]), _currency(match[4])


def _is_money(entry: Entry) -> bool:
    own = phrase_of(" ".join(entry.keys))
    if not own or "id" in entry.keys or "number" in entry.keys:
        return False
    priced = [phrase_of(name) for name in _MONEY_NAMES]
    return any(names().closeness(name, part) >= _NEAR for name in priced for part in (own, own[-1:], own[:1]))


def _within(bound: re.Match[str], value: float) -> bool:
    limit = float(bound[2])
    if bound[3]:
        return limit / _PRICE_OFF <= value <= float(bound[3]) * _PRICE_OFF
    match bound[1]:
        case "<=" | "<":
            return value <= limit * _PRICE_OFF
        case ">=" | ">":
            return value * _PRICE_OFF >= limit
        case "~":
            return 0.7 * limit <= value <= 1.3 * limit
        case _:
            return limit / _PRICE_OFF <= value <= limit * _PRICE_OFF


# Other numbers: nights, people, sizes, versions


def _numbers(request: Request, content: Content) -> Iterator[bool | None]:
    wanted = list(_wanted_numbers(request))
    numbers = {number for entry in content.entries if wanted for number in _numbers_of(entry)}
    for value, units in wanted:
        lengths = {size for name, size in content.sizes if any(alike(unit, word) for unit in units for word in name)}
        if value in numbers | lengths:
            yield True
        else:
            yield False if any(_numbers_of(entry) for entry in content.entries if _counts(entry, units)) else None


def _wanted_numbers(request: Request) -> Iterator[tuple[float, frozenset[str]]]:
    """Numbers with the words that say what of: of "3 nights", "talla 42" and "invoice 4471"."""
    words = [*request.counted]
    empty = word_set(WORDS, "stop")
    for at, word in enumerate(words):
        value = _number(word)
        if value is not None:
            beside = (*words[max(0, at - 1) : at], *words[at + 1 : at + 2])
            if units := frozenset(
                word for word in beside if _number(word) is None and word not in empty and len(word) > 1
            ):
                yield value, units
    for fact in (*request.facts.quantities, *request.facts.durations):
        match = _BOUND.match(fact)
        if match is None or match[1] or match[3] or float(match[2]) in {_number(word) for word in words}:
            continue
        if units := frozenset(words_and_numbers(match[4])):
            yield float(match[2]), units


def _numbers_of(entry: Entry) -> list[float]:
    if isinstance(entry.value, bool):
        return []
    if isinstance(entry.value, (int, float)):
        return [float(entry.value)]
    return [value for word in words_and_numbers(entry.value[:80]) if (value := _number(word)) is not None]


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def _counts(entry: Entry, units: frozenset[str]) -> bool:
    """Whether a value is of what the number counts: by its name, or by the word behind it ("2 rooms")."""
    text = entry.value[:40] if isinstance(entry.value, str) else ""
    name = " ".join(entry.keys)
    if text and not any(character.isdigit() for character in text):
        return False
    canonical = {*of_kind(known_in(name), "object"), *entry.keys}
    if text and len(words_and_numbers(text)) <= 3:
        canonical |= {*of_kind(known_in(text), "object"), *words_and_numbers(text)}
    if any(alike(unit, word) for unit in units for word in canonical):
        return True
    return not text and any(names().closeness(phrase_of(unit), phrase_of(name)) >= _NEAR for unit in units)
