"""Which move the planner prefers (spec/3 "Respuestas Automáticas")."""

from typing import Any

import pytest

from lesson_engine.adaptation import apply_adapt_command, plan_adaptation
from lesson_engine.contracts import AdaptCommand, TopicDeviation
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from tests.lesson_engine.lesson_file.build import Json, ask, text_step
from tests.lesson_engine.player.walks import outline, verdict

ON, VAGUE, OFF = TopicDeviation.ON_TOPIC, TopicDeviation.VAGUE, TopicDeviation.OFF_TOPIC
MICRO = [{"code": "m", "body": "b"}]


def lesson(first: Json | None = None, **policy: Any) -> Outline:
    return outline(
        [text_step(), first or ask("a", hints=["h"]), ask("b"), ask("c"), text_step(), ask("z")], policy=policy
    )


def planned(
    steps: Outline, result: str = "REJECT", deviation: TopicDeviation = ON, times: int = 1, **changes: Any
) -> AdaptCommand | None:
    """The planner's move on the `times`th such answer to the first question."""
    state, judged = machine.proceed(steps, machine.begin(steps)), verdict(result, **changes)
    for _ in range(times):
        state = machine.record_verdict(steps, state, judged, deviation)
    return plan_adaptation(steps, state, judged, deviation)


def test_vague_is_asked_again() -> None:
    assert planned(lesson(), deviation=VAGUE) == AdaptCommand(op="reask", reason="SEM_LOW")


def test_off_topic_goes_to_the_next_ask_of_the_cycle() -> None:
    assert planned(lesson(), deviation=OFF) == AdaptCommand(op="goto", target_ask_code="b", reason="OFF_TOPIC")


def test_off_topic_without_another_open_ask_is_asked_again() -> None:
    alone = outline([text_step(), ask("a"), text_step(), ask("z")])
    assert planned(alone, deviation=OFF) == AdaptCommand(op="reask", reason="OFF_TOPIC")


def test_off_topic_at_the_last_ask_goes_back_to_one_left_open() -> None:
    steps = lesson()
    state, judged = machine.proceed(steps, machine.begin(steps)), verdict()
    went = []
    for _ in range(4):
        state = machine.record_verdict(steps, state, judged, OFF)
        command = plan_adaptation(steps, state, judged, OFF)
        assert command is not None
        went.append(command.target_ask_code or command.op)
        state = apply_adapt_command(command, steps, state)
    assert went == ["b", "c", "a", "reask"]


@pytest.mark.parametrize(("deviation", "op"), [(VAGUE, "reask"), (OFF, "reask")])
def test_what_the_policy_forbids_is_not_planned(deviation: TopicDeviation, op: str) -> None:
    command = planned(lesson(operations=["reask", "hint"]), deviation=deviation)
    assert command is not None
    assert command.op == op
    assert planned(lesson(operations=["insert_micro"]), deviation=deviation) is None
    assert planned(lesson(operations=[]), deviation=deviation) is None


def test_an_accepted_or_used_up_ask_needs_no_move() -> None:
    assert planned(lesson(), result="ACCEPT") is None
    assert planned(lesson(), times=3) is None


def test_a_first_wrong_answer_gets_a_hint_a_second_one_a_rereading() -> None:
    commands = [planned(lesson(), times=times) for times in (1, 2)]
    assert [command.op for command in commands if command] == ["hint", "repeat"]


def test_a_second_wrong_answer_gets_the_micro_step_there_is() -> None:
    command = planned(lesson(ask("a", hints=["h"], micro_steps=MICRO)), times=2)
    assert command is not None
    assert command.op == "insert_micro"


def test_a_known_error_goes_where_its_author_says() -> None:
    wrong = {"code": "w", "examples": ["x"], "feedback": "f", "goto": "c", "micro_step": "m"}
    steps = lesson(ask("a", hints=["h"], misconceptions=[wrong], micro_steps=MICRO))
    command = planned(steps, misconception="w", rule="misconception")
    assert command == AdaptCommand(op="goto", target_ask_code="c")
    narrower = lesson(
        ask("a", hints=["h"], misconceptions=[wrong], micro_steps=MICRO), operations=["insert_micro", "hint"]
    )
    second = planned(narrower, misconception="w")
    assert second is not None
    assert second.op == "insert_micro"


def test_a_second_partial_answer_gets_a_hint_the_first_another_try() -> None:
    commands = [planned(lesson(), result="PARTIAL", times=times) for times in (1, 2)]
    assert [command.op for command in commands if command] == ["reask", "hint"]


def test_no_move_on_a_reading_or_at_the_end() -> None:
    steps = lesson()
    for state in (machine.begin(steps), PlayerState(cursor=5, phase="finished")):
        assert plan_adaptation(steps, state, verdict(), OFF) is None
