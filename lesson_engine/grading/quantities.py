"""Numbers with their units, as a reply names them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from .matching import Matcher
from .numbers import Number, find_numbers, prepare
from .units import Unit, convert, read_unit, read_whole_unit

CONVERSION_SLACK: Final = Fraction(1, 10**9)
"""Relative slack for converted values, whose factors pint may know only as floats."""

_ONE_UNIT = re.compile(r" ?[^\W\d_]+\.?(?: and| y)? ?")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of the reply with its unit, None without one."""

    number: Number
    unit: Unit | None


def quantities(text: str, language: str) -> list[Quantity]:
    """Every quantity of a text in order; "1 m 75 cm" is one."""
    text = prepare(text)
    numbers = find_numbers(text)
    ends = [*(number.start for number in numbers[1:]), len(text)][: len(numbers)]
    single = [
        Quantity(number, None if number.percent else read_unit(_after(number, end, text), language))
        for number, end in zip(numbers, ends, strict=True)
    ]
    return list(_joined(single, text))


def _after(number: Number, end: int, text: str) -> str:
    """What follows on the number; in "1 in 4" the "in" is seen to have a number after it, and is no inch."""
    after = text[number.end : end]
    return f"{after}0" if end < len(text) and after.strip().isalpha() else after


def _joined(single: list[Quantity], text: str) -> Iterator[Quantity]:
    following = iter(single)
    last = next(following, None)
    for quantity in following:
        assert last is not None
        total = _sum(last, quantity, text[last.number.end : quantity.number.start])
        if total is None:
            yield last
        last = total or quantity
    if last is not None:
        yield last


def _sum(large: Quantity, small: Quantity, between: str) -> Quantity | None:
    """Whole large units and less than one of them in a smaller one, with nothing between; None for all else."""
    if not (large.unit and small.unit) or large.unit == small.unit or not _ONE_UNIT.fullmatch(between):
        return None
    count, part = large.number.readings[0], convert(small.number.readings[0], small.unit, large.unit)
    if part is None or count.denominator != 1 or not 0 < part < 1:
        return None
    return replace(large, number=replace(large.number, readings=(count + part,), end=small.number.end))


_LONGEST = 60
_LEAD_IN = re.compile(r"(?:(?:[^\W\d_]\w{0,3} ?)?[=≈:] ?|(?:el|la|los|las|the|an?|una?) )?", re.IGNORECASE)


@lru_cache(maxsize=8192)
def only_quantity(text: str, language: str) -> Quantity | None:
    """The quantity that a text consists of, as "x = 5 m" does; None where it says anything else."""
    if not text or len(text) > _LONGEST:
        return None
    named = quantities(text, language)
    if len(named) != 1:
        return None
    prepared, (quantity,) = prepare(text), named
    before, after = prepared[: quantity.number.start].lstrip(), prepared[quantity.number.end :].strip(" .!;")
    alone = not after or (quantity.unit is not None and read_whole_unit(after, language) is not None)
    return quantity if alone and _LEAD_IN.fullmatch(before) else None


def same_quantity(typed: str, authored: str, words: Matcher) -> bool:
    """Whether both texts are nothing but one quantity; numbers that the ASK distinguishes must be written alike."""
    mine, theirs = only_quantity(typed, words.language), only_quantity(authored, words.language)
    if mine is None or theirs is None or not equal(mine, theirs):
        return False
    return words.told_apart.isdisjoint(mine.number.readings) or _spelling(typed) == _spelling(authored)


def place_of_quantity(groups: Sequence[Sequence[str]], typed: str, words: Matcher) -> int | None:
    """The place of the only group that has a text as a quantity; None where none or several have it."""
    if only_quantity(typed, words.language) is None:
        return None
    places = [at for at, group in enumerate(groups) if any(same_quantity(typed, text, words) for text in group)]
    return places[0] if len(places) == 1 else None


def is_other_quantity(groups: Sequence[Sequence[str]], typed: str, words: Matcher) -> bool:
    """Whether a text is a quantity with a unit, and none of the groups', which have units: "5 MA", not "5 mA"."""
    if not _has_unit(only_quantity(typed, words.language)) or place_of_quantity(groups, typed, words) is not None:
        return False
    return any(_has_unit(only_quantity(text, words.language)) for group in groups for text in group)


def _has_unit(quantity: Quantity | None) -> bool:
    return quantity is not None and quantity.unit is not None


def equal(first: Quantity, second: Quantity) -> bool:
    """Whether two quantities are the same, in any unit; one has a unit where the other has, but for percentages."""
    mine, theirs = first.number.shares, second.number.shares
    if first.unit is None and second.unit is None:
        return not set(mine).isdisjoint(theirs)
    if first.unit is None or second.unit is None:
        return False
    converted = (convert(value, first.unit, second.unit) for value in mine)
    return any(
        abs(value - their) <= abs(their) * CONVERSION_SLACK
        for value in converted
        if value is not None
        for their in theirs
    )


def _spelling(text: str) -> str:
    return re.sub(r"\s", "", prepare(text)).replace(",", ".").lower()
