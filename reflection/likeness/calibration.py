"""From features to scores at which the thresholds of RT-010 mean what they say.

Fitted for one embedder: another one is another file. `python -m benchmarks.reflection_likeness --fit` writes it.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from gateway.contracts import LOCAL_EMBEDDING_MODEL

from .texts import DATA

FILE: Final = DATA / f"{LOCAL_EMBEDDING_MODEL}.json"
RELEVANT, NOVEL = 0.6, 0.3
"""Source: RT-010, 1: the thresholds. Where the model is as sure of one answer as of the other, the score is these."""


@dataclass(frozen=True)
class Model:
    """A logistic model over named features."""

    weights: Mapping[str, float]
    intercept: float

    def score(self, features: Mapping[str, float], even: float) -> float:
        """From 0 to 1; `even` where yes is as probable as no."""
        logit = self.intercept + sum(weight * features[name] for name, weight in self.weights.items())
        logit += math.log(even / (1 - even))
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


@cache
def model_of(name: str) -> Model:
    """The model of "relevance" or "repetition"."""
    data = json.loads(FILE.read_text(encoding="utf-8"))[name]
    return Model(weights=data["weights"], intercept=data["intercept"])
