"""Dates, amounts and numbers that a task asks for, against those of a result. What it does not say is no conflict."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Final

from evaluation.checking.lexicon import names, phrase_of
from planning.understanding import facts_read
from planning.understanding.known import known_in, of_kind

from .asked import Asked
from .result import Piece, Said
from .words import alike, word_set, words_of

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


def slots_of(asked: Asked, said: Said) -> Slots:
    """Each of `contradicted` is "date", "amount" or "quantity"."""
    verdicts = [("date", one) for one in _dates(asked, said)]
    verdicts += [("amount", one) for one in _amounts(asked, said)]
    verdicts += [("quantity", one) for one in _numbers(asked, said)]
    return Slots(sum(one is True for _, one in verdicts), tuple(kind for kind, one in verdicts if one is False))


# Dates and times


def _dates(asked: Asked, said: Said) -> Iterator[bool | None]:
    wanted = [_fits(one) for one in asked.facts.dates]
    if not any(wanted):
        return
    there = _dates_said(asked, said)
    for fits in wanted:
        if fits is not None:
            found = [verdict for one in there if (verdict := fits(one)) is not None]
            yield any(found) if found else None


def _dates_said(asked: Asked, said: Said) -> list[str]:
    texts = [piece.text for piece in said.pieces if isinstance(piece.value, str) and _DATED.search(piece.text[:80])]
    text = "; ".join(one[:60] for one in texts)[:_TEXT]
    found = [one for language in ("en", "es") for one in facts_read(text, language).dates] if text else []
    return [one.removeprefix("from ").removeprefix("on ") for one in dict.fromkeys(found)]


Fits = Callable[[str], bool | None]


def _fits(asked: str) -> Fits | None:
    """How to tell whether a date that the result says is the one asked for; None where it cannot be told."""
    plain = asked.removeprefix("on ").removeprefix("from ")
    if match := _ISO.match(plain):
        return partial(_same_day, match)
    if match := _CLOCK.match(plain):
        return partial(_same_time, match)
    if plain in _WEEKDAYS:
        return partial(_same_weekday, plain)
    if plain in _PARTS:
        return partial(_in_part, plain)
    if match := _MONTH.match(asked):
        return partial(_in_month, match)
    return None


def _same_day(asked: re.Match[str], said: str) -> bool | None:
    found = _ISO.match(said)
    if found is None:
        return None
    years = {one for one in (asked[1], found[1]) if one}
    return found[2] == asked[2] and found[3] == asked[3] and len(years) < 2


def _same_time(asked: re.Match[str], said: str) -> bool | None:
    found = _CLOCK.match(said)
    return None if found is None else abs(_minutes(found) - _minutes(asked)) <= _CLOCK_OFF


def _minutes(clock: re.Match[str]) -> int:
    return 60 * int(clock[1]) + int(clock[2])


def _same_weekday(asked: str, said: str) -> bool | None:
    if said in _WEEKDAYS:
        return said == asked
    day = _day(said)
    return None if day is None else _WEEKDAYS[day.weekday()] == asked


def _in_part(asked: str, said: str) -> bool | None:
    found = _CLOCK.match(said)
    if found is None:
        return said == asked if said in _PARTS else None
    begin, end = _PARTS[asked]
    return begin <= int(found[1]) < end


def _in_month(asked: re.Match[str], said: str) -> bool | None:
    found, other = _ISO.match(said), _MONTH.match(said)
    if found is None and other is None:
        return None
    month, wanted = int(found[2] if found else other[2] if other else 0), int(asked[2])
    if asked[1] in {"before ", "by ", "until "}:
        return month < wanted or (asked[1] != "before " and month == wanted)
    return month >= wanted if asked[1] in {"after ", "from "} else month == wanted


def _day(said: str) -> date | None:
    try:
        return date.fromisoformat(said)
    except ValueError:
        return None


# Amounts


def _amounts(asked: Asked, said: Said) -> Iterator[bool | None]:
    wanted = [match for one in asked.facts.amounts if (match := _BOUND.match(one)) and _currency(match[4])]
    if not wanted:
        return
    there = [*_money(asked, said)]
    everything = {one for piece in said.pieces for one in _numbers_of(piece)}
    for bound in wanted:
        values = [value for value, currency in there if not currency or currency == _currency(bound[4])]
        if not bound[1] and not bound[3] and float(bound[2]) in everything:
            yield True
        else:
            yield any(_within(bound, value) for value in values) if values else None


def _currency(unit: str) -> str | None:
    code = unit.partition("/")[0]
    return code if len(code) == 3 and code.isupper() else None


def _money(asked: Asked, said: Said) -> Iterator[tuple[float, str | None]]:
    """Sums of money that the result says, with their currency where it says so."""
    texts = []
    for piece in said.pieces:
        if isinstance(piece.value, str):
            if any(one.isdigit() for one in piece.value[:40]):
                texts.append((_is_money(piece), piece.value[:40]))
        elif not isinstance(piece.value, bool) and _is_money(piece):
            yield float(piece.value), None
    for is_money, text in texts[:6]:
        for amount in facts_read(text, asked.language).amounts:
            if (match := _BOUND.match(amount)) and (_currency(match[4]) or is_money):
                yield float(match[2]), _currency(match[4])


def _is_money(piece: Piece) -> bool:
    own = phrase_of(" ".join(piece.keys))
    if not own or "id" in piece.keys or "number" in piece.keys:
        return False
    sought = [phrase_of(name) for name in _MONEY_NAMES]
    return any(names().closeness(name, part) >= _NEAR for name in sought for part in (own, own[-1:], own[:1]))


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


def _numbers(asked: Asked, said: Said) -> Iterator[bool | None]:
    wanted = [*_wanted_numbers(asked)]
    if not wanted:
        return
    everything = {one for piece in said.pieces for one in _numbers_of(piece)}
    for value, units in wanted:
        if value in everything or _length_of_list(said, value, units):
            yield True
            continue
        others = [one for piece in said.pieces if _counts(piece, units) for one in _numbers_of(piece)]
        yield False if others else None


def _wanted_numbers(asked: Asked) -> Iterator[tuple[float, frozenset[str]]]:
    """Numbers with the words that say what of: of "3 nights", "talla 42" and "invoice 4471"."""
    words = [*asked.counted]
    empty = word_set("words.txt", "stop")
    for at, word in enumerate(words):
        value = _number(word)
        if value is not None:
            beside = (*words[max(0, at - 1) : at], *words[at + 1 : at + 2])
            if units := frozenset(one for one in beside if _number(one) is None and one not in empty and len(one) > 1):
                yield value, units
    for fact in (*asked.facts.quantities, *asked.facts.durations):
        match = _BOUND.match(fact)
        if match is None or match[1] or match[3] or float(match[2]) in {_number(word) for word in words}:
            continue
        if units := frozenset(words_of(match[4])):
            yield float(match[2]), units


def _numbers_of(piece: Piece) -> list[float]:
    if isinstance(piece.value, bool):
        return []
    if isinstance(piece.value, (int, float)):
        return [float(piece.value)]
    return [value for word in words_of(piece.value[:80]) if (value := _number(word)) is not None]


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def _counts(piece: Piece, units: frozenset[str]) -> bool:
    """Whether a value is of what the number counts: by its name, or by the word behind it ("2 rooms")."""
    text = piece.value[:40] if isinstance(piece.value, str) else ""
    name = " ".join(piece.keys)
    if text and not any(one.isdigit() for one in text):
        return False
    canonical = {*of_kind(known_in(name), "object"), *piece.keys}
    if text and len(words_of(text)) <= 3:
        canonical |= {*of_kind(known_in(text), "object"), *words_of(text)}
    if any(alike(unit, one) for unit in units for one in canonical):
        return True
    return not text and any(names().closeness(phrase_of(unit), phrase_of(name)) >= _NEAR for unit in units)


def _length_of_list(said: Said, value: float, units: frozenset[str]) -> bool:
    return any(size == value for name, size in said.sizes if any(alike(unit, word) for unit in units for word in name))


def conflicts_in(slots: Slots) -> Sequence[str]:
    """Each kind of conflict once."""
    return tuple(dict.fromkeys(slots.contradicted))
