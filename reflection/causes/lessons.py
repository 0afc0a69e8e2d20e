"""Causes in a session with a lesson, from its figures. The result is that of `lesson_engine.goals.result_of`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from reflection.causes.contracts import Cause, CauseKind, Fact
from reflection.causes.making import cause
from reflection.causes.reading import Check, Seen
from reflection.causes.wording import cue_in

_FIGURES: Final = ("questions", "answered", "hints", "attempts", "skipped", "shown")
MANY: Final = 0.2
"""Share of the questions from which on skipping or being shown is what a session was like."""
ATTEMPTS_EACH: Final = 2.4
_OF_FIGURES: Final = {
    "skipped": CauseKind.LESSON_SKIPPED,
    "shown": CauseKind.LESSON_SHOWN,
    "hints": CauseKind.LESSON_HINTS,
    "attempts": CauseKind.LESSON_ATTEMPTS,
}
"""What the only goal that was missed is of."""


@dataclass(frozen=True)
class Session:
    """The figures of a session; whole numbers from 0. `left` are questions that were never closed."""

    questions: int
    answered: int
    hints: int
    attempts: int
    skipped: int
    shown: int
    finished: bool

    @property
    def left(self) -> int:
        return max(self.questions - self.answered - self.skipped - self.shown, 0)


def session_of(seen: Seen) -> Session | None:
    """The figures, where the result has those of a session."""
    result = seen.failure.result
    if not isinstance(result, dict) or "questions" not in result or "answered" not in result:
        return None
    figures = {name: _whole(result.get(name)) for name in _FIGURES}
    return Session(**figures, finished=result.get("finished") is not False) if figures["questions"] else None


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e6:
        return 0
    return int(value)


def lesson(seen: Seen) -> Iterator[Cause]:
    session = session_of(seen)
    if session is None:
        return
    failed = {one.field: one for one in seen.checks if one.result.met is False}
    by_name = {one.name: one for one in failed.values()}
    alone = next(iter(failed.values())) if len(failed) == 1 else None
    own = next((kind for figure, kind in _OF_FIGURES.items() if _names(figure, alone)), None)
    for kind, score, about in _scores(session, by_name, seen):
        less = 0.1 if own not in (None, kind) else 0.0
        yield cause(kind, seen, about, score - less, _facts(session), **_parts(session))


def _scores(session: Session, failed: dict[str, Check], seen: Seen) -> Iterator[tuple[CauseKind, float, Check | None]]:
    total, lost = session.questions, max(session.questions - session.answered, 1)
    each = session.attempts / max(total - session.skipped - session.left, 1)
    alone = seen.main if len(failed) == 1 else None
    ended = next((one for one in seen.checks if one.is_verdict and one.result.met is False), None)
    if not session.finished or ended or session.left >= max(2, 0.3 * total):
        share = session.left / total
        yield CauseKind.LESSON_GIVEN_UP, (0.72 if not session.finished else 0.5) + 0.25 * share, ended or seen.main
    if session.skipped >= MANY * total or _names("skipped", alone):
        yield CauseKind.LESSON_SKIPPED, 0.6 + 0.36 * min(session.skipped / lost, 1), _of("skipped", failed, seen)
    if session.shown >= MANY * total or _names("shown", alone):
        score = 0.58 + 0.36 * min(session.shown / lost, 1)
        if each >= ATTEMPTS_EACH:
            yield CauseKind.LESSON_ATTEMPTS, score + 0.02, _of("shown", failed, seen)
            score -= 0.1
        yield CauseKind.LESSON_SHOWN, score, _of("shown", failed, seen)
    if _names("hints", alone) or session.hints >= total:
        score = 0.93 if _names("hints", alone) else 0.62 + 0.06 * min(session.hints / total, 3)
        yield CauseKind.LESSON_HINTS, score, _of("hints", failed, seen)
    if _names("attempts", alone) or each >= ATTEMPTS_EACH:
        score = 0.93 if _names("attempts", alone) else 0.7
        yield CauseKind.LESSON_ATTEMPTS, score, _of("attempts", failed, seen)
    yield CauseKind.LESSON_TOO_HARD, 0.5, seen.main


def _names(figure: str, check: Check | None) -> bool:
    """Whether the only criterion that failed is of this figure."""
    return check is not None and bool(cue_in(f"lesson {figure}", check.name))


def _of(figure: str, failed: dict[str, Check], seen: Seen) -> Check | None:
    return next((one for one in failed.values() if _names(figure, one)), seen.main)


def _facts(session: Session) -> list[Fact]:
    return [Fact(f"result.{name}", str(getattr(session, name))) for name in _FIGURES]


def _parts(session: Session) -> dict[str, str]:
    figures = {name: str(getattr(session, name)) for name in _FIGURES}
    tried = max(session.questions - session.skipped - session.left, 1)
    return {
        **figures,
        "left": str(session.left),
        "percent": str(round(100 * session.answered / session.questions)),
        "each": f"{session.attempts / tried:.1f}",
        "tried": str(tried),
        "hints_each": f"{session.hints / max(session.questions, 1):.1f}",
    }
