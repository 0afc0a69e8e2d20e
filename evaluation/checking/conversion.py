"""Units converted by pint, which is asked once for every pair."""

import math
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import pint


@dataclass(frozen=True, slots=True)
class Conversion:
    """From one unit to another; an offset, for temperatures."""

    factor: float
    offset: float

    def __call__(self, value: float) -> float:
        return round(value * self.factor + self.offset, 9) if math.isfinite(value) else value


@lru_cache(1_024)
def conversion(source: str, target: str) -> Conversion | None:
    """None where the units measure different things, or pint knows one of them not."""
    try:
        zero, one = (float(_registry().Quantity(value, source).to(target).magnitude) for value in (0.0, 1.0))
    except (pint.PintError, ArithmeticError, TypeError, ValueError, AttributeError):
        return None
    return Conversion(one - zero, zero)


@cache
def _registry() -> "pint.UnitRegistry[Any]":
    registry: pint.UnitRegistry[Any] = pint.UnitRegistry(cache_folder=None)
    return registry
