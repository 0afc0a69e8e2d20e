"""Units and currencies, how people write them and what pint makes of them; numbers in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Final

from language.number_words import cardinal_at
from language.units import conversion
from language.word_lists import sections_of
from planning.criteria.contracts import Amount
from planning.criteria.lexicon import DATA, Lexicon, Node
from planning.criteria.tokens import Token, criterion_tokens, tidy

SECONDS: Final = {"millisecond": 0.001, "second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
"""Units that one duration may be made of ("2 h 30 min"); months and years have no fixed length."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit by the name that pint has for it, its sign, and what it measures."""

    name: str
    sign: str
    dimension: str


@cache
def units() -> tuple[Node, dict[str, Unit]]:
    """The tree of how units are written, and units by their names. Raises `ValueError` naming a line at fault."""
    root, named = Node(), dict[str, Unit]()
    for dimension, lines in sections_of(DATA / "units.txt", _forms).items():
        for head, forms in lines:
            name, _, sign = head.partition(" ")
            named[name] = Unit(name, sign, dimension)
            for form in forms:
                root.grow(form, "unit", name)
    return root, named


def _forms(_section: str, line: str) -> tuple[str, list[list[str]]]:
    """What a line is about, and how that is written, word by word."""
    head, equals, forms = line.partition(" = ")
    if not equals:
        raise ValueError("not `name = form | form`")
    return head, [[token.text for token in criterion_tokens(tidy(form))] for form in forms.split(" | ")]


@cache
def currencies() -> Node:
    """The tree of how currencies are written. Raises `ValueError` naming a line at fault."""
    root = Node()
    for code, forms in sections_of(DATA / "currencies.txt", _forms)[""]:
        for form in forms:
            root.grow(form, "currency", code)
    return root


def longest(root: Node, tokens: Sequence[Token], at: int) -> tuple[int, str]:
    """How many tokens the longest form at a place takes, and the unit that it names; 0 where none begins there."""
    count, senses = root.longest(tokens, at)
    return count, next(iter(senses.values()), "")


def unit_sign(name: str) -> str:
    """How a unit is shown: "km" of "kilometer"."""
    return units()[1][name].sign if name in units()[1] else name


def unit_dimension(name: str) -> str:
    """What a unit measures, as the sections of units.txt call it; "" for an unknown one."""
    return units()[1][name].dimension if name in units()[1] else ""


def amount_convert(amount: Amount, unit: str) -> Amount | None:
    """The amount in another unit, by the name that pint has for it; None where it has none or measures something else.

    Data are not compared by pint alone: to it a byte is a pure number, as a percentage is.
    """
    if amount.unit == unit:
        return amount
    if amount.unit is None or unit_dimension(amount.unit) != unit_dimension(unit) or amount.unit == "star":
        return None
    convert = conversion(amount.unit, unit)
    if convert is None:
        return None
    values = {name: getattr(amount, name) for name in ("value", "low", "high")}
    changed = {name: convert(value) for name, value in values.items() if isinstance(value, int | float)}
    return amount.model_copy(update={**changed, "unit": unit})


_WORDS_AT_MOST = 12


def number_at(tokens: Sequence[Token], at: int, words: Lexicon) -> tuple[int, Decimal]:
    """How many tokens a number in words takes ("twenty-five", "a couple of"), and the number; 0 where none begins."""
    token = tokens[at]
    if token.kind == "word" and "-" in token.text:
        parts = token.text.split("-")
        number, used = cardinal_at(parts, 0, words.language)
        return (1, Decimal(int(number))) if used == len(parts) and number >= 20 else (0, Decimal(0))
    if token.kind != "word" or "number" not in token.senses:
        return 0, Decimal(0)
    number, used = cardinal_at([follows.text for follows in tokens[at : at + _WORDS_AT_MOST]], 0, words.language)
    return (used, Decimal(int(number))) if used else (1, Decimal(token.senses["number"]))
