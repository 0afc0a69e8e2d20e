"""Amounts in settings and conditions, moved up and down."""

import math
import re
from typing import Any, Final

from memory.contracts import Adjustment

_NUMBER: Final = re.compile(r"-?\d{1,15}(?:\.\d{1,9})?")
_AT_MOST: Final = 1e12


def moved(old: Any, adjustment: Adjustment, up: bool) -> Any:
    """The amount after the adjustment, in the form of the old one ("2 km" stays so): by its value where that is
    relative ("10 %" is of the old amount), else to it. None where there is no number, the units differ, or it would
    go the other way or out of all bounds.
    """
    before, after = _parts(old), _parts(adjustment.value)
    if before is None or after is None:
        return None
    (number, unit), (value, other) = before, after
    share = other == "%" and unit != "%"
    if not share and other and other != unit:
        return None
    if share and not adjustment.relative:
        return None
    change = number * value / 100 if share else value
    new = (number + change if up else number - change) if adjustment.relative else value
    if new == number or (new > number) != up or not math.isfinite(new) or abs(new) > _AT_MOST:
        return None
    if number >= 0 > new:
        return None
    rounded = round(new, 6)
    whole = int(rounded) if float(rounded).is_integer() else rounded
    return f"{old[: _start(old)]}{whole}{old[_end(old) :]}" if isinstance(old, str) else whole


def _parts(value: Any) -> tuple[float, str] | None:
    """Number and unit."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return (float(value), "") if abs(value) <= _AT_MOST else None
    text = str(value).strip()
    match = _NUMBER.search(text)
    if match is None:
        return None
    return float(match[0]), (text[: match.start()] + text[match.end() :]).strip().lower()


def _start(text: str) -> int:
    match = _NUMBER.search(text)
    return match.start() if match else 0


def _end(text: str) -> int:
    match = _NUMBER.search(text)
    return match.end() if match else 0
