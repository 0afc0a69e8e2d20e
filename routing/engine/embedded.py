"""The signal of embeddings: near examples, and a linear reading of the vectors (ridge regression on the labels)."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int64]

_SHARPNESS = 20.0
"""How fast an example counts less with its distance: at a cosine 0.1 lower, a seventh."""
_RIDGE = 1.0
_NOTHING = 1e-12


class Similarities(NamedTuple):
    """Of each message: the cosine to each example, the logarithm of its nearness to each label, the linear reading."""

    cosines: Array
    near: Array
    linear: Array


class Embedded:
    """Examples as vectors, sorted by label."""

    def __init__(self, vectors: Array, labels: Indices, count: int) -> None:
        assert (np.diff(labels) >= 0).all()
        self._vectors, self._labels = vectors, labels
        self._starts = np.searchsorted(labels, np.arange(count)).astype(np.int64)
        self._mean = vectors.mean(axis=0)
        self._targets = np.zeros((len(labels), count), dtype=np.float32)
        self._targets[np.arange(len(labels)), labels] = 1
        self._base = self._targets.mean(axis=0)
        centred = vectors - self._mean
        gram = centred.T @ centred + np.float32(_RIDGE) * np.eye(vectors.shape[1], dtype=np.float32)
        self._weights: Array = np.linalg.solve(gram, centred.T @ (self._targets - self._base)).astype(np.float32)
        self._gram = gram

    def compare(self, vectors: Array) -> Similarities:
        """The similarities of messages."""
        cosines = vectors @ self._vectors.T
        return Similarities(cosines, self._near(cosines), self._linear(vectors))

    def compare_without(self, places: Indices) -> Similarities:
        """The similarities of examples, each as if the pack did not have it."""
        vectors = self._vectors[places]
        cosines = vectors @ self._vectors.T
        cosines[np.arange(len(places)), places] = -1
        # The residual of a row left out, by its leverage; as ridge regression has it in closed form.
        centred = vectors - self._mean
        leverage = np.einsum("ij,ij->i", centred, np.linalg.solve(self._gram, centred.T).T) + 1 / len(self._labels)
        fitted, target = self._linear(vectors), self._targets[places]
        linear = target - (target - fitted) / np.maximum(1 - leverage, 0.05)[:, None]
        return Similarities(cosines, self._near(cosines), linear.astype(np.float32))

    def _near(self, cosines: Array) -> Array:
        kernel = np.exp(np.float32(_SHARPNESS) * (cosines - 1))
        near: Array = np.log(np.add.reduceat(kernel, self._starts, axis=1) + np.float32(_NOTHING))
        return near

    def _linear(self, vectors: Array) -> Array:
        scores: Array = (vectors - self._mean) @ self._weights + self._base
        return scores
