"""Numbers that are half in digits and half in words, such as "3 out of 4", "2.5 million" and "2 and a half"."""

import re

from language.number_words import cardinals, part_of, powers_of_ten

from .andamio_3.fold import fold
from .units import names_unit

_OVER = re.compile(r"(?<![\w/.,])(\d{1,9}) (?:out of(?: every)?|over|sobre|de cada) (\d{1,9})(?![\w/]|[.,]\d)", re.I)
_COUNTED_PARTS = re.compile(r"(?<![\w/.,])(\d{1,9})[ -]([^\W\d_]{4,12})\b")
_WHOLES = re.compile(r"(?<=\w) (?:wholes?|enteros?)(?= (?:and|y) )", re.I)
_MIXED = re.compile(
    r"(?<![\w/.,])(\d{1,15}|[^\W\d_]{2,9}) (?:and|y|&|\+) (\d{1,9}) ?/ ?(\d{1,9})(?![\d/]|[.,]\d)", re.I
)
_AND_PARTS = re.compile(r"(?<![\w/.,])(\d{1,15}) (?:and|y) (?:(an?|[^\W\d_]{2,7}) )?([^\W\d_]{4,10})\b", re.I)

_PERCENT = re.compile(r" ?\b(?:por ?cien(?:to)?|per ?cents?|pct)\b", re.I)
_SCALED = re.compile(
    r"(?<![\w.,/^])(\d[\d.,']*) (" + "|".join(sorted(powers_of_ten(), key=len, reverse=True)) + r"|mill[oó]n)\b", re.I
)
_TO_THE_POWER = re.compile(
    r" ?(?:x|\*|×|·|por|times) ?(?:10|diez|ten)"
    r" (?:to the(?: power(?: of)?)?|elevado a(?: la)?(?: potencia(?: de)?)?)"
    r" (-|minus |menos )?(\d{1,3})(?:st|nd|rd|th)?\b",
    re.I,
)
_BELOW_ZERO = re.compile(
    r"(?<![\w.,-])(\d[\d.,]*(?: ?[^\W\d_]+| ?°)?(?: ?[^\W\d_]+)?)"
    r" (?:bajo cero|below (?:zero|0|freezing))",
    re.I,
)
_BELOW_ZERO_IN_WORDS = re.compile(r" (?:bajo cero|below (?:zero|freezing))\b", re.I)
_WORD = re.compile(r"[^\W\d_]+")
_NEGATIVE = re.compile(
    r"(^|[=:(<>≈~;,]|\b(?:is|are|es|son|equals|vale|valen|da|dan|gives|answer|respuesta|de|of|at|a)\b)"
    r"( ?)(?:minus|menos|negative|negativ[oa]) (?=[\d.,]*\d|([^\W\d_]+))",
    re.I,
)
_HALF_UNIT = re.compile(
    r"(?<![\w/.,])(?:(\d{1,9}|[^\W\d_]{1,9}) )?([^\W\d_]{3,15}) (?:y|and) (?:(an?|tres|three|un) )?"
    r"(medi[oa]|cuartos?|half|quarters?)\b",
    re.I,
)


def with_digits(text: str) -> str:
    """Writes "3 out of 4" and "3 quarters" as "3/4" and "1 and two fifths" as "1 2/5"."""
    text = _below_zero(_PERCENT.sub("%", text))
    text = _TO_THE_POWER.sub(_to_the_power, text)
    text = _NEGATIVE.sub(_negative, text)
    text = _OVER.sub(r"\1/\2", _WHOLES.sub("", text))
    text = _COUNTED_PARTS.sub(_counted, text)
    text = _MIXED.sub(_joined, _AND_PARTS.sub(_with_parts, text))
    return _SCALED.sub(_scaled, _HALF_UNIT.sub(_half_unit, text))


def _below_zero(text: str) -> str:
    if any(char.isdigit() for char in text):
        return _BELOW_ZERO.sub(r"-\1", text)
    left = _BELOW_ZERO_IN_WORDS.sub("", text)
    first = next((word for word in _WORD.finditer(left) if fold(word[0]) in cardinals()), None)
    return f"{left[: first.start()]}-{left[first.start() :]}" if first and left != text else text


def _to_the_power(match: re.Match[str]) -> str:
    return f"·10^{'-' if match[1] else ''}{match[2]}"


def _scaled(match: re.Match[str]) -> str:
    return f"{match[1]}·10^{powers_of_ten()[fold(match[2])]}"


def _negative(match: re.Match[str]) -> str:
    """Only before a number: "menos de 5" is a bound, and "negative numbers" are none."""
    word = fold(match[3] or "a")
    counts = word in cardinals() or word in ("a", "an") or part_of(word) is not None
    return f"{match[1]}{match[2]}-" if counts else match[0]


def _counted(match: re.Match[str]) -> str:
    """Only "3 quarters" is a fraction; "6 quarter litres" are six things."""
    part = part_of(match[2]) if match[1] == "1" or match[2].lower().endswith("s") else None
    return f"{match[1]}/{part}" if part else match[0]


def _joined(match: re.Match[str]) -> str:
    """A whole number and a proper fraction; "2 and 7/5" are two numbers."""
    whole = match[1] if match[1].isdigit() else cardinals().get(fold(match[1]))
    return f"{whole} {match[2]}/{match[3]}" if whole and int(match[2]) < int(match[3]) else match[0]


def _with_parts(match: re.Match[str]) -> str:
    """Such as "1 and two fifths" and "2 y medio" with digits throughout."""
    count, part = (match[2] or "a").lower(), part_of(match[3])
    over = 1 if count in ("a", "an") else cardinals().get(fold(count))
    return f"{match[1]} {over}/{part}" if over and part and over < part else match[0]


def _half_unit(match: re.Match[str]) -> str:
    """Such as "2 horas y media" and "an hour and a half" with the fraction before the unit."""
    count, unit, parts, part = match.groups()
    whole = 1 if count is None or fold(count) in ("a", "an") else cardinals().get(fold(count))
    whole = int(count) if count and count.isdigit() else whole
    over = 3 if parts and parts.lower() in ("tres", "three") else 1
    if not whole or not names_unit(unit):
        return match[0]
    return f"{whole} {over}/{part_of(part)} {unit}"
