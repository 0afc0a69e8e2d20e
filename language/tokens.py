"""Texts cut into words and sentences."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from language.fold import fold, fold_in_place

_WORD: Final = re.compile(r"[^\W_]+")
_TOKEN: Final = re.compile(r"[^\W_]+(?:['’&.:][^\W_]+)*")


class Token(NamedTuple):
    """A folded word and its place in the text."""

    word: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """The words of a text with their places. "don't", "R&D" and "18:30" are one word each."""
    return [Token(match[0], match.start(), match.end()) for match in _TOKEN.finditer(fold_in_place(text))]


def words_of(text: str) -> list[str]:
    """The folded words and numbers of a text: runs of letters and digits."""
    return _WORD.findall(fold(text))


def any_of(phrases: Iterable[str]) -> str:
    """The source of a pattern for any of the phrases, folded, the longest first; of none, one that matches nothing."""
    folded = sorted({fold(phrase) for phrase in phrases}, key=lambda phrase: (-len(phrase), phrase))
    return "|".join(map(re.escape, folded)) or r"(?!)"
