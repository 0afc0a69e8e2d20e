"""The one registry of units, and conversions that ask it once for every pair."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pint

MONEY: Final = ("euro", "dollar", "pound_sterling", "yen", "peso")
"""Currencies that are units without rates: money of one country is never that of another."""


@cache
def registry() -> "pint.UnitRegistry[Any]":
    """The registry, exact in fractions. Importing pint and building it takes some 0.5 s: the first conversion does."""
    import pint

    units: pint.UnitRegistry[Any] = pint.UnitRegistry(non_int_type=Fraction, cache_folder=None)
    for money in MONEY:
        units.define(f"{money} = [{money}]")
    return units


@dataclass(frozen=True, slots=True)
class Conversion:
    """From one unit to another. `offset` is not 0 for temperatures."""

    factor: float
    offset: float

    def __call__(self, value: float) -> float:
        """The value in the other unit, rounded to nine places; an infinite one as it is."""
        return round(value * self.factor + self.offset, 9) if math.isfinite(value) else value


@lru_cache(1_024)
def conversion(source: str, target: str) -> Conversion | None:
    """How to convert units by the names that pint has for them; None where they measure different things, or pint does
    not know one of them.
    """
    import pint

    try:
        zero, one = (float(registry().Quantity(value, source).to(target).magnitude) for value in (0.0, 1.0))
    except (pint.PintError, ArithmeticError, TypeError, ValueError, AttributeError):
        return None
    return Conversion(one - zero, zero)
