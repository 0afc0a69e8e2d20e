"""What follows from a verdict that staff changed: the question is scored anew, and no learner moves.

Source: issue 4, "overruling re-scores the learner's session". Pure, like the player.
"""

from typing import Any

from core.contracts import Contract
from lesson_engine.contracts import VerdictResult
from lesson_engine.player.machine import counted, current_ask, with_changes
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import AskRecord, Notice, Outcome, PlayerState

_BY_THE_LEARNER: tuple[Outcome, ...] = ("shown", "skipped", "reported")
"""How a question can end without an answer that is right."""


class Answered(Contract):
    """One judged answer: the result of the grader, its result now, and how many hints were shown before it.

    Where the learner compared it and gave their own word (`own_word`), that is in place of the grader's. `spared`: it
    cost no attempt. `doubt`: whether the grader is not sure of it; None where it says nothing of an earlier doubt.
    `reviewed`: staff said what it is worth.
    """

    graded: VerdictResult
    result: VerdictResult
    hints: int
    spared: bool = False
    doubt: bool | None = None
    own_word: bool = False
    reviewed: bool = False


class AskHistory(Contract):
    """All judged answers to an ASK in order, and how many hints of it were shown in all."""

    answers: tuple[Answered, ...] = ()
    hints: int = 0

    @property
    def in_doubt(self) -> bool:
        """Whether the last answer that says something of it is in doubt, and staff have not settled it."""
        said = [answer for answer in self.answers if answer.doubt is not None]
        return bool(said) and said[-1].doubt is True and not said[-1].reviewed


def overrule(outline: Outline, state: PlayerState, code: str, history: AskHistory) -> PlayerState:
    """Score an ASK anew by what its answers are worth now; the state itself where that changes nothing.

    A learner who is at it while it is open may go on once an answer of theirs is right. No question opens again, and
    no learner is moved. An answer in doubt is not compared any more once staff have judged it; where it was being
    compared the question closes, since its answer is shown. Taken back, an open question has its doubt again.
    """
    before, ask = state.record(code), current_ask(outline, state)
    settled = before.outcome == "open" and before.doubted and not history.in_doubt
    was_shown = settled and state.phase == "comparing" and ask is not None and ask.code == code
    ended = before.model_copy(update={"outcome": "shown"}) if was_shown else before
    record = rescored(ended, history, outline.lesson.policy.attempts)
    if record == before:
        return state
    asks = {**state.asks, code: record}
    notice = state.notice
    about_it = notice is not None and notice.ask_code == code
    reported = about_it and notice is not None and notice.reported
    spared = settled and record.outcome != "mastered"
    scored = Notice(ask_code=code, closed_as=record.outcome, reported=reported, reviewed=True, spared=spared)
    if before.outcome == "open" != record.outcome and ask is not None and ask.code == code:
        return with_changes(
            state, asks=asks, rescored=True, phase="closed", micro_step=None, reread=False, notice=scored
        )
    # A notice of it, such as "we'll come back to it", may not hold any more; that it was withdrawn still does.
    still = notice if record.outcome == "voided" or not about_it else scored
    if about_it and record.doubted and not before.doubted:
        still = None if notice is not None and notice.reviewed else notice
    return with_changes(state, asks=asks, rescored=True, notice=still)


def rescored(record: AskRecord, history: AskHistory, most: int) -> AskRecord:
    """The record that these answers make.

    The first answer that is right closes the ASK, with the attempts and hints that it took. With none that is right it
    is as it ended otherwise: shown, skipped, reported, or still open. One that closed with an answer that turned out
    wrong is `missed`: its learner saw no answer, used up no attempts and gave nothing up. A withdrawn ASK stays so.
    What was spared an attempt stays spared, unless it is the answer that is right. An own word costs none once `most`
    were used up.
    """
    ended = _ended_otherwise(record, history)
    now = _scored(history, [answer.result for answer in history.answers], ended, most)
    graded = _scored(history, [answer.graded for answer in history.answers], ended, most)
    if record.outcome == "voided":
        now, graded = now | {"outcome": "voided"}, graded | {"outcome": "voided"}
    ended_before = ended if now["outcome"] == "mastered" and ended in _BY_THE_LEARNER else "open"
    changed = {
        **now,
        "ended": ended_before,
        "reviewed": now != graded or now["outcome"] == "missed",
        "by_own_word": _rests_on_own_word(history),
        "doubted": now["outcome"] == "open" and history.in_doubt,
    }
    return record.model_copy(update=changed)


def _ended_otherwise(record: AskRecord, history: AskHistory) -> Outcome:
    """The outcome of the ASK without an answer that is right; never again open once it was closed.

    Where staff alone closed one with an answer in doubt, and took that back, no verdict says that it is not right.
    """
    if record.outcome == "open" or record.outcome in _BY_THE_LEARNER:
        return record.outcome
    if record.ended in _BY_THE_LEARNER:
        return record.ended
    answers = history.answers
    is_unjudged = any(answer.doubt for answer in answers) and not any(
        answer.reviewed or answer.graded is VerdictResult.ACCEPT for answer in answers
    )
    return "shown" if is_unjudged else "missed"


def _rests_on_own_word(history: AskHistory) -> bool:
    """Whether the ASK ended as its learner said of their last answer, and staff have not looked at it."""
    if not history.answers:
        return False
    *earlier, last = history.answers
    is_own = last.own_word and not last.reviewed
    return is_own and all(answer.result is not VerdictResult.ACCEPT for answer in earlier)


def _scored(history: AskHistory, results: list[VerdictResult], ended: Outcome, most: int) -> dict[str, Any]:
    right = results.index(VerdictResult.ACCEPT) if VerdictResult.ACCEPT in results else None
    attempts = blanks = 0
    for place, result in enumerate(results if right is None else results[: right + 1]):
        answer = history.answers[place]
        if (answer.spared and place != right) or (answer.own_word and attempts >= most):
            blanks = 0
        else:
            attempts, blanks = counted(attempts, blanks, result)
    return {
        "attempts": attempts,
        "blanks": blanks,
        "hints": history.hints if right is None else history.answers[right].hints,
        "outcome": ended if right is None else "mastered",
    }
