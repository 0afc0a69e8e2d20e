"""The lexical signal: which labels, and which domains, use such words. Log-likelihood ratios of features, smoothed."""

from collections.abc import Sequence
from math import log
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from routing.engine.text import features_of, words_of

Array = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int64]
_SMOOTHING: Final = 0.05


class Worded(NamedTuple):
    """What words say: a score of each label and of each domain, which share of the words' weight the pack knows at all,
    and how much it does not.
    """

    labels: Array
    domains: Array
    coverage: float
    unknown: float


class Lexical:
    """Counts of features in the examples, by fine label and by domain: the one is sharp, the other has seen more."""

    def __init__(self, texts: Sequence[str], labels: Indices, domain_of: Indices) -> None:
        features = [features_of(words_of(text)) for text in texts]
        self._places = {name: place for place, name in enumerate(sorted(set().union(*features)))}
        self._rows = [np.array(sorted(self._places[name] for name in one), dtype=np.int64) for one in features]
        self._total = len(texts)
        self._labels = _Counted(self._rows, labels, len(self._places))
        self._domains = _Counted(self._rows, domain_of[labels], len(self._places))
        self._known = self._domains.counts.sum(axis=1)

    def score(self, text: str) -> Worded:
        """Of a message. Features that the pack does not know dilute what the others say."""
        words = words_of(text)
        features = features_of(words)
        rows = np.array(sorted(self._places[name] for name in features if name in self._places), dtype=np.int64)
        labels, domains = (counted.score(rows, len(features)) for counted in (self._labels, self._domains))
        return Worded(labels, domains, *self._covered(words, less=0))

    def score_without(self, place: int, text: str) -> Worded:
        """Of an example, as if the pack did not have it: what the calibration of a pack starts from."""
        row = self._rows[place]
        labels, domains = (counted.score_without(row, place) for counted in (self._labels, self._domains))
        return Worded(labels, domains, *self._covered(words_of(text), less=1))

    def _covered(self, words: list[str], *, less: int) -> tuple[float, float]:
        """Which share of the words' weight is known to more than `less` examples, and the weight of the others."""
        weights = {word: self._weight(word, less) for word in set(words)}
        total = sum(weights.values())
        known = sum(weight for word, weight in weights.items() if self._examples_with(word) > less)
        return (known / total if total else 0.0), total - known

    def _examples_with(self, word: str) -> float:
        place = self._places.get(word)
        return 0.0 if place is None else float(self._known[place])

    def _weight(self, word: str, less: int) -> float:
        """How much a word says: the rarer, the more; the most for one that no example has."""
        return log((self._total + 1) / (max(self._examples_with(word) - less, 0) + 0.5))


class _Counted:
    """In how many examples of each class each feature stands."""

    def __init__(self, rows: Sequence[Indices], classes: Indices, features: int) -> None:
        count = int(classes.max()) + 1
        self._classes = classes
        self.counts = np.zeros((features, count), dtype=np.float32)
        for row, one in zip(rows, classes, strict=True):
            self.counts[row, one] += 1
        self._sizes = np.bincount(classes, minlength=count).astype(np.float32)
        self._ratios = _ratios(self.counts, self._sizes)

    def score(self, rows: Indices, features: int) -> Array:
        scores: Array = self._ratios[rows].sum(axis=0) / np.float32(max(features, 1) ** 0.5)
        return scores

    def score_without(self, row: Indices, place: int) -> Array:
        one = self._classes[place]
        counts, sizes = self.counts[row].copy(), self._sizes.copy()
        counts[:, one] -= 1
        sizes[one] = max(sizes[one] - 1, 1)
        left = counts[counts.sum(axis=1) > 0]
        scores: Array = _ratios(left, sizes).sum(axis=0) / np.float32(max(len(row), 1) ** 0.5)
        return scores


def _ratios(counts: Array, sizes: Array) -> Array:
    """How much likelier each class makes each feature than classes do on average, as logarithms."""
    chances = (counts + _SMOOTHING) / (sizes + 2 * _SMOOTHING)
    ratios: Array = np.log(chances) - np.log(chances.mean(axis=1, keepdims=True))
    return ratios.astype(np.float32)
