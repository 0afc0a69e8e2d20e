"""Words of tasks and results, folded: lower case, without accents, apart from what joins them in names of fields."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

DATA: Final = Path(__file__).parent / "data"
_WORD: Final = re.compile(r"[a-z0-9]+(?:[.,:/][0-9]+)*")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SHARED: Final = 5
_SHARE: Final = 0.75
TEXT_LENGTH: Final = 4_000
"""Characters of one text that are looked at."""


def plain_text(text: str) -> str:
    """The text without halves of characters, which nothing can write or embed."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


@lru_cache(maxsize=8_192)
def folded(text: str) -> str:
    """Lower case, without accents and apostrophes."""
    parts = unicodedata.normalize("NFKD", text[:TEXT_LENGTH].casefold())
    return "".join(one for one in parts if not unicodedata.combining(one) and one not in "'’")


def words_of(text: str) -> list[str]:
    """Folded words and numbers, in order."""
    return _WORD.findall(folded(text))


@lru_cache(maxsize=8_192)
def key_words(name: str) -> tuple[str, ...]:
    """The words that the name of a field is made of: `hotelName`, `hotel_name` and `Hotel name` are the same."""
    return tuple(words_of(_CAMEL.sub(" ", name[:200]).replace("_", " ").replace("-", " ")))


def alike(one: str, other: str) -> bool:
    """Whether two folded words are forms of one: inflected, or the same word in the other language."""
    if one == other:
        return True
    if one.isdigit() or other.isdigit():
        return False
    if _singular(one) == _singular(other):
        return True
    shared = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        shared += 1
    return shared >= _SHARED and shared >= _SHARE * max(len(one), len(other)) - 1


def _singular(word: str) -> str:
    for ending, kept in (("ies", "y"), ("ces", "z"), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + kept
    return word


class Phrases:
    """Phrases that are looked for as whole words, the longest first; one that ends in `*` begins a word."""

    def __init__(self, phrases: Iterable[str]) -> None:
        made = sorted({_pattern(one) for one in phrases if words_of(one)}, key=len, reverse=True)
        self._pattern = re.compile(rf"(?<!\S)(?:{'|'.join(made)})(?!\S)" if made else r"(?!)")

    def find(self, words: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Where they stand among folded words: the first word and the one after the last; none overlap."""
        text = " ".join(words)
        for match in self._pattern.finditer(text):
            begin = text.count(" ", 0, match.start())
            yield begin, begin + match[0].count(" ") + 1


def _pattern(phrase: str) -> str:
    return re.escape(" ".join(words_of(phrase))) + (r"\S*" if phrase.endswith("*") else "")


@cache
def phrases(file: str, name: str) -> Phrases:
    """One list of a file, to look for."""
    return Phrases(word_lists(file)[name])


@cache
def word_lists(file: str) -> dict[str, tuple[str, ...]]:
    """A file of `name: words, phrases` lines, folded. Several lines of one name are one list.

    Raises `ValueError` naming the line that cannot be read.
    """
    found: dict[str, tuple[str, ...]] = {}
    for name, line in lines_of(file):
        found[name] = (*found.get(name, ()), *(folded(one.strip()) for one in line.split(",") if one.strip()))
    return found


def lines_of(file: str) -> Iterator[tuple[str, str]]:
    """Names and what stands beside them, line by line."""
    for number, line in enumerate((DATA / file).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, rest = line.partition(":")
        if not colon or not name.strip() or not rest.strip():
            raise ValueError(f"{file}, line {number}: cannot be read: {line}")
        yield name.strip(), rest.strip()


@cache
def word_set(file: str, name: str) -> frozenset[str]:
    """One list of a file as a set."""
    return frozenset(word_lists(file)[name])
