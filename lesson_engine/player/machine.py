"""How a session moves: pure functions from state to state. No state is without a way on (design.md, "A turn")."""

from collections.abc import Iterable
from typing import Any

from lesson_engine.contracts import Ask, TopicDeviation, Verdict, VerdictResult
from lesson_engine.errors import ActionNotPossible
from lesson_engine.player.outline import Outline, Place
from lesson_engine.player.state import AskRecord, CycleRecord, Notice, Outcome, OwnWord, PlayerState
from lesson_engine.player.zones import is_stray, is_unsure, leaves_doubt, own_verdict

BLANKS_THAT_COST = 3


def begin(outline: Outline, voided: Iterable[str] = ()) -> PlayerState:
    """The state at the first step that is not a withdrawn ASK; at the end of a lesson that has no other."""
    asks = {code: AskRecord(outcome="voided") for code in voided}
    return _arrive(outline, PlayerState(asks=asks), 0)


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


def can_report(outline: Outline, state: PlayerState) -> bool:
    """Whether a question is shown, open or just closed, that the learner has not reported yet."""
    ask = current_ask(outline, state)
    if ask is None or state.phase not in ("asking", "comparing", "closed"):
        return False
    is_reported = state.notice is not None and state.notice.reported
    return not is_reported and state.record(ask.code).outcome not in ("reported", "voided")


def can_compare(outline: Outline, state: PlayerState) -> bool:
    """Whether the open question has an answer of which the grader is not sure, and none since of which it is."""
    ask = current_ask(outline, state)
    return ask is not None and state.phase == "asking" and state.record(ask.code).doubted


def in_doubt(state: PlayerState) -> bool:
    """Whether the grader is not sure of the last answer, and it counts as one: the first reply that strays does not."""
    notice = state.notice
    return notice is not None and notice.verdict is not None and is_unsure(notice.verdict) and not notice.spared


def require_answer_awaited(state: PlayerState) -> None:
    """Raise `ActionNotPossible` unless an open question is shown."""
    if state.phase != "asking":
        raise ActionNotPossible("No answer is awaited here.")


def proceed(outline: Outline, state: PlayerState) -> PlayerState:
    """Go on from a reading, a micro-step or a closed ASK. Raises `ActionNotPossible` where an answer is awaited."""
    if state.phase == "micro":
        return with_changes(state, phase="asking", micro_step=None)
    if not can_continue(state):
        raise ActionNotPossible("There is nothing to continue from here: the question waits for an answer.")
    return _leave(outline, state)


def show_hint(outline: Outline, state: PlayerState) -> PlayerState:
    """Show the next hint of the ladder; what was said of the last answer stays. Raises `ActionNotPossible` when there
    is none.
    """
    ask = current_ask(outline, state)
    if ask is None or not can_hint(outline, state):
        raise ActionNotPossible("There is no further hint here.")
    record, notice = state.record(ask.code), state.notice
    if notice is None or notice.ask_code != ask.code:
        notice = Notice(ask_code=ask.code)
    shown = notice.model_copy(update={"hint_shown": True})
    return _with_record(state, ask, hints=record.hints + 1, notice=shown)


def skip(outline: Outline, state: PlayerState) -> PlayerState:
    """Give this ASK up: its answer is shown. Raises `ActionNotPossible` before enough attempts were used."""
    ask = current_ask(outline, state)
    if ask is None or not can_skip(outline, state):
        raise ActionNotPossible("This question cannot be skipped yet: try an answer first.")
    return _close(state, ask, "skipped", Notice(ask_code=ask.code, closed_as="skipped"))


def report(outline: Outline, state: PlayerState) -> PlayerState:
    """Say that this ASK is wrong: an open one closes, at no attempt, with its answer; a closed one stays as it ended.

    Raises `ActionNotPossible` where there is none, or it was said before.
    """
    ask = current_ask(outline, state)
    if ask is None or not can_report(outline, state):
        raise ActionNotPossible("There is no question here to report, or it was reported already.")
    if state.phase in ("asking", "comparing"):
        return _close(state, ask, "reported", Notice(ask_code=ask.code, reported=True))
    outcome = state.record(ask.code).outcome
    return with_changes(state, notice=Notice(ask_code=ask.code, closed_as=outcome, reported=True))


def void(outline: Outline, state: PlayerState, code: str) -> PlayerState:
    """Withdraw an ASK, wherever the learner is: it is not asked any more, and a learner who is at it may go on.

    What was counted stays in its record. The state itself where it is withdrawn already.
    """
    record = state.record(code)
    if record.outcome == "voided":
        return state
    asks = {**state.asks, code: record.model_copy(update={"outcome": "voided", "doubted": False})}
    withdrawn = Notice(ask_code=code, closed_as="voided")
    ask = current_ask(outline, state)
    if ask is not None and ask.code == code:
        return with_changes(state, asks=asks, phase="closed", micro_step=None, reread=False, notice=withdrawn)
    # An earlier notice of it, such as "we'll come back to it", does not hold any more.
    about_it = state.notice is not None and state.notice.ask_code == code
    return with_changes(state, asks=asks, notice=withdrawn if about_it else state.notice)


def record_verdict(outline: Outline, state: PlayerState, verdict: Verdict, deviation: TopicDeviation) -> PlayerState:
    """Count an answer: accepted closes the ASK, the last allowed attempt closes it with its answer, otherwise it stays.

    A reply that cannot be graded costs nothing twice; the third in a row costs an attempt (design.md, "A turn"). The
    first reply that is about something else costs nothing, and nor does one of which the grader is not sure. Where an
    answer is still in doubt when attempts run out, it is compared. Raises `ActionNotPossible` when none is awaited.
    """
    ask = current_ask(outline, state)
    require_answer_awaited(state)
    assert ask is not None  # "asking" is the phase of an ASK
    record = state.record(ask.code)
    notice = Notice(ask_code=ask.code, verdict=verdict, deviation=deviation)
    if is_stray(verdict, deviation) and not record.strayed:
        spared = notice.model_copy(update={"spared": True})
        return with_changes(_with_record(state, ask, notice=spared, blanks=0, strayed=True), reread=False)
    if is_unsure(verdict):
        return _ask_again_or_compare(outline, state, ask, notice)
    attempts, blanks = counted(record.attempts, record.blanks, verdict.result)
    doubted = record.doubted and leaves_doubt(verdict) is None
    counts = {"attempts": attempts, "blanks": blanks, "doubted": doubted}
    after = with_changes(_with_record(state, ask, notice=notice, **counts), reread=False)
    if verdict.result == VerdictResult.ACCEPT:
        return _close(after, ask, "mastered", notice)
    if attempts >= outline.lesson.policy.attempts:
        if doubted:
            return with_changes(after, phase="comparing", notice=Notice(ask_code=ask.code))
        return _close(after, ask, "shown", notice)
    return after


def _ask_again_or_compare(outline: Outline, state: PlayerState, ask: Ask, notice: Notice) -> PlayerState:
    """Of an answer in doubt: once "say it another way", where the author allows that; then compare."""
    after = with_changes(_with_record(state, ask, notice=notice, blanks=0, doubted=True), reread=False)
    if state.record(ask.code).asked_again or "reask" not in outline.lesson.policy.operations:
        return with_changes(after, phase="comparing")
    return _with_record(after, ask, notice=notice, asked_again=True)


def compare(outline: Outline, state: PlayerState) -> PlayerState:
    """Show the author's answer beside the one in doubt; it costs no attempt. Raises `ActionNotPossible` where there is
    none.
    """
    ask, notice = current_ask(outline, state), state.notice
    if ask is None or not can_compare(outline, state):
        raise ActionNotPossible("There is no answer here that can be compared with the author's.")
    if notice is not None and notice.ask_code == ask.code and in_doubt(state):
        notice = notice.model_copy(update={"command": None, "hint_shown": False})
    else:  # the last reply was another one
        notice = Notice(ask_code=ask.code)
    return with_changes(state, phase="comparing", reread=False, notice=notice)


def self_assess(outline: Outline, state: PlayerState, word: OwnWord) -> PlayerState:
    """Close the ASK by the learner's own word on the answer that they compared; it counts as one attempt, if one
    is left.

    Raises `ActionNotPossible` where nothing is compared.
    """
    ask = current_ask(outline, state)
    if ask is None or state.phase != "comparing":
        raise ActionNotPossible("There is nothing here to compare.")
    notice = Notice(ask_code=ask.code, verdict=own_verdict(word))
    attempts = min(state.record(ask.code).attempts + 1, outline.lesson.policy.attempts)
    after = _with_record(state, ask, notice=notice, attempts=attempts, blanks=0, own_word=word, by_own_word=True)
    return _close(after, ask, "mastered" if word == "yes" else "shown", notice)


def counted(attempts: int, blanks: int, result: VerdictResult) -> tuple[int, int]:
    """Attempts, and replies in a row that could not be graded, after one more answer."""
    if result != VerdictResult.NOT_GRADABLE:
        return attempts + 1, 0
    costs = blanks + 1 == BLANKS_THAT_COST
    return attempts + costs, 0 if costs else blanks + 1


def jump(outline: Outline, state: PlayerState, target: str) -> PlayerState:
    """Leave the current ASK open and go to another of its cycle; the one left returns once before the cycle ends."""
    ask = current_ask(outline, state)
    if ask is None or state.record(target).outcome == "voided":
        raise ActionNotPossible("There is no question here to leave, or the other one was withdrawn.")
    cycle = state.cycle.model_copy(update={"jumped_from": (*state.cycle.jumped_from, ask.code)})
    return with_changes(_enter(outline, state, outline.asks[target].index, cycle), notice=state.notice)


def arrive_at(outline: Outline, state: PlayerState, index: int) -> PlayerState:
    """Go to any place, its ASK as if it had never been met: for authors, who try a lesson out of its order.

    What is read before it in its cycle counts as read; its open ASKs come after, as after any jump. Raises
    `IndexError` for a place that there is not.
    """
    if not 0 <= index < len(outline.places):
        raise IndexError(index)
    step = outline.places[index].step
    asks = {code: record for code, record in state.asks.items() if not isinstance(step, Ask) or code != step.code}
    before = (place.index for place in outline.cycles[outline.places[index].cycle] if place.index < index)
    return _enter(outline, with_changes(state, asks=asks), index, CycleRecord(read=tuple(before)))


def with_changes(state: PlayerState, **changes: Any) -> PlayerState:
    return state.model_copy(update=changes)


def _with_record(state: PlayerState, ask: Ask, *, notice: Notice | None, **changes: Any) -> PlayerState:
    record = state.record(ask.code).model_copy(update=changes)
    return with_changes(state, asks={**state.asks, ask.code: record}, notice=notice)


def _close(state: PlayerState, ask: Ask, outcome: Outcome, notice: Notice) -> PlayerState:
    closed = notice.model_copy(update={"closed_as": outcome})
    record = _with_record(state, ask, notice=closed, outcome=outcome, doubted=False)
    return with_changes(record, phase="closed", reread=False)


def _enter(outline: Outline, state: PlayerState, index: int, cycle: CycleRecord) -> PlayerState:
    """Arrive at a place, with what is remembered of its cycle."""
    place = outline.places[index]
    asks = state.asks
    if isinstance(place.step, Ask):
        asks = {**asks, place.step.code: state.record(place.step.code)}
    return with_changes(
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
    current = outline.places[state.cursor]
    cycle = outline.cycles[current.cycle]
    left = state.cycle.jumped_from
    ahead = [place for place in cycle if place.index > current.index and getattr(place.step, "code", None) not in left]
    for place in (*ahead, *cycle):  # what lies ahead first; then what a jump left open, in order
        if _waits(state, place):
            return _enter(outline, state, place.index, state.cycle)
    return _arrive(outline, state, cycle[-1].index + 1)


def _arrive(outline: Outline, state: PlayerState, index: int) -> PlayerState:
    """Begin a cycle at `index` or at the first place after it that is not a withdrawn ASK; else the lesson is over."""
    for place in outline.places[index:]:
        if not isinstance(place.step, Ask) or state.record(place.step.code).outcome != "voided":
            return _enter(outline, state, place.index, CycleRecord())
    return with_changes(state, phase="finished", notice=None, micro_step=None, reread=False, cycle=CycleRecord())


def _waits(state: PlayerState, place: Place) -> bool:
    if isinstance(place.step, Ask):
        return state.is_open(place.step.code)
    return place.index not in state.cycle.read
