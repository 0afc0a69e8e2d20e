"""Verdicts of a session explained: the expected answer appears only where the question is closed."""

from typing import Final

from lesson_engine import selectors
from lesson_engine.contracts import TopicDeviation, Verdict
from lesson_engine.explanations import Judged, Line, once_closed, while_open
from lesson_engine.models import Session
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import Outcome, PlayerState
from lesson_engine.player.zones import is_stray

ANSWER_TOLD: Final[frozenset[Outcome]] = frozenset({"mastered", "shown", "skipped", "reported", "missed"})
"""How a question ends for whoever may know its answer. What was withdrawn may come back in another lesson."""


def is_told(outline: Outline, state: PlayerState, ask_code: str) -> bool:
    """Whether the learner knows the question's answer: it ended so, or they are comparing theirs with it."""
    if state.record(ask_code).outcome in ANSWER_TOLD:
        return True
    ask = machine.current_ask(outline, state)
    return state.phase == "comparing" and ask is not None and ask.code == ask_code


def explained(
    outline: Outline,
    state: PlayerState,
    ask_code: str,
    verdict: Verdict,
    deviation: TopicDeviation | None,
    *,
    reread: bool = False,
) -> tuple[Line, ...]:
    """The explanation of an answer to this question now; nothing of the content of one that strays.

    `reread`: the page shows the reading with the question.
    """
    if is_stray(verdict, deviation):
        return ()
    record = state.record(ask_code)
    judged = Judged(outline.ask(ask_code), verdict, outline.lesson.meta.language, record.hints, reread)
    return once_closed(judged) if is_told(outline, state, ask_code) else while_open(judged)


def earlier_try(session: Session, state: PlayerState) -> selectors.Tried | None:
    """The try to explain where a question was closed by something else: it was skipped, or "I don't know" was the last;
    and the one that is compared where another reply came since.

    None where staff have scored the question anew: what the grader found is not the last word any more. One query, none
    where the last turn was a try itself or closed nothing.
    """
    notice = state.notice
    if notice is not None and notice.verdict is None and state.phase == "comparing":
        return selectors.compared_try(session, notice.ask_code)
    if notice is None or notice.closed_as not in ("shown", "skipped", "reported"):
        return None
    if notice.verdict is not None and not notice.verdict.no_attempt:
        return None
    record = state.record(notice.ask_code)
    has_tried = record.attempts or record.asked_again
    return selectors.last_try(session, notice.ask_code) if has_tried and not record.reviewed else None
