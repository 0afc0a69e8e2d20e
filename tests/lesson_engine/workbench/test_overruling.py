"""Scoring a question anew: what the player makes of answers that turned out to be worth something else."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lesson_engine.contracts import VerdictResult
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.overruling import overrule, rescored
from lesson_engine.player.state import AskRecord
from tests.lesson_engine.lesson_file.build import ask, text_step
from tests.lesson_engine.player.walks import Move, moves, outline, outlines, reports, withdrawals
from tests.lesson_engine.workbench.walks import Look, ReviewedWalker, looks, steps

ENOUGH = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
ACCEPT, PARTIAL, REJECT, BLANK = (VerdictResult(name) for name in ("ACCEPT", "PARTIAL", "REJECT", "NOT_GRADABLE"))


def walker(*kinds: str | Move, attempts: int = 3) -> ReviewedWalker:
    """Before the first of two questions, and after these moves; a word that is no kind of move is a verdict."""
    lesson = outline(
        [text_step(), ask("q1", hints=["one", "two"]), ask("q2")], policy={"attempts": attempts, "skip_after": 1}
    )
    walk = ReviewedWalker(lesson)
    walk.play("continue", *kinds)
    return walk


def record(walk: ReviewedWalker, code: str = "q1") -> AskRecord:
    return walk.state.record(code)


def test_an_open_question_closes_for_whoever_stands_before_it() -> None:
    walk = walker("hint", "REJECT")
    walk.look(Look(0, ACCEPT))
    assert record(walk) == AskRecord(attempts=1, hints=1, outcome="mastered", reviewed=True)
    assert walk.state.phase == "closed"
    notice = walk.state.notice
    assert notice is not None
    assert (notice.ask_code, notice.closed_as, notice.reviewed, notice.verdict) == ("q1", "mastered", True, None)
    walk.play("continue", "ACCEPT", "continue")
    assert walk.finished


def test_a_micro_step_before_the_question_ends_with_it() -> None:
    lesson = outline([text_step(), ask("q1", micro_steps=[{"code": "m", "body": "b"}]), ask("q2")])
    walk = ReviewedWalker(lesson)
    walk.play("continue", "REJECT", Move("command", operation="insert_micro", target=-1))
    assert walk.state.phase == "micro"
    walk.look(Look(0, ACCEPT))
    assert (walk.state.phase, walk.state.micro_step) == ("closed", None)


def test_attempts_and_hints_are_those_at_the_answer_that_was_right() -> None:
    walk = walker("REJECT", "hint", "PARTIAL", "hint", "REJECT")
    assert record(walk) == AskRecord(attempts=3, hints=2, outcome="shown")
    walk.look(Look(1, ACCEPT))
    assert record(walk) == AskRecord(attempts=2, hints=1, outcome="mastered", reviewed=True, ended="shown")
    walk.look(Look(0, ACCEPT))
    assert record(walk) == AskRecord(attempts=1, hints=0, outcome="mastered", reviewed=True, ended="shown")
    walk.look(Look(0, REJECT))
    walk.look(Look(1, PARTIAL))
    assert record(walk) == AskRecord(attempts=3, hints=2, outcome="shown")


def test_an_earlier_answer_that_was_right_counts_before_the_accepted_one() -> None:
    walk = walker("REJECT", "hint", "ACCEPT")
    walk.look(Look(0, ACCEPT))
    assert record(walk) == AskRecord(attempts=1, hints=0, outcome="mastered", reviewed=True)
    walk.look(Look(1, REJECT))
    assert record(walk).outcome == "mastered"
    walk.look(Look(0, REJECT))
    assert record(walk) == AskRecord(attempts=2, hints=1, outcome="missed", reviewed=True)


def test_an_accepted_answer_that_was_not_right_is_missed_also_at_the_last_attempt() -> None:
    walk = walker("REJECT", "REJECT", "ACCEPT")
    walk.look(Look(2, PARTIAL))
    assert record(walk) == AskRecord(attempts=3, outcome="missed", reviewed=True)
    assert walk.state.phase == "closed"
    walk.look(Look(2, ACCEPT))
    assert record(walk) == AskRecord(attempts=3, outcome="mastered")


@pytest.mark.parametrize("ending", ["skip", "report"])
def test_a_question_that_was_given_up_is_again_what_it_was(ending: str) -> None:
    walk = walker("REJECT", ending)
    before = record(walk)
    walk.look(Look(0, ACCEPT))
    assert record(walk).outcome == "mastered"
    walk.look(Look(0, REJECT))
    assert record(walk) == before


def test_what_a_review_closed_does_not_open_again() -> None:
    walk = walker("REJECT")
    walk.look(Look(0, ACCEPT))
    walk.look(Look(0, REJECT))
    assert record(walk) == AskRecord(attempts=1, outcome="missed", reviewed=True)
    assert machine.can_continue(walk.state)


def test_partial_or_wrong_is_the_same_to_the_record() -> None:
    walk = walker("REJECT")
    before = walk.state
    walk.look(Look(0, PARTIAL))
    assert walk.state is before


def test_blanks_that_were_answers_count_and_answers_that_were_none_do_not() -> None:
    walk = walker("NOT_GRADABLE", "REJECT")
    walk.look(Look(0, REJECT))
    assert record(walk) == AskRecord(attempts=2, reviewed=True)
    assert (walk.state.phase, walk.state.notice and walk.state.notice.reviewed) == ("asking", True)
    walk.look(Look(1, BLANK))
    assert record(walk) == AskRecord(attempts=1, blanks=1, reviewed=True)
    walk.look(Look(0, BLANK))
    assert record(walk) == AskRecord(blanks=2, reviewed=True)


def test_whoever_is_left_with_no_attempt_still_has_one_more() -> None:
    walk = walker("NOT_GRADABLE", "REJECT", attempts=2)
    walk.look(Look(0, REJECT))
    assert (record(walk).attempts, walk.state.phase) == (2, "asking")
    walk.play("REJECT")
    assert (record(walk).outcome, walk.state.phase) == ("shown", "closed")


def test_a_withdrawn_question_stays_withdrawn() -> None:
    walk = walker("REJECT", Move("void", target=0))
    walk.look(Look(0, ACCEPT))
    assert record(walk).outcome == "voided"
    assert walk.state.notice is not None
    assert walk.state.notice.closed_as == "voided"


def test_a_question_that_was_left_does_not_come_back_once_an_answer_was_right() -> None:
    walk = walker("REJECT", Move("command", operation="goto", target=1))
    assert walk.state.cursor == 2
    walk.look(Look(0, ACCEPT))
    assert (walk.state.cursor, walk.state.phase) == (2, "asking")
    assert walk.state.notice is not None
    assert walk.state.notice.reviewed
    walk.play("ACCEPT", "continue")
    assert walk.finished


def test_who_is_elsewhere_keeps_what_they_were_told() -> None:
    walk = walker("REJECT", "ACCEPT", "continue", "REJECT")
    told = walk.state.notice
    walk.look(Look(1, REJECT))
    assert (record(walk).outcome, walk.state.notice) == ("missed", told)


def test_a_reported_question_cannot_be_reported_once_more_after_a_review() -> None:
    walk = walker("REJECT", "REJECT", "REJECT", "report")
    walk.look(Look(0, ACCEPT))
    assert not machine.can_report(walk.outline, walk.state)


@ENOUGH
@given(outlines(), st.lists(moves | reports | withdrawals, max_size=60))
def test_without_reviews_every_record_is_what_its_answers_make(lesson: Outline, tried: list[Move]) -> None:
    walk = ReviewedWalker(lesson)
    for move in tried:
        walk.try_(move)
        for code in lesson.asks:
            assert overrule(lesson, walk.state, code, walk.history(code)) is walk.state


@ENOUGH
@given(outlines(), st.lists(moves | moves | reports, max_size=60), st.lists(looks, max_size=20))
def test_any_order_of_reviews_makes_the_record_that_their_last_words_make(
    lesson: Outline, tried: list[Move], said: list[Look]
) -> None:
    walk = ReviewedWalker(lesson)
    walk.walk([*tried])
    walk.finish(Move("answer"))
    fresh = walk.state
    for look in said:
        walk.look(look)
    for code in lesson.asks:
        assert walk.state.record(code) == rescored(
            fresh.record(code), walk.history(code), lesson.lesson.policy.attempts
        )
    for place, (_, answered) in enumerate(walk.given):  # and back to what the grader said, or the learner
        walk.look(Look(place, answered.graded))
    confirmed = {code: record.model_copy(update={"by_own_word": False}) for code, record in fresh.asks.items()}
    assert walk.state.asks == confirmed


@ENOUGH
@given(outlines(), steps)
def test_reviews_at_any_time_keep_every_promise(lesson: Outline, tried: list[Move | Look]) -> None:
    walk = ReviewedWalker(lesson)
    walk.walk(tried)
    for code in lesson.asks:
        _check_against_the_answers(walk, code)
    walk.finish(Move("answer"))
    walk.check_end()


def _check_against_the_answers(walk: ReviewedWalker, code: str) -> None:
    """By hand: what the record must be, whatever was said before the last words."""
    record, history = walk.state.record(code), walk.history(code)
    results = [answer.result for answer in history.answers]
    right = results.index(ACCEPT) if ACCEPT in results else None
    if record.outcome != "voided":
        assert (record.outcome == "mastered") == (right is not None)
    counted = results if right is None else results[: right + 1]
    attempts = row = 0
    for place, result in enumerate(counted):
        if history.answers[place].spared and place != right:
            row = 0
            continue
        row = row + 1 if result == BLANK else 0
        attempts += result != BLANK or row % 3 == 0
    assert record.attempts == attempts
    assert record.hints == (history.hints if right is None else history.answers[right].hints)
    if results == [answer.graded for answer in history.answers]:
        assert record.reviewed == (record.outcome == "missed")
