"""Random valid lessons, verdicts, and a walker that holds every step of a walk to the player's promises."""

from dataclasses import dataclass, field
from typing import Any, get_args

import pytest
from hypothesis import strategies as st

from lesson_engine.adaptation import apply_adapt_command, plan_adaptation, validate_adapt_command
from lesson_engine.contracts import AdaptCommand, Ask, Lesson, TopicDeviation, Verdict, VerdictResult
from lesson_engine.errors import ActionNotPossible, AdaptCommandRefused
from lesson_engine.lesson_file.lesson import lesson_read
from lesson_engine.lesson_file.lesson_rules import rule_faults
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline, Place
from lesson_engine.player.state import CycleRecord, OwnWord, PlayerState
from tests.lesson_engine.lesson_file.build import Json, ask, encoded, item_step, lesson, text_step

OPERATIONS = ("reask", "hint", "goto", "repeat", "insert_micro")
TEXT_TYPES = ("NARRATION", "CONTENT", "CASE", "KEY_CONTENT")
ITEM_TYPES = ("KEY_POINTS", "KEY_ELEMENTS", "TOPICS", "EXPECTED_LEARNING", "REFLECTION_AREAS")


def verdict(result: str = "REJECT", **changes: Any) -> Verdict:
    fields = {"result": VerdictResult(result), "rule": "open.semantic", "score": 0.3, "grader": "test"}
    return Verdict.model_validate(fields | changes)


def unsure(**changes: Any) -> Verdict:
    """A verdict of which the grader is not sure."""
    return verdict("PARTIAL", **{"doubtful": True, "provenance": "rules", **changes})


def outline(*moments: list[Json], **changes: Any) -> Outline:
    return Outline(lesson_read(encoded(lesson(*moments, **changes))))


@st.composite
def outlines(draw: st.DrawFn) -> Outline:
    """Lessons with every type of step anywhere, all sorts of policies, and gotos wherever one may lead."""
    step_types = st.sampled_from((*TEXT_TYPES, *ITEM_TYPES, *["ASK"] * 9))
    shape = draw(st.lists(st.lists(step_types, min_size=1, max_size=7), min_size=1, max_size=3))
    if not any("ASK" in moment for moment in shape):
        shape[-1].append("ASK")
    moments = [[_step(draw, kind, f"q{m}_{n}") for n, kind in enumerate(kinds)] for m, kinds in enumerate(shape)]
    policy = {
        "operations": draw(st.just(list(OPERATIONS)) | st.lists(st.sampled_from(OPERATIONS), unique=True)),
        "attempts": draw(st.integers(1, 4)),
        "skip_after": draw(st.integers(1, 5)),
        "micro_steps_per_cycle": draw(st.integers(0, 3)),
    }
    value = lesson(*moments, policy=policy)
    _add_gotos(draw, value)
    read = lesson_read(encoded(value))
    assert not list(rule_faults(read))
    return Outline(read)


def _step(draw: st.DrawFn, kind: str, code: str) -> Json:
    if kind != "ASK":
        return item_step(kind) if kind in ITEM_TYPES else text_step(kind)
    micro = [{"code": f"m{n}", "body": "b"} for n in range(draw(st.integers(0, 2)))]
    wrong = [{"code": f"w{n}", "examples": ["x"], "feedback": "f"} for n in range(draw(st.integers(0, 2)))]
    if micro and wrong and draw(st.booleans()):
        wrong[0]["micro_step"] = micro[-1]["code"]
    return ask(code, hints=["h"] * draw(st.integers(0, 2)), micro_steps=micro, misconceptions=wrong)


def _add_gotos(draw: st.DrawFn, value: Json) -> None:
    plan = Outline(Lesson.model_validate(value))
    for place in plan.asks.values():
        _, m, n = place.path.replace("]", "").replace(".steps", "").split("[")
        others = [other.code for other in plan.asks_of_cycle(place.cycle) if other is not place.step]
        for wrong in value["moments"][int(m)]["steps"][int(n)]["misconceptions"]:
            if draw(st.booleans()) and others:
                wrong["goto"] = draw(st.sampled_from(others))


@dataclass(frozen=True)
class Move:
    """One thing that a client may try, allowed or not.

    `unsure`: the grader is not sure of the answer; `kept`: its verdict says who gave it, as all do since that is kept.
    `word` is the learner's own on an answer that was compared; `no_attempt`: the reply does not try.
    """

    kind: str
    result: str = "REJECT"
    deviation: TopicDeviation = TopicDeviation.ON_TOPIC
    misconception: str | None = None
    adaptive: bool = False
    operation: str = "reask"
    target: int = 0
    unsure: bool = False
    kept: bool = False
    word: OwnWord = "yes"
    no_attempt: bool = False


moves = st.builds(
    Move,
    kind=st.sampled_from(
        ["continue", "continue", "answer", "answer", "answer", "hint", "skip", "command", "compare", "self"]
    ),
    result=st.sampled_from(["ACCEPT", "PARTIAL", "REJECT", "REJECT", "NOT_GRADABLE"]),
    deviation=st.sampled_from(list(TopicDeviation)),
    misconception=st.sampled_from([None, "w0", "w1"]),
    adaptive=st.booleans(),
    operation=st.sampled_from(OPERATIONS),
    target=st.integers(-1, 30),
    unsure=st.sampled_from([False, False, True]),
    kept=st.booleans(),
    word=st.sampled_from(get_args(OwnWord)),
    no_attempt=st.sampled_from([False, False, False, True]),
)


withdrawals = st.builds(Move, kind=st.just("void"), target=st.integers(0, 30))
reports = st.just(Move("report"))


@st.composite
def outlines_with_voids(draw: st.DrawFn) -> tuple[Outline, frozenset[str]]:
    """A lesson, and questions of it that were withdrawn before: none, some or all."""
    plan = draw(outlines())
    codes = sorted(plan.asks)
    return plan, draw(st.frozensets(st.sampled_from(codes)) | st.just(frozenset(codes)))


_OWN_WORDS: dict[str, OwnWord] = {"yes": "yes", "partly": "partly", "no": "no"}


@dataclass
class Walker:
    """Plays a lesson and checks every step. `voided` are questions that were withdrawn before it began."""

    outline: Outline
    voided: frozenset[str] = frozenset()
    state: PlayerState = field(init=False)
    arrivals: list[int] = field(default_factory=list)
    closings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state = machine.begin(self.outline, self.voided)
        if not self.finished:
            self._arrive()
        self._check()

    @property
    def finished(self) -> bool:
        return self.state.phase == "finished"

    @property
    def most_attempts(self) -> int:
        return self.outline.lesson.policy.attempts

    def try_(self, move: Move) -> None:
        """Make a move; one that is refused changes nothing."""
        before = self.state
        frozen = before.model_dump_json()
        try:
            after = self._moved(move)
        except (ActionNotPossible, AdaptCommandRefused):
            assert self.state is before
            return
        assert before.model_dump_json() == frozen
        self._take(after)

    def _moved(self, move: Move) -> PlayerState:
        match move.kind:
            case "continue":
                return machine.proceed(self.outline, self.state)
            case "hint":
                return machine.show_hint(self.outline, self.state)
            case "skip":
                return machine.skip(self.outline, self.state)
            case "compare":
                return machine.compare(self.outline, self.state)
            case "self":
                return machine.self_assess(self.outline, self.state, move.word)
            case "command":
                return self._commanded(move)
            case "report":
                return machine.report(self.outline, self.state)
            case "void":
                return self._withdrawn(move)
            case _:
                return self._answered(move)

    def _answered(self, move: Move) -> PlayerState:
        known = machine.current_ask(self.outline, self.state)
        codes = [wrong.code for wrong in known.misconceptions] if known else []
        misconception = move.misconception if move.misconception in codes else None
        judged = (
            unsure() if move.unsure else verdict(move.result, misconception=misconception, no_attempt=move.no_attempt)
        )
        judged = judged.model_copy(update={"provenance": "rules" if move.kept else None})
        counted = machine.record_verdict(self.outline, self.state, judged, move.deviation)
        if not (move.adaptive or machine.in_doubt(counted)):
            return counted
        command = plan_adaptation(self.outline, counted, judged, move.deviation)
        if command is None:
            return counted
        self._take(counted)
        return self._applied(command)

    def _withdrawn(self, move: Move) -> PlayerState:
        codes = [*self.outline.asks]
        after = machine.void(self.outline, self.state, codes[move.target % len(codes)])
        assert machine.void(self.outline, after, codes[move.target % len(codes)]) is after
        assert after.cursor == self.state.cursor, "a withdrawal moved the learner"
        return after

    def _commanded(self, move: Move) -> PlayerState:
        codes = [*self.outline.asks, "nowhere"]
        target = codes[move.target % len(codes)] if move.target >= 0 else None
        return self._applied(AdaptCommand.model_validate({"op": move.operation, "targetAskCode": target}))

    def _applied(self, command: AdaptCommand) -> PlayerState:
        validate_adapt_command(command, self.outline, self.state)
        after = apply_adapt_command(command, self.outline, self.state)
        here, there = (self.outline.places[state.cursor] for state in (self.state, after))
        assert here.cycle == there.cycle, "a command left its cycle"
        assert command.op in self.outline.lesson.policy.operations
        assert after.asks.keys() >= self.state.asks.keys()
        assert all(after.record(code).outcome == record.outcome for code, record in self.state.asks.items())
        return after

    def _take(self, after: PlayerState) -> None:
        before, self.state = self.state, after
        if after.cursor != before.cursor:
            self._arrive()
        for code, record in after.asks.items():
            was = before.record(code)
            if was.outcome != record.outcome:
                assert was.outcome == "open" or record.outcome == "voided", "a closed ASK changed"
                assert was.outcome != "voided", "a withdrawn ASK came back"
                self.closings += [code] if was.outcome == "open" else []
            assert record.attempts >= was.attempts
            assert record.outcome != "reported" or record.attempts == was.attempts, "a report cost an attempt"
        self._check_cycle(before)
        self._check()

    def _arrive(self) -> None:
        assert not self._is_voided(self.outline.places[self.state.cursor]), "arrived at a withdrawn ASK"
        self.arrivals.append(self.state.cursor)

    def _is_voided(self, place: Place) -> bool:
        return isinstance(place.step, Ask) and self.state.record(place.step.code).outcome == "voided"

    def _met_or_voided(self, place: Place) -> bool:
        return place.index in self.arrivals or self._is_voided(place)

    def _check_cycle(self, before: PlayerState) -> None:
        left, here = (self.outline.places[state.cursor].cycle for state in (before, self.state))
        if left == here and not self.finished:
            return
        assert all(not self.state.is_open(question.code) for question in self.outline.asks_of_cycle(left))
        assert all(self._met_or_voided(place) for place in self.outline.cycles[left])
        assert self.state.cycle in (CycleRecord(), CycleRecord(read=(self.state.cursor,)))
        assert (self.state.micro_step, self.state.reread, self.state.notice) == (None, False, None)

    def _check(self) -> None:
        state, policy = self.state, self.outline.lesson.policy
        asking = self._possible(machine.require_answer_awaited, state)
        going = self._possible(machine.proceed, self.outline, state)
        comparing = self._possible(machine.self_assess, self.outline, state, "no")
        assert [asking, going, comparing].count(True) == (0 if self.finished else 1), "not exactly one way on"
        assert self._possible(machine.compare, self.outline, state) == machine.can_compare(self.outline, state)
        assert comparing == (state.phase == "comparing")
        assert going == machine.can_continue(state)
        question = machine.current_ask(self.outline, state)
        assert not (asking or comparing) or (question is not None and state.is_open(question.code))
        assert (state.micro_step is not None) == (state.phase == "micro")
        assert self._possible(machine.skip, self.outline, state) == machine.can_skip(self.outline, state)
        assert self._possible(machine.show_hint, self.outline, state) == machine.can_hint(self.outline, state)
        assert self._possible(machine.report, self.outline, state) == machine.can_report(self.outline, state)
        assert state.cycle.micro_steps <= policy.micro_steps_per_cycle
        assert all(record.attempts <= self.most_attempts for record in state.asks.values())
        assert all(record.blanks < 3 for record in state.asks.values())
        assert PlayerState.model_validate(state.model_dump(mode="json", exclude_defaults=True)) == state

    @staticmethod
    def _possible(action: Any, *arguments: Any) -> bool:
        try:
            action(*arguments)
        except ActionNotPossible:
            return False
        return True

    def finish(self, move: Move) -> int:
        """Repeat one answer, continuing and comparing in between, to the end; how many moves it took."""
        taken = 0
        while not self.finished:
            way_on = Move("self", word=move.word) if self.state.phase == "comparing" else move
            self.try_(Move("continue") if machine.can_continue(self.state) else way_on)
            taken += 1
            assert taken <= self.longest(), "the walk does not end"
        return taken

    def longest(self) -> int:
        """No walk of answers is longer: each reading, ASK and micro-step is left once or twice, blanks cost a third."""
        policy = self.outline.lesson.policy
        per_ask = 3 * policy.attempts + 8 + policy.micro_steps_per_cycle
        return 2 * len(self.outline.places) + per_ask * len(self.outline.asks)

    def check_end(self) -> None:
        """Everything was met or withdrawn, and every ASK closed exactly once; one that was left returned once."""
        assert sorted(self.closings) == sorted(self.outline.asks.keys() - self.voided)
        assert all(self._met_or_voided(place) for place in self.outline.places)
        for place in self.outline.places:
            assert self.arrivals.count(place.index) <= 2

    def play(self, *kinds: str | Move) -> "Walker":
        """Moves in a row, each of which must be possible. A word that is no kind of move is a verdict's result, or the
        learner's own word; UNSURE is an answer of which the grader is not sure.
        """
        for kind in kinds:
            before = self.state
            move = kind if isinstance(kind, Move) else _move(kind)
            self.try_(move)
            if self.state is before:
                pytest.fail(f"{move} was refused")
        return self


def _move(word: str) -> Move:
    if word in _OWN_WORDS:
        return Move("self", word=_OWN_WORDS[word])
    if word == "UNSURE":
        return Move("answer", unsure=True, kept=True)
    plain = ("continue", "hint", "skip", "report", "compare")
    return Move(word) if word in plain else Move("answer", result=word)
