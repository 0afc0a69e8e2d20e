"""From how alike two tasks are to the probability that one plan may serve both. Source: design.md, "Settled", 1.

The model is fitted for one embedder and knows no other: another embedder, or another fit, is another version with a
file of its own, and entries of other versions are not looked at. `python -m benchmarks.plan_cache_fit` writes the file.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from gateway.contracts import LOCAL_EMBEDDING_MODEL
from planning.cache.likeness import SAME_WORD, Likeness

VERSION: Final = 1
EMBEDDER: Final = f"{LOCAL_EMBEDDING_MODEL}/{VERSION}"
"""The embedder that is stored with an entry."""
FILE: Final = Path(__file__).parent / "data" / f"{LOCAL_EMBEDDING_MODEL}-{VERSION}.json"
THRESHOLD: Final = 0.85
"""Source: RT-009, "Caches". From this probability on a plan is shared."""

SHORT: Final = 8
"""Pieces of a task up to which one that has no counterpart makes it another task."""
REWORDED: Final = ((12, 3), (10_000, 2))
"""Up to how many pieces how many must be loose on both sides for a longer text to be the same in other words."""


LIKE_WORD: Final = 0.45
"""Cosine of two words under which one for the other makes another text of what is only told."""


@dataclass(frozen=True)
class Calibration:
    """The file, read: a logistic model over `features_of`."""

    weights: Mapping[str, float]
    intercept: float

    def probability(self, features: Mapping[str, float]) -> float:
        """From 0 to 1."""
        logit = self.intercept + sum(weight * features[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


@cache
def calibration() -> Calibration:
    """The model that is shipped."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return Calibration(weights=data["weights"], intercept=data["intercept"])


def share_probability(likeness: Likeness) -> float:
    """How probable it is that one plan may serve both tasks, where nothing in them conflicts."""
    if is_other_task(likeness):
        return 0.0
    probability = calibration().probability(features_of(likeness))
    return probability if likeness.loose_cached or likeness.loose_new else max(probability, AGREED)


AGREED: Final = 0.96
"""Of the STS pairs in which everything has a counterpart and that are clearly the same or not, this share is."""


def is_other_task(likeness: Likeness) -> bool:
    """Whether a piece without counterpart decides: in short tasks every one does, in longer ones a few among much that
    is the same. Much that differs may be the same in other words, and so may what asks for nothing; the model says.
    """
    fewest = min(likeness.loose_cached, likeness.loose_new)
    pieces = likeness.common + max(likeness.loose_cached, likeness.loose_new)
    counts = pieces <= SHORT or fewest < next(least for most, least in REWORDED if pieces <= most)
    if likeness.is_told:
        one_for_one = likeness.loose_cached == likeness.loose_new == 1 and likeness.worst < LIKE_WORD
        return counts and (likeness.is_exchanged or one_for_one)
    return bool(likeness.loose_cached or likeness.loose_new) and counts and likeness.worst < SAME_WORD


def features_of(likeness: Likeness) -> dict[str, float]:
    """What the model weighs."""
    nothing_loose = not likeness.loose_cached and not likeness.loose_new
    return {
        "cosine": likeness.cosine,
        "cosine_squared": likeness.cosine**2,
        "share": likeness.share,
        "share_cosine": likeness.share * likeness.cosine,
        "phrase": likeness.phrase,
        "mean": likeness.mean,
        "loose_cached": min(likeness.loose_cached, 6) / 6,
        "loose_new": min(likeness.loose_new, 6) / 6,
        "nothing_loose": float(nothing_loose),
    }
