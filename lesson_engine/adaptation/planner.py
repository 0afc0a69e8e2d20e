"""Which move helps most, by rules and at no cost. Source: spec/3 "Respuestas Automáticas"; design.md, "A turn"."""

from collections.abc import Iterator

from lesson_engine.adaptation.rules import validate_adapt_command
from lesson_engine.contracts import AdaptCommand, Ask, Reason, TopicDeviation, Verdict, VerdictResult
from lesson_engine.errors import AdaptCommandRefused
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState


def plan_adaptation(
    outline: Outline, state: PlayerState, verdict: Verdict, deviation: TopicDeviation, *, refused: bool = False
) -> AdaptCommand | None:
    """The first wish that its bounds allow; None when the question is closed or the author's policy allows nothing.

    `state` already counts the answer that `verdict` judges. `refused`: no account would pay for a second opinion.
    """
    ask = machine.current_ask(outline, state)
    if ask is None or state.phase != "asking":
        return None
    for command in _wishes(outline, state, ask, verdict, deviation, _reason(verdict, deviation, refused=refused)):
        try:
            validate_adapt_command(command, outline, state)
        except AdaptCommandRefused:
            continue
        return command
    return None


def _wishes(
    outline: Outline,
    state: PlayerState,
    ask: Ask,
    verdict: Verdict,
    deviation: TopicDeviation,
    reason: Reason | None,
) -> Iterator[AdaptCommand]:
    """Moves from the most helpful to the least; the documented answers to a deviation come first.

    Where the grader is not sure, the question is asked again, in both modes; that alone is why, also where no account
    pays for a second opinion.
    """
    if machine.in_doubt(state):
        yield AdaptCommand(op="reask", reason="SEM_LOW")
        return
    if deviation == TopicDeviation.OFF_TOPIC:
        for target in _next_open(outline, state, ask):
            yield AdaptCommand(op="goto", target_ask_code=target, reason=reason)
        yield AdaptCommand(op="reask", reason=reason)
    elif deviation == TopicDeviation.ON_TOPIC and verdict.result == VerdictResult.REJECT:
        yield from _wishes_for_a_wrong_answer(state, ask, verdict, reason)
    elif verdict.result == VerdictResult.PARTIAL and state.record(ask.code).attempts > 1:
        yield AdaptCommand(op="hint", reason=reason)
    yield AdaptCommand(op="reask", reason=reason)


def _wishes_for_a_wrong_answer(
    state: PlayerState, ask: Ask, verdict: Verdict, reason: Reason | None
) -> Iterator[AdaptCommand]:
    misconception = next((m for m in ask.misconceptions if m.code == verdict.misconception), None)
    if misconception and misconception.goto:
        yield AdaptCommand(op="goto", target_ask_code=misconception.goto, reason=reason)
    if (
        misconception
        and misconception.micro_step
        and misconception.micro_step not in state.record(ask.code).micro_steps
    ):
        yield AdaptCommand(op="insert_micro", reason=reason)
    if state.record(ask.code).attempts == 1:
        yield AdaptCommand(op="hint", reason=reason)
    yield AdaptCommand(op="insert_micro", reason=reason)
    yield AdaptCommand(op="repeat", reason=reason)
    yield AdaptCommand(op="hint", reason=reason)


def _next_open(outline: Outline, state: PlayerState, ask: Ask) -> list[str]:
    """The open ASKs of the cycle, those after this one first."""
    codes = [other.code for other in outline.asks_of_cycle(outline.places[state.cursor].cycle)]
    place = codes.index(ask.code)
    return [code for code in (*codes[place + 1 :], *codes[:place]) if state.is_open(code)]


def _reason(verdict: Verdict, deviation: TopicDeviation, *, refused: bool) -> Reason | None:
    if deviation == TopicDeviation.OFF_TOPIC:
        return "OFF_TOPIC"
    if verdict.rule.endswith(".thinker"):
        return "THINKER_ESCALATION"
    if refused:
        return "BUDGET_LIMIT"
    return "SEM_LOW" if verdict.rule.endswith(".semantic") or deviation == TopicDeviation.VAGUE else None
