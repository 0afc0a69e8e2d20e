"""Numbers as learners write them, read exactly and without evaluating anything."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from .lexicon import number_words
from .normalise import clean, fold
from .spelt import PARTS, with_digits

MAX_TEXT: Final = 500
MAX_EXPONENT: Final = 60
"""Powers of ten beyond this are no quantity of a lesson; unbounded ones would be a denial of service."""

_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_SUPERSCRIPT_RUN = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_DIGITS = r"(?:\d{1,3}(?:[ ']\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*|[.,]\d+)"
_NUMBER = re.compile(
    rf"(?<![\w^])(?<!\^[-+(])(?P<sign>(?<![\d)%] )(?<![\d)%])[+-] ?)?"
    rf"(?:(?P<whole>\d{{1,15}}) (?P<num>\d{{1,9}}) ?/ ?(?P<den>\d{{1,9}})(?![\d/])"
    rf"|(?P<over>{_DIGITS}) ?/ ?(?P<under>{_DIGITS})(?![\d/])"
    rf"|(?P<plain>{_DIGITS})(?:e(?P<exp>[+-]?\d+)"
    r"|(?: ?[x*·×] ?10 ?\^ ?\(?(?P<ten>[+-]?\d+)\)?)|\^\(?(?P<power>[+-]?\d+)\)?)?"
    rf")(?P<percent> ?%| ?(?:por ?ciento|percent)\b)?"
)
_ENUMERATION = re.compile(r"\d+(?:[.,]\d+){2,}")
_TENS: Final = frozenset({30, 40, 50, 60, 70, 80, 90})
"""What "y" joins to units in Spanish: "treinta y dos cuartos" is no mixed number."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number found in a text. `readings` holds both when "1.000" may be one or a thousand."""

    readings: tuple[Fraction, ...]
    start: int
    end: int
    percent: bool = False
    decimals: int = 0
    """Digits after the decimal separator, for answers that are rounded."""


def prepare(text: str) -> str:
    """The text in which numbers and units are looked for: cleaned, powers as "^2", one kind of minus and degree."""
    text = _SUPERSCRIPT_RUN.sub(lambda found: "^" + found[0].translate(_SUPERSCRIPTS), text[: MAX_TEXT * 2])
    text = text.replace("º", "°").replace("ª", "a").replace("⁄", "/")
    text = re.sub(r"(?<=\d)(?=[¼-¾⅐-⅞])", " ", text)
    text = with_digits(_ENUMERATION.sub(_spread, clean(text)))
    return text.replace("−", "-").replace("–", "-").replace("—", "-").replace("⁄", "/").replace("**", "^")


def _spread(match: re.Match[str]) -> str:
    return match[0] if _decimal(match[0]) else re.sub(r"[.,]", "; ", match[0])


def find_numbers(text: str) -> list[Number]:
    """Every number of a prepared text in order; words such as "tres cuartos" count when there are no digits."""
    found = [number for match in _NUMBER.finditer(text.lower()) if (number := _read(match)) is not None]
    return found or _in_words(text)


def _read(match: re.Match[str]) -> Number | None:
    sign = -1 if (match["sign"] or "").startswith("-") else 1
    decimals = 0
    if match["whole"]:
        if not int(match["den"]):
            return None
        readings: tuple[Fraction, ...] = (int(match["whole"]) + Fraction(int(match["num"]), int(match["den"])),)
    elif match["over"]:
        readings = tuple(a / b for a in _decimal(match["over"]) for b in _decimal(match["under"]) if b)
    else:
        exponent = int((match["exp"] or match["ten"] or match["power"] or "0")[:6])
        # Of powers only those of ten are numbers here; anything else would be a sum to work out.
        if abs(exponent) > MAX_EXPONENT or (match["power"] and match["plain"] != "10"):
            return None
        base = (Fraction(1),) if match["power"] else _decimal(match["plain"])
        readings = tuple(value * Fraction(10) ** exponent for value in base)
        decimals = len(re.split(r"[.,]", match["plain"])[-1]) if re.search(r"[.,]", match["plain"]) else 0
    if not readings:
        return None
    percent = bool(match["percent"])
    return Number(tuple(sign * value for value in readings), match.start(), match.end(), percent, decimals)


def _decimal(digits: str) -> tuple[Fraction, ...]:
    """The readings of digits with separators; none when the separators make no number."""
    digits = digits.replace(" ", "").replace("'", "")
    marks = [char for char in digits if char in ".,"]
    if len(digits) > 40:
        return ()
    if not marks:
        return (Fraction(digits),)
    grouped = re.fullmatch(r"[1-9]\d{0,2}(?:([.,])\d{3}(?:\1\d{3})*)", digits)
    if len(set(marks)) == 2:
        last = max(digits.rfind("."), digits.rfind(","))
        if marks.count(digits[last]) > 1:
            return ()
        return (Fraction(re.sub(r"[.,]", "", digits[:last]) + "." + digits[last + 1 :]),)
    thousands = (Fraction(re.sub(r"[.,]", "", digits)),) if grouped else ()
    if len(marks) > 1:
        return thousands
    return (Fraction("0" + digits.replace(",", ".") if digits[0] in ".," else digits.replace(",", ".")), *thousands)


def _in_words(text: str) -> list[Number]:
    folded = fold(text)
    found: list[Number] = []
    singles = ("un", "una", "uno", "one")
    for match in _word_pattern().finditer(folded):
        if match[0] in singles and len(folded.split()) > 2:
            continue  # an article
        found.append(Number((_worded(match[0]),), match.start(), match.end(), percent="por ciento" in folded))
    return found


def _worded(text: str) -> Fraction:
    words = re.split(r"[ -]+", text)
    part = PARTS.get(words[-1].rstrip("s"))
    if part is None:
        return Fraction(_count(words))
    joint = max((at for at, word in enumerate(words) if word in ("y", "and")), default=-1)
    whole, over = _count(words[: max(joint, 0)]), _count(words[joint + 1 : -1])
    if joint < 0 or (words[joint] == "y" and whole in _TENS and over):
        return Fraction(whole + over or 1, part)
    return whole + Fraction(over or 1, part)


def _count(words: list[str]) -> int:
    values = number_words()
    return _sum([values[word] for word in words if word in values])


def _sum(amounts: list[int]) -> int:
    """Nothing is 0."""
    total = 0
    for amount in amounts:
        total = total * amount if amount >= 1000 or (amount == 100 and 0 < total < 10) else total + amount
        total = total or amount
    return total


@lru_cache(maxsize=1)
def _word_pattern() -> re.Pattern[str]:
    words = "|".join(sorted(number_words(), key=len, reverse=True))
    parts = "|".join(sorted(PARTS, key=len, reverse=True))
    joint = "(?: y | and |[ -])"
    return re.compile(rf"\b(?:(?:{words})(?:{joint}(?:{words}))*(?:{joint}(?:an? )?(?:{parts})s?)?|(?:{parts}))\b")
