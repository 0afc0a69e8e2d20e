"""The lexical signal: which fine labels use such words. Log-likelihood ratios over features, smoothed."""

from collections.abc import Sequence
from math import log
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from routing.engine.text import features_of, words_of

Array = npt.NDArray[np.float32]
_SMOOTHING = 0.05


class Worded(NamedTuple):
    """What words say: a score of each label, and which share of the words' weight the pack knows at all."""

    scores: Array
    coverage: float
    unknown: float


class Lexical:
    """Counts of features in the examples of each label."""

    def __init__(self, texts: Sequence[str], labels: npt.NDArray[np.int64], count: int) -> None:
        features = [features_of(words_of(text)) for text in texts]
        self._places = {name: place for place, name in enumerate(sorted(set().union(*features)))}
        self._rows = [np.array([self._places[name] for name in sorted(one)], dtype=np.int64) for one in features]
        self._labels = labels
        self._counts = np.zeros((len(self._places), count), dtype=np.float32)
        for row, label in zip(self._rows, labels, strict=True):
            self._counts[row, label] += 1
        self._sizes = np.bincount(labels, minlength=count).astype(np.float32)
        self._total = len(texts)
        self._ratios = _ratios(self._counts, self._sizes)
        self._known = self._counts.sum(axis=1)

    def score(self, text: str) -> Worded:
        """Of a message. Features that the pack does not know dilute what the others say."""
        words = words_of(text)
        features = features_of(words)
        rows = np.array(sorted(self._places[name] for name in features if name in self._places), dtype=np.int64)
        return Worded(self._summed(self._ratios[rows], len(features)), *self._covered(words, less=0))

    def score_without(self, place: int, text: str) -> Worded:
        """Of an example, as if the pack did not have it: what the calibration of a pack starts from."""
        row, label = self._rows[place], self._labels[place]
        counts, sizes = self._counts[row].copy(), self._sizes.copy()
        counts[:, label] -= 1
        sizes[label] = max(sizes[label] - 1, 1)
        left = counts.sum(axis=1) > 0
        return Worded(self._summed(_ratios(counts[left], sizes), len(row)), *self._covered(words_of(text), less=1))

    def _covered(self, words: list[str], *, less: int) -> tuple[float, float]:
        """Which share of the words' weight is known to more than `less` examples, and the weight of the others."""
        weights = {word: self._weight(word, less) for word in set(words)}
        total = sum(weights.values())
        known = sum(weight for word, weight in weights.items() if self._examples_with(word) > less)
        return (known / total if total else 0.0), total - known

    def _summed(self, ratios: Array, features: int) -> Array:
        summed: Array = ratios.sum(axis=0) / np.float32(max(features, 1) ** 0.5)
        return summed

    def _examples_with(self, word: str) -> float:
        place = self._places.get(word)
        return 0.0 if place is None else float(self._known[place])

    def _weight(self, word: str, less: int) -> float:
        """How much a word says: the rarer, the more; the most for one that no example has."""
        return log((self._total + 1) / (max(self._examples_with(word) - less, 0) + 0.5))


def _ratios(counts: Array, sizes: Array) -> Array:
    """How much likelier each label makes each feature than labels do on average, as logarithms."""
    chances = (counts + _SMOOTHING) / (sizes + 2 * _SMOOTHING)
    ratios: Array = np.log(chances) - np.log(chances.mean(axis=1, keepdims=True))
    return ratios.astype(np.float32)
