"""Words of tasks and results, folded: lower case, without accents, apart from what joins them in names of fields."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from language.fold import fold
from language.names import NAME_AT_MOST, split_camel
from language.stems import singulars
from language.word_lists import named_lists, word_set

DATA: Final = Path(__file__).parent / "data"
WORDS: Final = DATA / "words.txt"
TEXTS: Final = DATA / "texts.txt"
_WORD: Final = re.compile(r"[a-z0-9]+(?:[.,:/][0-9]+)*")
_APOSTROPHES: Final = str.maketrans("", "", "'’")
_CLAUSE: Final = re.compile(r"[;!?¡¿()\n]+|[.,]+(?=\s|$)|:+(?!\d)")
_REACH: Final = 3
_SHARED: Final = 5
_SHARE: Final = 0.75
TEXT_LENGTH: Final = 4_000
"""Characters of one text that are looked at."""


def encodable(text: str) -> str:
    """The text without halves of characters, which nothing can write or embed."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


@lru_cache(maxsize=8_192)
def plain_text(text: str) -> str:
    """Lower case, without accents and apostrophes."""
    return fold(text[:TEXT_LENGTH], compatible=True).translate(_APOSTROPHES)


def words_and_numbers(text: str) -> list[str]:
    """Folded words and numbers, in order; a figure such as 3.5, 18:30 or 1,200 is one."""
    return _WORD.findall(plain_text(text))


@lru_cache(maxsize=8_192)
def key_words(name: str) -> tuple[str, ...]:
    """The words that the name of a field is made of: `hotelName`, `hotel_name` and `Hotel name` are the same."""
    return tuple(words_and_numbers(split_camel(name[:NAME_AT_MOST]).replace("_", " ").replace("-", " ")))


class Word(NamedTuple):
    """A folded word of a text. `negated`: the text denies it."""

    word: str
    negated: bool


def meaning_words(text: str, skipped: frozenset[str]) -> list[Word]:
    """Words but for the skipped ones, negated by one up to three words before in the clause, or by "free" behind."""
    words: list[Word] = []
    for clause in _CLAUSE.split(plain_text(text)):
        left = 0
        for word in words_and_numbers(clause):
            if word in word_set(WORDS, "negation"):
                left = _REACH
            elif word == "free" and words and words[-1].word in word_set(WORDS, "free_of"):
                words[-1] = Word(words[-1].word, not words[-1].negated)
            elif word not in skipped:
                words.append(Word(word, left > 0))
                left -= 1
    return words


@lru_cache(maxsize=8_192)
def _singulars(word: str) -> frozenset[str]:
    """What the word may be the plural of in either language, itself among it; nothing shorter than three letters."""
    return frozenset(
        {word, *(form for language in ("en", "es") for form in singulars(word, language) if len(form) > 2)}
    )


def alike(word: str, other: str) -> bool:
    """Whether two folded words are forms of one: inflected, or the same word in the other language."""
    if word.isdigit() or other.isdigit():
        return word == other
    if not _singulars(word).isdisjoint(_singulars(other)):
        return True
    shared = 0
    for letter, other_letter in zip(word, other, strict=False):
        if letter != other_letter:
            break
        shared += 1
    return shared >= _SHARED and shared >= _SHARE * max(len(word), len(other)) - 1


class Phrases:
    """Phrases that are looked for as whole words, the longest first; one that ends in `*` begins a word."""

    def __init__(self, phrases: Iterable[str]) -> None:
        patterns = sorted({_pattern(phrase) for phrase in phrases if words_and_numbers(phrase)}, key=len, reverse=True)
        self._pattern = re.compile(rf"(?<!\S)(?:{'|'.join(patterns)})(?!\S)" if patterns else r"(?!)")

    def find(self, words: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Their places among folded words: the first word and the one after the last; none overlap."""
        text = " ".join(words)
        for match in self._pattern.finditer(text):
            begin = text.count(" ", 0, match.start())
            yield begin, begin + match[0].count(" ") + 1

    def are_in(self, words: Sequence[str]) -> bool:
        return self._pattern.search(" ".join(words)) is not None


def _pattern(phrase: str) -> str:
    return re.escape(" ".join(words_and_numbers(phrase))) + (r"\S*" if phrase.endswith("*") else "")


@cache
def phrases(path: Path, name: str) -> Phrases:
    return Phrases(named_lists(path)[name])
