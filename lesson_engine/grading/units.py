"""Units: from what a learner types to what pint knows, without ever handing pint an expression to evaluate."""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import pint

from language import LANGUAGES
from language.units import MONEY, registry

from .andamio_3.fold import fold
from .andamio_3.stems import stem
from .lexicon import function_words
from .slips import is_word, one_edit_apart
from .unit_names import counted_thing, known_name, misspelt_name, spellings

MAX_UNIT = 60
MAX_POWER = 6

# Pint counts these in moles; in a lesson they are things that are counted.
_COUNTED = frozenset({"particle", "molecule", "count", "atom", "photon"})
_FACTOR = re.compile(r"(?P<op>[*·./ -]*)(?P<name>[^\W\d]+|[%°€$£¥]|)(?:\^?\(?(?P<power>[+-]?\d{1,2})\)?)?")
_BRACKETED = re.compile(r"^[(\[] ?([^\W\d][^()\[\]]*)[)\]]")
_SHOUTED = re.compile(r"^(?:KM|CM|MM|KG)\b(?!.*[a-z])")
_DIVISORS = re.compile(r"/ ?\(([^()/]+)\)")
_WORDS_TO_SIGNS = (
    (re.compile(r"\b(?:por(?: cada)?|per|cada|a la(?= hora)|(?<=s )an?(?= (?:hour|second|minute)))\b", re.I), "/"),
    (re.compile(r"\bsq\.? (m|cm|km|mm|ft)\b", re.I), r"\1^2"),
    (re.compile(r"\bc\.c\.", re.I), "cc"),
    (re.compile(r"^US(?=\$)", re.I), ""),
    (re.compile(r"^(k|m)?N ?m\b"), r"\1N·m"),
    (re.compile(r"\bnewton(?:io)?s?[ -]met(?:ro|er|re)s?\b", re.I), "N·m"),
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
_AT_THE_END: Final = {"a": "ampere", "in": "inch", "ha": "hectare", "mi": "mile", "us": "microsecond"}
"""What is no preposition where nothing follows."""

# As typed without capitals; none of these is another unit that anybody would answer with.
_SMALL_LETTERS = {
    "v": "volt",
    "mv": "millivolt",
    "kv": "kilovolt",
    "ma": "milliampere",
    "w": "watt",
    "kw": "kilowatt",
    "kwh": "kilowatt_hour",
    "n": "newton",
    "kn": "kilonewton",
    "hz": "hertz",
    "khz": "kilohertz",
    "mhz": "megahertz",
    "pa": "pascal",
    "kpa": "kilopascal",
    "j": "joule",
    "kj": "kilojoule",
    "c": "coulomb",
    "f": "farad",
}


@dataclass(frozen=True, slots=True)
class Unit:
    """Factors as pint names them with their powers; or, unknown to pint, the stem of a counted thing."""

    factors: tuple[tuple[str, int], ...] = ()
    word: str = ""
    degrees: bool = False
    """A bare "degrees", which is of temperature or of angle as the other side says."""
    typed: str = field(default="", compare=False)
    """The counted thing as it was written, folded."""


_SCALES: Final = {
    (("coulomb", 1),): (("degree_Celsius", 1),),
    (("farad", 1),): (("degree_Fahrenheit", 1),),
}
"""What "C" and "F" are where a temperature is asked for."""

_MONEY: Final = {
    Unit(factors=((written, 1),)): Unit(factors=((meant, 1),))
    for written, meant in (("dollar", "peso"), ("pound", "pound_sterling"))
}
"""What "$" and "pounds" may be, where that is asked for."""


def names_unit(word: str) -> bool:
    """Whether a whole word, not a symbol, names a unit in any language."""
    return len(word) > 2 and _known_name(word) is not None


def read_unit(text: str, language: str) -> Unit | None:
    """The unit at the start of a text, such as "km/h de media"; None when there is none."""
    return _read(text.strip()[:MAX_UNIT], language)[0]


def read_whole_unit(text: str, language: str) -> Unit | None:
    """The unit that a text is, and nothing else."""
    unit, left = _read(text.strip()[:MAX_UNIT], language)
    return unit if unit and not unit.word and not left.strip(" .") else None


@lru_cache(maxsize=1024)
def _read(text: str, language: str) -> tuple[Unit | None, str]:
    """The unit at the start, and what is left."""
    if last := _AT_THE_END.get(text.rstrip(" .!,;")):
        return Unit(factors=((last, 1),)), ""
    text = _spelt_in_signs(text)
    factors: dict[str, int] = {}
    at, divide = 0, False
    while match := _FACTOR.match(text, at):
        name = _known_name(match["name"] or "")
        if name is None or (factors and not match["op"]) or match.end() == at:
            break
        if name == "grados":
            return (Unit(degrees=True), text[match.end() :]) if not factors else (None, text)
        divide = "/" in match["op"] or divide
        power = int(match["power"] or 1)
        if abs(power) > MAX_POWER:
            break
        factors[name] = factors.get(name, 0) + (-power if divide else power)
        divide, at = False, match.end()
    if factors:
        return Unit(factors=tuple(sorted(factors.items()))), text[at:]
    first = re.match(r"[^\W\d_]+", text)
    word = fold(first[0]).strip() if first else ""
    if not word or word in function_words():
        return None, text
    return Unit(word=stem(counted_thing(word), language), typed=word), text


def _spelt_in_signs(text: str) -> str:
    """Such as "metros por segundo" as "metros / segundo", and "J/(kg K)" as "J/kg/K"."""
    text = _BRACKETED.sub(r"\1", text.replace("**", "^"))
    for pattern, sign in _WORDS_TO_SIGNS:
        text = pattern.sub(sign, text)
    text = text.lower() if _SHOUTED.search(text) else text
    return _DIVISORS.sub(lambda within: "/" + re.sub(r"[*· ]+", "/", within[1].strip()), text)


def _known_name(name: str) -> str | None:
    folded = fold(name).strip()
    if name not in _SMALL_LETTERS and (pint_name := known_name(folded)) and (len(name) > 1 or pint_name in MONEY):
        return pint_name
    if name == "%":
        return "percent"
    if name == "°":
        return "grados"
    if name.startswith("degree_"):
        return name
    if name in _SMALL_LETTERS:
        return _SMALL_LETTERS[name]
    # "5 a 7" and "5 as" are no years and no attoseconds; capitals such as "A" are left to be units.
    function_word = folded in function_words() and (len(name) > 1 or name.islower())
    if not name or folded.removesuffix("s") in _COUNTED or function_word:
        return None
    forms = (name, name.lower(), "k" + name[1:] if name[0] == "K" else "")  # "KM" is a kilometre, "KΩ" a kiloohm
    return next((pint_name for form in forms if form and (pint_name := _pint_name(form))), None) or misspelt_name(
        folded
    )


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


def same_dimension(first: Unit, second: Unit) -> bool:
    """Whether one can be converted into the other."""
    return convert(Fraction(1), first, second) is not None


def is_slip_for(unit: Unit, expected: Unit) -> bool:
    """Whether an unknown unit is the expected one with a slip: "dayz", "peices"."""
    if not unit.word or any(is_word(unit.typed, code) for code in LANGUAGES):
        return False
    if expected.word:
        return len(expected.word) > 3 and one_edit_apart(unit.word, expected.word)
    known = spellings(expected.factors[0][0]) if expected.factors[1:] == () and expected.factors[0][1] == 1 else ()
    return any(len(name) > 3 and one_edit_apart(unit.typed, name) for name in known)


def _settle(unit: Unit, other: Unit) -> Unit:
    """The meaning of "degrees", "C", "$" or "pounds" given the other: temperature or angle, dollars or pesos."""
    temperature = any(name.startswith("degree_") or name == "kelvin" for name, _ in other.factors)
    if temperature and unit.factors in _SCALES:
        return Unit(factors=_SCALES[unit.factors])
    if _MONEY.get(unit) == other:
        return other
    if not unit.degrees:
        return unit
    return other if temperature or other.degrees else Unit(factors=(("degree", 1),))


def _pint_unit(unit: Unit) -> Any:
    return registry().Unit(pint.util.UnitsContainer({name: Fraction(power) for name, power in unit.factors}))
