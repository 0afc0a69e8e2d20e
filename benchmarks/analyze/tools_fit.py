"""Fits the ranker of narrowing: a softmax over the tools of a catalog, first of the signals, then of directions.

The directions are shared by query and tool, and learned from intents and pairs of descriptions too: so they are about
language more than about the tools that they were fitted with.
"""

import json
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.narrowing.ranker import DIRECTIONS, SCALE, WEIGHTS, Ranker
from analysis.narrowing.signals import DESCRIBED, EXEMPLIFIED

Array = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]
_RANK, _EPOCHS, _RATE, _ROWS, _PAIRS = 64, 4, 0.003, 256, 128
_SHARPNESS = 12.0
"""Cosine times this is the score in data that has no signals."""
_DECAY = (1e-4, 0.01, 0.03)
_NOTHING = np.zeros((0,), dtype=np.float32)


class Rows(NamedTuple):
    """Queries with their signals over a catalog, and the place of the tool that each means."""

    signals: Array
    vectors: Array
    labels: Places
    documents: Array

    def of(self, rows: npt.NDArray[np.bool_], tools: Places) -> "Rows":
        """Some queries over a part of the catalog, which must have their tools."""
        places = np.full(len(self.documents), -1, dtype=np.int64)
        places[tools] = np.arange(len(tools))
        return Rows(self.signals[rows][:, tools], self.vectors[rows], places[self.labels[rows]], self.documents[tools])


class Others(NamedTuple):
    """Vectors of other data: texts with the place of the intent that each means, and pairs that mean the same."""

    texts: Array
    labels: Places
    intents: Array
    left: Array
    right: Array


def described_fitted(rows: Rows, others: Others) -> Ranker:
    """A ranker for catalogs without examples."""
    weights = linear_fitted(rows.signals, rows.labels)
    return directions_fitted(rows, rows.signals @ weights, others)._replace(described=weights)


def exemplified_fitted(described: Ranker, scores: Array, shown: Array, rows: Rows) -> Ranker:
    """The same ranker with weights for examples; `scores` are its own, `shown` the signals of examples."""
    weights = linear_fitted(np.concatenate([scores[:, :, None], shown], axis=-1), rows.labels)
    clause = rows.signals[:, :, DESCRIBED.index("clause")].ravel()
    typical = [np.polyfit(clause, shown[:, :, signal].ravel(), 1) for signal in range(len(EXEMPLIFIED))]
    return described._replace(exemplified=weights, typical=np.array(typical, dtype=np.float32))


def linear_fitted(signals: Array, labels: Places, steps: int = 150) -> Array:
    """Weights of signals; of every second row, which is plenty for a dozen numbers."""
    spread = signals.std(axis=(0, 1))
    scaled, labels = (signals / spread)[::2], labels[::2]
    weights = np.zeros(signals.shape[2], dtype=np.float32)
    adam = _Adam([weights], rate=0.1)
    for _ in range(steps):
        adam.step([np.einsum("ij,ijk->k", _pull(scaled @ weights, labels), scaled) + np.float32(1e-3) * weights])
    fitted: Array = weights / spread
    return fitted


def directions_fitted(rows: Rows, scores: Array, others: Others) -> Ranker:
    """The directions that explain what the scores leave open."""
    dice = np.random.default_rng(0)
    size = rows.vectors.shape[1]
    basis = (dice.normal(size=(size, _RANK)) * 0.05).astype(np.float32)
    gains, preference = np.full(_RANK, 0.1, dtype=np.float32), np.zeros(size, dtype=np.float32)
    values = [basis, gains, preference]
    adam = _Adam(values, rate=_RATE)
    order = np.arange(len(rows.labels))
    for _ in range(_EPOCHS):
        dice.shuffle(order)
        for at in range(0, len(order), _ROWS):
            some = order[at : at + _ROWS]
            own = (rows.vectors[some], rows.documents, scores[some], rows.labels[some])
            pulls = [_directions_pull(values, *batch) for batch in (own, *_other_batches(others, dice))]
            decays = (np.float32(decay) * value for decay, value in zip(_DECAY, values, strict=True))
            adam.step([decay + sum(pull) for decay, *pull in zip(decays, *pulls, strict=True)])
    return Ranker(_NOTHING, _NOTHING, _NOTHING, *values)


def _other_batches(others: Others, dice: np.random.Generator) -> list[tuple[Array, Array, Array, Places]]:
    some = dice.integers(0, len(others.labels), _ROWS)
    texts, pairs = others.texts[some], dice.permutation(len(others.left))[:_PAIRS]
    left, right, sharpness = others.left[pairs], others.right[pairs], np.float32(_SHARPNESS)
    return [
        (texts, others.intents, sharpness * (texts @ others.intents.T), others.labels[some]),
        (left, right, sharpness * (left @ right.T), np.arange(len(pairs))),
    ]


def _directions_pull(
    values: Sequence[Array], vectors: Array, documents: Array, scores: Array, labels: Places
) -> list[Array]:
    """The gradient of the loss by basis, gains and preference."""
    basis, gains, _ = values
    scores = scores + Ranker(_NOTHING, _NOTHING, _NOTHING, *values).projected(vectors, documents)
    pull = _pull(scores, labels) * np.float32(SCALE)
    queries, tools = vectors @ basis, documents @ basis
    of_basis = vectors.T @ ((pull @ tools) * gains) + documents.T @ ((pull.T @ queries) * gains)
    return [of_basis, ((pull @ tools) * queries).sum(axis=0), pull.sum(axis=0) @ documents]


def _pull(scores: Array, labels: Places) -> Array:
    """The gradient of the mean cross-entropy by the scores."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Array = powers / powers.sum(axis=1, keepdims=True)
    shares[np.arange(len(labels)), labels] -= 1
    return shares / np.float32(len(labels))


class _Adam:
    """Kingma and Ba's steps, which change the values in place."""

    def __init__(self, values: Sequence[Array], rate: float) -> None:
        self._values, self._rate, self._steps = values, rate, 0
        self._means = [np.zeros_like(value) for value in values]
        self._squares = [np.zeros_like(value) for value in values]

    def step(self, pulls: Sequence[Array]) -> None:
        self._steps += 1
        for value, mean, square, pull in zip(self._values, self._means, self._squares, pulls, strict=True):
            mean += 0.1 * (pull - mean)
            square += 0.001 * (pull * pull - square)
            share = (mean / (1 - 0.9**self._steps)) / (np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8)
            value -= np.float32(self._rate) * share.astype(np.float32)


def ranker_write(ranker: Ranker) -> None:
    """Write the two files of `analysis.narrowing.ranker`."""
    linear = {name: np.round(getattr(ranker, name), 5).tolist() for name in ("described", "exemplified", "typical")}
    signals = {"signals": DESCRIBED, "signals_of_examples": EXEMPLIFIED}
    WEIGHTS.write_text(json.dumps(signals | linear, indent=1) + "\n", encoding="utf-8")
    learned = {name: getattr(ranker, name).astype(np.float16) for name in ("basis", "gains", "preference")}
    np.savez_compressed(DIRECTIONS, allow_pickle=False, **learned)
