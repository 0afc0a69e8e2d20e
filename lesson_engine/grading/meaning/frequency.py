"""The weight of words: rare words weigh more. Data: wordfreq (CC BY-SA 4.0), the commoner words only."""

from functools import cache, lru_cache
from pathlib import Path

from language.word_lists import json_file

_DATA = Path(__file__).parent.parent / "data"
_RARE, _MOST, _LEAST = 3.0, 7.5, 0.3
"""Zipf frequency taken for words that are not listed; the weight is `_MOST` less the frequency, `_LEAST` at least."""


@lru_cache(maxsize=50_000)
def weight(word: str, language: str) -> float:
    """0.3 for the commonest words of the language to 4.5 for rare ones. `word` is folded."""
    return max(_LEAST, _MOST - _frequencies(language).get(word, _RARE))


@cache
def _frequencies(language: str) -> dict[str, float]:
    """By a file of this version, whatever `language.frequency` may list one day."""
    listed = json_file(_DATA / f"frequency-{language}.json")["words"]
    return {word: float(zipf) for zipf, words in listed.items() for word in words.split()}
