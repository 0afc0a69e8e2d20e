"""Numbers as people write them, in digits and in words."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from .lexicon import Lexicon
from .tokens import Token

_GROUPED: Final = {sign: re.compile(rf"[0-9]{{1,3}}(?:\{sign}[0-9]{{3}})+") for sign in ".,' "}
DIGITS_AT_MOST: Final = 18
"""Longer numbers are codes, not amounts."""


def number_of(text: str, language: str, *, money: bool = False) -> Decimal | None:
    """The number that digits with separators are; None where the separators make no sense.

    One separator before exactly three digits is of thousands in money, and elsewhere what the language has it for:
    "1.200" is 1200 in Spanish and 1.2 in English.
    """
    text = text.replace("'", "").replace(" ", "")
    if not 0 < sum(map(str.isdigit, text)) <= DIGITS_AT_MOST:
        return None
    if "e" in text.lower():
        return Decimal(text) if "," not in text and text.count(".") < 2 else None
    signs = [char for char in text if char in ".,"]
    if not signs:
        return Decimal(text)
    last = signs[-1]
    if len(set(signs)) == 2:
        whole, _, rest = text.rpartition(last)
        other = "," if last == "." else "."
        return Decimal(f"{whole.replace(other, '')}.{rest}") if _GROUPED[other].fullmatch(whole) else None
    if len(signs) > 1:
        return Decimal(text.replace(last, "")) if _GROUPED[last].fullmatch(text) else None
    whole, _, rest = text.partition(last)
    thousands = "," if language == "en" else "."
    if len(rest) == 3 and 0 < len(whole) <= 3 and whole != "0" and (money or last == thousands):
        return Decimal(whole + rest)
    return Decimal(f"{whole or '0'}.{rest}")


def plain(number: Decimal) -> int | float:
    """As Python has it: a whole number is an int."""
    return int(number) if number == number.to_integral_value() else float(number)


def worded(tokens: Sequence[Token], at: int, words: Lexicon) -> tuple[int, Decimal]:
    """How many tokens a number in words takes ("twenty-five", "treinta y cinco"), and the number; 0 where none is."""
    token = tokens[at]
    if token.kind != "word":
        return 0, Decimal(0)
    tens, _, ones = token.text.partition("-")
    if ones and (parts := [words.value("number", part) for part in (tens, ones)]) and all(parts):
        first, second = (Decimal(part or 0) for part in parts)
        return (1, first + second) if first >= 20 > second * 2 > 0 else (0, first)
    value = token.senses.get("number")
    if value is None:
        return 0, Decimal(0)
    number, used = Decimal(value), 1
    follows = tokens[at + 1 : at + 3]
    if 20 <= number < 100 and number % 10 == 0 and follows:
        joined = 1 if words.language == "es" and follows[0].text == "y" else 0
        digit = follows[joined].senses.get("number") if len(follows) > joined else None
        if digit and 0 < Decimal(digit) < 10 and (joined or words.language == "en"):
            return 2 + joined, number + Decimal(digit)
    return used, number
