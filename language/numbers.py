"""Numbers in digits, with whatever separators people write."""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Final

from language import Language

DIGITS_AT_MOST: Final = 18
"""Longer numbers are codes, not amounts."""
_LONGEST: Final = 40
_FORM: Final = re.compile(r"[0-9]*(?:[.,][0-9]+)*(?:[eE][+-]?[0-9]{1,2})?")
_GROUPED: Final = {sign: re.compile(rf"[0-9]{{1,3}}(?:\{sign}[0-9]{{3}})+") for sign in ".,' "}
_GROUPED_BY_EITHER: Final = re.compile(r"[1-9]\d{0,2}(?:([.,])\d{3}(?:\1\d{3})*)")


def number_read(text: str, language: Language | str, *, money: bool = False) -> Decimal | None:
    """The number that digits with separators are; None where the text is no number.

    One separator before exactly three digits is of thousands in money, and elsewhere what the language has it for:
    "1.200" is 1200 in Spanish and 1.2 in English.
    """
    text = text.replace("'", "").replace(" ", "")
    if not _FORM.fullmatch(text) or not 0 < sum(map(str.isdigit, text)) <= DIGITS_AT_MOST:
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


def number_readings(digits: str) -> tuple[Fraction, ...]:
    """Everything that digits with separators may be: "1.000" is one and a thousand. Empty where they are no number."""
    digits = digits.replace(" ", "").replace("'", "")
    marks = [char for char in digits if char in ".,"]
    if len(digits) > _LONGEST:
        return ()
    if not marks:
        return (Fraction(digits),)
    grouped = _GROUPED_BY_EITHER.fullmatch(digits)
    if len(set(marks)) == 2:
        last = max(digits.rfind("."), digits.rfind(","))
        if marks.count(digits[last]) > 1:
            return ()
        return (Fraction(re.sub(r"[.,]", "", digits[:last]) + "." + digits[last + 1 :]),)
    thousands = (Fraction(re.sub(r"[.,]", "", digits)),) if grouped else ()
    if len(marks) > 1:
        return thousands
    return (Fraction("0" + digits.replace(",", ".") if digits[0] in ".," else digits.replace(",", ".")), *thousands)


def plain_number(number: Decimal) -> int | float:
    """As Python has it: a whole number is an int."""
    return int(number) if number == number.to_integral_value() else float(number)


def number_text(value: float) -> str:
    """7, 7.5: without a needless decimal part, with six digits at most."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.6g}"
