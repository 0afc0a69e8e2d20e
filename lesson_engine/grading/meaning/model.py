"""The probability that a reply says what a reference says: two small models, averaged and calibrated.

Boosted trees over the numbers of `pairs`, and neural networks with one hidden layer over the same numbers and the
products of the two vectors. Fitted by `benchmarks.grading`, which documents how; here they are
only applied. The file of a version never changes (a test holds its hash): another fit is another version.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from language.calibration import logit, sigmoid, sigmoids

from .pairs import Comparison

MODEL_VERSION = "meaning-2"
_FILE = Path(__file__).parent.parent / "data" / f"{MODEL_VERSION}.npz"
_MOST_DEVIATIONS = 5.0
"""Standardised inputs are cut here, so that a strange text cannot drive a network anywhere."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Model:
    """The coefficients as arrays; see `benchmarks.grading.models` for their shapes."""

    names: tuple[str, ...]
    arrays: dict[str, NDArray[Any]]

    def probability(self, compared: Comparison) -> float:
        """From 0 to 1, calibrated on held-out questions."""
        numbers = np.array([compared.numbers[name] for name in self.names])
        average = (self._trees(numbers) + self._networks(numbers, compared.products)) / 2
        slope, offset = self.arrays["calibration"]
        return sigmoid(slope * logit(average) + offset)

    def _trees(self, numbers: Floats) -> float:
        """All trees walked at once: a leaf points to itself."""
        a = self.arrays
        at = a["tree_roots"]
        values = numbers.astype(np.float32)
        for _ in range(int(a["tree_depth"][0])):
            left = values[a["tree_feature"][at]] <= a["tree_threshold"][at]
            at = np.where(left, a["tree_left"][at], a["tree_right"][at])
        return sigmoid(a["tree_bias"][0] + a["tree_value"][at].sum())

    def _networks(self, numbers: Floats, products: Floats) -> float:
        a = self.arrays
        inputs = np.concatenate([numbers, products])
        scaled = np.clip((inputs - a["net_mean"]) / a["net_scale"], -_MOST_DEVIATIONS, _MOST_DEVIATIONS)
        hidden = np.maximum(0.0, scaled @ a["net_hidden"] + a["net_hidden_bias"])
        return float(sigmoids((hidden * a["net_out"]).sum(axis=1) + a["net_out_bias"]).mean())


def probability(compared: Comparison) -> float:
    """The probability that the reply is as right as the references are, by the present model."""
    return round(present().probability(compared), 4)


@cache
def present() -> Model:
    """The model of this version, read once."""
    with np.load(_FILE, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    return Model(names=tuple(map(str, arrays.pop("names"))), arrays=arrays)
