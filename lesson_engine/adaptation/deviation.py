"""How far a reply is from what was asked. Wrong is not off-topic.

Sources: spec/3 "Detección de Desvíos"; design.md, "A turn".
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from lesson_engine.contracts import Ask, TopicDeviation, Verdict, VerdictResult
from lesson_engine.grading.lexicon import LANGUAGES, lexicon
from lesson_engine.grading.normalise import tokens

DeviationPolicy = Literal["semantic", "word_ratio"]
Embed = Callable[[Sequence[str]], npt.NDArray[np.float32]]

WORD_RATIO_ON_TOPIC, WORD_RATIO_VAGUE = 0.3, 0.1
# Least scores for "on topic" and "vague", for the local embedder. Cut between replies to a question and replies to a
# question of another field, on the train parts of SemEval-2013 Task 7 (BEETLE, SciEntsBank) and on the demo lesson.
SEMANTIC_ALONE = (0.22, 0.15)
SEMANTIC_WITH_REFERENCES = (0.29, 0.21)
"""The nearest of thirty texts is nearer than the nearest of two, also to a reply about something else."""
SHARED_WEIGHT = 0.3
EMBED_CHARS = 600
"""What is embedded of a reply: more than an answer needs, so that a long paste costs no more than an answer."""
_ROOT = 5


def detect_topic_deviation(
    response: str,
    question: str,
    objective: str,
    *,
    policy: DeviationPolicy = "semantic",
    references: Sequence[str] = (),
    embed: Embed | None = None,
) -> TopicDeviation:
    """Class of a written reply by its words alone.

    `word_ratio` is the documented rule with case folded: the share of the objective's words longer than three letters
    that the reply contains; at least 0.3 is on topic, at least 0.1 vague. `semantic` compares meanings and needs
    `embed`; without one the documented rule decides. A reply without any word is vague to it.
    """
    if policy == "semantic" and embed is not None:
        if not roots(response):
            return TopicDeviation.VAGUE
        score = topic_score(response, [question, objective, *references], embed)
        return _class(score, *(SEMANTIC_WITH_REFERENCES if references else SEMANTIC_ALONE))
    return _class(word_ratio(response, objective), WORD_RATIO_ON_TOPIC, WORD_RATIO_VAGUE)


def word_ratio(response: str, objective: str) -> float:
    """Share of the objective's words longer than three letters that stand anywhere in the reply."""
    words = [word for word in objective.casefold().split() if len(word) > 3]
    folded = response.casefold()
    return sum(word in folded for word in words) / max(1, len(words))


def topic_score(response: str, about: Sequence[str], embed: Embed) -> float:
    """How near a reply is to the nearest of several texts: its cosine, and for words in common up to 0.3 more."""
    vectors = embed([response[:EMBED_CHARS], *about])
    said = roots(response)
    shared = said & frozenset().union(*(roots(text) for text in about))
    return float(np.max(vectors[1:] @ vectors[0])) + SHARED_WEIGHT * len(shared) / max(1, len(said))


@lru_cache(maxsize=4096)
def roots(text: str) -> frozenset[str]:
    """First letters of the content words: enough to match "absorben" with "absorber" without knowing the language."""
    words = [word for word in tokens(text) if word != "|"]
    content = [word for word in words if word not in _function_words()] or words
    return frozenset(word[:_ROOT] for word in content)


@cache
def _function_words() -> frozenset[str]:
    return frozenset().union(*(lexicon(code).stopwords for code in LANGUAGES))


def _class(score: float, on_topic: float, vague: float) -> TopicDeviation:
    if score >= on_topic:
        return TopicDeviation.ON_TOPIC
    return TopicDeviation.VAGUE if score >= vague else TopicDeviation.OFF_TOPIC


def reply_deviation(
    ask: Ask, text: str, verdict: Verdict, *, policy: DeviationPolicy = "semantic", embed: Embed | None = None
) -> TopicDeviation:
    """Class of a judged reply. What was accepted or recognised as partly right, or as a known error, is on topic;
    a reply that is no attempt never is; an answer of the right form to a closed question cannot stray.
    """
    if verdict.no_attempt or verdict.result == VerdictResult.NOT_GRADABLE:
        return TopicDeviation.VAGUE
    recognised = verdict.result in (VerdictResult.ACCEPT, VerdictResult.PARTIAL) or verdict.misconception is not None
    if recognised or ask.answer.kind in ("numeric", "choice", "multi_choice"):
        return TopicDeviation.ON_TOPIC
    return detect_topic_deviation(
        text, ask.question, ask.objective, policy=policy, references=references(ask), embed=embed
    )


def references(ask: Ask) -> tuple[str, ...]:
    """What the author wrote about the answer, right or wrong: being close to any of it is being on topic."""
    answer = ask.answer
    wrong = tuple(example for misconception in ask.misconceptions for example in misconception.examples)
    if answer.kind in ("open", "definition"):
        return (*answer.accepted, *wrong)
    if answer.kind == "list":
        return (*(phrase for item in answer.items for phrase in item), *wrong)
    if answer.kind == "procedure":
        return (*(phrase for step in answer.steps for phrase in step), *wrong)
    return wrong
