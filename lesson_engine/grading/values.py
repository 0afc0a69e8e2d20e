"""Whether two short texts are one quantity in two forms: "500 mA" and "0,5 A", "50 %" and "a half"."""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from .matching import Matcher
from .numbers import prepare
from .quantities import CONVERSION_SLACK, Quantity, quantities
from .units import convert, read_whole_unit

_LONGEST = 60
_LEAD_IN = re.compile(r"(?:(?:[^\W\d_]\w{0,3} ?)?[=≈:] ?|(?:el|la|los|las|the|an?|una?) )?", re.IGNORECASE)


@lru_cache(maxsize=8192)
def only_quantity(text: str, language: str) -> Quantity | None:
    """The quantity that a text consists of, as "x = 5 m" does; None where anything else is said."""
    if not text or len(text) > _LONGEST:
        return None
    found = quantities(text, language)
    if len(found) != 1:
        return None
    prepared, (quantity,) = prepare(text), found
    before, after = prepared[: quantity.number.start].lstrip(), prepared[quantity.number.end :].strip(" .!;")
    alone = not after or (quantity.unit is not None and read_whole_unit(after, language) is not None)
    return quantity if alone and _LEAD_IN.fullmatch(before) else None


def same_quantity(typed: str, authored: str, words: Matcher) -> bool:
    """Whether both texts are nothing but one quantity; numbers that the ASK tells apart must be written alike."""
    mine, theirs = only_quantity(typed, words.language), only_quantity(authored, words.language)
    if mine is None or theirs is None or not equal(mine, theirs):
        return False
    return words.told_apart.isdisjoint(mine.number.readings) or _spelling(typed) == _spelling(authored)


def place_of_quantity(groups: Sequence[Sequence[str]], typed: str, words: Matcher) -> int | None:
    """The one group in which a text stands as a quantity; None when there is none, or there are several."""
    if only_quantity(typed, words.language) is None:
        return None
    places = [at for at, group in enumerate(groups) if any(same_quantity(typed, text, words) for text in group)]
    return places[0] if len(places) == 1 else None


def is_other_quantity(groups: Sequence[Sequence[str]], typed: str, words: Matcher) -> bool:
    """Whether a text is a quantity with a unit where such are asked for, and none of them: "5 MA" beside "5 mA"."""
    if not _has_unit(only_quantity(typed, words.language)) or place_of_quantity(groups, typed, words) is not None:
        return False
    return any(_has_unit(only_quantity(text, words.language)) for group in groups for text in group)


def _has_unit(quantity: Quantity | None) -> bool:
    return quantity is not None and quantity.unit is not None


def equal(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities are the same, in any unit; one has a unit where the other has, but for percentages."""
    mine, theirs = _values(one), _values(other)
    if one.unit is None and other.unit is None:
        return not mine.isdisjoint(theirs)
    if one.unit is None or other.unit is None:
        return False
    converted = (convert(value, one.unit, other.unit) for value in mine)
    return any(
        abs(value - their) <= abs(their) * CONVERSION_SLACK
        for value in converted
        if value is not None
        for their in theirs
    )


def _values(quantity: Quantity) -> set[Fraction]:
    return {reading / 100 if quantity.number.percent else reading for reading in quantity.number.readings}


def _spelling(text: str) -> str:
    return re.sub(r"\s", "", prepare(text)).replace(",", ".").lower()
