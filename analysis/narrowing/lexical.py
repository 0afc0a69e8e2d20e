"""The signal of words: four letters in a row by their rarity in the catalog, and stems by that in the language."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from math import log
from typing import Final

import numpy as np
import numpy.typing as npt

from language.frequency import frequencies
from language.stems import stem
from language.tokens import words_of

Array = npt.NDArray[np.float32]
_GRAM: Final = 4
_COMMONEST, _UNLISTED = 7.5, 3.0
"""Zipf frequencies: of the commonest word, and the one that words have which are in no list."""
_WORD_CHARACTERS: Final = 40


class Lexical:
    """The texts of tools by their features. `grams` are cosines; `overlap` is the rarity of common stems."""

    def __init__(self, texts: Sequence[str]) -> None:
        counted = [grams_of(text) for text in texts]
        have = Counter(gram for grams in counted for gram in grams)
        self._tools = len(texts)
        self._rarity = {gram: log((1 + self._tools) / (1 + count)) + 1 for gram, count in have.items()}
        self._grams = _Postings([self._weighted(grams) for grams in counted])
        self._stems = _Postings([rarities_of(text) for text in texts])

    def grams(self, text: str) -> Array:
        """The cosine of a text to each tool."""
        return self._grams.products(self._weighted(grams_of(text)))

    def overlap(self, text: str) -> Array:
        """The rarity of the stems that a text shares with each tool, by the root of the text's own."""
        rarities = rarities_of(text)
        return self._stems.products(dict.fromkeys(rarities, 1 / max(sum(rarities.values()), 1.0) ** 0.5))

    def _weighted(self, grams: Mapping[str, int]) -> dict[str, float]:
        """The features of a text as a vector of length 1; those that no tool has count with the rarest."""
        rarest = log(1 + self._tools) + 1
        weights = {gram: (1 + log(count)) * self._rarity.get(gram, rarest) for gram, count in grams.items()}
        length = sum(weight * weight for weight in weights.values()) ** 0.5 or 1.0
        return {gram: weight / length for gram, weight in weights.items()}


class _Postings:
    """Which tools have a feature, so that a text costs as much as it has features."""

    def __init__(self, rows: Sequence[Mapping[str, float]]) -> None:
        by_feature: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, row in enumerate(rows):
            for feature, weight in row.items():
                by_feature[feature].append((place, weight))
        self._count = len(rows)
        self._of = {
            feature: (np.array([place for place, _ in rows_of]), np.array([w for _, w in rows_of], dtype=np.float32))
            for feature, rows_of in by_feature.items()
        }

    def products(self, features: Mapping[str, float]) -> Array:
        scores: Array = np.zeros(self._count, dtype=np.float32)
        for feature, weight in features.items():
            if (tools := self._of.get(feature)) is not None:
                scores[tools[0]] += np.float32(weight) * tools[1]
        return scores


def grams_of(text: str) -> Counter[str]:
    """How often a text has four letters in a row; the edges of words are letters too."""
    edged = [f"<{word[:_WORD_CHARACTERS]}>" for word in words_of(text)]
    return Counter(word[at : at + _GRAM] for word in edged for at in range(max(1, len(word) - _GRAM + 1)))


def rarities_of(text: str) -> dict[str, float]:
    """The stems of a text with their rarity, from 0 for the commonest words of English and Spanish to 4.5."""
    common = _frequencies_of_stems()
    stems = {_base_form(word[:_WORD_CHARACTERS]) for word in words_of(text)}
    rarities = {word: _COMMONEST - common.get(word, _UNLISTED) for word in sorted(stems)}
    return {word: rarity for word, rarity in rarities.items() if rarity > 0}


def _base_form(word: str) -> str:
    return stem(word, "en")


@cache
def _frequencies_of_stems() -> dict[str, float]:
    common: dict[str, float] = {}
    for listed in (frequencies("en"), frequencies("es")):
        for word, frequency in listed.items():
            common[_base_form(word)] = max(common.get(_base_form(word), 0.0), frequency)
    return common
