"""Causes in a session with a lesson, from the figures of `lesson_engine.outcomes.goals.result_of`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from reflection.causes.contracts import Cause, CauseKind, Fact
from reflection.causes.detect.checks import Check
from reflection.causes.detect.reading import Case
from reflection.causes.texts import cue_in, number_in

_FIGURES: Final = ("questions", "answered", "hints", "attempts", "skipped", "shown")
MANY: Final = 0.2
"""Share of the questions from which skipping, or being shown, characterises a session."""
ATTEMPTS_EACH: Final = 2.4
_OF_FIGURES: Final = {
    "skipped": CauseKind.LESSON_SKIPPED,
    "shown": CauseKind.LESSON_SHOWN,
    "hints": CauseKind.LESSON_HINTS,
    "attempts": CauseKind.LESSON_ATTEMPTS,
}
"""By the figure that the only missed goal is of."""


@dataclass(frozen=True)
class Session:
    """The figures of a session; whole numbers from 0."""

    questions: int
    answered: int
    hints: int
    attempts: int
    skipped: int
    shown: int
    finished: bool

    @property
    def left(self) -> int:
        """Questions that were never closed."""
        return max(self.questions - self.answered - self.skipped - self.shown, 0)

    @property
    def tried(self) -> int:
        return max(self.questions - self.skipped - self.left, 1)

    @property
    def figures(self) -> dict[str, str]:
        return {name: str(getattr(self, name)) for name in _FIGURES}


def session_of(case: Case) -> Session | None:
    """The figures, where the result has those of a session."""
    result = case.failure.result
    if not isinstance(result, dict) or "questions" not in result or "answered" not in result:
        return None
    figures = {name: _whole(result.get(name)) for name in _FIGURES}
    return Session(**figures, finished=result.get("finished") is not False) if figures["questions"] else None


def _whole(value: object) -> int:
    number = number_in(value)
    return int(number) if number is not None and 0 <= number < 1e6 else 0


def lesson(case: Case) -> Iterator[Cause]:
    session = session_of(case)
    if session is None:
        return
    failed = {check.field: check for check in case.checks if check.result.met is False}
    by_name = {check.name: check for check in failed.values()}
    alone = next(iter(failed.values())) if len(failed) == 1 else None
    own = next((kind for figure, kind in _OF_FIGURES.items() if _names(figure, alone)), None)
    facts = [Fact(f"result.{name}", figure) for name, figure in session.figures.items()]
    for kind, score, about in _scores(session, by_name, case):
        yield case.cause(kind, about, score - (0.1 if own not in (None, kind) else 0.0), facts, **_parts(session))


def _scores(session: Session, failed: dict[str, Check], case: Case) -> Iterator[tuple[CauseKind, float, Check | None]]:
    total, lost = session.questions, max(session.questions - session.answered, 1)
    each = session.attempts / session.tried
    alone = case.main if len(failed) == 1 else None
    ended = next((check for check in case.checks if check.is_verdict and check.result.met is False), None)
    if not session.finished or ended or session.left >= max(2, 0.3 * total):
        share = session.left / total
        yield CauseKind.LESSON_GIVEN_UP, (0.72 if not session.finished else 0.5) + 0.25 * share, ended or case.main
    if session.skipped >= MANY * total or _names("skipped", alone):
        yield CauseKind.LESSON_SKIPPED, 0.6 + 0.36 * min(session.skipped / lost, 1), _of("skipped", failed, case)
    if session.shown >= MANY * total or _names("shown", alone):
        score = 0.58 + 0.36 * min(session.shown / lost, 1)
        if each >= ATTEMPTS_EACH:
            yield CauseKind.LESSON_ATTEMPTS, score + 0.02, _of("shown", failed, case)
            score -= 0.1
        yield CauseKind.LESSON_SHOWN, score, _of("shown", failed, case)
    if _names("hints", alone) or session.hints >= total:
        score = 0.93 if _names("hints", alone) else 0.62 + 0.06 * min(session.hints / total, 3)
        yield CauseKind.LESSON_HINTS, score, _of("hints", failed, case)
    if _names("attempts", alone) or each >= ATTEMPTS_EACH:
        score = 0.93 if _names("attempts", alone) else 0.7
        yield CauseKind.LESSON_ATTEMPTS, score, _of("attempts", failed, case)
    yield CauseKind.LESSON_TOO_HARD, 0.5, case.main


def _names(figure: str, check: Check | None) -> bool:
    """Whether the only criterion that failed is of this figure."""
    return check is not None and bool(cue_in(f"lesson {figure}", check.name))


def _of(figure: str, failed: dict[str, Check], case: Case) -> Check | None:
    return next((check for check in failed.values() if _names(figure, check)), case.main)


def _parts(session: Session) -> dict[str, str]:
    return {
        **session.figures,
        "left": str(session.left),
        "percent": str(round(100 * session.answered / session.questions)),
        "each": f"{session.attempts / session.tried:.1f}",
        "tried": str(session.tried),
        "hints_each": f"{session.hints / max(session.questions, 1):.1f}",
    }
