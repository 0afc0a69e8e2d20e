"""Text cleaned and folded. Every step bounds its work."""

import re
import unicodedata
from typing import Final

from language import fold as plain

MAX_CHARS = 4_000
"""What is read of a reply; the rest is ignored, so that a long paste costs no more than a long answer."""

_VULGAR = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")
_POWER = re.compile(r"(?<=\d)(?<![A-Za-z]\d)[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_NOT = re.compile(r"n't\b")
_IS = re.compile(r"\b(it|that|there|here|what|he|she)'s\b")
_POSSESSIVE = re.compile(r"'s?\b")
_BREAK = re.compile(r"\s*\n\s*")
_BLANK = re.compile(r"[^\S\n]+")


def clean(text: str) -> str:
    """NFKC without control, zero-width and private characters; line breaks stay, other white space is one blank.

    Powers of digits are written "10^3".
    """
    # Before NFKC makes "112" of "1½" and "103" of "10³".
    text = _POWER.sub(lambda power: "^" + power[0], _VULGAR.sub(" ", text[:MAX_CHARS]))
    visible = plain.compose(text, compatible=True)[:MAX_CHARS].translate(_VISIBLE)
    return _BREAK.sub("\n", _BLANK.sub(" ", visible)).strip()


def _visible(char: str) -> str:
    if char in "\n\t\r\v\f\x85\u2028\u2029":
        return "\t" if char == "\t" else "\n"
    category = unicodedata.category(char)
    # Cf holds the zero-width, bidi and tag characters; a space for Cc keeps "a\x00b" two words.
    if category == "Cf":
        return ""
    return " " if category in ("Cc", "Cs", "Co", "Cn") else char


_VISIBLE: Final = plain.CharacterTable(_visible)


def fold(text: str) -> str:
    """Cleaned, case folded, without accents (also n for ñ), with contractions of "not" spelt out."""
    bare = _IS.sub(r"\1 is", plain.fold(clean(text).replace("\u2019", "'")))
    return _POSSESSIVE.sub(" ", _NOT.sub(" not", bare.replace("can't", "can not").replace("cannot", "can not")))
