"""How much a word tells: rare words tell more. Data: wordfreq (CC BY-SA 4.0), the commoner words only."""

import json
from functools import cache, lru_cache
from pathlib import Path

_DATA = Path(__file__).parent.parent / "data"
_RARE, _MOST, _LEAST = 3.0, 7.5, 0.3
"""Zipf frequency taken for words that are not listed; the weight is `_MOST` less the frequency, `_LEAST` at least."""


@lru_cache(maxsize=50_000)
def weight(word: str, language: str) -> float:
    """0.3 for the commonest words of the language to 4.5 for rare ones. `word` is folded."""
    return max(_LEAST, _MOST - _frequencies(language).get(word, _RARE))


@cache
def _frequencies(language: str) -> dict[str, float]:
    loaded = json.loads((_DATA / f"frequency-{language}.json").read_text(encoding="utf-8"))
    return {word: float(zipf) for zipf, words in loaded["words"].items() for word in words.split()}
