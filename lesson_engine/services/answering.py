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
    anchor_texts,
    apply_adapt_command,
    plan_adaptation,
    reply_deviation,
)
from lesson_engine.contracts import AdaptCommand, Ask, Reply, TopicDeviation, Verdict, VerdictResult
from lesson_engine.errors import ActionNotPossible
from lesson_engine.escalation.asking import Escalation, WhoPays, escalation_due, second_opinion
from lesson_engine.grading import GRADER_VERSION, Embed, authored_texts, grade, looks_like_attack
from lesson_engine.models import Mode
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState

Result = TypeVar("Result")
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Judgement:
    """What a reply came to. `embedded` says whether the local embedder was asked; like the rules, it costs nothing.

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


class _Embedder:
    """The local embedder for one ASK, which keeps in mind whether it was asked.

    Vectors of the author's texts and of ours may be kept for everybody. A learner's words are in one place, to be
    erased there.
    """

    asked = False

    def __init__(self, ask: Ask) -> None:
        self._kept = authored_texts(ask) | anchor_texts()

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
) -> Judgement:
    """Judge a reply to the current ASK; `give_up` does not try. Raises `ActionNotPossible` when there is no ASK.

    `who_pays` is asked when the thinker is to be; without it the rules judge alone.
    """
    ask = machine.current_ask(outline, state)
    if ask is None:
        raise ActionNotPossible("No answer is awaited here.")
    embed = _Embedder(ask)
    verdict = _FAILED if give_up else _attempt(ask, "grading", _FAILED, partial(_grade, outline, ask, reply, embed))
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
    counted = machine.record_verdict(outline, state, verdict, deviation)
    adapted: tuple[AdaptCommand | None, PlayerState] = None, counted
    if mode == Mode.ADAPTIVE:
        adapt = partial(_adapt, outline, counted, verdict, deviation, escalation)
        adapted = _attempt(ask, "adapting", adapted, adapt)
    command, after = adapted
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


_FAILED = Verdict(result=VerdictResult.NOT_GRADABLE, rule="grader.failed", score=0, grader=GRADER_VERSION)


def _attempt(ask: Ask, stage: str, fallback: Result, work: Callable[[], Result]) -> Result:
    """The result of a stage, or its fallback: a fault of ours must not become a learner's dead end."""
    try:
        return work()
    except Exception:
        _log.exception(f"{stage} failed", ask=ask.code, grader=GRADER_VERSION)
        return fallback


def _grade(outline: Outline, ask: Ask, reply: Reply, embed: Embed) -> Verdict:
    return grade(
        ask,
        reply,
        language=outline.lesson.meta.language,
        embed=embed,
        vocabulary=outline.vocabulary,
        readings=[place.step for place in outline.material(outline.asks[ask.code].index)],
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
    escalation: Escalation | None,
) -> tuple[AdaptCommand | None, PlayerState]:
    refused = escalation is not None and escalation.refused
    command = plan_adaptation(outline, counted, verdict, deviation, refused=refused)
    return command, apply_adapt_command(command, outline, counted) if command else counted
