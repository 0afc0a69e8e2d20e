"""The default measure of how far a reply is from the topic: a calibrated logistic model, one for every language.

`python -m benchmarks.deviation --fit` writes its file; `docs/decisions/0019-deviation.md` says how it was made.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from language.calibration import LogisticModel
from language.word_lists import json_file
from lesson_engine.grading import Embed
from lesson_engine.grading.lexicon import function_words, number_words
from lesson_engine.grading.normalise import tokens

FILE: Final = Path(__file__).parent / "data" / "deviation_model.json"
EMBED_CHARS = 600
"""What is embedded of a reply: more than an answer needs, so that a long paste costs no more than an answer."""
MAX_TEXTS = 64
"""Texts of a topic that are compared with: more than any ASK's author writes."""
_ROOT = 5
_NEAREST = 3
_US: Final = "i me my mine you your yours please we us yo mi mis tu tus te ti usted nos quiero puedes"
_AMOUNT: Final = """
many much long far fast big old often tall heavy number percent percentage fraction calculate compute value amount unit
cuanto cuanta cuantos cuantas numero porcentaje fraccion calcula calcular valor cantidad resultado distancia unidad
"""
_OF_YOU_AND_ME, _AMOUNTS = frozenset(_US.split()), frozenset(_AMOUNT.split())


@dataclass(frozen=True)
class Topic:
    """What a question is about: itself, its objective, and what is known of its answers, right or wrong."""

    question: str
    objective: str = ""
    references: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Each text once, the question first."""
        texts = dict.fromkeys(text for text in (self.question, self.objective, *self.references) if text.strip())
        return tuple(text[:EMBED_CHARS] for text in texts)[:MAX_TEXTS] or ("",)


@dataclass(frozen=True)
class Anchors:
    """Texts that everything is held against: small talk with requests and captions, and questions without a subject."""

    chatter: tuple[str, ...]
    open_questions: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.chatter, *self.open_questions)


def reply_features(response: str, topic: Topic, anchors: Anchors, embed: Embed) -> Mapping[str, float]:
    """The features of a reply, each about from 0 to 1 but `length`. Embeds once."""
    about = topic.texts
    vectors = embed([*embedded_texts(response, topic), *anchors.texts])
    reply, texts, others = vectors[0], vectors[1 : len(about) + 1], vectors[len(about) + 1 :]
    near = texts @ reply
    aim = texts[: 2 if topic.objective.strip() not in ("", topic.question.strip()) else 1].sum(axis=0)
    chatter, open_questions = np.split(others, [len(anchors.chatter)])
    return {
        "near": float(near.max()),
        "near_asked": float(aim @ reply) / max(1e-6, float(np.linalg.norm(aim))),
        "known": math.log1p(len(about) - 1),
        "vague_topic": float((texts @ open_questions.T).max(axis=1).min()),
        "chatter": float(np.sort(chatter @ reply)[-_NEAREST:].mean()),
        **_word_features(response, about),
    }


def embedded_texts(response: str, topic: Topic) -> tuple[str, ...]:
    """The texts that are embedded with the anchors: the reply, as far as it is read, then the topic."""
    return (response[:EMBED_CHARS], *topic.texts)


def crossed(features: Mapping[str, float]) -> dict[str, float]:
    """The features with those of their products that matter: how much nearness says depends on the others."""
    pairs = (
        ("vague_topic", "near"),
        ("vague_topic", "chatter"),
        ("vague_topic", "shared"),
        ("vague_topic", "vague_topic"),
        ("known", "near"),
        ("length", "near"),
        ("length", "shared"),
        ("length", "length"),
        ("near", "near"),
    )
    return {**features, **{f"{first}*{second}": features[first] * features[second] for first, second in pairs}}


def _word_features(response: str, about: Sequence[str]) -> dict[str, float]:
    words = [word for word in tokens(response) if word != "|"]
    ours, topics = roots(response), frozenset[str]().union(*(roots(text) for text in about))
    count = max(1, len(words))
    number = any(word[0].isdigit() or word[-1].isdigit() or word in number_words() for word in words)
    amount = _asks_amount(about[0])
    return {
        "shared": len(ours & topics) / max(1, len(ours)),
        "length": math.log1p(count),
        "function_words": sum(word in function_words() for word in words) / count,
        "of_you_and_me": sum(word in _OF_YOU_AND_ME for word in words) / count,
        "number_wanted": float(number and amount),
        "number_unasked": float(number and not amount),
    }


@lru_cache(maxsize=1024)
def _asks_amount(question: str) -> bool:
    return not _AMOUNTS.isdisjoint(tokens(question))


@lru_cache(maxsize=4096)
def roots(text: str) -> frozenset[str]:
    """First letters of the content words: enough to match "absorben" with "absorber" without knowing the language."""
    words = [word for word in tokens(text) if word != "|"]
    content = [word for word in words if word not in function_words()] or words
    return frozenset(word[:_ROOT] for word in content)


@dataclass(frozen=True)
class DeviationModel:
    """The file, read. `curve` weighs `crossed` features; probabilities from `on_topic` and from `vague` on belong to
    these classes.
    """

    version: str
    curve: LogisticModel
    on_topic: float
    vague: float
    anchors: Anchors

    def probability(self, response: str, topic: Topic, embed: Embed) -> float:
        """How probable it is that the reply is about the topic."""
        return self.curve.probability(crossed(reply_features(response, topic, self.anchors, embed)))


@cache
def deviation_model() -> DeviationModel:
    """The model that is shipped."""
    data = json_file(FILE)
    anchors = Anchors(**{name: tuple(texts) for name, texts in data["anchors"].items()})
    return DeviationModel(
        version=data["version"],
        curve=LogisticModel(data["weights"], data["intercept"]),
        on_topic=data["cuts"]["on_topic"],
        vague=data["cuts"]["vague"],
        anchors=anchors,
    )


def anchor_texts() -> frozenset[str]:
    """What the model has embedded with every reply: the same for everybody, so that its vectors are worth keeping."""
    return frozenset(deviation_model().anchors.texts)
