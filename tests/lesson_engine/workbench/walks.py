"""Walks through random lessons in which staff review answers, in any order and at any time."""

from collections import defaultdict
from dataclasses import dataclass, field

from hypothesis import strategies as st

from lesson_engine.contracts import VerdictResult
from lesson_engine.player import machine
from lesson_engine.player.overruling import Answered, AskHistory, overrule
from lesson_engine.player.state import AskRecord
from lesson_engine.player.zones import leaves_doubt, own_verdict
from tests.lesson_engine.player.walks import Move, Walker, moves, reports, unsure, verdict, withdrawals

RESULTS = st.sampled_from(list(VerdictResult))


@dataclass(frozen=True)
class Look:
    """Somebody of the staff says what one of the answers so far is worth."""

    answer: int
    result: VerdictResult


looks = st.builds(Look, answer=st.integers(0, 60), result=RESULTS)
steps = st.lists(moves | moves | looks | reports | withdrawals, max_size=60)


@dataclass
class ReviewedWalker(Walker):
    """Keeps what was answered, as turns do, beside the state that the player makes of it."""

    given: list[tuple[str, Answered]] = field(default_factory=list)
    hints: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def most_attempts(self) -> int:
        return 10_000  # staff may say of blanks that they were answers, when nobody can be asked for fewer any more

    def try_(self, move: Move) -> None:
        before, asked = self.state, machine.current_ask(self.outline, self.state)
        super().try_(move)
        if self.state is before:
            return
        if asked is not None:
            self._note(move, asked.code, before.record(asked.code))
        for code, record in self.state.asks.items():
            self.hints[code] += record.hints - before.record(code).hints

    def _note(self, move: Move, code: str, was: AskRecord) -> None:
        if move.kind == "answer":
            graded = VerdictResult("PARTIAL" if move.unsure else move.result)
            spared = (move.unsure and move.kept) or self.state.record(code).strayed > was.strayed
            judged = unsure() if move.unsure else verdict(move.result, no_attempt=move.no_attempt)
            kept = judged.model_copy(update={"provenance": "rules" if move.kept else None})
            first_stray = self.state.record(code).strayed > was.strayed
            answered = Answered(
                graded=graded,
                result=graded,
                hints=self.hints[code],
                spared=spared,
                doubt=None if first_stray else leaves_doubt(kept),
            )
            self.given.append((code, answered))
        if move.kind == "self":
            place = max(at for at, (asked, one) in enumerate(self.given) if asked == code and one.doubt)
            said = own_verdict(move.word).result
            changed = {"graded": said, "result": said, "spared": False, "own_word": True}
            self.given.append((code, self.given.pop(place)[1].model_copy(update=changed)))

    def look(self, look: Look) -> None:
        """Review one of the answers so far, if there is any; nobody may be moved by it."""
        if not self.given:
            return
        place = look.answer % len(self.given)
        code, answered = self.given[place]
        self.given[place] = (code, answered.model_copy(update={"result": look.result, "reviewed": True}))
        before = self.state
        self.state = overrule(self.outline, before, code, self.history(code))
        self._check_nobody_moved(code, before.record(code), compared=before.phase == "comparing")
        assert self.state.cursor == before.cursor, "a review moved the learner"
        assert (self.state.phase, self.state.micro_step) == (before.phase, before.micro_step) or (
            self.state.phase == "closed" and before.phase in ("asking", "micro", "comparing")
        )
        assert overrule(self.outline, self.state, code, self.history(code)) is self.state
        self._check()

    def _check_nobody_moved(self, code: str, was: AskRecord, *, compared: bool) -> None:
        now = self.state.record(code)
        assert (was.outcome == "voided") == (now.outcome == "voided")
        if was.outcome == "open" and now.outcome != "open":
            assert now.outcome == "mastered" or (compared and now.outcome == "shown")
            self.closings.append(code)
        assert was.outcome == "open" or now.outcome != "open", "a closed question opened"

    def history(self, code: str) -> AskHistory:
        mine = tuple(answered for asked, answered in self.given if asked == code)
        return AskHistory(answers=mine, hints=self.hints[code])

    def walk(self, steps: list[Move | Look]) -> None:
        for step in steps:
            if isinstance(step, Look):
                self.look(step)
            else:
                self.try_(step)

    def longest(self) -> int:
        return super().longest() * 4
