"""Numbers with their units, as a reply names them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from .numbers import Number, find_numbers, prepare
from .units import Unit, convert, read_unit

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
    found = find_numbers(text)
    ends = [*(number.start for number in found[1:]), len(text)][: len(found)]
    single = [
        Quantity(number, None if number.percent else read_unit(text[number.end : end], language))
        for number, end in zip(found, ends, strict=True)
    ]
    return list(_joined(single, text))


def _joined(found: list[Quantity], text: str) -> Iterator[Quantity]:
    rest = iter(found)
    last = next(rest, None)
    for quantity in rest:
        assert last is not None
        whole = _sum(last, quantity, text[last.number.end : quantity.number.start])
        if whole is None:
            yield last
        last = whole or quantity
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
