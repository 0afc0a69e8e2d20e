"""Questions that a learner reports, and questions that staff withdraw."""

import pytest

from lesson_engine.adaptation import plan_adaptation, validate_adapt_command
from lesson_engine.contracts import AdaptCommand, TopicDeviation
from lesson_engine.errors import ActionNotPossible, AdaptCommandRefused
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import AskRecord, PlayerState
from tests.lesson_engine.lesson_file.build import ask, text_step
from tests.lesson_engine.player.walks import Move, Walker, outline, verdict


def three_asks(**changes: object) -> Outline:
    return outline([text_step(), ask("a"), ask("b"), ask("c"), text_step(), ask("z")], **changes)


def codes(walker: Walker) -> list[str]:
    steps = [walker.outline.places[index].step for index in walker.arrivals]
    return [step.code if step.type == "ASK" else step.type for step in steps]


def voided(walker: Walker, code: str) -> Walker:
    return walker.play(Move("void", target=list(walker.outline.asks).index(code)))


def test_reporting_an_open_question_closes_it_at_no_attempt() -> None:
    walker = Walker(three_asks()).play("continue", "REJECT", "report")
    assert walker.state.phase == "closed"
    assert walker.state.record("a") == AskRecord(attempts=1, outcome="reported")
    assert walker.state.notice is not None
    assert (walker.state.notice.closed_as, walker.state.notice.reported) == ("reported", True)
    assert codes(walker.play("continue"))[-1] == "b"


@pytest.mark.parametrize(("answers", "outcome"), [(["ACCEPT"], "mastered"), (["REJECT"] * 3, "shown")])
def test_reporting_a_closed_question_leaves_how_it_ended(answers: list[str], outcome: str) -> None:
    walker = Walker(three_asks()).play("continue", *answers, "report")
    assert (walker.state.phase, walker.state.record("a").outcome) == ("closed", outcome)
    assert walker.state.notice is not None
    assert (walker.state.notice.closed_as, walker.state.notice.reported) == (outcome, True)
    with pytest.raises(ActionNotPossible):
        machine.report(walker.outline, walker.state)


def test_what_cannot_be_reported() -> None:
    walker = Walker(three_asks())
    for moves in ([], ["continue", "report"]):
        with pytest.raises(ActionNotPossible):
            machine.report(walker.outline, walker.play(*moves).state)
    walker.finish(Move("report"))
    with pytest.raises(ActionNotPossible):
        machine.report(walker.outline, walker.state)


def test_a_question_cannot_be_reported_from_its_micro_step() -> None:
    steps = outline([ask("a", micro_steps=[{"code": "m", "body": "b"}])])
    walker = Walker(steps).play("REJECT", Move("command", operation="insert_micro", target=-1))
    assert not machine.can_report(steps, walker.state)
    assert machine.can_report(steps, walker.play("continue").state)


def test_withdrawing_the_question_in_front_of_somebody_lets_them_go_on() -> None:
    walker = voided(Walker(three_asks()).play("continue", "REJECT"), "a")
    assert walker.state.phase == "closed"
    assert walker.state.record("a") == AskRecord(attempts=1, outcome="voided")
    assert walker.state.notice is not None
    assert walker.state.notice.closed_as == "voided"
    assert not machine.can_report(walker.outline, walker.state)
    assert codes(walker.play("continue"))[-1] == "b"


def test_withdrawing_it_from_its_micro_step_too() -> None:
    steps = outline([ask("a", micro_steps=[{"code": "m", "body": "b"}]), ask("b")])
    walker = Walker(steps).play("REJECT", Move("command", operation="insert_micro", target=-1))
    assert voided(walker, "a").state.phase == "closed"
    assert walker.state.micro_step is None
    assert codes(walker.play("continue"))[-1] == "b"


@pytest.mark.parametrize("code", ["b", "c", "z"])
def test_a_question_that_is_withdrawn_ahead_is_never_asked(code: str) -> None:
    walker = voided(Walker(three_asks()).play("continue"), code)
    assert walker.state.phase == "asking"
    walker.finish(Move("answer", result="ACCEPT"))
    assert code not in codes(walker)
    walker.check_end()


def test_a_question_that_was_answered_is_withdrawn_from_the_record() -> None:
    walker = voided(Walker(three_asks()).play("continue", "ACCEPT", "continue"), "a")
    assert walker.state.record("a") == AskRecord(attempts=1, outcome="voided")
    assert walker.state.phase == "asking"


def test_a_question_left_by_a_jump_does_not_return_once_withdrawn() -> None:
    walker = Walker(three_asks()).play("continue", Move("answer", deviation=TopicDeviation.OFF_TOPIC, adaptive=True))
    assert codes(walker)[-1] == "b"
    voided(walker, "a")
    assert walker.state.phase == "asking"
    assert walker.state.notice is not None
    assert (walker.state.notice.ask_code, walker.state.notice.closed_as) == ("a", "voided")
    walker.finish(Move("answer", result="ACCEPT"))
    assert codes(walker).count("a") == 1


def test_nothing_leads_to_a_withdrawn_question() -> None:
    wrong = [{"code": "w", "examples": ["x"], "feedback": "f", "goto": "b"}]
    steps = outline([text_step(), ask("a", misconceptions=wrong), ask("b"), ask("c")])
    state = voided(Walker(steps).play("continue"), "b").state
    with pytest.raises(AdaptCommandRefused):
        validate_adapt_command(AdaptCommand(op="goto", target_ask_code="b"), steps, state)
    with pytest.raises(ActionNotPossible):
        machine.jump(steps, state, "b")
    for deviation in TopicDeviation:
        judged = verdict("REJECT", misconception="w")
        command = plan_adaptation(steps, machine.record_verdict(steps, state, judged, deviation), judged, deviation)
        assert command is not None
        assert command.target_ask_code != "b"


@pytest.mark.parametrize(
    ("gone", "first", "met"),
    [
        ({"a"}, "b", ["b", "CONTENT", "c"]),
        ({"a", "b"}, "CONTENT", ["CONTENT", "c"]),
        ({"b"}, "a", ["a", "CONTENT", "c"]),
        ({"c"}, "a", ["a", "b", "CONTENT"]),
    ],
)
def test_a_session_begins_past_what_was_withdrawn_before(gone: set[str], first: str, met: list[str]) -> None:
    walker = Walker(outline([ask("a"), ask("b")], [text_step(), ask("c")]), frozenset(gone))
    assert codes(walker) == [first]
    walker.finish(Move("answer", result="ACCEPT"))
    assert codes(walker) == met
    walker.check_end()


def test_cycles_whose_every_question_is_withdrawn_are_no_dead_end() -> None:
    steps = outline([text_step(), ask("a")], [ask("b"), ask("c")], [text_step(), ask("d")])
    walker = Walker(steps, frozenset({"a", "b", "c"})).play("continue")
    assert codes(walker) == ["CONTENT", "CONTENT"]
    walker.finish(Move("answer", result="ACCEPT"))
    walker.check_end()


def test_a_lesson_of_nothing_but_withdrawn_questions_is_over_when_it_begins() -> None:
    state = machine.begin(outline([ask("a")], [ask("b")]), {"a", "b"})
    assert state == PlayerState(phase="finished", asks=dict.fromkeys("ab", AskRecord(outcome="voided")))


def test_a_finished_session_stays_finished() -> None:
    walker = Walker(three_asks())
    walker.finish(Move("answer", result="ACCEPT"))
    assert voided(walker, "b").finished
    assert walker.state.notice is None
