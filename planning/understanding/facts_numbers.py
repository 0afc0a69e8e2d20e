"""Amounts, durations and quantities in a task.

Values: "<= 200 USD" and "< 200 USD" are one (`<=`): nobody means the last cent. "< 3 hour" and "<= 3 hour" are two.
"100..200 EUR" is a range, "<= 150 USD/night" a rate; "4 star" and "20 %" are amounts; "2 adult" is a quantity.
"""

import re
from dataclasses import dataclass
from typing import Final

from .facts_items import AMOUNT, DURATION, QUANTITY, Item, Reading
from .facts_stems import stem_of
from .facts_words import Words, longest, longest_before, word_set

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS: Final = re.compile(r"\d{1,3}([.,]\d{3})+")
_RANGE: Final = word_set("numbers_range")
_PER: Final = word_set("numbers_per")
_ONE: Final = word_set("numbers_one")
_LASTING: Final = word_set("numbers_lasting")
_BETWEEN: Final = frozenset({"between", "entre", "from", "de"})
_HALF: Final = frozenset({"half", "medio", "media"})
_PEOPLE: Final = word_set("numbers_people")
_SKIPPED: Final = word_set("numbers_skipped")


@dataclass(frozen=True)
class _Figure:
    value: float
    last: int


def numbers_read(reading: Reading, words: Words) -> None:
    """Take the amounts, durations and quantities."""
    place = 0
    while place < len(reading.tokens):
        figure = _figure_at(reading, words, place)
        if figure is None:
            place += 1
            continue
        place = _take(reading, words, place, figure)


def number_text(value: float) -> str:
    """7, 7.5: without a needless decimal part."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.6g}"


def number_value(text: str) -> float | None:
    """1,200.50 and 1.200,50 and 7; None for what is no number."""
    if not _NUMBER.fullmatch(text) or len(text) > 30:
        return None
    if _THOUSANDS.fullmatch(text):
        return float(re.sub("[.,]", "", text))
    whole, mark, part = text.rpartition("," if text.rfind(",") > text.rfind(".") else ".")
    return float(f"{re.sub('[.,]', '', whole)}.{part}") if mark else float(text)


def _figure_at(reading: Reading, words: Words, place: int) -> _Figure | None:
    """The number that begins there: in figures, or in words."""
    if not reading.is_free(place, place + 1):
        return None
    token = reading.tokens[place]
    if token.kind == "number":
        value = number_value(token.fold)
        if value is None:
            return None
        if reading.fold(place + 1) == "k" and token.end == reading.tokens[place + 1].start:
            return _Figure(value * 1000, place + 2)
        return _Figure(*_multiplied(reading, words, value, place + 1))
    if token.fold in _ONE and _is_span(reading, words, place):
        return _Figure(1, place + 1)
    if token.fold in _HALF and not _halves(reading, words, place):
        return None
    if token.fold not in words.numbers or _is_phrase(reading, words, place):
        return None
    return _worded(reading, words, place)


def _halves(reading: Reading, words: Words, place: int) -> bool:
    """Half an hour, media hora; nothing else is halved."""
    return bool(
        longest(words.figures["durations"], reading.tokens, place + 1 + (reading.fold(place + 1) in _SKIPPED))[0]
    )


def _is_span(reading: Reading, words: Words, place: int) -> bool:
    """For a week, durante un mes."""
    unit = longest(words.figures["durations"], reading.tokens, place + 1)[0]
    return bool(unit) and reading.fold(place - 1) in _LASTING


def _is_phrase(reading: Reading, words: Words, place: int) -> bool:
    """Whether the word is part of something else: one way, half board, once a week."""
    return any(
        longest(table, reading.tokens, place)[1] > 1 for table in (words.qualities, words.objects, words.fillers)
    )


def _worded(reading: Reading, words: Words, place: int) -> _Figure | None:
    total, current, last = 0.0, 0.0, place
    while reading.is_free(last, last + 1):
        fold = reading.fold(last)
        value = words.numbers.get(fold)
        if value is None and fold in {"and", "y"} and last > place and _small(words, reading.fold(last + 1), current):
            last += 1
            continue
        if value is None:
            break
        if (fold,) in words.figures["multipliers"] and current:
            current *= value
            if value >= 1000:
                total, current = total + current, 0.0
        elif current and (value >= 20 or current % 10 or (current >= 20 and value >= 10 and current < 100)):
            break
        else:
            current += value
        last += 1
    return _Figure(total + current, last) if last > place else None


def _small(words: Words, fold: str, current: float) -> bool:
    """Whether "and" goes on with the number: one hundred and fifty, treinta y cinco."""
    value = words.numbers.get(fold, 0)
    return 0 < value < 100 and ((current >= 100 and current % 100 == 0) or (value < 10 and 30 <= current < 100))


def _multiplied(reading: Reading, words: Words, value: float, last: int) -> tuple[float, int]:
    if (reading.fold(last),) in words.figures["multipliers"]:
        return value * words.numbers.get(reading.fold(last), 1), last + 1
    return value, last


def _take(reading: Reading, words: Words, place: int, figure: _Figure) -> int:
    start, currency = _currency_before(reading, words, place)
    last, said = figure.last, number_text(figure.value)
    second = _second(reading, words, last)
    if second is not None:
        said, last = f"{said}..{number_text(second.value)}", second.last
        if reading.fold(start - 1) in _BETWEEN and reading.is_free(start - 1, start):
            start -= 1
    unit, kind, last = _unit(reading, words, start, last, currency)
    sign, start = _comparison(reading, words, start)
    if not sign:
        table = words.figures["after"]
        sign, length = longest(table, reading.tokens, last)
        last += length
    if kind == AMOUNT and sign == "<" and _is_money(words, unit):
        sign = "<="
    value = f"{said} {unit}".strip()
    if sign and kind == QUANTITY and not unit:
        kind = AMOUNT
    said = value if sign in {"", "=", "~"} else f"{sign} {value}"
    reading.take(Item(kind, said, start, last), also_from=start)
    return last


def _is_money(words: Words, unit: str) -> bool:
    return unit.partition("/")[0] in words.figures["currencies"].values()


def _currency_before(reading: Reading, words: Words, place: int) -> tuple[int, str]:
    currency, length = longest_before(words.figures["currencies"], reading.tokens, place)
    if currency and reading.is_free(place - length, place):
        return place - length, currency
    return place, ""


def _second(reading: Reading, words: Words, last: int) -> _Figure | None:
    """The other end of `2 to 3`, `100-200`, `between $100 and $200`."""
    if last < len(reading.tokens) and reading.tokens[last].hyphen:
        return _figure_at(reading, words, last)
    if reading.fold(last) not in _RANGE:
        return None
    at = last + 1
    _currency, length = longest(words.figures["currencies"], reading.tokens, at)
    return _figure_at(reading, words, at + length)


def _unit(reading: Reading, words: Words, start: int, last: int, currency: str) -> tuple[str, str, int]:
    """What the number counts, which kind of fact that makes it, and where it ends."""
    if not currency:
        currency, length = longest(words.figures["currencies"], reading.tokens, last + (reading.fold(last) == "de"))
        last += length + (reading.fold(last) == "de" if currency else 0)
    if currency:
        return _rated(reading, words, currency, last)
    at = last
    while reading.fold(at) in _SKIPPED and at < last + 2:
        at += 1
    for table, kind in (("durations", DURATION), ("units", AMOUNT)):
        unit, length = longest(words.figures[table], reading.tokens, at)
        if unit and not (table == "units" and words.object_at(reading.tokens, at, reading.language)[1] > length):
            end = at + length
            return _rated(reading, words, unit, end) if kind == AMOUNT else _aged(reading, unit, kind, end)
    return _counted(reading, words, start, last, at)


def _rated(reading: Reading, words: Words, unit: str, last: int) -> tuple[str, str, int]:
    """Per night, a day, al mes."""
    if reading.fold(last) in _PER:
        period, length = longest(words.figures["durations"], reading.tokens, last + 1)
        if not period:
            period, length = words.object_at(reading.tokens, last + 1, reading.language)
            period = period if period in {"person", "adult", "ticket", "seat", "room", "child"} else ""
        if period:
            return f"{unit}/{period}", AMOUNT, last + 1 + length
    return unit, AMOUNT, last


def _aged(reading: Reading, unit: str, kind: str, last: int) -> tuple[str, str, int]:
    """Five years old, de 5 anos de edad."""
    if unit == "year" and reading.fold(last) == "old":
        return "year old", QUANTITY, last + 1
    if unit == "year" and reading.fold(last) == "de" and reading.fold(last + 1) == "edad":
        return "year old", QUANTITY, last + 2
    return unit, kind, last


def _counted(reading: Reading, words: Words, start: int, last: int, at: int) -> tuple[str, str, int]:
    """The thing that is counted, over at most two words that say what it is like, which are read later."""
    if reading.fold(start - 1) in _PEOPLE and not _names_something(reading, at):
        return "person", QUANTITY, last
    place = at
    for _skipped in range(3):
        found, length = words.object_at(reading.tokens, place, reading.language)
        if found and reading.is_free(place, place + length):
            return found, QUANTITY, place + length if place == at else last
        quality, length = longest(words.qualities, reading.tokens, place)
        if not quality:
            break
        place += length
    if _names_something(reading, place) and place == at:
        return stem_of(reading.fold(at), reading.language), QUANTITY, at + 1
    return "", QUANTITY, last


def _names_something(reading: Reading, place: int) -> bool:
    if not reading.is_free(place, place + 1):
        return False
    token = reading.tokens[place]
    return token.kind == "word" and len(token.fold) > 2 and token.fold not in _FUNCTION


_FUNCTION: Final = word_set("numbers_function")


def _comparison(reading: Reading, words: Words, start: int) -> tuple[str, int]:
    """What stands before the number and says how it is to be compared, and where that begins."""
    at = start
    while reading.fold(at - 1) in _SKIPPED and reading.is_free(at - 1, at):
        at -= 1
    for end in dict.fromkeys((start, at)):
        sign, length = longest_before(words.figures["comparisons"], reading.tokens, end)
        if sign and reading.is_free(end - length, end):
            return sign, end - length
    return "", start
