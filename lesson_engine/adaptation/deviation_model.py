"""The default measure of how far a reply is from the topic: a calibrated logistic model, one for every language.

`python -m benchmarks.deviation --fit` writes its file; `docs/decisions/0019-deviation.md` says how it was made.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from language.calibration import LogisticModel
from language.word_lists import json_file
from lesson_engine.grading import Embed
from lesson_engine.grading.lexicon import function_words
from lesson_engine.grading.normalise import tokens

from .deviation_space import TopicSpace, topic_space

FILE: Final = Path(__file__).parent / "data" / "deviation_model.json"
EMBED_CHARS = 600
"""What is embedded of a reply: more than an answer needs, so that a long paste costs no more than an answer."""
MAX_TEXTS = 64
"""Texts of a topic that are compared with: more than any ASK's author writes."""
_NEAREST = 3
_LEAST_LENGTH = 1e-6
_OF_NO_SUBJECT: Final = """
answer describe explain give happen happened happens justify know mean notice noticed observe observed own please reason
reasoning reasons say see show tell thinking words
crees cuenta da describe di explica explique justifica observado observas opinas palabras pasa pasado piensas propias
razon razona razonamiento razones respuesta sabes significa ves
"""
_NO_SUBJECT = frozenset(_OF_NO_SUBJECT.split())


@dataclass(frozen=True)
class Topic:
    """What a question is about: itself, its objective, and what is known of its answers, right or wrong."""

    question: str
    objective: str = ""
    references: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Each text once, the question first, without those that name no subject, such as "Why?"; perhaps none."""
        texts = dict.fromkeys((self.question, self.objective, *self.references))
        return tuple(text[:EMBED_CHARS] for text in texts if _names_subject(text))[:MAX_TEXTS]


@lru_cache(maxsize=4096)
def _names_subject(text: str) -> bool:
    return not {word for word in tokens(text) if word != "|"} <= _NO_SUBJECT | function_words()


def reply_features(
    response: str, topic: Topic, chatter: Sequence[str], space: TopicSpace, embed: Embed
) -> dict[str, float]:
    """The features of a reply; fewer where the topic names no subject. `chatter` are small talk, requests and
    captions. Embeds once.
    """
    about = topic.texts
    vectors = embed([*embedded_texts(response, topic), *chatter])
    reply, texts, others = vectors[0], vectors[1 : len(about) + 1], vectors[len(about) + 1 :]
    there = space.reply(reply)
    reply_length = float(np.linalg.norm(there))
    of_reply = {"reply_length": reply_length, "chatter": float(np.sort(others @ reply)[-_NEAREST:].mean())}
    if not about:
        return of_reply
    asked = space.topics(texts)
    lengths = np.linalg.norm(asked, axis=1)
    fits = asked @ there / np.maximum(lengths * reply_length, _LEAST_LENGTH)
    return {
        **of_reply,
        "fit": float(fits.max()),
        "near": float((texts @ reply).max()),
        "topic_length": float(lengths.max()),
        "known": math.log1p(len(about) - 1),
    }


def embedded_texts(response: str, topic: Topic) -> tuple[str, ...]:
    """The texts that are embedded with the chatter: the reply, as far as it is read, then the topic."""
    return (response[:EMBED_CHARS], *topic.texts)


@dataclass(frozen=True)
class DeviationModel:
    """The file, read. Probabilities from `on_topic` and from `vague` on belong to these classes.

    `without_topic` is for questions that name no subject: any statement is an answer to "Why?", small talk is not.
    """

    version: str
    curve: LogisticModel
    without_topic: LogisticModel
    on_topic: float
    vague: float
    chatter: tuple[str, ...]

    def probability(self, response: str, topic: Topic, embed: Embed) -> float:
        """How probable it is that the reply is about the topic."""
        features = reply_features(response, topic, self.chatter, topic_space(), embed)
        return (self.curve if topic.texts else self.without_topic).probability(features)


@cache
def deviation_model() -> DeviationModel:
    """The model that is shipped."""
    data = json_file(FILE)
    return DeviationModel(
        version=data["version"],
        curve=LogisticModel.read(FILE, "curve"),
        without_topic=LogisticModel.read(FILE, "without_topic"),
        on_topic=data["cuts"]["on_topic"],
        vague=data["cuts"]["vague"],
        chatter=tuple(data["chatter"]),
    )


def chatter_texts() -> frozenset[str]:
    """What the model has embedded with every reply: the same for everybody, so that its vectors are worth keeping."""
    return frozenset(deviation_model().chatter)
