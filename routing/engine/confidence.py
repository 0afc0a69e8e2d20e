"""The confidence of a reading, as calibrated probabilities. See docs/decisions/0028-router.md.

Its features are relative to the pack's own examples, each left out. So the same coefficients serve packs of five
examples a label and of a hundred. They were fitted by `make bench-routing` with `FIT=--fit`.
"""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from language.calibration import sigmoids
from routing.contracts.reading import Certainty
from routing.engine.signals import FEATURES, RELATIVE, WORDED, Flags, Floats

_FILE = Path(__file__).with_name("confidence.json")
_LEAST_SPREAD = 1e-3
_PRIOR = np.array([4.0, 20.0, 20.0])
"""The weight of the coefficients against a pack's examples: the precision of each of the three."""
_UNCHANGED = np.array([0.0, 1.0, 0.0])
_INSIDE = FEATURES.index("inside")
_LEAST_SLOPE = 0.25
_STEPS = 12


class Line(NamedTuple):
    """A logistic regression."""

    bias: float
    weights: npt.NDArray[np.float64]

    def __call__(self, features: Floats) -> Floats:
        return sigmoids(features @ self.weights + self.bias)


class Coefficients(NamedTuple):
    """The models that a message is in scope, and that the first domain is right; and the limits of certainty.

    Low is a probability of scope under `low`, or of being right under `least`; high one of being right from `high` on.
    """

    version: str
    in_scope: Line
    right: Line
    low: float
    least: float
    high: float


@cache
def coefficients() -> Coefficients:
    data = json.loads(_FILE.read_text(encoding="utf-8"))
    in_scope, right = (Line(data[name]["bias"], np.array(data[name]["weights"])) for name in ("in_scope", "right"))
    return Coefficients(data["version"], in_scope, right, data["low"], data["least"], data["high"])


class Profile(NamedTuple):
    """Mean and spread of each feature over a pack's own examples."""

    means: Floats
    spreads: Floats

    def relative(self, features: Floats, foreign: Flags | None = None) -> Floats:
        """The features, those that depend on a pack's density in its own units. Of a `foreign` message those of words
        have their average: they are no evidence.
        """
        scaled = features.copy()
        if foreign is not None:
            for place in WORDED:
                scaled[foreign, place] = self.means[place]
        own = (scaled[:, :RELATIVE] - self.means[:RELATIVE]) / self.spreads[:RELATIVE]
        scaled[:, :RELATIVE] = np.clip(own, -8, 4)
        return scaled


def profile_of(features: Floats) -> Profile:
    """Of examples that were each left out."""
    return Profile(features.mean(axis=0), np.maximum(features.std(axis=0), _LEAST_SPREAD))


def adapted(line: Line, features: Floats, happened: npt.NDArray[np.bool_], weights: Floats) -> Line:
    """The line moved towards the outcomes of a pack's own examples, each left out; the fewer, the less.

    A maximum a posteriori estimate, by Newton's method, of three numbers: the bias, the slope of the line, and the
    extra weight of nearness to sentences that belong nowhere. Packs of similar examples need other ones.
    """
    log_odds = features @ line.weights + line.bias
    columns = np.stack([np.ones_like(log_odds), log_odds, features[:, _INSIDE]], axis=1)
    values = _UNCHANGED
    for _ in range(_STEPS):
        chances = sigmoids(columns @ values)
        pull = columns.T @ (weights * (happened - chances)) - _PRIOR * (values - _UNCHANGED)
        curve = (columns * (weights * chances * (1 - chances))[:, None]).T @ columns + np.diag(_PRIOR)
        step = np.linalg.solve(curve, pull)
        while _fit(columns, values + step, happened, weights) < _fit(columns, values, happened, weights):
            step = step / 2  # a full step may overshoot
        values = values + step
    slope = max(float(values[1]), _LEAST_SLOPE)
    adapted_weights = slope * line.weights
    adapted_weights[_INSIDE] += values[2]
    return Line(float(values[0]) + slope * line.bias, adapted_weights)


def _fit(columns: Floats, values: Floats, happened: npt.NDArray[np.bool_], weights: Floats) -> float:
    """The log-likelihood but for a constant; rounded, so that no step is halved for ever."""
    log_odds = np.clip(columns @ values, -30, 30)
    of_data = weights @ (happened * log_odds - np.logaddexp(0, log_odds))
    return round(float(of_data - (_PRIOR * (values - _UNCHANGED) ** 2).sum() / 2), 6)


def certainty_of(probability: float, in_scope: float) -> Certainty:
    """The probabilities cut into three. Low: it belongs to no domain, or its domain is not clear."""
    limits = coefficients()
    if in_scope < limits.low or probability < limits.least:
        return "low"
    return "high" if probability >= limits.high else "medium"
