"""Two signals put together: fine labels summed to domains, and the facts by which one tells how sure that is."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from routing.engine.embedded import Array, Embedded, Indices, Seen
from routing.engine.lexical import Lexical, Worded
from routing.engine.text import words_of

Floats = npt.NDArray[np.float64]

FEATURES: Final = (
    *("nearest", "near_domain", "near_label", "kernel", "linear", "worded", "coverage", "combined"),
    *("label_margin", "domain_margin", "label_share", "agree_label", "agree_domain", "words", "unknown", "inside"),
)
"""What confidence is made of. The first `RELATIVE` depend on how dense a pack is, and are taken relative to it."""
RELATIVE: Final = 8

_LINEAR: Final = 12.0
_WORDED: Final = 0.6
_FEW: Final = 8.0
"""With so many examples a label, words count half of what they do with very many."""
_KEYWORD: Final = 1.0
_KEYWORDS_AT_MOST: Final = 2
_MARGIN: Final = 8.0


class Marks(NamedTuple):
    """What was made of messages: the share of each domain, its best label, and the features, a row for a message."""

    shares: Floats
    labels: Indices
    features: Floats


class Blend:
    """Weighs what embeddings and words say of the fine labels of a pack."""

    def __init__(
        self, embedded: Embedded, lexical: Lexical, domain_of: Indices, domains: int, *, examples_of: Indices
    ) -> None:
        """`domain_of` each label, those of no domain as `domains`; `examples_of`: the label of each example."""
        self._embedded, self._lexical = embedded, lexical
        self._domain_of, self._domains = domain_of, domains
        self._examples_of = examples_of
        self._inside = domain_of < domains
        size = len(examples_of) / len(domain_of)
        self._worded = _WORDED * size / (size + _FEW)

    def marks(self, texts: Sequence[str], vectors: Array, found: Sequence[Sequence[int]]) -> Marks:
        """Of messages; `found`: the domain of each keyword in each of them."""
        return self._marked(self._embedded.see(vectors), [self._lexical.score(text) for text in texts], texts, found)

    def marks_without(
        self, texts: Sequence[str], places: Indices, found: Sequence[Sequence[int]], *, whole_label: bool = False
    ) -> Marks:
        """Of examples, each as if the pack did not have it, or nothing of its label (`whole_label`)."""
        worded = [self._lexical.score_without(int(place), text) for place, text in zip(places, texts, strict=True)]
        without = self._examples_of[places] if whole_label else None
        return self._marked(self._embedded.see_without(places), worded, texts, found, without)

    def _marked(
        self,
        seen: Seen,
        worded: Sequence[Worded],
        texts: Sequence[str],
        found: Sequence[Sequence[int]],
        without: Indices | None = None,
    ) -> Marks:
        said = np.stack([one.scores for one in worded]).astype(np.float64)
        embedded = seen.near + _LINEAR * seen.linear.astype(np.float64)
        combined = embedded + self._worded * said + self._keyword_bonus(found)
        if without is not None:
            combined[np.arange(len(texts)), without] = -np.inf
        label_shares = _softmax(combined)
        shares = _summed(label_shares, self._domain_of, self._domains + 1)
        inside = shares[:, : self._domains]
        within = np.where(self._inside & (self._domain_of == inside.argmax(axis=1)[:, None]), combined, -np.inf)
        labels = within.argmax(axis=1)
        features = np.empty((len(texts), len(FEATURES)))
        rows = np.arange(len(texts))
        best_domain = inside.argmax(axis=1)
        mine = self._inside[self._examples_of]
        own_domain = self._domain_of[self._examples_of][None, :] == best_domain[:, None]
        features[:, 0] = np.where(mine, seen.cosines, -1).max(axis=1)
        features[:, 1] = _top(np.where(own_domain, seen.cosines, -1), 5)
        features[:, 2] = _top(np.where(self._examples_of[None, :] == labels[:, None], seen.cosines, -1), 3)
        features[:, 3] = seen.near[rows, labels]
        features[:, 4] = seen.linear[rows, labels]
        features[:, 5] = said[rows, labels]
        features[:, 6] = [one.coverage for one in worded]
        features[:, 7] = combined[rows, labels]
        features[:, 8] = _margin(combined)
        features[:, 9] = _margin(np.log(inside + 1e-9))
        features[:, 10] = label_shares.max(axis=1)
        features[:, 11] = embedded.argmax(axis=1) == said.argmax(axis=1)
        of_embedded = _summed(_softmax(embedded), self._domain_of, self._domains + 1)[:, : self._domains].argmax(axis=1)
        of_words = _summed(_softmax(said), self._domain_of, self._domains + 1)[:, : self._domains].argmax(axis=1)
        features[:, 12] = of_embedded == of_words
        features[:, 13] = [np.log1p(len(words_of(text))) for text in texts]
        features[:, 14] = [one.unknown / np.log(len(self._examples_of) + 2) for one in worded]
        features[:, 15] = self._insideness(shares)
        return Marks(inside / inside.sum(axis=1, keepdims=True), labels.astype(np.int64), features)

    def _keyword_bonus(self, found: Sequence[Sequence[int]]) -> Floats:
        bonus = np.zeros((len(found), self._domains + 1))
        for row, domains in enumerate(found):
            for domain in set(domains):
                bonus[row, domain] = _KEYWORD * min(domains.count(domain), _KEYWORDS_AT_MOST)
        taken: Floats = bonus[:, self._domain_of]
        return taken

    def _insideness(self, shares: Floats) -> Floats:
        """How much more some domain is likely than what the pack lists as belonging to none; 0 where it lists none."""
        if self._inside.all():
            return np.zeros(len(shares))
        odds = np.log(shares[:, : self._domains].sum(axis=1) + 1e-6) - np.log(shares[:, self._domains] + 1e-6)
        return np.clip(odds, -_MARGIN, _MARGIN)


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _summed(shares: Floats, domain_of: Indices, count: int) -> Floats:
    to = np.zeros((shares.shape[1], count))
    to[np.arange(shares.shape[1]), domain_of] = 1
    return shares @ to


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
