"""Walks through small lessons, step by step."""

import pytest

from lesson_engine.adaptation import apply_adapt_command
from lesson_engine.contracts import AdaptCommand, TopicDeviation
from lesson_engine.errors import ActionNotPossible
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import AskRecord, PlayerState
from tests.each import each
from tests.lesson_engine.lesson_file.build import ask, text_step
from tests.lesson_engine.player.walks import Move, Walker, outline, verdict

OFF = Move("answer", deviation=TopicDeviation.OFF_TOPIC, adaptive=True)


def three_asks(**changes: object) -> Outline:
    narration = text_step("NARRATION")
    return outline([text_step(), ask("a"), narration, ask("b"), ask("c"), text_step(), ask("z")], **changes)


def cursor_codes(walker: Walker) -> list[str]:
    steps = [walker.outline.places[index].step for index in walker.arrivals]
    return [step.code if step.type == "ASK" else step.type for step in steps]


def test_a_lesson_begins_at_its_first_step() -> None:
    assert Walker(outline([text_step(), ask("a")])).state.phase == "reading"
    assert Walker(outline([ask("a")])).state.phase == "asking"


def test_right_answers_lead_through_in_order() -> None:
    walker = Walker(three_asks())
    walker.finish(Move("answer", result="ACCEPT"))
    assert cursor_codes(walker) == ["CONTENT", "a", "NARRATION", "b", "c", "CONTENT", "z"]
    assert {record.outcome for record in walker.state.asks.values()} == {"mastered"}


def test_an_accepted_answer_closes_and_waits_for_the_learner_to_go_on() -> None:
    walker = Walker(three_asks()).play("continue", "ACCEPT")
    assert walker.state.phase == "closed"
    assert walker.state.notice is not None
    assert walker.state.notice.closed_as == "mastered"
    assert walker.play("continue").state.phase == "reading"


def test_the_last_attempt_shows_the_answer() -> None:
    walker = Walker(three_asks(policy={"attempts": 2})).play("continue", "REJECT")
    assert walker.state.phase == "asking"
    walker.play("PARTIAL")
    assert (walker.state.phase, walker.state.record("a").outcome) == ("closed", "shown")


def test_the_last_attempt_may_still_be_right() -> None:
    walker = Walker(three_asks()).play("continue", "REJECT", "REJECT", "ACCEPT")
    assert walker.state.record("a") == AskRecord(attempts=3, outcome="mastered")


@each(
    ("answers", "attempts", "blanks"),
    [
        (["NOT_GRADABLE"], 0, 1),
        (["NOT_GRADABLE"] * 2, 0, 2),
        (["NOT_GRADABLE"] * 3, 1, 0),
        (["NOT_GRADABLE"] * 5, 1, 2),
        (["NOT_GRADABLE"] * 6, 2, 0),
        (["NOT_GRADABLE", "NOT_GRADABLE", "REJECT"], 1, 0),
        (["NOT_GRADABLE", "REJECT", "NOT_GRADABLE", "NOT_GRADABLE"], 1, 2),
        (["REJECT", "NOT_GRADABLE", "NOT_GRADABLE", "NOT_GRADABLE"], 2, 0),
        (["NOT_GRADABLE", "NOT_GRADABLE", "ACCEPT"], 1, 0),
    ],
)
def test_only_the_third_blank_in_a_row_costs_an_attempt(answers: list[str], attempts: int, blanks: int) -> None:
    record = Walker(three_asks()).play("continue", *answers).state.record("a")
    assert (record.attempts, record.blanks) == (attempts, blanks)


def test_nine_blanks_show_the_answer() -> None:
    assert Walker(three_asks()).play("continue", *["NOT_GRADABLE"] * 9).state.record("a").outcome == "shown"


def test_i_do_not_know_costs_an_attempt_each_time() -> None:
    walker = Walker(three_asks()).play("continue")
    state = machine.record_verdict(walker.outline, walker.state, verdict(no_attempt=True), TopicDeviation.VAGUE)
    assert state.record("a").attempts == 1


def test_hints_come_one_by_one_and_end() -> None:
    walker = Walker(outline([ask("a", hints=["one", "two"])])).play("hint", "hint")
    assert walker.state.record("a").hints == 2
    assert not machine.can_hint(walker.outline, walker.state)
    with pytest.raises(ActionNotPossible):
        machine.show_hint(walker.outline, walker.state)


def test_a_hint_costs_no_attempt_and_breaks_no_row_of_blanks() -> None:
    walker = Walker(outline([ask("a", hints=["one"])])).play("NOT_GRADABLE", "NOT_GRADABLE", "hint", "NOT_GRADABLE")
    assert walker.state.record("a").attempts == 1


@pytest.mark.parametrize(("policy", "needed"), [({}, 2), ({"skip_after": 1}, 1), ({"skip_after": 9, "attempts": 4}, 4)])
def test_skipping_is_possible_once_enough_attempts_are_used(policy: dict[str, int], needed: int) -> None:
    walker = Walker(three_asks(policy=policy)).play("continue")
    for used in range(needed):
        assert machine.can_skip(walker.outline, walker.state) is False, used
        walker.play("REJECT")
    if needed < walker.outline.lesson.policy.attempts:
        walker.play("skip")
        assert walker.state.record("a") == AskRecord(attempts=needed, outcome="skipped")
    assert walker.state.phase == "closed"


def test_what_is_not_possible_is_refused() -> None:
    walker = Walker(three_asks())
    for action in (machine.show_hint, machine.skip):
        with pytest.raises(ActionNotPossible):
            action(walker.outline, walker.state)
    with pytest.raises(ActionNotPossible):
        machine.record_verdict(walker.outline, walker.state, verdict(), TopicDeviation.ON_TOPIC)
    with pytest.raises(ActionNotPossible):
        machine.proceed(walker.outline, walker.play("continue").state)
    walker.finish(Move("answer"))
    with pytest.raises(ActionNotPossible):
        machine.proceed(walker.outline, walker.state)


def test_an_ask_left_by_a_jump_returns_once_before_the_cycle_ends() -> None:
    walker = Walker(three_asks()).play("continue", OFF)
    assert cursor_codes(walker)[-1] == "b"
    walker.finish(Move("answer", result="ACCEPT"))
    assert cursor_codes(walker) == ["CONTENT", "a", "b", "c", "a", "NARRATION", "CONTENT", "z"]
    walker.check_end()


def test_an_ask_that_a_jump_passed_over_is_asked_before_the_cycle_ends() -> None:
    walker = Walker(three_asks()).play("continue", Move("command", operation="goto", target=2))
    walker.finish(Move("answer", result="ACCEPT"))
    assert cursor_codes(walker) == ["CONTENT", "a", "c", "a", "NARRATION", "b", "CONTENT", "z"]


def test_a_learner_who_always_strays_still_meets_each_ask_at_most_twice() -> None:
    walker = Walker(three_asks())
    walker.finish(OFF)
    assert cursor_codes(walker) == ["CONTENT", "a", "b", "c", "a", "NARRATION", "b", "c", "CONTENT", "z"]
    assert {record.attempts for record in walker.state.asks.values()} == {3}
    walker.check_end()


def test_attempts_and_hints_are_kept_when_an_ask_returns() -> None:
    walker = Walker(three_asks()).play("continue", "REJECT", OFF, "ACCEPT", "continue", "ACCEPT", "continue")
    assert cursor_codes(walker)[-1] == "a"
    assert walker.state.record("a").attempts == 2
    assert walker.play("REJECT").state.record("a").outcome == "shown"


def test_a_micro_step_leads_back_to_its_question() -> None:
    steps = outline([text_step(), ask("a", micro_steps=[{"code": "m", "body": "b"}])])
    walker = Walker(steps).play("continue", "REJECT", Move("command", operation="insert_micro", target=-1))
    assert (walker.state.phase, walker.state.micro_step) == ("micro", "m")
    assert walker.play("continue").state.phase == "asking"


def test_a_repeat_lasts_until_the_next_answer() -> None:
    walker = Walker(three_asks()).play("continue", "REJECT", Move("command", operation="repeat", target=-1))
    assert walker.state.reread is True
    assert walker.play("REJECT").state.reread is False


def test_nothing_of_the_planner_outlives_the_cycle() -> None:
    steps = outline(
        [ask("a", micro_steps=[{"code": "m", "body": "b"}]), ask("b"), text_step(), ask("c")],
        [ask("d")],
    )
    state = machine.begin(steps)
    for command in (AdaptCommand(op="insert_micro"), AdaptCommand(op="repeat")):
        state = apply_adapt_command(command, steps, state)
        state = machine.proceed(steps, state) if state.phase == "micro" else state
    state = apply_adapt_command(AdaptCommand(op="goto", target_ask_code="b"), steps, state)
    assert state.cycle.jumped_from == ("a",)
    for _ in range(2):
        state = machine.record_verdict(steps, state, verdict("ACCEPT"), TopicDeviation.ON_TOPIC)
        state = machine.proceed(steps, state)
    assert state == PlayerState(cursor=2, asks=state.asks, cycle=state.cycle.__class__(read=(2,)))


def test_a_finished_session_keeps_only_how_its_questions_went() -> None:
    walker = Walker(three_asks())
    walker.finish(OFF)
    assert walker.state == PlayerState(cursor=6, phase="finished", asks=walker.state.asks)
