"""Fits the model of deviation with scikit-learn, and writes it as the product reads it."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from benchmarks.deviation_data import Kind
from benchmarks.deviation_tables import Judged
from language.calibration import LogisticModel

VERSION: Final = "topic-1"
ON_TOPIC, VAGUE = 0.4, 0.3
_ABOUT: Final = (
    "Logistic model of whether a reply is about its topic: lesson_engine/adaptation/deviation_model.py applies it,"
    " `python -m benchmarks.deviation --fit` wrote it, docs/decisions/0019-deviation.md has method and figures. Fitted"
    " to answers of SemEval-2013 Task 7 (BEETLE and SciEntsBank, train parts, CC BY-SA 3.0) and of the bundled lessons,"
    " to CLINC150 requests (CC BY 3.0) and STS benchmark sentences in English and Spanish (CC BY-SA 4.0)."
)
# As much weight for a question's own replies as for all others. Replies of the same module weigh little: to be wrong is
# no deviation, and most of these would be wrong answers to the question as well.
_WEIGHTS: Final[dict[Kind, float]] = {
    "own": 3.8,
    "same module": 0.3,
    "other module": 1.0,
    "other set": 1.0,
    "requests": 1.0,
    "captions": 0.5,
}


class Weighted:
    """Pairs as arrays; every set weighs the same, however large it is."""

    def __init__(self, judged: Sequence[Judged]) -> None:
        sizes = Counter(one.pair.asked.set for one in judged)
        self.names = list(judged[0].features)
        self.features = np.array([[one.features[name] for name in self.names] for one in judged])
        self.on_topic = np.array([one.pair.on_topic for one in judged])
        share = [_WEIGHTS[one.pair.kind] / sizes[one.pair.asked.set] for one in judged]
        self.weights: npt.NDArray[np.float64] = np.array(share) * len(judged) / len(sizes)


def fitted(rows: Weighted) -> LogisticModel:
    """The model that fits these pairs."""
    scaler = StandardScaler().fit(rows.features)
    model = LogisticRegression(C=1.0, max_iter=5000)
    model.fit(scaler.transform(rows.features), rows.on_topic, sample_weight=rows.weights)
    weights = model.coef_[0] / scaler.scale_
    intercept = float(model.intercept_[0] - weights @ scaler.mean_)
    return LogisticModel(dict(zip(rows.names, map(float, weights), strict=True)), intercept)


def written(fit: LogisticModel, before: Mapping[str, Any]) -> str:
    """The file; its anchors are those of the file before, which people write."""
    data = {
        "version": VERSION,
        "about": _ABOUT,
        "cuts": {"on_topic": ON_TOPIC, "vague": VAGUE},
        "intercept": round(fit.intercept, 4),
        "weights": {name: round(weight, 4) for name, weight in fit.weights.items()},
        "anchors": before["anchors"],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
