"""The lexical signal: keywords of a pack, and log-likelihood ratios of the words that its examples use."""

from collections import defaultdict
from collections.abc import Sequence
from math import log
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from routing.engine.text import features_of, words_of
from routing.packs.pack import Pack


class Keywords:
    """The keywords of a pack by their first word, so that a message costs the same for any pack."""

    def __init__(self, pack: Pack) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], int, str]]] = defaultdict(list)
        for place, domain in enumerate(pack.domains):
            for keyword in domain.keywords:
                if words := tuple(map(_keyword_stem, words_of(keyword))):
                    self._by_first[words[0]].append((words, place, keyword))

    def matches(self, text: str) -> list[tuple[int, str]]:
        """The place of the domain and the keyword, once each, in the order of the message."""
        words = [_keyword_stem(word) for word in words_of(text)]
        hits = (
            (place, keyword)
            for start, word in enumerate(words)
            for needle, place, keyword in self._by_first.get(word, ())
            if tuple(words[start : start + len(needle)]) == needle
        )
        return list(dict.fromkeys(hits))


def _keyword_stem(word: str) -> str:
    """The form by which keywords are compared. The coefficients are fitted on it; `language.stems` finds others."""
    if len(word) > 4 and word.endswith("es"):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


Array = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int64]
_SMOOTHING: Final = 0.05


class LexicalEvidence(NamedTuple):
    """The evidence of words: a score of each label and of each domain, the share of their weight that the pack knows,
    and the weight that it does not.
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
        self._rows = [np.array(sorted(self._places[name] for name in row), dtype=np.int64) for row in features]
        self._total = len(texts)
        self._labels = _Counted(self._rows, labels, len(self._places))
        self._domains = _Counted(self._rows, domain_of[labels], len(self._places))
        self._known = self._domains.counts.sum(axis=1)

    def score(self, text: str) -> LexicalEvidence:
        """The scores of a message. Unknown features dilute those of the others."""
        words = words_of(text)
        features = features_of(words)
        rows = np.array(sorted(self._places[name] for name in features if name in self._places), dtype=np.int64)
        labels, domains = (counted.score(rows, len(features)) for counted in (self._labels, self._domains))
        return LexicalEvidence(labels, domains, *self._covered(words, less=0))

    def score_without(self, place: int, text: str) -> LexicalEvidence:
        """The scores of an example as if the pack did not have it, for the calibration."""
        row = self._rows[place]
        labels, domains = (counted.score_without(row, place) for counted in (self._labels, self._domains))
        return LexicalEvidence(labels, domains, *self._covered(words_of(text), less=1))

    def _covered(self, words: list[str], *, less: int) -> tuple[float, float]:
        """The share of the words' weight that more than `less` examples have, and the weight of the others."""
        weights = {word: self._weight(word, less) for word in set(words)}
        total = sum(weights.values())
        covered = sum(weight for word, weight in weights.items() if self._examples_with(word) > less)
        return (covered / total if total else 0.0), total - covered

    def _examples_with(self, word: str) -> float:
        place = self._places.get(word)
        return 0.0 if place is None else float(self._known[place])

    def _weight(self, word: str, less: int) -> float:
        """The weight of a word: the rarer, the higher; the highest for one that no example has."""
        return log((self._total + 1) / (max(self._examples_with(word) - less, 0) + 0.5))


class _Counted:
    """The number of examples of each class with each feature."""

    def __init__(self, rows: Sequence[Indices], classes: Indices, features: int) -> None:
        count = int(classes.max()) + 1
        self._classes = classes
        self.counts = np.zeros((features, count), dtype=np.float32)
        for row, class_ in zip(rows, classes, strict=True):
            self.counts[row, class_] += 1
        self._sizes = np.bincount(classes, minlength=count).astype(np.float32)
        self._ratios = _ratios(self.counts, self._sizes)

    def score(self, rows: Indices, features: int) -> Array:
        scores: Array = self._ratios[rows].sum(axis=0) / np.float32(max(features, 1) ** 0.5)
        return scores

    def score_without(self, row: Indices, place: int) -> Array:
        own = self._classes[place]
        counts, sizes = self.counts[row].copy(), self._sizes.copy()
        counts[:, own] -= 1
        sizes[own] = max(sizes[own] - 1, 1)
        left = counts[counts.sum(axis=1) > 0]
        scores: Array = _ratios(left, sizes).sum(axis=0) / np.float32(max(len(row), 1) ** 0.5)
        return scores


def _ratios(counts: Array, sizes: Array) -> Array:
    """How much likelier each class makes each feature than classes do on average, as logarithms."""
    chances = (counts + _SMOOTHING) / (sizes + 2 * _SMOOTHING)
    ratios: Array = np.log(chances) - np.log(chances.mean(axis=1, keepdims=True))
    return ratios.astype(np.float32)
