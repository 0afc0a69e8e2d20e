"""The fitted part: from signals to scores. `python -m benchmarks.analyze.tools --fit` writes its two files.

The score of a tool is linear in its signals, plus a product of the two vectors along a few directions, plus a
preference for what descriptions are about. Scores are logits: their softmax over a catalog says which tool is meant.
Fitted on MetaTool (MIT) and CLINC150 (CC BY 3.0); no row of them is kept.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.narrowing.signals import DESCRIBED, Signals

Array = npt.NDArray[np.float32]
WEIGHTS: Final = Path(__file__).with_name("weights.json")
DIRECTIONS: Final = Path(__file__).with_name("directions.npz")
SCALE: Final = 3.0
_CLAUSE: Final = DESCRIBED.index("clause")


class Ranker(NamedTuple):
    """Coefficients. `described` weighs the signals of descriptions.

    `exemplified`, for catalogs with examples, weighs first the score without them, then their signals. `typical` says
    what these are for a tool that has no examples: a slope and an intercept each, over the nearest clause.
    """

    described: Array
    exemplified: Array
    typical: Array
    basis: Array
    gains: Array
    preference: Array

    def score(self, signals: Signals, queries: Sequence[str], vectors: Array) -> Array:
        """The logits of tools: queries by tools."""
        described = signals.described(queries, vectors)
        scores: Array = described @ self.described + self.projected(vectors, signals.documents)
        if not signals.exemplified.size:
            return scores
        shown = described[:, :, [_CLAUSE]] * self.typical[:, 0] + self.typical[:, 1]
        shown[:, signals.exemplified] = signals.shown(queries, vectors)
        with_examples: Array = scores * self.exemplified[0] + shown @ self.exemplified[1:]
        return with_examples

    def projected(self, vectors: Array, documents: Array) -> Array:
        """The part of the score that is learned about directions of the embedding."""
        along = ((vectors @ self.basis) * self.gains) @ (documents @ self.basis).T
        projected: Array = np.float32(SCALE) * (along + documents @ self.preference)
        return projected


@cache
def ranker_fitted() -> Ranker:
    """The coefficients that come with the product."""
    weights = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    linear = (np.array(weights[name], dtype=np.float32) for name in ("described", "exemplified", "typical"))
    with np.load(DIRECTIONS) as directions:
        learned = (directions[name].astype(np.float32) for name in ("basis", "gains", "preference"))
        return Ranker(*linear, *learned)
