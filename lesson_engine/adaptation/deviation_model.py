"""The default way to tell how far a reply is from the topic: a calibrated logistic model, one for every language.

`python -m benchmarks.deviation --fit` writes its file; `docs/decisions/0019-deviation.md` says how it was made.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from .deviation_features import Anchors, Embed, Topic, crossed, reply_features

FILE: Final = Path(__file__).parent / "data" / "deviation_model.json"


@dataclass(frozen=True)
class DeviationModel:
    """The file, read. `weights` apply to `crossed` features as they come; probabilities from `on_topic` and from
    `vague` on belong to these classes.
    """

    version: str
    weights: Mapping[str, float]
    intercept: float
    on_topic: float
    vague: float
    anchors: Anchors

    def probability(self, response: str, topic: Topic, embed: Embed) -> float:
        """How probable it is that the reply is about the topic."""
        features = crossed(reply_features(response, topic, self.anchors, embed))
        logit = self.intercept + sum(weight * features[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


@cache
def deviation_model() -> DeviationModel:
    """The model that is shipped."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    anchors = Anchors(**{name: tuple(texts) for name, texts in data["anchors"].items()})
    return DeviationModel(
        version=data["version"],
        weights=data["weights"],
        intercept=data["intercept"],
        on_topic=data["cuts"]["on_topic"],
        vague=data["cuts"]["vague"],
        anchors=anchors,
    )


def anchor_texts() -> frozenset[str]:
    """What the model has embedded with every reply: the same for everybody, so that its vectors are worth keeping."""
    return frozenset(deviation_model().anchors.texts)
