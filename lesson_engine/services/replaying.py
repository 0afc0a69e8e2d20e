"""A verdict given once more, from what it was given from, to see whether it is still the same."""

from dataclasses import dataclass
from typing import Literal

import structlog

from lesson_engine.contracts import LabelledAnswer, Verdict, VerdictResult
from lesson_engine.grading import GRADER_VERSION, examples_digest
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Turn
from lesson_engine.selectors.examples import examples_used
from lesson_engine.services.answering import AskEmbedder, answer_grade
from lesson_engine.services.words import words_reply

ReplayState = Literal["same", "other", "incomplete", "former", "failed"]
_FAILED = "grader.failed"
_log = structlog.get_logger(__name__)
_SAME_SCORE = 0.001
"""Vectors differ in their last digits by what else is embedded with them."""


@dataclass(frozen=True)
class Replay:
    """What came of grading an answer once more.

    `same` or `other`: the result and score are those that are stored, or not. `incomplete`: the answer or an example
    was erased, so it cannot be graded from the same. `former`: another version of the grader gave the verdict.
    `failed`: grading failed when the verdict was given, or fails now. `result` is None in the last three.
    """

    state: ReplayState
    result: VerdictResult | None = None
    score: float | None = None
    doubtful: bool = False


def verdict_replay(turn: Turn) -> Replay:
    """Grade a judged answer once more, with the examples that its verdict looked at. Nothing is stored.

    Of a verdict to which a model gave a second opinion, the rules' part is graded. Needs the turn's words and session.
    One query where the verdict looked at examples.
    """
    verdict = Verdict.model_validate(turn.verdict)
    if verdict.grader != GRADER_VERSION:
        return Replay("former")
    rule, result, score = _by_the_rules(verdict)
    if rule == _FAILED:
        return Replay("failed")
    if turn.words.erased_at is not None:
        return Replay("incomplete")
    examples = _examples(verdict)
    if examples is None:
        return Replay("incomplete")
    outline = outline_of(turn.session.lesson_version_id)
    ask = outline.ask(turn.ask_code)
    try:
        again = answer_grade(outline, ask, words_reply(turn.words), AskEmbedder(ask), examples)
    except Exception:  # as for a learner: a fault of the grader breaks no page
        _log.exception("grading again failed", ask=ask.code, turn=turn.pk, grader=GRADER_VERSION)
        return Replay("failed")
    is_same = again.result is result and abs(again.score - score) <= _SAME_SCORE
    return Replay("same" if is_same else "other", again.result, again.score, again.doubtful)


def _examples(verdict: Verdict) -> list[LabelledAnswer] | None:
    """The examples that the verdict looked at; None where they are not all there any more as they were."""
    ids = verdict.details.get("examples", [])
    if not ids:
        return []
    examples = examples_used(ids)
    is_whole = len(examples) == len(ids) and examples_digest(examples) == verdict.details.get("examples_digest")
    return examples if is_whole else None


def _by_the_rules(verdict: Verdict) -> tuple[str, VerdictResult, float]:
    """Rule, result and score before a model gave its opinion."""
    if (opinion := verdict.details.get("thinker")) is None:
        return verdict.rule, verdict.result, verdict.score
    rules = opinion["deterministic"]
    return rules["rule"], VerdictResult(rules["result"]), float(rules["score"])
