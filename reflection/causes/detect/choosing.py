"""The root cause of a failure: every possible cause is scored, and the best one chosen."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from reflection.causes.contracts import LESSON_KINDS, Cause, CauseKind, Fact
from reflection.causes.detect.execution import cut_short, data_missing, tool_failed, unit_mixed, wrong_thing
from reflection.causes.detect.feedback import changed_mind, unmeasured_wish, voiced_of
from reflection.causes.detect.history import adjusted, cache_misfit, failures_before, mistaught
from reflection.causes.detect.lessons import lesson
from reflection.causes.detect.options import part_overran, passed_over
from reflection.causes.detect.reading import Case, Finder
from reflection.causes.detect.strategy import assumed, held_or_not, near_miss, priority_against, trade_off
from reflection.contracts.failure import Failure

OTHERS_AT_MOST: Final = 3
_FINDERS: Final[tuple[Finder, ...]] = (
    tool_failed,
    cut_short,
    wrong_thing,
    cache_misfit,
    unit_mixed,
    changed_mind,
    adjusted,
    mistaught,
    assumed,
    passed_over,
    part_overran,
    priority_against,
    trade_off,
    near_miss,
    unmeasured_wish,
    data_missing,
    held_or_not,
    lesson,
)


def cause_of(failure: Failure) -> Cause:
    """The root cause with its evidence and the next candidates; the same for the same failure."""
    best, *others = causes_ranked(Case(failure))
    return replace(best, others=tuple((other.kind, other.score) for other in others[:OTHERS_AT_MOST]))


def causes_ranked(case: Case) -> list[Cause]:
    """Every cause that could be, the best first; there is always one."""
    ranked = _ranked([cause for finder in _FINDERS for cause in finder(case)])
    ranked = ranked or [case.cause(CauseKind.NOT_HELD, None, 0.2)]
    return [_completed(case, cause) for cause in ranked]


def _completed(case: Case, cause: Cause) -> Cause:
    """The cause with the user's words on its criterion, and how often the same failed before."""
    check = next((check for check in case.checks if check.result.criterion == cause.about), None)
    if check is None:
        return cause
    times, known = failures_before(case, check)
    before = {"before": str(times), "known": str(known)} if times else {}
    words = voiced_of(case, check) if not check.is_verdict else ""
    is_new = words and all(fact.place != "feedback" for fact in cause.facts)
    facts = (*cause.facts, Fact("feedback", words)) if is_new else cause.facts
    return replace(cause, parts={**cause.parts, **before}, facts=facts)


def _ranked(causes: Sequence[Cause]) -> list[Cause]:
    """Best first, each kind once. In a lesson the figures of the session come before any cause in the plan."""
    if any(cause.kind in LESSON_KINDS for cause in causes):
        kinds = (*LESSON_KINDS, CauseKind.NO_HELP, CauseKind.OVERSHOT, CauseKind.NEAR_MISS, CauseKind.TOOL_FAILED)
        causes = [cause for cause in causes if cause.kind in kinds]
    best: dict[CauseKind, Cause] = {}
    for cause in causes:
        known = best.get(cause.kind, cause)
        better, other = (cause, known) if cause.score > known.score else (known, cause)
        best[cause.kind] = replace(better, parts={**other.parts, **better.parts})
    return sorted(best.values(), key=lambda cause: -cause.score)
