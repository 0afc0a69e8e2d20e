"""Text to comparable forms: cleaned, folded, cut into words and stems. Every step bounds its work."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from .lexicon import Lexicon, lexicon
from .shorthand import written_out
from .stems import stem

MAX_CHARS = 4_000
"""What is read of a reply; the rest is ignored, so that a long paste costs no more than a long answer."""
MAX_WORDS = 400
_REMEMBERED: Final = 5_000
"""Characters whose treatment is kept; more than any language of a lesson writes with."""

_NUMERAL = (
    r"(?<![^\W_])(?:(?<![^\s(=:;,])-)?"  # a minus after a blank is a sign, between digits it is none
    r"(?:(?<!\d/)\d+/\d+(?![\d/])"
    r"|(?<!\d[.,])[.,]?\d+(?:[.,]\d+)?(?![.,]?\d|/\d)(?:\^[+-]?\d+|e[+-]\d+)?(?:[^\W\d_][^\W_]*)?)"
)
_TOKEN = re.compile(rf"(?P<numeral>{_NUMERAL})|(?P<word>[^\W_]+)|(?<=\d)[.,](?=\d)|(?P<bar>[.,;:!?\n()])")
_VULGAR = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")
_POWER = re.compile(r"(?<=\d)(?<![A-Za-z]\d)[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_SLASH = re.compile(r"(?<=\d) ?[/⁄] ?(?=\d)")
_MINUS = re.compile(r"[−–](?=[\d.,])")
_NOT = re.compile(r"n't\b")
_IS = re.compile(r"\b(it|that|there|here|what|he|she)'s\b")
_POSSESSIVE = re.compile(r"'s?\b")


def clean(text: str) -> str:
    """NFKC without control, zero-width and private characters; line breaks stay, other white space is one blank.

    Powers of digits are written "10^3".
    """
    # Before NFKC makes "112" of "1½" and "103" of "10³".
    text = _POWER.sub(lambda power: "^" + power[0], _VULGAR.sub(" ", text[:MAX_CHARS]))
    text = unicodedata.normalize("NFKC", text)[:MAX_CHARS]
    kept = text.translate(_VISIBLE)
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", kept)).strip()


class _ByCharacter(dict[int, str]):
    """A table for `str.translate` that is filled as characters turn up."""

    def __init__(self, shown: Callable[[str], str]) -> None:
        self._shown = shown

    def __missing__(self, code: int) -> str:
        shown = self._shown(chr(code))
        if len(self) < _REMEMBERED:
            self[code] = shown
        return shown


def _visible(char: str) -> str:
    if char in "\n\t\r\v\f\x85\u2028\u2029":
        return "\t" if char == "\t" else "\n"
    category = unicodedata.category(char)
    # Cf holds the zero-width, bidi and tag characters; a space for Cc keeps "a\x00b" two words.
    if category == "Cf":
        return ""
    return " " if category in ("Cc", "Cs", "Co", "Cn") else char


_VISIBLE: Final = _ByCharacter(_visible)
_BARE: Final = _ByCharacter(lambda char: "" if unicodedata.category(char) == "Mn" else char)


def fold(text: str) -> str:
    """Cleaned, case folded, without accents (also n for ñ), with contractions of "not" spelt out."""
    decomposed = unicodedata.normalize("NFD", clean(text).casefold().replace("\u2019", "'"))
    bare = decomposed.translate(_BARE)
    bare = _IS.sub(r"\1 is", bare)
    return _POSSESSIVE.sub(" ", _NOT.sub(" not", bare.replace("can't", "can not").replace("cannot", "can not")))


def fold_in_place(text: str) -> str:
    """Lower case without accents, every letter in its place; not as thorough as `fold`."""
    return "".join(unicodedata.normalize("NFD", char)[0].lower()[0] for char in text)


def tokens(text: str) -> tuple[str, ...]:
    """Folded words and numerals, and a bar where a clause ends. "0,5" is "0.5", "1 / 2" is "1/2", "-3" is not "3"."""
    found = islice(_TOKEN.finditer(_MINUS.sub("-", _SLASH.sub("/", fold(text)))), MAX_WORDS * 2)
    return tuple(_token(match) for match in found if match.lastgroup)


def _token(match: re.Match[str]) -> str:
    if match.lastgroup == "numeral":
        return match[0].replace(",", ".")
    return match[0] if match.lastgroup == "word" else "|"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text in the forms that the rules compare."""

    text: str
    tokens: tuple[str, ...]
    words: tuple[str, ...]
    content: tuple[str, ...]
    """Words without function words, in order; all words when there is nothing else."""
    stems: tuple[str, ...]
    """The stem of each word of `content`."""
    key: str
    """Equal for two texts that say the same but for case, accents, articles, lead-ins and punctuation."""


def read(text: str, language: str) -> Phrase:
    """All forms of a learner's text."""
    words_of = lexicon(language)
    shown = written_out(clean(text), language)
    parts = tokens(shown)
    words = tuple(part for part in parts if part != "|")[:MAX_WORDS]
    content = tuple(word for word in words if word not in words_of.stopwords) or words
    return Phrase(
        text=shown,
        tokens=parts,
        words=words,
        content=content,
        stems=tuple(stem(word, language) for word in content),
        key=_key(words, words_of),
    )


@lru_cache(maxsize=4096)
def read_authored(text: str, language: str) -> Phrase:
    """`read` for the lesson's own texts, which come back with every answer."""
    return read(text, language)


def _key(words: tuple[str, ...], words_of: Lexicon) -> str:
    stripped = _without_lead_in(words, words_of)
    # An article at the very end is a name: "vitamin A".
    kept = [word for at, word in enumerate(stripped) if word not in words_of.articles or at == len(stripped) - 1]
    return " ".join(kept)


def _without_lead_in(words: tuple[str, ...], words_of: Lexicon) -> tuple[str, ...]:
    for _ in range(3):
        lead = next((lead for lead in words_of.lead_ins if words[: len(lead)] == lead), None)
        if lead is None or len(lead) == len(words):
            return words
        words = words[len(lead) :]
    return words
