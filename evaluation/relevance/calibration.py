"""How the parts of a match become probabilities and scores. `python -m benchmarks.plans --fit` writes the weights."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from .matching import Match

_MET: Final = 2
FILE: Final = Path(__file__).parent / "data" / "calibration.json"


@dataclass(frozen=True)
class Calibration:
    """The file, read. `weights` and `intercept` give the probability that a result is about its task.

    `factors` say what of it is left when a result contradicts the task, by the kind of conflict.
    """

    weights: Mapping[str, float]
    intercept: float
    factors: Mapping[str, float]

    def on_topic(self, match: Match, met: int) -> float:
        """How probable it is that the result is about the task, 0 to 1."""
        logit = self.intercept + sum(
            weight * value for name, value in features_of(match, met).items() if (weight := self.weights.get(name, 0.0))
        )
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


def features_of(match: Match, met: int) -> dict[str, float]:
    """What the model looks at. `met`: how many places, dates, amounts and numbers asked for are there."""
    return {
        "main": match.main,
        "words": match.words,
        "whole": max(0.0, match.whole),
        "values": max(0.0, match.values),
        "names": match.names,
        "met": min(met, _MET) / _MET,
    }


@cache
def calibration() -> Calibration:
    """The calibration that is shipped."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return Calibration(data["weights"], data["intercept"], data["factors"])
