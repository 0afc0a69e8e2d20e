"""Numbers as learners write them, read exactly and without evaluating anything.

What may be read in two ways has both readings, and is right when one of them is: "1.000" and "1,000" are one and a
thousand, since decimal signs follow the country and the school rather than the lesson's language.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from language import LANGUAGES
from language.number_words import cardinals, parts, worded
from language.numbers import number_readings

from .andamio_3.fold import clean
from .mathtext import plain_signs, raise_powers
from .mixed_numbers import with_digits
from .slips import is_word, one_edit_apart

MAX_TEXT: Final = 500
MAX_EXPONENT: Final = 60
"""Powers of ten beyond this are no quantity of a lesson; unbounded ones would be a denial of service."""
LEAST_RUN: Final = 3
"""Equal last digits before "..." from which they go on for ever."""

_DIGITS = r"(?:\d{1,3}(?:[ ']\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*|[.,]\d+)"
# A dash with a blank after it is a sign only where no words stand before: "the answer - 5" is 5.
_SIGN = r"(?P<sign>(?<![\d)%] )(?<![\d)%])[+-]|(?:(?<=^)|(?<=[=:(<>≈~;])|(?<=[=:(<>≈~;] )|(?<=\bis )|(?<=\bes ))[+-] )?"
_NUMBER = re.compile(
    rf"(?<![\w^√π])(?<![√π]\()(?<!\^[-+(]){_SIGN}"
    rf"(?:(?P<whole>\d{{1,15}}) (?P<num>\d{{1,9}}) ?/ ?(?P<den>\d{{1,9}})(?![\d/])"
    rf"|(?P<over>{_DIGITS}) ?/ ?(?P<under>-?{_DIGITS})(?![\d/])"
    rf"|(?P<plain>{_DIGITS}(?:[.,](?=\(\d))?)(?P<recurring>\(\d{{1,6}}\)|\.{{3}})?(?:e(?P<exp>[+-]?\d+)"
    r"|(?:(?: ?[x*·×] ?| )10\^\(?(?P<ten>[+-]?\d+)\)?)|\^\(?(?P<power>[+-]?\d+)\)?)?"
    r")(?P<percent> ?%)?(?! ?[√π]| ?\bpi\b|i\b)"
)
_TIMES = re.compile(r"(?<=\d)x(?=\d)", re.IGNORECASE)
_ENUMERATION = re.compile(r"\d+(?:[.,]\d+){2,}")


@dataclass(frozen=True, slots=True)
class Number:
    """A number found in a text. `readings` holds both when "1.000" may be one or a thousand."""

    readings: tuple[Fraction, ...]
    start: int
    end: int
    percent: bool = False
    decimals: int = 0
    """Digits after the decimal separator, for answers that are rounded."""

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """The readings, those of a percentage as parts of one."""
        return tuple(reading / 100 for reading in self.readings) if self.percent else self.readings


def prepare(text: str) -> str:
    """The text in which numbers and units are looked for: cleaned, powers as "^2", one kind of minus and degree."""
    text = raise_powers(text[: MAX_TEXT * 2]).replace("º", "°").replace("ª", "a")
    return with_digits(_TIMES.sub(" × ", _ENUMERATION.sub(_spread, plain_signs(clean(text)))))


def _spread(match: re.Match[str]) -> str:
    return match[0] if number_readings(match[0]) else re.sub(r"[.,]", "; ", match[0])


def find_numbers(text: str) -> list[Number]:
    """Every number of a prepared text in order; words such as "tres cuartos" count when there are no digits."""
    numbers = [number for match in _NUMBER.finditer(text.lower()) if (number := _read(match)) is not None]
    if numbers or any(char.isdigit() for char in text):
        return numbers
    return [
        Number((number.value,), number.start, number.end, number.percent) for number in worded(text, respell=_respelt)
    ]


def _read(match: re.Match[str]) -> Number | None:
    sign = -1 if (match["sign"] or "").startswith("-") else 1
    decimals = 0
    if match["whole"]:
        if not int(match["den"]):
            return None
        readings: tuple[Fraction, ...] = (int(match["whole"]) + Fraction(int(match["num"]), int(match["den"])),)
    elif match["over"]:
        below = [
            value * (-1 if match["under"][0] == "-" else 1) for value in number_readings(match["under"].lstrip("-"))
        ]
        readings = tuple(a / b for a in number_readings(match["over"]) for b in below if b)
    else:
        exponent = int((match["exp"] or match["ten"] or match["power"] or "0")[:6])
        # Of powers only those of ten are numbers here; anything else would be a sum to work out.
        if abs(exponent) > MAX_EXPONENT or (match["power"] and match["plain"] != "10"):
            return None
        base = (Fraction(1),) if match["power"] else (*_recurring(match), *number_readings(match["plain"]))
        readings = tuple(value * Fraction(10) ** exponent for value in base)
        decimals = len(re.split(r"[.,]", match["plain"])[-1]) if re.search(r"[.,]", match["plain"]) else 0
    if not readings:
        return None
    percent = bool(match["percent"])
    return Number(tuple(sign * value for value in readings), match.start(), match.end(), percent, decimals)


def _recurring(match: re.Match[str]) -> tuple[Fraction, ...]:
    """The value of "0.1(6)" and of "0.333..."; none when nothing goes on for ever."""
    whole, _, digits = match["plain"].replace(",", ".").rpartition(".")
    if not match["recurring"] or not whole.isdigit():
        return ()
    block = match["recurring"].strip("().")
    if not block:
        run = re.search(r"(\d{1,3}?)\1+$", digits)
        if run is None or len(run[0]) < LEAST_RUN:
            return ()
        block, digits = run[1], digits[: run.start()]
    start = Fraction(int(whole + digits), 10 ** len(digits))
    return (start + Fraction(int(block), 10 ** len(digits) * (10 ** len(block) - 1)),)


@lru_cache(maxsize=8192)
def token_values(token: str) -> tuple[Fraction, ...]:
    """The readings of a token that is a number throughout, such as "1/2" and "-0.5"; none of any other."""
    match = _NUMBER.fullmatch(token)
    number = _read(match) if match else None
    return number.readings if number else ()


@lru_cache(maxsize=4096)
def _respelt(word: str) -> str:
    """The one number word that this is a slip for, else the word itself."""
    is_number = word in cardinals() or word.rstrip("s") in parts()
    if is_number or len(word) < 4 or any(is_word(word, code) for code in LANGUAGES):
        return word
    near = [number for number in cardinals() if len(number) >= 5 and one_edit_apart(word, number)]
    return near[0] if len({cardinals()[number] for number in near}) == 1 else word
