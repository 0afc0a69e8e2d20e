"""How far a reply is from what was asked. Wrong is not off-topic.

Sources: spec/3 "Detección de Desvíos"; design.md, "A turn"; docs/decisions/0019-deviation.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lesson_engine.adaptation.deviation_model import Topic, embedded_texts
from lesson_engine.contracts import Ask, TopicDeviation, Verdict, VerdictResult
from lesson_engine.grading import Embed
from lesson_engine.grading.attempts import NoAttempt

from .deviation_model import chatter_texts, deviation_model
from .deviation_rules import OF_NO_ATTEMPT, class_without_model, word_ratio, word_ratio_class

DeviationPolicy = Literal["semantic", "word_ratio"]


@dataclass(frozen=True)
class TopicJudgement:
    """A class, and how near the topic the reply is: from 0 to 1, by the policy's own measure; 0 says nothing of it."""

    deviation: TopicDeviation
    score: float


def detect_topic_deviation(
    response: str,
    question: str,
    objective: str,
    *,
    policy: DeviationPolicy = "semantic",
    references: Sequence[str] = (),
    embed: Embed | None = None,
) -> TopicDeviation:
    """Class of a written reply by its words alone; see `judge_topic`."""
    judged = judge_topic(response, question, objective, policy=policy, references=references, embed=embed)
    return judged.deviation


def judge_topic(
    response: str,
    question: str,
    objective: str,
    *,
    policy: DeviationPolicy = "semantic",
    references: Sequence[str] = (),
    embed: Embed | None = None,
) -> TopicJudgement:
    """Class and score of a written reply by its words alone. Any of the texts may be empty.

    `word_ratio` is the documented rule with case folded: the share of the objective's words longer than three letters
    that the reply contains; at least 0.3 is on topic, at least 0.1 vague. `semantic` compares meanings and needs
    `embed`; without one the documented rule decides. To it a reply that says nothing is vague: no word, no content,
    "I don't know". `references` are answers by the author, right or wrong.
    """
    if policy == "word_ratio" or embed is None:
        ratio = word_ratio(response, objective)
        return TopicJudgement(word_ratio_class(ratio), ratio)
    deviation = class_without_model(response, question, references)
    if deviation is not None:
        return TopicJudgement(deviation, 1.0 if deviation is TopicDeviation.ON_TOPIC else 0.0)
    model = deviation_model()
    probability = model.probability(response, Topic(question, objective, tuple(references)), embed)
    if probability >= model.on_topic:
        return TopicJudgement(TopicDeviation.ON_TOPIC, probability)
    vague = probability >= model.vague
    return TopicJudgement(TopicDeviation.VAGUE if vague else TopicDeviation.OFF_TOPIC, probability)


def texts_of_topic(response: str, question: str, objective: str) -> list[str]:
    """The texts that `judge_topic` embeds, so that those of many replies can be embedded at once."""
    return [*embedded_texts(response, Topic(question, objective)), *chatter_texts()]


def reply_deviation(
    ask: Ask, text: str, verdict: Verdict, *, policy: DeviationPolicy = "semantic", embed: Embed | None = None
) -> TopicDeviation:
    """Class of a judged reply. What was accepted or recognised as partly right, or as a known error, is on topic;
    a reply that is no attempt never is; an answer of the right form to a closed question cannot stray. Partly right in
    doubt is nothing recognised: its words decide, as those of a rejected reply do.
    """
    if verdict.no_attempt:
        return _of_no_attempt(verdict.rule)
    if verdict.result == VerdictResult.NOT_GRADABLE:
        return TopicDeviation.VAGUE
    is_partly = verdict.result == VerdictResult.PARTIAL and not verdict.doubtful
    recognised = verdict.result == VerdictResult.ACCEPT or is_partly or verdict.misconception is not None
    if recognised or ask.answer.kind in ("numeric", "choice", "multi_choice"):
        return TopicDeviation.ON_TOPIC
    return detect_topic_deviation(
        text, ask.question, ask.objective, policy=policy, references=references(ask), embed=embed
    )


def _of_no_attempt(rule: str) -> TopicDeviation:
    kinds: dict[str, NoAttempt] = {f"attempt.{kind}": kind for kind in OF_NO_ATTEMPT}
    return OF_NO_ATTEMPT[kinds[rule]] if rule in kinds else TopicDeviation.VAGUE


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
