"""Words that mean the same in tables: names of columns (`data/concepts.txt`) and stored values (`data/values.txt`)."""

from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from language.fold import fold
from language.stems import stem
from language.word_lists import lines_of

_DATA: Final = Path(__file__).parent / "data"
CONCEPTS: Final = _DATA / "concepts.txt"
VALUES: Final = _DATA / "values.txt"
_PHRASE_WORDS: Final = 3


@cache
def groups_by_phrase(path: Path) -> dict[str, frozenset[int]]:
    """The numbers of the groups of each phrase, by its stems; a line of the file is a group."""
    groups: dict[str, set[int]] = {}
    for number, line in lines_of(path):
        for phrase in line.split(","):
            if key := _key(fold(phrase).split()):
                groups.setdefault(key, set()).add(number)
    return {phrase: frozenset(numbers) for phrase, numbers in groups.items()}


@lru_cache(65_536)
def groups_of(words: tuple[str, ...], path: Path) -> frozenset[int]:
    """The groups that these folded words are in as a whole."""
    return groups_by_phrase(path).get(_key(words), frozenset())


@lru_cache(16_384)
def groups_within(words: tuple[str, ...], path: Path) -> frozenset[int]:
    """The groups of any run of up to three of these words."""
    runs = (
        words[start:end]
        for start in range(len(words))
        for end in range(start + 1, min(start + _PHRASE_WORDS, len(words)) + 1)
    )
    return frozenset().union(*(groups_of(run, path) for run in runs))


def _key(words: tuple[str, ...] | list[str]) -> str:
    return " ".join(map(stem, words))
