"""Judging a reply: grade, second opinion, deviation, adaptation.

Nothing of the lesson is written here and no transaction is open: a model may be asked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import structlog
from django.conf import settings

from gateway.contracts import Vectors
from gateway.services import texts_embed_locally
from lesson_engine.adaptation import (
    DeviationPolicy,
    apply_adapt_command,
    chatter_texts,
    plan_adaptation,
    reply_deviation,
)
from lesson_engine.contracts import AdaptCommand, Ask, LabelledAnswer, Reply, TopicDeviation, Verdict, VerdictResult
from lesson_engine.errors import ActionNotPossible
from lesson_engine.escalation.asking import Escalation, WhoPays, escalation_due, second_opinion
from lesson_engine.grading import GRADER_VERSION, Embed, authored_texts, grade, looks_like_attack
from lesson_engine.models import Mode
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from lesson_engine.selectors.examples import examples_of

Result = TypeVar("Result")
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Judgement:
    """What a reply came to. `embedded` says whether the local embedder was asked (for examples, lists, steps, the
    deviation); like the rules, it costs nothing.

    `attack_like` is for staff: the rules say so, and then no model was asked, or the model that was asked does. It
    decides nothing else. `escalation` is what came of wanting a second opinion; None where none was wanted.
    """

    ask: Ask
    verdict: Verdict
    deviation: TopicDeviation
    command: AdaptCommand | None
    state: PlayerState
    embedded: bool
    attack_like: bool
    escalation: Escalation | None = None


class AskEmbedder:
    """The local embedder for one ASK, which keeps in mind whether it was asked.

    Vectors of the author's texts and of ours may be kept for everybody. A learner's words are in one place, to be
    erased there.
    """

    asked = False

    def __init__(self, ask: Ask) -> None:
        self._kept = authored_texts(ask) | chatter_texts()

    def __call__(self, texts: Sequence[str], /) -> Vectors:
        self.asked = True
        return texts_embed_locally(texts, keep=self._kept)


def judge(
    outline: Outline,
    state: PlayerState,
    mode: str,
    reply: Reply,
    *,
    give_up: bool = False,
    who_pays: WhoPays | None = None,
    version_id: int | None = None,
) -> Judgement:
    """Judge a reply to the current ASK; `give_up` does not try. Raises `ActionNotPossible` when there is no ASK.

    `who_pays` is asked when the thinker is to be; without it the rules judge alone. `version_id` is the lesson version
    whose examples are looked at; without it none are.
    """
    ask = machine.current_ask(outline, state)
    if ask is None:
        raise ActionNotPossible("No answer is awaited here.")
    embed = AskEmbedder(ask)
    look = partial(_examples, version_id, ask, reply, embed)
    examples = [] if give_up else _attempt(ask, "looking for examples", list[LabelledAnswer](), look)
    grading = partial(answer_grade, outline, ask, reply, embed, examples)
    verdict = _FAILED if give_up else _attempt(ask, "grading", _FAILED, grading)
    tricks = partial(looks_like_attack, ask, reply, verdict)
    attack_like: bool | None = _attempt(ask, "looking for attacks", None, tricks)
    judged: tuple[Verdict, Escalation | None] = verdict, None
    # Where it is not known whether the reply is an attack, no model is asked either.
    if mode == Mode.ADAPTIVE and who_pays is not None and state.phase == "asking" and attack_like is False:
        judged = _attempt(ask, "escalating", judged, partial(_escalate, outline, ask, reply, verdict, who_pays))
    verdict, escalation = judged
    policy: DeviationPolicy = settings.DEVIATION_POLICY
    classify = partial(reply_deviation, ask, reply.text, verdict, policy=policy, embed=embed)
    deviation = _attempt(ask, "classifying the deviation", TopicDeviation.ON_TOPIC, classify)
    refused = escalation is not None and escalation.refused
    command, after = verdict_count(outline, state, mode, verdict, deviation, refused=refused)
    return Judgement(
        ask=ask,
        verdict=verdict,
        deviation=deviation,
        command=command,
        state=after,
        embedded=embed.asked,
        attack_like=bool(attack_like) or (escalation is not None and escalation.tricks),
        escalation=escalation,
    )


def verdict_count(
    outline: Outline,
    state: PlayerState,
    mode: str,
    verdict: Verdict,
    deviation: TopicDeviation,
    *,
    refused: bool = False,
) -> tuple[AdaptCommand | None, PlayerState]:
    """The planner's move after a verdict, and the state that both make.

    In deterministic mode nothing is planned, but where the grader is not sure the question is asked again in both.
    `refused`: no account would pay for a second opinion.
    """
    ask, counted = machine.current_ask(outline, state), machine.record_verdict(outline, state, verdict, deviation)
    assert ask is not None  # it took a verdict
    if mode != Mode.ADAPTIVE and not machine.in_doubt(counted):
        return None, counted
    unchanged: tuple[AdaptCommand | None, PlayerState] = None, counted
    adapt = partial(_adapt, outline, counted, verdict, deviation, refused)
    return _attempt(ask, "adapting", unchanged, adapt)


_FAILED = Verdict(result=VerdictResult.NOT_GRADABLE, rule="grader.failed", score=0, grader=GRADER_VERSION)


def _attempt(ask: Ask, stage: str, fallback: Result, work: Callable[[], Result]) -> Result:
    """The result of a stage, or its fallback: a fault of ours must not become a learner's dead end."""
    try:
        return work()
    except Exception:
        _log.exception(f"{stage} failed", ask=ask.code, grader=GRADER_VERSION)
        return fallback


def _examples(version_id: int | None, ask: Ask, reply: Reply, embed: Embed) -> list[LabelledAnswer]:
    if version_id is None or not reply.text.strip():
        return []
    return examples_of(version_id, ask, near=lambda: embed([reply.text])[0])


def answer_grade(
    outline: Outline, ask: Ask, reply: Reply, embed: Embed, examples: Sequence[LabelledAnswer] = ()
) -> Verdict:
    """The grader's verdict on a reply to an ASK of the lesson."""
    return grade(
        ask,
        reply,
        language=outline.lesson.meta.language,
        embed=embed,
        vocabulary=outline.vocabulary,
        readings=[place.step for place in outline.material(outline.asks[ask.code].index)],
        examples=examples,
    )


def _escalate(
    outline: Outline, ask: Ask, reply: Reply, verdict: Verdict, who_pays: WhoPays
) -> tuple[Verdict, Escalation | None]:
    if not escalation_due(ask, verdict):
        return verdict, None
    return second_opinion(ask, reply, verdict, language=outline.lesson.meta.language, who_pays=who_pays)


def _adapt(
    outline: Outline,
    counted: PlayerState,
    verdict: Verdict,
    deviation: TopicDeviation,
    refused: bool,
) -> tuple[AdaptCommand | None, PlayerState]:
    command = plan_adaptation(outline, counted, verdict, deviation, refused=refused)
    return command, apply_adapt_command(command, outline, counted) if command else counted
