"""Numbers as people write them in cells, as SQL over a text."""

from dataclasses import dataclass
from typing import Final, Literal

from analysis.files.sql import literal
from language.numbers import DIGITS_AT_MOST

Mark = Literal[",", "."]
MARKS: Final[tuple[Mark, ...]] = (".", ",")
CURRENCY: Final = "(?:[€$£¥]|EUR|USD|GBP|MXN|euros?)"
_MEASURE: Final = (
    "min(?:utos?|utes?|s)?|h(?:oras?|rs?|ours?)?|seg(?:undos?)?|km(?:/h)?|kg|mg|cm|mm|m[²2³3]?|ha|ml|l|kwh?|mwh?|[°º][CF]"
    "|[kmg]b|días?|days?|años?|years?|pts?|puntos|points"
)
"""Units that are written behind numbers, the same one in a whole column."""
UNIT: Final = rf"(?i){CURRENCY}|[%‰]|(?:{_MEASURE})$"
_BEFORE: Final = rf"(?i)^([+-]?)\s*{CURRENCY}\s*"
_AFTER: Final = rf"(?i)[\s\x{{A0}}\x{{202F}}]*(?:{CURRENCY}|[%‰]|(?:{_MEASURE}))$"
_NARROW: Final = r"'\x{A0}\x{202F}"
"""What separates thousands besides the other mark. A plain blank does only before decimals: "600 123 456" may be a
phone.
"""
CODE: Final = rf"\+?0[0-9]+|\+[0-9]{{9,}}|[0-9]{{{DIGITS_AT_MOST + 1},}}"
"""Digits that are no amount: leading zeros, phone numbers, long ones."""


def amount(cell: str, *, units: bool) -> str:
    """The text with a plain minus. `units`: without the sign of a currency or of percent."""
    plain = f"replace({cell}, '−', '-')"
    if not units:
        return plain
    return f"regexp_replace(regexp_replace({plain}, {literal(_AFTER)}, ''), {literal(_BEFORE)}, '\\1')"


def _pattern(mark: Mark) -> str:
    other = "." if mark == "," else ","
    grouped = rf"[1-9]\d{{0,2}}(?:[{other}{_NARROW}]\d{{3}})+"
    pattern = rf"[+-]?(?:(?:\d+|{grouped})(?:[{mark}]\d+)?|[1-9]\d{{0,2}}(?: \d{{3}})+[{mark}]\d+"
    if mark == ".":
        pattern += r"|\d+\.|\.\d+|\d+(?:\.\d+)?[eE][+-]?\d{1,2}"
    return pattern + ")"


@dataclass(frozen=True)
class NumberForm:
    """Numbers with this sign before their decimals, over an amount."""

    mark: Mark

    def fits(self, amount: str) -> str:
        return f"regexp_full_match({amount}, {literal(_pattern(self.mark))})"

    def converted(self, amount: str, sql_type: Literal["BIGINT", "DOUBLE"], *, is_checked: bool) -> str:
        """SQL of the number, NULL where the text does not fit. `is_checked`: all fit, so it need not look again."""
        digits = amount
        for sign in ("." if self.mark == "," else ",", " ", "'", "\u00a0", "\u202f"):
            digits = f"replace({digits}, {literal(sign)}, '')"
        number = f"TRY_CAST(replace({digits}, '{self.mark}', '.') AS {sql_type})"
        return number if is_checked else f"CASE WHEN {self.fits(amount)} THEN {number} END"
