"""Amounts, durations and quantities in a task.

Values: "<= 200 USD" and "< 200 USD" are one (`<=`): the last cent does not matter. "< 3 hour" and "<= 3 hour" are two.
"100..200 EUR" is a range, "<= 150 USD/night" a rate; "4 star" and "20 %" are amounts; "2 adult" is a quantity.
"""

from itertools import takewhile
from typing import Final, NamedTuple

from language.number_words import cardinal_at
from language.numbers import number_read, number_text
from language.stems import stem

from .items import AMOUNT, DURATION, QUANTITY, Item, Reading
from .words import Words, longest, longest_before, word_set

_RANGE: Final = word_set("numbers_range")
_PER: Final = word_set("numbers_per")
_ONE: Final = word_set("numbers_one")
_LASTING: Final = word_set("numbers_lasting")
_BETWEEN: Final = frozenset({"between", "entre", "from", "de"})
_HALF: Final = frozenset({"half", "medio", "media"})
_PEOPLE: Final = word_set("numbers_people")
_SKIPPED: Final = word_set("numbers_skipped")


_WORDS_AT_MOST: Final = 12


class _Figure(NamedTuple):
    value: float
    last: int


def numbers_read(reading: Reading, words: Words) -> None:
    place = 0
    while place < len(reading.tokens):
        figure = _figure_at(reading, words, place)
        if figure is None:
            place += 1
            continue
        place = _take(reading, words, place, figure)


def _figure_at(reading: Reading, words: Words, place: int) -> _Figure | None:
    """The number that begins there, in digits or in words, and the place after it."""
    if not reading.is_free(place, place + 1):
        return None
    token, last = reading.tokens[place], place + 1
    if token.kind == "number":
        number = number_read(token.fold, reading.language, money=True)
        if number is None:
            return None
        if reading.fold(last) == "k" and token.end == reading.tokens[last].start:
            return _Figure(float(number) * 1000, last + 1)
        return _multiplied(reading, words, float(number), last)
    table = words.figures["durations"]
    if token.fold in _ONE and reading.fold(place - 1) in _LASTING and longest(table, reading.tokens, last)[0]:
        return _Figure(1, last)  # "for a week"
    if token.fold in _HALF and not longest(table, reading.tokens, last + (reading.fold(last) in _SKIPPED))[0]:
        return None  # of all things only time is halved: "half an hour"
    tables = (words.qualities, words.objects, words.fillers)  # "one way", "half board", "once a week"
    if token.fold not in words.numbers or any(longest(table, reading.tokens, place)[1] > 1 for table in tables):
        return None
    free = takewhile(lambda at: reading.is_free(at, at + 1), range(place, place + _WORDS_AT_MOST))
    cardinal, used = cardinal_at([reading.fold(at) for at in free], 0, reading.language)
    if not used:
        return _Figure(words.numbers[token.fold], last)
    return _multiplied(reading, words, float(cardinal), place + used)


def _multiplied(reading: Reading, words: Words, value: float, last: int) -> _Figure:
    if (reading.fold(last),) in words.figures["multipliers"]:
        return _Figure(value * words.numbers.get(reading.fold(last), 1), last + 1)
    return _Figure(value, last)


def _take(reading: Reading, words: Words, place: int, figure: _Figure) -> int:
    start, currency = _currency_before(reading, words, place)
    last, number = figure.last, number_text(figure.value)
    second = _second(reading, words, last)
    if second is not None:
        number, last = f"{number}..{number_text(second.value)}", second.last
        if reading.fold(start - 1) in _BETWEEN and reading.is_free(start - 1, start):
            start -= 1
    unit, kind, last = _unit(reading, words, start, last, currency)
    sign, start = _comparison(reading, words, start)
    if not sign:
        table = words.figures["after"]
        sign, length = longest(table, reading.tokens, last)
        last += length
    if kind == AMOUNT and sign == "<" and unit.partition("/")[0] in words.figures["currencies"].values():
        sign = "<="
    value = f"{number} {unit}".strip()
    if sign and kind == QUANTITY and not unit:
        kind = AMOUNT
    reading.take(Item(kind, value if sign in {"", "=", "~"} else f"{sign} {value}", start, last), also_from=start)
    return last


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
        thing, length = words.object_at(reading.tokens, place, reading.language)
        if thing and reading.is_free(place, place + length):
            return thing, QUANTITY, place + length if place == at else last
        quality, length = longest(words.qualities, reading.tokens, place)
        if not quality:
            break
        place += length
    if _names_something(reading, place) and place == at:
        return stem(reading.fold(at), reading.language), QUANTITY, at + 1
    return "", QUANTITY, last


def _names_something(reading: Reading, place: int) -> bool:
    if not reading.is_free(place, place + 1):
        return False
    token = reading.tokens[place]
    return token.kind == "word" and len(token.fold) > 2 and token.fold not in _FUNCTION


_FUNCTION: Final = word_set("numbers_function")


def _comparison(reading: Reading, words: Words, start: int) -> tuple[str, int]:
    """The sign for the comparison before the number, and where its words begin; an empty sign where there is none."""
    at = start
    while reading.fold(at - 1) in _SKIPPED and reading.is_free(at - 1, at):
        at -= 1
    for end in dict.fromkeys((start, at)):
        sign, length = longest_before(words.figures["comparisons"], reading.tokens, end)
        if sign and reading.is_free(end - length, end):
            return sign, end - length
    return "", start
