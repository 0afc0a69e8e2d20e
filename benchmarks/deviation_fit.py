"""Fits the space of topics and replies and the model over it, and writes both as the product reads them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from benchmarks.deviation_data import AnsweredQuestion
from language.calibration import LogisticModel
from lesson_engine.adaptation.deviation_model import EMBED_CHARS, FILE, Topic
from lesson_engine.adaptation.deviation_space import SPACE_FILE, TopicSpace
from lesson_engine.grading import Embed

Array = npt.NDArray[np.float64]
VERSION: Final = "topic-2"
ON_TOPIC, VAGUE = 0.5, 0.2
DIMENSIONS, RIDGE = 128, 3.0
"""Of the space; what is added to each variance, in mean variances."""
MOST_REPLIES: Final = 20
_ABOUT: Final = (
    "Logistic model of whether a reply is about its topic: lesson_engine/adaptation/deviation_model.py applies it,"
    " `python -m benchmarks.deviation --fit` wrote it with deviation_space.npz, docs/decisions/0019-deviation.md has"
    " method and figures. Fitted to answers of the lessons in benchmarks/grading/lessons, of the bundled lessons and of"
    " SemEval-2013 Task 7 (BEETLE and SciEntsBank, train parts, CC BY-SA 3.0), to benchmarks/deviation_chatter.jsonl,"
    " CLINC150 requests (CC BY 3.0) and STS benchmark sentences in English and Spanish (CC BY-SA 4.0)."
)


def fitted_space(asked: Sequence[AnsweredQuestion], embed: Embed) -> TopicSpace:
    """Regularised canonical correlation of questions and their replies. Twice the replies count a root of two more."""
    answered = [
        (one.question, one.replies[:MOST_REPLIES]) for one in asked if one.replies and Topic(one.question).texts
    ]
    sizes = [len(replies) for _, replies in answered]
    questions = np.repeat(embed([question[:EMBED_CHARS] for question, _ in answered]), sizes, axis=0)
    replies = embed([reply[:EMBED_CHARS] for _, replies in answered for reply in replies])
    weights = np.repeat(np.array(sizes) ** -0.5, sizes)
    weights /= weights.sum()
    topic_mean, reply_mean = weights @ questions, weights @ replies
    roots = np.sqrt(weights)[:, None]
    centred_questions, centred_replies = (questions - topic_mean) * roots, (replies - reply_mean) * roots
    topic_map, reply_map = _whitening(centred_questions), _whitening(centred_replies)
    left, correlations, right = np.linalg.svd(topic_map.T @ centred_questions.T @ centred_replies @ reply_map)
    spread = np.sqrt(correlations[:DIMENSIONS])
    topic_map, reply_map = topic_map @ left[:, :DIMENSIONS] * spread, reply_map @ right[:DIMENSIONS].T * spread
    return TopicSpace(*(array.astype(np.float32) for array in (topic_mean, topic_map, reply_mean, reply_map)))


def _whitening(centred: Array) -> Array:
    variances, directions = np.linalg.eigh(centred.T @ centred)
    whitening: Array = directions / np.sqrt(variances + RIDGE * variances.mean())
    return whitening


@dataclass(frozen=True)
class Fit:
    """The two models of the product's file."""

    curve: LogisticModel
    without_topic: LogisticModel

    def probability(self, features: Mapping[str, float]) -> float:
        """By the model whose features these are."""
        model = self.curve if features.keys() == self.curve.weights.keys() else self.without_topic
        return model.probability(features)


def fitted(features: Sequence[Mapping[str, float]], on_topic: Sequence[bool]) -> LogisticModel:
    """The model that fits these replies; those on topic weigh as much together as the others."""
    names = list(features[0])
    values = np.array([[row[name] for name in names] for row in features])
    scaler = StandardScaler().fit(values)
    model = LogisticRegression(class_weight="balanced", max_iter=5000).fit(scaler.transform(values), on_topic)
    weights = model.coef_[0] / scaler.scale_
    intercept = float(model.intercept_[0] - weights @ scaler.mean_)
    return LogisticModel(dict(zip(names, map(float, weights), strict=True)), intercept)


def write_files(space: TopicSpace, fit: Fit) -> None:
    """Both files of the product, which belong together: to be called once both are fitted."""
    text = _written(fit, json.loads(FILE.read_text(encoding="utf-8")))
    _write_space(space)
    FILE.write_text(text, "utf-8")


def _write_space(space: TopicSpace) -> None:
    """In half precision, which is enough for cosines."""
    arrays: dict[str, Any] = {name: array.astype(np.float16) for name, array in vars(space).items()}
    np.savez_compressed(SPACE_FILE, allow_pickle=False, **arrays)


def _written(fit: Fit, before: Mapping[str, Any]) -> str:
    """The file of the model; its chatter is that of the file before, which people write."""
    data = {
        "version": VERSION,
        "about": _ABOUT,
        "cuts": {"on_topic": ON_TOPIC, "vague": VAGUE},
        "curve": _rounded(fit.curve),
        "without_topic": _rounded(fit.without_topic),
        "chatter": before["chatter"],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _rounded(model: LogisticModel) -> dict[str, Any]:
    weights = {name: round(weight, 4) for name, weight in model.weights.items()}
    return {"intercept": round(model.intercept, 4), "weights": weights}
