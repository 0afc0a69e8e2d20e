"""How a session moves: pure functions from state to state. No state is without a way on (design.md, "A turn")."""

from typing import Any

from lesson_engine.contracts import Ask, TopicDeviation, Verdict, VerdictResult
from lesson_engine.errors import ActionNotPossible
from lesson_engine.player.outline import Outline, Place
from lesson_engine.player.state import CycleRecord, Notice, Outcome, PlayerState

BLANKS_THAT_COST = 3


def begin(outline: Outline) -> PlayerState:
    """The state at the first step."""
    return _enter(outline, PlayerState(), 0, CycleRecord())


def current_ask(outline: Outline, state: PlayerState) -> Ask | None:
    """The ASK in front of the learner; None while they read or are done."""
    if state.phase == "finished":
        return None
    step = outline.places[state.cursor].step
    return step if isinstance(step, Ask) else None


def can_continue(state: PlayerState) -> bool:
    """Whether the way on is simply to go on; otherwise it is to answer, or the lesson is over."""
    return state.phase in ("reading", "closed", "micro")


def can_hint(outline: Outline, state: PlayerState) -> bool:
    """Whether the ladder has a hint left."""
    ask = current_ask(outline, state)
    return state.phase == "asking" and ask is not None and state.record(ask.code).hints < len(ask.hints)


def can_skip(outline: Outline, state: PlayerState) -> bool:
    """Whether enough attempts were used to skip this ASK."""
    ask = current_ask(outline, state)
    policy = outline.lesson.policy
    return (
        state.phase == "asking"
        and ask is not None
        and state.record(ask.code).attempts >= min(policy.skip_after, policy.attempts)
    )


def require_answer_awaited(state: PlayerState) -> None:
    """Raise `ActionNotPossible` unless the learner stands before an open question."""
    if state.phase != "asking":
        raise ActionNotPossible("No answer is awaited here.")


def proceed(outline: Outline, state: PlayerState) -> PlayerState:
    """Go on from a reading, a micro-step or a closed ASK. Raises `ActionNotPossible` where an answer is awaited."""
    if state.phase == "micro":
        return _with(state, phase="asking", micro_step=None)
    if not can_continue(state):
        raise ActionNotPossible("There is nothing to continue from here: the question waits for an answer.")
    return _leave(outline, state)


def show_hint(outline: Outline, state: PlayerState) -> PlayerState:
    """Show the next hint of the ladder. Raises `ActionNotPossible` when there is none."""
    ask = current_ask(outline, state)
    if ask is None or not can_hint(outline, state):
        raise ActionNotPossible("There is no further hint here.")
    record = state.record(ask.code)
    return _with_record(state, ask, hints=record.hints + 1, notice=Notice(ask_code=ask.code, hint_shown=True))


def skip(outline: Outline, state: PlayerState) -> PlayerState:
    """Give this ASK up: its answer is shown. Raises `ActionNotPossible` before enough attempts were used."""
    ask = current_ask(outline, state)
    if ask is None or not can_skip(outline, state):
        raise ActionNotPossible("This question cannot be skipped yet: try an answer first.")
    return _close(state, ask, "skipped", Notice(ask_code=ask.code, closed_as="skipped"))


def record_verdict(outline: Outline, state: PlayerState, verdict: Verdict, deviation: TopicDeviation) -> PlayerState:
    """Count an answer: accepted closes the ASK, the last allowed attempt closes it with its answer, otherwise it stays.

    A reply that cannot be graded costs nothing twice; the third in a row costs an attempt (design.md, "A turn").
    Raises `ActionNotPossible` when no answer is awaited.
    """
    ask = current_ask(outline, state)
    require_answer_awaited(state)
    assert ask is not None  # "asking" is the phase of an ASK
    record = state.record(ask.code)
    notice = Notice(ask_code=ask.code, verdict=verdict, deviation=deviation)
    blanks = record.blanks + 1 if verdict.result == VerdictResult.NOT_GRADABLE else 0
    costs = verdict.result != VerdictResult.NOT_GRADABLE or blanks == BLANKS_THAT_COST
    attempts = record.attempts + costs
    counted = _with_record(state, ask, notice=notice, attempts=attempts, blanks=blanks % BLANKS_THAT_COST)
    counted = _with(counted, reread=False)
    if verdict.result == VerdictResult.ACCEPT:
        return _close(counted, ask, "mastered", notice)
    if attempts >= outline.lesson.policy.attempts:
        return _close(counted, ask, "shown", notice)
    return counted


def jump(outline: Outline, state: PlayerState, target: str) -> PlayerState:
    """Leave the current ASK open and go to another of its cycle; the one left returns once before the cycle ends."""
    ask = current_ask(outline, state)
    if ask is None:
        raise ActionNotPossible("There is no question here to leave.")
    cycle = state.cycle.model_copy(update={"jumped_from": (*state.cycle.jumped_from, ask.code)})
    return _with(_enter(outline, state, outline.asks[target].index, cycle), notice=state.notice)


def _with(state: PlayerState, **changes: Any) -> PlayerState:
    return state.model_copy(update=changes)


def _with_record(state: PlayerState, ask: Ask, *, notice: Notice | None, **changes: Any) -> PlayerState:
    record = state.record(ask.code).model_copy(update=changes)
    return _with(state, asks={**state.asks, ask.code: record}, notice=notice)


def _close(state: PlayerState, ask: Ask, outcome: Outcome, notice: Notice) -> PlayerState:
    told = notice.model_copy(update={"closed_as": outcome})
    return _with(_with_record(state, ask, notice=told, outcome=outcome), phase="closed", reread=False)


def _enter(outline: Outline, state: PlayerState, index: int, cycle: CycleRecord) -> PlayerState:
    """Arrive at a place, with what is remembered of its cycle."""
    place = outline.places[index]
    asks = state.asks
    if isinstance(place.step, Ask):
        asks = {**asks, place.step.code: state.record(place.step.code)}
    return _with(
        state,
        cursor=index,
        phase="asking" if isinstance(place.step, Ask) else "reading",
        micro_step=None,
        reread=False,
        cycle=cycle.model_copy(update={"read": (*cycle.read, index)}),
        asks=asks,
        notice=None,
    )


def _leave(outline: Outline, state: PlayerState) -> PlayerState:
    here = outline.places[state.cursor]
    cycle = outline.cycles[here.cycle]
    ahead = [place for place in cycle if place.index > here.index and not _was_jumped_from(state, place)]
    for place in (*ahead, *cycle):  # what lies ahead first; then what a jump left open, in order
        if _waits(state, place):
            return _enter(outline, state, place.index, state.cycle)
    after = cycle[-1].index + 1
    if after == len(outline.places):
        return _with(state, phase="finished", notice=None, micro_step=None, reread=False, cycle=CycleRecord())
    return _enter(outline, state, after, CycleRecord())


def _was_jumped_from(state: PlayerState, place: Place) -> bool:
    return isinstance(place.step, Ask) and place.step.code in state.cycle.jumped_from


def _waits(state: PlayerState, place: Place) -> bool:
    if isinstance(place.step, Ask):
        return state.is_open(place.step.code)
    return place.index not in state.cycle.read
