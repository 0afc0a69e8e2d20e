"""The bounds every command is held to before it acts, and what it does.

Sources: spec/3 "Riesgos"; design.md, "A turn".
"""

from lesson_engine.contracts import AdaptCommand, Ask
from lesson_engine.errors import AdaptCommandRefused
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import CycleRecord, PlayerState


def validate_adapt_command(command: AdaptCommand, outline: Outline, state: PlayerState) -> None:
    """Raise `AdaptCommandRefused` when the command would leave the author's policy or the current cycle."""
    ask = machine.current_ask(outline, state)
    policy = outline.lesson.policy
    if ask is None or state.phase != "asking":
        raise AdaptCommandRefused("a command acts on an open question only")
    if command.op not in policy.operations:
        raise AdaptCommandRefused(f"the lesson's policy does not allow {command.op}")
    if (command.op == "goto") != (command.target_ask_code is not None):
        raise AdaptCommandRefused("a goto names its target, and nothing else does")
    if command.op == "goto":
        _check_goto(command, outline, state, ask)
    if command.op == "hint" and not machine.can_hint(outline, state):
        raise AdaptCommandRefused("there is no hint left")
    if command.op == "insert_micro":
        if state.cycle.micro_steps >= policy.micro_steps_per_cycle:
            raise AdaptCommandRefused(f"this cycle had its {policy.micro_steps_per_cycle} micro-steps")
        if next_micro_step(ask, state) is None:
            raise AdaptCommandRefused("this question has no micro-step left")


def _check_goto(command: AdaptCommand, outline: Outline, state: PlayerState, ask: Ask) -> None:
    target = command.target_ask_code or ""
    neighbours = [other.code for other in outline.asks_of_cycle(outline.places[state.cursor].cycle)]
    if target not in neighbours or target == ask.code:
        raise AdaptCommandRefused(f"{target!r} is not another ASK of the current cycle")
    if not state.is_open(target):
        raise AdaptCommandRefused(f"{target!r} has been answered already")
    if ask.code in state.cycle.jumped_from:
        raise AdaptCommandRefused(f"{ask.code!r} was left once already and has to be answered now")


def next_micro_step(ask: Ask, state: PlayerState) -> str | None:
    """The code of the micro-step to insert: that of the recognised misconception, else the first not shown yet."""
    shown = state.record(ask.code).micro_steps
    # After a jump the notice still tells of the ASK that was left, whose misconceptions may have the same codes.
    verdict = state.notice.verdict if state.notice and state.notice.ask_code == ask.code else None
    wanted = [m.micro_step for m in ask.misconceptions if verdict and m.code == verdict.misconception and m.micro_step]
    return next((code for code in (*wanted, *(m.code for m in ask.micro_steps)) if code not in shown), None)


def apply_adapt_command(command: AdaptCommand, outline: Outline, state: PlayerState) -> PlayerState:
    """The state after the command, which is validated first. Raises `AdaptCommandRefused`."""
    validate_adapt_command(command, outline, state)
    notice = state.notice.model_copy(update={"command": command}) if state.notice else None
    after = state.model_copy(update={"notice": notice})
    if command.op == "goto":
        return machine.jump(outline, after, command.target_ask_code or "")
    if command.op == "hint":
        return machine.show_hint(outline, after).model_copy(update={"notice": notice})
    if command.op == "repeat":
        return after.model_copy(update={"reread": True})
    if command.op == "insert_micro":
        return _insert_micro(outline, after)
    return after


def _insert_micro(outline: Outline, state: PlayerState) -> PlayerState:
    ask = machine.current_ask(outline, state)
    assert ask is not None  # validated
    code = next_micro_step(ask, state)
    record = state.record(ask.code)
    shown = record.model_copy(update={"micro_steps": (*record.micro_steps, code)})
    cycle: CycleRecord = state.cycle.model_copy(update={"micro_steps": state.cycle.micro_steps + 1})
    return state.model_copy(
        update={"phase": "micro", "micro_step": code, "asks": {**state.asks, ask.code: shown}, "cycle": cycle}
    )
