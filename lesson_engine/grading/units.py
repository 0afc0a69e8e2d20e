"""Units: from what a learner types to what pint knows, without ever handing pint an expression to evaluate."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pint

from .lexicon import lexicon, unit_words
from .normalise import fold
from .stems import stem

MAX_UNIT = 60
MAX_POWER = 6

# Pint counts these in moles; in a lesson they are things that are counted.
_COUNTED = frozenset({"particle", "molecule", "count", "atom", "photon"})
_FACTOR = re.compile(r"(?P<op>[*·./ ]*)(?P<name>[^\W\d]+|[%°]|)(?:\^?\(?(?P<power>[+-]?\d{1,2})\)?)?")
_WORDS_TO_SIGNS = (
    (re.compile(r"\b(?:por|per)\b", re.I), "/"),
    (re.compile(r"([^\W\d_]+) (?:al )?(?:cuadrados?|square(?:d)?)\b", re.I), r"\1^2"),
    (re.compile(r"([^\W\d_]+) (?:al )?(?:c[uú]bicos?|cubo|cubed)\b", re.I), r"\1^3"),
    (re.compile(r"\bsquare ([^\W\d_]+)", re.I), r"\1^2"),
    (re.compile(r"\bcubic ([^\W\d_]+)", re.I), r"\1^3"),
    (re.compile(r"\b(?:grados?|degrees?) (?:celsius|cent[ií]grados?|c)\b", re.I), "degree_Celsius"),
    (re.compile(r"\b(?:grados?|degrees?) (?:fahrenheit|f)\b", re.I), "degree_Fahrenheit"),
    (re.compile(r"°\s*[Cc]\b"), "degree_Celsius"),
    (re.compile(r"°\s*[Ff]\b"), "degree_Fahrenheit"),
    (re.compile(r"\b(k|kilo|m|mili|milli)[ -](?=(?:ohm|amp|v[ao]lt|watt|vatio)|Ω)", re.I), r"\1"),
    (re.compile(r"^(?:partes? )?(?:of an?|of one|an?|de(?: una?)?) (?=(?:ohm|amp|v[ao]lt|watt|vatio))", re.I), ""),
    (re.compile(r"^(?:of an?|of one|an?|de(?: una?)?) (?=(?:hour|min|hora|met(?:re|er)|litre|liter|kilo))", re.I), ""),
    (re.compile(r"^(?:de(?: un)?) (?=(?:metro|litro|kilo))", re.I), ""),
)
# As typed without capitals; none of these is another unit that anybody would answer with.
_SMALL_LETTERS = {
    "v": "volt",
    "mv": "millivolt",
    "kv": "kilovolt",
    "ma": "milliampere",
    "w": "watt",
    "kw": "kilowatt",
}


@dataclass(frozen=True, slots=True)
class Unit:
    """Factors as pint names them with their powers; or, unknown to pint, the stem of a counted thing."""

    factors: tuple[tuple[str, int], ...] = ()
    word: str = ""
    degrees: bool = False
    """A bare "degrees", which is of temperature or of angle as the other side says."""


@lru_cache(maxsize=1)
def registry() -> "pint.UnitRegistry[Any]":
    """The one registry; building it takes half a second, see `warm_up`."""
    return pint.UnitRegistry(non_int_type=Fraction, cache_folder=None)


def warm_up() -> None:
    """Build the registry now instead of in front of the first learner who answers with a unit."""
    registry()


@lru_cache(maxsize=1024)
def read_unit(text: str, language: str) -> Unit | None:
    """The unit at the start of a text, such as "km/h de media"; None when there is none."""
    text = text.strip()[:MAX_UNIT].replace("**", "^")
    if text.rstrip(" .") == "a":  # at the very end it is no preposition
        return Unit(factors=(("ampere", 1),))
    for pattern, sign in _WORDS_TO_SIGNS:
        text = pattern.sub(sign, text)
    factors: dict[str, int] = {}
    at, divide = 0, False
    while match := _FACTOR.match(text, at):
        name = _known_name(match["name"] or "", language)
        if name is None or (factors and not match["op"]) or match.end() == at:
            break
        if name == "grados":
            return Unit(degrees=True) if not factors else None
        divide = "/" in match["op"] or divide
        power = int(match["power"] or 1)
        if abs(power) > MAX_POWER:
            break
        factors[name] = factors.get(name, 0) + (-power if divide else power)
        divide, at = False, match.end()
    if factors:
        return Unit(factors=tuple(sorted(factors.items())))
    first = re.match(r"[^\W\d_]+", text)
    word = fold(first[0]).strip() if first else ""
    ignored = lexicon(language).stopwords | lexicon("en").stopwords
    return Unit(word=stem(word, language)) if word and word not in ignored else None


def _known_name(name: str, language: str) -> str | None:
    folded = fold(name).strip()
    if folded in unit_words():
        return unit_words()[folded]
    if name == "%":
        return "percent"
    if name == "°":
        return "grados"
    if name.startswith("degree_"):
        return name
    if name in _SMALL_LETTERS:
        return _SMALL_LETTERS[name]
    words = lexicon(language)
    # "5 a 7" and "5 as" are no years and no attoseconds; capitals such as "A" are left to be units.
    function_word = folded in words.stopwords | lexicon("en").stopwords and (len(name) > 1 or name.islower())
    if not name or folded.removesuffix("s") in _COUNTED or function_word:
        return None
    forms = (name, name.lower(), "k" + name[1:] if name[0] == "K" else "")  # "KM" is a kilometre, "KΩ" a kiloohm
    return next((known for form in forms if form and (known := _pint_name(form))), None)


@lru_cache(maxsize=1024)
def _pint_name(name: str) -> str | None:
    if len(name) > 30:
        return None
    parsed = registry().parse_unit_name(name)
    return next((prefix + unit for prefix, unit, _ in parsed if unit not in _COUNTED), None)


def convert(value: Fraction, source: Unit, target: Unit) -> Fraction | None:
    """The value in the target unit; None when the dimensions differ or a unit is unknown to pint."""
    source, target = _settle(source, target), _settle(target, source)
    if source == target:
        return value
    if not (source.factors and target.factors):
        return None
    try:
        result = registry().Quantity(value, _pint_unit(source)).to(_pint_unit(target)).magnitude
        return Fraction(result)
    except (pint.PintError, ArithmeticError, TypeError, ValueError):
        return None


def same_dimension(one: Unit, other: Unit) -> bool:
    """Whether one can be converted into the other."""
    return convert(Fraction(1), one, other) is not None


def _settle(unit: Unit, other: Unit) -> Unit:
    if not unit.degrees:
        return unit
    temperature = any(name.startswith("degree_") for name, _ in other.factors)
    return other if temperature or other.degrees else Unit(factors=(("degree", 1),))


def _pint_unit(unit: Unit) -> Any:
    return registry().Unit(pint.util.UnitsContainer({name: Fraction(power) for name, power in unit.factors}))
