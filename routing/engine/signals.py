"""Two signals put together: fine labels summed to domains, and the features of confidence."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from routing.engine.embedded import Array, Embedded, Indices, Similarities
from routing.engine.lexical import Lexical, LexicalEvidence
from routing.engine.text import words_of

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

FEATURES: Final = (
    *("nearest", "near_domain", "near_label", "kernel", "linear", "worded", "coverage", "combined"),
    *("label_margin", "domain_margin", "label_share", "agree_label", "agree_domain", "words", "unknown", "inside"),
)
"""The features of confidence. The first `RELATIVE` depend on how dense a pack is, and are taken relative to it."""
RELATIVE: Final = 8
WORDED: Final = (5, 6, 14)
"""Features of words, which are no evidence in a language that the pack does not have."""

_LINEAR: Final = 12.0
_WORDED: Final = 0.6
_BROADLY: Final = 0.35
_FEW: Final = 8.0
"""With so many examples a label, words count half of what they do with very many."""
_KEYWORD: Final = 1.0
_KEYWORDS_AT_MOST: Final = 2
_MARGIN: Final = 8.0


class Marks(NamedTuple):
    """The results for messages: the share of each domain, its best label, and the features, a row for a message."""

    shares: Floats
    labels: Indices
    features: Floats


class _Scores(NamedTuple):
    """Scores of each message by fine label: of embeddings, of words, and of both together."""

    embedded: Floats
    lexical: Floats
    combined: Floats


class Blend:
    """Weighs embeddings and words for the fine labels of a pack."""

    def __init__(
        self, embedded: Embedded, lexical: Lexical, domain_of: Indices, domains: int, *, examples_of: Indices
    ) -> None:
        """`domain_of` each label, those of no domain as `domains`; `examples_of`: the label of each example."""
        self._embedded, self._lexical = embedded, lexical
        self._domain_of, self._domains = domain_of, domains
        self._examples_of = examples_of
        self._inside = domain_of < domains
        self._sums = np.zeros((len(domain_of), domains + 1))
        self._sums[np.arange(len(domain_of)), domain_of] = 1
        size = len(examples_of) / len(domain_of)
        self._worded = _WORDED * size / (size + _FEW)

    def marks(self, texts: Sequence[str], vectors: Array, keywords: Sequence[Sequence[int]], foreign: Flags) -> Marks:
        """The results for messages; `keywords`: the domain of each keyword in each of them. `foreign`: it is in a
        language without examples in the pack, so that its words do not count.
        """
        evidence = [self._lexical.score(text) for text in texts]
        return self._marked(self._embedded.compare(vectors), evidence, texts, keywords, foreign)

    def marks_without(
        self, texts: Sequence[str], places: Indices, keywords: Sequence[Sequence[int]], *, whole_label: bool = False
    ) -> Marks:
        """The results for examples, each as if the pack did not have it, or nothing of its label (`whole_label`)."""
        evidence = [self._lexical.score_without(int(place), text) for place, text in zip(places, texts, strict=True)]
        without = self._examples_of[places] if whole_label else None
        foreign = np.zeros(len(texts), dtype=bool)
        return self._marked(self._embedded.compare_without(places), evidence, texts, keywords, foreign, without)

    def _marked(
        self,
        similar: Similarities,
        evidence: Sequence[LexicalEvidence],
        texts: Sequence[str],
        keywords: Sequence[Sequence[int]],
        foreign: Flags,
        without: Indices | None = None,
    ) -> Marks:
        scores = self._scores(similar, evidence, keywords, foreign)
        if without is not None:
            scores.combined[np.arange(len(texts)), without] = -np.inf
        label_shares = _softmax(scores.combined)
        shares = self._by_domain(label_shares)
        inside = shares[:, : self._domains]
        first = inside.argmax(axis=1)
        labels = np.where(self._domain_of == first[:, None], scores.combined, -np.inf).argmax(axis=1)
        features = np.empty((len(texts), len(FEATURES)))
        features[:, :3] = self._nearness(similar, first, labels)
        features[:, 3:8] = self._strength(similar, evidence, scores, labels)
        features[:, 8:11] = np.stack(
            [_margin(scores.combined), _margin(np.log(inside + 1e-9)), label_shares.max(axis=1)], axis=1
        )
        features[:, 11:13] = self._agreement(scores) | foreign[:, None]
        features[:, 13] = [np.log1p(len(words_of(text))) for text in texts]
        features[:, 14] = [score.unknown / np.log(len(self._examples_of) + 2) for score in evidence]
        features[:, 15] = self._insideness(shares)
        return Marks(inside / inside.sum(axis=1, keepdims=True), labels.astype(np.int64), features)

    def _scores(
        self,
        similar: Similarities,
        evidence: Sequence[LexicalEvidence],
        keywords: Sequence[Sequence[int]],
        foreign: Flags,
    ) -> "_Scores":
        embedded = similar.near + _LINEAR * similar.linear.astype(np.float64)
        by_label = np.stack([score.labels for score in evidence]).astype(np.float64)
        by_domain = np.stack([score.domains for score in evidence]).astype(np.float64)[:, self._domain_of]
        counts = np.where(foreign, 0.0, 1.0)[:, None]
        lexical = counts * (self._worded * by_label + _BROADLY * by_domain) + self._keyword_bonus(keywords)
        return _Scores(embedded, lexical, embedded + lexical)

    def _nearness(self, similar: Similarities, first: Indices, labels: Indices) -> Floats:
        """Cosines: the nearest example of any domain, the five nearest of the first one, three of the first label."""
        inside = self._inside[self._examples_of]
        own_domain = self._domain_of[self._examples_of][None, :] == first[:, None]
        own_label = self._examples_of[None, :] == labels[:, None]
        nearest = np.where(inside, similar.cosines, -1).max(axis=1)
        of_domain, of_label = (
            _top(np.where(own, similar.cosines, -1), count) for own, count in ((own_domain, 5), (own_label, 3))
        )
        return np.stack([nearest, of_domain, of_label], axis=1)

    def _strength(
        self, similar: Similarities, evidence: Sequence[LexicalEvidence], scores: "_Scores", labels: Indices
    ) -> Floats:
        """The scores of the first label by each signal, and how much of the message the pack knows."""
        rows = np.arange(len(labels))
        coverage = np.array([score.coverage for score in evidence])
        return np.stack(
            [
                similar.near[rows, labels],
                similar.linear[rows, labels],
                scores.lexical[rows, labels],
                coverage,
                scores.combined[rows, labels],
            ],
            axis=1,
        )

    def _agreement(self, scores: "_Scores") -> Flags:
        """Whether embeddings and words have the same first label, and the same first domain."""
        labels = scores.embedded.argmax(axis=1) == scores.lexical.argmax(axis=1)
        firsts = [
            self._by_domain(_softmax(signal))[:, : self._domains].argmax(axis=1)
            for signal in (scores.embedded, scores.lexical)
        ]
        return np.stack([labels, firsts[0] == firsts[1]], axis=1)

    def _by_domain(self, label_shares: Floats) -> Floats:
        """Shares of labels summed to domains; the last column is what belongs to none."""
        shares: Floats = label_shares @ self._sums
        return shares

    def _keyword_bonus(self, keywords: Sequence[Sequence[int]]) -> Floats:
        bonus = np.zeros((len(keywords), self._domains + 1))
        for row, domains in enumerate(keywords):
            for domain in set(domains):
                bonus[row, domain] = _KEYWORD * min(domains.count(domain), _KEYWORDS_AT_MOST)
        taken: Floats = bonus[:, self._domain_of]
        return taken

    def _insideness(self, shares: Floats) -> Floats:
        """The log odds of any domain against the sentences that belong to none; 0 where the pack lists none."""
        if self._inside.all():
            return np.zeros(len(shares))
        odds = np.log(shares[:, : self._domains].sum(axis=1) + 1e-6) - np.log(shares[:, self._domains] + 1e-6)
        clipped: Floats = np.clip(odds, -_MARGIN, _MARGIN)
        return clipped


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _top(values: Array, count: int) -> Floats:
    """The mean of the largest ones."""
    count = min(count, values.shape[1])
    largest = np.partition(values, values.shape[1] - count, axis=1)[:, -count:]
    means: Floats = np.where(largest > -1, largest, 0).sum(axis=1) / np.maximum((largest > -1).sum(axis=1), 1)
    return means


def _margin(scores: Floats) -> Floats:
    if scores.shape[1] == 1:
        return np.full(len(scores), _MARGIN)
    two = np.partition(scores, scores.shape[1] - 2, axis=1)[:, -2:]
    margins: Floats = np.minimum(np.abs(two[:, 1] - two[:, 0]), _MARGIN)
    return margins
