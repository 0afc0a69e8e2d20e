"""Logistic curves: from sums of evidence to probabilities and back."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

BOUND: Final = 30.0
"""Log odds beyond this count as this much."""
_LEAST: Final = 1e-6


def sigmoid(logit: float) -> float:
    """The probability that log odds stand for."""
    return 1 / (1 + math.exp(-max(-BOUND, min(BOUND, logit))))


def sigmoids(logits: "npt.NDArray[np.float64]") -> "npt.NDArray[np.float64]":
    """`sigmoid` of each number of an array."""
    import numpy as np

    probabilities: npt.NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(logits, -BOUND, BOUND)))
    return probabilities


def logit(probability: float, least: float = _LEAST) -> float:
    """The log odds of a probability, which is taken as `least` at least and 1 - `least` at most."""
    bounded = min(max(probability, least), 1 - least)
    return math.log(bounded / (1 - bounded))


@dataclass(frozen=True)
class LogisticModel:
    """Weights of named features."""

    weights: Mapping[str, float]
    intercept: float

    @classmethod
    def read(cls, path: Path, part: str | None = None) -> Self:
        """The model of a JSON file with `weights` and `intercept`, or of one part of such a file."""
        data = json.loads(path.read_text(encoding="utf-8"))
        data = data if part is None else data[part]
        return cls(weights=data["weights"], intercept=data["intercept"])

    def log_odds(self, features: Mapping[str, float]) -> float:
        """The weighed sum. Raises `KeyError` for a feature that has a weight and is not given."""
        return self.intercept + sum(weight * features[name] for name, weight in self.weights.items())

    def probability(self, features: Mapping[str, float]) -> float:
        """From 0 to 1. Raises `KeyError` for a feature that has a weight and is not given."""
        return sigmoid(self.log_odds(features))
