"""Spec/3 "Cobertura de Pruebas": commands are validated, and applied safely."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from lesson_engine.adaptation import apply_adapt_command, validate_adapt_command
from lesson_engine.contracts import AdaptCommand, TopicDeviation
from lesson_engine.errors import AdaptCommandRefused
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from tests.each import each
from tests.lesson_engine.lesson_file.build import ask, text_step
from tests.lesson_engine.player.walks import OPERATIONS, outline, verdict

MICRO = [{"code": "m1", "body": "b"}, {"code": "m2", "body": "b"}]
WRONG = [{"code": "w", "examples": ["x"], "feedback": "f", "micro_step": "m2"}]


def two_cycles(**policy: Any) -> Outline:
    first = ask("a", hints=["h"], micro_steps=MICRO, misconceptions=WRONG)
    return outline([first, ask("b"), ask("c"), text_step(), ask("z")], policy=policy)


def answered(lesson: Outline, state: PlayerState | None = None, result: str = "REJECT", **changes: Any) -> PlayerState:
    state = state or machine.begin(lesson)
    return machine.record_verdict(lesson, state, verdict(result, **changes), TopicDeviation.ON_TOPIC)


def command(op: str, target: str | None = None) -> AdaptCommand:
    return AdaptCommand.model_validate({"op": op, "targetAskCode": target})


def refusal(lesson: Outline, state: PlayerState, wanted: AdaptCommand) -> str:
    with pytest.raises(AdaptCommandRefused) as refused:
        validate_adapt_command(wanted, lesson, state)
    with pytest.raises(AdaptCommandRefused):
        apply_adapt_command(wanted, lesson, state)
    return str(refused.value)


def test_the_documented_names_are_those_of_the_json() -> None:
    documented = {"op": "goto", "targetAskCode": "ASK_001", "note": "n", "reason": "OFF_TOPIC"}
    read = AdaptCommand.model_validate_json(json.dumps(documented))
    assert read.target_ask_code == "ASK_001"
    assert json.loads(read.model_dump_json(by_alias=True, exclude_none=True)) == documented
    assert AdaptCommand(op="goto", target_ask_code="ASK_001").model_dump(by_alias=True)["targetAskCode"] == "ASK_001"


@each("op", OPERATIONS)
def test_every_documented_operation_is_known(op: str) -> None:
    assert AdaptCommand.model_validate({"op": op}).op == op


@pytest.mark.parametrize("reason", ["SEM_LOW", "THINKER_ESCALATION", "OFF_TOPIC", "BUDGET_LIMIT"])
def test_every_documented_reason_is_known(reason: str) -> None:
    assert AdaptCommand.model_validate({"op": "reask", "reason": reason}).reason == reason


@each(
    "broken",
    [
        {},
        {"op": "skip"},
        {"op": "goto", "targetAskCode": 5},
        {"op": "hint", "step": "new"},
        {"op": "hint", "reason": "WHY"},
    ],
)
def test_a_malformed_command_is_no_command(broken: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        AdaptCommand.model_validate(broken)


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("a", "not another ASK"),
        ("z", "not another ASK"),
        ("nowhere", "not another ASK"),
        (None, "a goto names its target"),
    ],
)
def test_a_goto_stays_in_the_cycle(target: str | None, says: str) -> None:
    lesson = two_cycles()
    assert says in refusal(lesson, answered(lesson), command("goto", target))


def test_a_goto_leads_to_an_open_ask_only() -> None:
    lesson = two_cycles()
    state = machine.proceed(lesson, answered(lesson, result="ACCEPT"))
    assert "answered already" in refusal(lesson, answered(lesson, state), command("goto", "a"))


def test_an_ask_is_left_only_once() -> None:
    lesson = two_cycles()
    state = answered(lesson)
    for target in ("b", "c", "a"):
        state = apply_adapt_command(command("goto", target), lesson, state)
    assert machine.current_ask(lesson, state) == lesson.ask("a")
    assert "left once already" in refusal(lesson, state, command("goto", "b"))


@pytest.mark.parametrize("op", ["reask", "hint", "repeat", "insert_micro"])
def test_only_a_goto_has_a_target(op: str) -> None:
    lesson = two_cycles()
    assert "nothing else does" in refusal(lesson, answered(lesson), command(op, "b"))


@each("op", OPERATIONS)
def test_the_policy_of_the_author_comes_first(op: str) -> None:
    lesson = two_cycles(operations=[other for other in OPERATIONS if other != op])
    assert "policy" in refusal(lesson, answered(lesson), command(op, "b" if op == "goto" else None))


@each("op", OPERATIONS)
def test_nothing_acts_on_a_reading_a_closed_ask_or_a_finished_lesson(op: str) -> None:
    lesson = outline([text_step(), ask("a", hints=["h"], micro_steps=MICRO), ask("b")])
    wanted = command(op, "b" if op == "goto" else None)
    reading = machine.begin(lesson)
    closed = answered(lesson, machine.proceed(lesson, reading), "ACCEPT")
    micro = apply_adapt_command(command("insert_micro"), lesson, machine.proceed(lesson, reading))
    finished = closed.model_copy(update={"phase": "finished"})
    for state in (reading, closed, micro, finished):
        assert "open question" in refusal(lesson, state, wanted)


def test_a_hint_is_the_next_of_the_authors_ladder() -> None:
    lesson = two_cycles()
    state = apply_adapt_command(command("hint"), lesson, answered(lesson))
    assert state.record("a").hints == 1
    assert "no hint left" in refusal(lesson, state, command("hint"))


def test_the_notice_keeps_the_verdict_and_tells_the_command() -> None:
    lesson = two_cycles()
    state = answered(lesson)
    assert state.notice is not None
    for wanted in (command("reask"), command("hint"), command("repeat"), command("goto", "b"), command("insert_micro")):
        told = apply_adapt_command(wanted, lesson, state).notice
        assert told == state.notice.model_copy(update={"command": wanted})


def test_a_reask_changes_nothing_else() -> None:
    lesson = two_cycles()
    state = answered(lesson)
    after = apply_adapt_command(command("reask"), lesson, state)
    assert after.model_copy(update={"notice": state.notice}) == state


def test_a_micro_step_is_that_of_the_misconception_then_the_next_one_then_none() -> None:
    lesson = two_cycles(micro_steps_per_cycle=5)
    state = answered(lesson, misconception="w")
    shown = []
    for _ in range(2):
        state = apply_adapt_command(command("insert_micro"), lesson, state)
        shown.append(state.micro_step)
        state = machine.proceed(lesson, state)
    assert shown == ["m2", "m1"]
    assert "no micro-step left" in refusal(lesson, state, command("insert_micro"))


def test_a_misconception_of_another_ask_chooses_no_micro_step_here() -> None:
    lesson = outline(
        [ask("a", misconceptions=WRONG, micro_steps=MICRO), ask("b", misconceptions=WRONG, micro_steps=MICRO)]
    )
    state = apply_adapt_command(command("goto", "b"), lesson, answered(lesson, misconception="w"))
    assert apply_adapt_command(command("insert_micro"), lesson, state).micro_step == "m1"


@pytest.mark.parametrize("allowed", [0, 1, 2])
def test_a_cycle_has_as_many_micro_steps_as_the_policy_says(allowed: int) -> None:
    lesson = outline(
        [ask("a", micro_steps=MICRO), ask("b", micro_steps=MICRO), text_step(), ask("c", micro_steps=MICRO)],
        policy={"micro_steps_per_cycle": allowed, "attempts": 1},
    )
    state, shown = machine.begin(lesson), {"a": 0, "b": 0, "c": 0}
    while state.phase != "finished":
        question = machine.current_ask(lesson, state)
        if question is None or state.phase != "asking":
            state = machine.proceed(lesson, state)
            continue
        try:
            state = machine.proceed(lesson, apply_adapt_command(command("insert_micro"), lesson, state))
            shown[question.code] += 1
        except AdaptCommandRefused:
            state = answered(lesson, state)
    assert (shown["a"] + shown["b"], shown["c"]) == (allowed, allowed)
