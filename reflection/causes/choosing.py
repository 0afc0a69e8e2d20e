"""The root cause of a failure: every cause that could be, scored by what is on record, and the best one chosen."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from reflection.causes.contracts import LESSON_KINDS, Cause, CauseKind, Fact
from reflection.causes.execution import cut_short, data_missing, tool_failed, unit_mixed, wrong_thing
from reflection.causes.history import adjusted, cache_misfit, failures_before, mistaught
from reflection.causes.lessons import lesson
from reflection.causes.making import Finder, cause
from reflection.causes.options import part_overran, passed_over
from reflection.causes.people import changed_mind, unmeasured_wish, voiced_of
from reflection.causes.reading import Seen
from reflection.causes.strategy import assumed, held_or_not, near_miss, priority_against, trade_off
from reflection.failure import Failure

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
    """Why it failed, with the evidence and what else it might have been; the same for the same failure."""
    return cause_seen(Seen(failure))


def cause_seen(seen: Seen) -> Cause:
    """`cause_of`, for a failure that was looked at already."""
    ranked = causes_ranked(seen)
    others = tuple((one.kind, one.score) for one in ranked[1 : OTHERS_AT_MOST + 1])
    return replace(ranked[0], others=others)


def causes_ranked(seen: Seen) -> list[Cause]:
    """Every cause that could be, the best first; there is always one."""
    ranked = _ranked([one for finder in _FINDERS for one in finder(seen)])
    ranked = ranked or [cause(CauseKind.NOT_HELD, seen, None, 0.2)]
    return [
        replace(one, parts={**one.parts, **_before(seen, one)}, facts=(*one.facts, *_told(seen, one))) for one in ranked
    ]


def _told(seen: Seen, best: Cause) -> list[Fact]:
    """What the user said of the criterion, where they did."""
    check = next((one for one in seen.checks if one.result.criterion == best.about and not one.is_verdict), None)
    said = voiced_of(seen, check) if check is not None else ""
    return [Fact("feedback", said)] if said and all(one.place != "feedback" for one in best.facts) else []


def _ranked(found: Sequence[Cause]) -> list[Cause]:
    """Best first, each kind once. Of a lesson what its figures say comes before what any plan could have."""
    if any(one.kind in LESSON_KINDS for one in found):
        kept = (*LESSON_KINDS, CauseKind.NO_HELP, CauseKind.OVERSHOT, CauseKind.NEAR_MISS, CauseKind.TOOL_FAILED)
        found = [one for one in found if one.kind in kept]
    best: dict[CauseKind, Cause] = {}
    for one in found:
        if one.kind not in best or one.score > best[one.kind].score:
            parts = {**best[one.kind].parts, **one.parts} if one.kind in best else one.parts
            best[one.kind] = replace(one, parts=parts)
        else:
            best[one.kind] = replace(best[one.kind], parts={**one.parts, **best[one.kind].parts})
    return sorted(best.values(), key=lambda one: -one.score)


def _before(seen: Seen, best: Cause) -> dict[str, str]:
    """How often the same failed before."""
    check = next((one for one in seen.checks if one.result.criterion == best.about), None)
    if check is None:
        return {}
    times, known = failures_before(seen, check)
    return {"before": str(times), "known": str(known)} if times else {}
