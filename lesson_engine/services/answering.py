"""Judging a reply: grade, deviation, adaptation. Nothing is written here and no transaction is open."""

from dataclasses import dataclass

import structlog
from django.conf import settings

from gateway.contracts import Budget
from gateway.embeddings import local_embedder
from gateway.selectors import budget_of
from lesson_engine.adaptation import DeviationPolicy, apply_adapt_command, plan_adaptation, reply_deviation
from lesson_engine.contracts import AdaptCommand, Ask, Reply, TopicDeviation, Verdict, VerdictResult
from lesson_engine.errors import ActionNotPossible
from lesson_engine.grading import GRADER_VERSION, grade
from lesson_engine.models import Mode, Session
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Judgement:
    """What a reply came to. `budget` is the session's money then; rules and the local embedder cost none of it."""

    ask: Ask
    verdict: Verdict
    deviation: TopicDeviation
    command: AdaptCommand | None
    state: PlayerState
    budget: Budget


def judge(outline: Outline, state: PlayerState, session: Session, reply: Reply) -> Judgement:
    """Judge a reply to the current ASK. Raises `ActionNotPossible` when there is none."""
    ask = machine.current_ask(outline, state)
    if ask is None:
        raise ActionNotPossible("No answer is awaited here.")
    verdict = _grade(ask, reply, outline.lesson.meta.language)
    policy: DeviationPolicy = settings.DEVIATION_POLICY
    deviation = reply_deviation(ask, reply.text, verdict, policy=policy, embed=local_embedder())
    counted = machine.record_verdict(outline, state, verdict, deviation)
    command = plan_adaptation(outline, counted, verdict, deviation) if session.mode == Mode.ADAPTIVE else None
    return Judgement(
        ask=ask,
        verdict=verdict,
        deviation=deviation,
        command=command,
        state=apply_adapt_command(command, outline, counted) if command else counted,
        budget=budget_of("session", str(session.pk)),
    )


def _grade(ask: Ask, reply: Reply, language: str) -> Verdict:
    try:
        return grade(ask, reply, language=language, embed=local_embedder())
    except Exception:
        # A fault of ours must not become a learner's dead end: the reply counts as one that could not be graded.
        _log.exception("grading failed", ask=ask.code, grader=GRADER_VERSION)
        return Verdict(result=VerdictResult.NOT_GRADABLE, rule="grader.failed", score=0, grader=GRADER_VERSION)
