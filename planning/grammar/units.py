"""Units and currencies: how people write them, and what pint makes of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from .contracts import Amount, Scalar
from .lexicon import Node, lines_of
from .tokens import Token, tidy, tokens_of

SECONDS: Final = {"millisecond": 0.001, "second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
"""What may stand together in one duration ("2 h 30 min"); months and years have no fixed length."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit by the name that pint has for it, its sign, and what it measures."""

    name: str
    sign: str
    dimension: str


@cache
def units() -> tuple[Node, dict[str, Unit]]:
    """The tree of how units are written, and units by their names. Raises `ValueError` naming a line at fault."""
    root, named, dimension = Node(), dict[str, Unit](), ""
    for number, line in lines_of("units.txt"):
        if line.startswith("[") and line.endswith("]"):
            dimension = line[1:-1]
            continue
        head, _, forms = line.partition(" = ")
        name, _, sign = head.partition(" ")
        if not (dimension and forms and sign):
            raise ValueError(f"units.txt, line {number}: not `name sign = form | form`: {line}")
        named[name] = Unit(name, sign, dimension)
        for form in forms.split(" | "):
            _grow(root, form, "unit", name)
    return root, named


@cache
def currencies() -> Node:
    """The tree of how currencies are written. Raises `ValueError` naming a line at fault."""
    root = Node()
    for number, line in lines_of("currencies.txt"):
        code, equals, forms = line.partition(" = ")
        if not equals:
            raise ValueError(f"currencies.txt, line {number}: not `code = form | form`: {line}")
        for form in forms.split(" | "):
            _grow(root, form, "currency", code)
    return root


def _grow(root: Node, form: str, kind: str, value: str) -> None:
    node = root
    for token in tokens_of(tidy(form)):
        node = node.next.setdefault(token.text, Node())
    node.senses[kind] = value


def longest(root: Node, tokens: Sequence[Token], at: int) -> tuple[int, str]:
    """How many tokens the longest form at a place takes, and what it names; 0 where none begins there."""
    node, found = root, (0, "")
    for count, token in enumerate(tokens[at : at + 4], 1):
        step = node.next.get(token.text)
        if step is None:
            break
        node = step
        if node.senses:
            found = (count, next(iter(node.senses.values())))
    return found


def unit_sign(name: str) -> str:
    """How a unit is shown: "km" of "kilometer"."""
    return units()[1][name].sign if name in units()[1] else name


def unit_dimension(name: str) -> str:
    """What a unit measures, as the sections of units.txt call it; "" for an unknown one."""
    return units()[1][name].dimension if name in units()[1] else ""


@cache
def registry() -> Any:
    """Pint's registry; importing it and building it takes some 0.3 s, so the first conversion does."""
    import pint

    return pint.UnitRegistry(cache_folder=None)


@lru_cache(maxsize=1024)
def _factor(source: str, target: str) -> tuple[float, float] | None:
    """Slope and offset from one unit to the other; None where they do not measure the same."""
    import pint

    try:
        zero, one = (registry().Quantity(float(value), source).to(target).magnitude for value in (0, 1))
    except (pint.PintError, ArithmeticError, TypeError, ValueError, AttributeError):
        return None
    return one - zero, zero


def amount_convert(amount: Amount, unit: str) -> Amount | None:
    """The amount in another unit, by the name that pint has for it; None where it has none or measures something else.

    Data are not compared by pint alone: to it a byte is a pure number, as a percentage is.
    """
    if amount.unit == unit:
        return amount
    if amount.unit is None or unit_dimension(amount.unit) != unit_dimension(unit) or amount.unit == "star":
        return None
    factor = _factor(amount.unit, unit)
    if factor is None:
        return None
    changed = {name: _converted(getattr(amount, name), factor) for name in ("value", "low", "high")}
    return amount.model_copy(update={**changed, "unit": unit})


def _converted(value: Scalar | None, factor: tuple[float, float]) -> Scalar | None:
    return round(value * factor[0] + factor[1], 9) if isinstance(value, int | float) else value
