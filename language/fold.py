"""Texts in forms that compare: without accents and capitals, with plain quotes and dashes, without what is unseen."""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final

_REMEMBERED: Final = 5_000
"""Characters whose treatment is kept: more than any language here writes with."""
_QUOTES: Final = str.maketrans(dict.fromkeys("‘’‚‛´`", "'") | dict.fromkeys("“”„‟«»", '"'))
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑–—−", "-"))
_LINE_ENDS: Final = frozenset("\n\r\v\f\x85\u2028\u2029")
_BLANKS: Final = re.compile(r"[^\S\n]+")
_LINES: Final = re.compile(r"\s*\n\s*")


class CharacterTable(dict[int, str]):
    """A table for `str.translate` that is filled as characters turn up."""

    def __init__(self, replacement: Callable[[str], str]) -> None:
        self._replacement = replacement

    def __missing__(self, code: int) -> str:
        replacement = self._replacement(chr(code))
        if len(self) < _REMEMBERED:
            self[code] = replacement
        return replacement


def _visible(character: str) -> str:
    if character in _LINE_ENDS:
        return "\n"
    category = unicodedata.category(character)
    if category == "Cf":  # zero-width, bidi and tag characters
        return ""
    return " " if category[0] in "CZ" else character


_WITHOUT_MARKS: Final = CharacterTable(lambda character: "" if unicodedata.category(character) == "Mn" else character)
_VISIBLE: Final = CharacterTable(_visible)
_WITHOUT_CONTROLS: Final = CharacterTable(
    lambda character: "" if unicodedata.category(character)[0] == "C" and not character.isspace() else character
)


def fold(text: str, *, compatible: bool = False) -> str:
    """Lower case without accents; `ñ` becomes `n`, `ß` becomes `ss`.

    `compatible`: ligatures, fractions and superscripts as plain characters too: `ﬁ` is `fi`, `½` is `1⁄2`.
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD" if compatible else "NFD", text)
    return decomposed.casefold().translate(_WITHOUT_MARKS)


def fold_in_place(text: str) -> str:
    """Lower case without accents, character for character: a place in it is the same place in `text`."""
    return text.lower() if text.isascii() else "".join(map(_folded, text))


@lru_cache(maxsize=4_096)
def _folded(character: str) -> str:
    return unicodedata.normalize("NFD", character)[0].lower()[0]


def without_accents(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFD", text).translate(_WITHOUT_MARKS)


def compose(text: str, *, compatible: bool = False) -> str:
    """The text with composed letters (NFC). `compatible`: ligatures and the like as plain characters too (NFKC)."""
    return unicodedata.normalize("NFKC" if compatible else "NFC", text)


def plain_signs(text: str, *, quotes: bool = True, dashes: bool = True) -> str:
    """The text with straight quotes and plain hyphens, character for character."""
    if text.isascii() and "`" not in text:
        return text
    text = text.translate(_QUOTES) if quotes else text
    return text.translate(_DASHES) if dashes else text


def without_controls(text: str) -> str:
    """The text without invisible characters, white space aside: a word that they split is one word again."""
    return text.translate(_WITHOUT_CONTROLS)


def visible(text: str, *, keep_lines: bool = False) -> str:
    """The text composed (NFC), without control and zero-width characters, with single blanks.

    `keep_lines`: line breaks stay; else they are blanks.
    """
    shown = compose(text).translate(_VISIBLE)
    if keep_lines:
        return _LINES.sub("\n", _BLANKS.sub(" ", shown)).strip()
    return " ".join(shown.split())
