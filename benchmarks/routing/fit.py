"""Fits what confidence is made of, on packs of many densities, and writes the coefficients."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression

from benchmarks.routing.data import Clinc, World
from routing.engine.classifier import Classifier
from routing.engine.confidence import Line
from routing.engine.signals import FEATURES

FILE = Path(__file__).parents[2] / "routing/engine/confidence.json"
VERSION = "andamio-router-1"
LOW, LEAST, HIGH = 0.5, 0.3, 0.9
_OUTSIDE = 0.18
"""The share of messages that belong nowhere, as the public test set has it."""
_STRENGTH = 0.01
_AT_ONCE = 256
Floats = npt.NDArray[np.float64]


class Measured(NamedTuple):
    """A world as the engine sees it; `domain` of each message by its place in the pack, -1 for none."""

    name: str
    shares: Floats
    features: Floats
    domain: npt.NDArray[np.int64]
    weight: float = 1.0

    @property
    def right(self) -> npt.NDArray[np.bool_]:
        """Whether the first domain is the right one."""
        return np.asarray(self.shares.argmax(axis=1) == self.domain)

    @property
    def weights(self) -> Floats:
        """Of each message, as if the share of those outside was the usual one."""
        outside = self.domain < 0
        count = len(outside)
        weights = np.where(outside, _OUTSIDE / max(outside.sum(), 1), (1 - _OUTSIDE) / max((~outside).sum(), 1))
        return np.asarray(weights * (count / weights.sum() / count), dtype=np.float64)


def measured(world: World, weight: float = 1.0) -> Measured:
    """The world as a classifier of its pack sees it."""
    classifier = Classifier(world.pack)
    texts = [message.text for message in world.messages]
    parts = [classifier.measured(texts[start : start + _AT_ONCE]) for start in range(0, len(texts), _AT_ONCE)]
    keys = world.pack.keys
    domain = np.array([-1 if one.domain is None else keys.index(one.domain) for one in world.messages], dtype=np.int64)
    shares, features = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Measured(world.name, shares, features, domain, weight)


def worlds_of(rows: Clinc) -> list[Measured]:
    """Packs from five examples an intent to all, over all domains or some, with and without fine labels."""
    dice = random.Random(1)
    domains = sorted(set(rows.domain_of.values()))

    def world(name: str, weight: float = 1.0, **how: Any) -> Measured:
        return measured(rows.world(name, fitting=True, **how), weight)

    made = [
        world("all", 3.0),
        world("listed", 2.0, listed=150),
        *(world(f"{count} an intent", 1.5, examples=count, seed=count) for count in (50, 20, 10, 5)),
        world("coarse", fine=False),
        world("coarse 10", examples=10, fine=False, seed=9),
    ]
    plans = ((5, 3, 0), (10, 4, 0), (20, 5, 100), (50, 6, 0), (8, 3, 0), (15, 7, 100))
    for seed, (examples, count, listed) in enumerate(plans):
        some = dice.sample(domains, count)
        made.append(world(f"{count} domains", examples=examples, domains=some, listed=listed, seed=seed))
    return made


def fitted(worlds: Sequence[Measured]) -> tuple[Line, Line]:
    """That a message is in scope, and that the first domain is right."""
    features = np.concatenate([world.features for world in worlds])
    weights = np.concatenate([world.weights * world.weight for world in worlds]) * 3_000
    targets = (
        np.concatenate([world.domain >= 0 for world in worlds]),
        np.concatenate([world.right for world in worlds]),
    )
    return tuple(_line(features, target, weights) for target in targets)  # type: ignore[return-value]  # two of them


def written(worlds: Sequence[Measured]) -> None:
    """Fit on all worlds and write the file of the product."""
    lines: dict[str, Any] = {
        name: {"bias": round(line.bias, 5), "weights": [round(float(weight), 5) for weight in line.weights]}
        for name, line in zip(("in_scope", "right"), fitted(worlds), strict=True)
    }
    data = {"version": VERSION, "features": FEATURES, **lines, "low": LOW, "least": LEAST, "high": HIGH}
    FILE.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def _line(features: Floats, target: npt.NDArray[np.bool_], weights: Floats) -> Line:
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    model = LogisticRegression(C=_STRENGTH, max_iter=5_000)
    model.fit((features - mean) / spread, target, sample_weight=weights)
    slopes = model.coef_[0] / spread
    return Line(float(model.intercept_[0] - slopes @ mean), slopes)
