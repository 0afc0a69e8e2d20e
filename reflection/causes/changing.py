"""Adjustments that answer a cause, from the mildest to the firmest. Source: RF-008 (`decide_adjustments`).

Forms and steps are in `data/adjustments.json`. Whatever is proposed parses, can be executed, has not been tried, and
changes the plan.
"""

import re
from collections.abc import Sequence

from memory.contracts import ActiveAdjustment, Adjustment
from planning.learning import adjustment_parse, adjustments_apply, folded
from reflection.adjusting import adjustment_fault
from reflection.causes.contracts import Cause
from reflection.causes.forms import Rung
from reflection.causes.history import tried
from reflection.causes.reading import Check, Seen
from reflection.causes.rungs import ladder_of, last_of
from reflection.causes.saying import check_of
from reflection.contracts import PatternFound, PatternState
from reflection.failure import Failure

AT_MOST, USUAL = 3, 2


def adjustments_of(cause: Cause, failure: Failure, patterns: Sequence[PatternFound]) -> list[str]:
    """One to three, the most telling first, in the language of the plan. Established patterns make them firmer."""
    return adjustments_seen(cause, Seen(failure), patterns)


def adjustments_seen(cause: Cause, seen: Seen, patterns: Sequence[PatternFound], attempt: int = 1) -> list[str]:
    """`adjustments_of` for a failure that was looked at; later attempts go one rung firmer."""
    check = check_of(cause, seen)
    rungs = list(ladder_of(cause, seen, check))
    firm = any(is_established(one, cause, check) for one in patterns)
    if firm or attempt > 1:
        rungs = sorted(rungs, key=lambda rung: -rung.firmness)
    most = AT_MOST if firm else USUAL
    taken = _Taken(seen)
    kept = [rung.text for rung in rungs if len(taken.kept) < most and taken.take(rung)]
    return kept or [rung.text for rung in last_of(seen, check) if not taken.kept and taken.take(rung)]


class _Taken:
    """What has been tried and what is proposed now."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self.kept: list[Adjustment] = []
        self._done = {_key(one) for text in tried(seen) if (one := adjustment_parse(text))}

    def take(self, rung: Rung) -> bool:
        """Whether it can be proposed beside the others; it is one of them then."""
        adjustment = adjustment_parse(rung.text)
        if adjustment is None or not rung.is_read or adjustment_fault(rung.text) is not None:
            return False
        if _key(adjustment) in self._done or any(_same_subject(one, adjustment) for one in self.kept):
            return False
        if not rung.overrides and not _changes(self._seen, adjustment):
            return False
        self._done.add(_key(adjustment))
        self.kept.append(adjustment)
        return True


def _same_subject(one: Adjustment, other: Adjustment) -> bool:
    """Whether the second one would find nothing left to change, or undo the first."""
    if one.setting != other.setting or one.operation.value == "remove" or other.operation.value == "remove":
        return False
    if one.setting == "steps":
        return one.previous == other.previous
    return one.setting == "priority" or _field(one) == _field(other)


def _field(adjustment: Adjustment) -> str:
    return folded(re.split(r" (?:>=|<=|>|<|==|!=) ", str(adjustment.value))[0])


def is_established(pattern: PatternFound, cause: Cause, check: Check | None) -> bool:
    """Whether a pattern can be relied on and is about what the cause is about."""
    if pattern.state != PatternState.ESTABLISHED:
        return False
    said = folded(f"{pattern.outcome} {pattern.text}").replace("_", " ")
    return any(name and name in said for name in (folded(cause.about), cause.field, check.name if check else ""))


def _key(adjustment: Adjustment) -> tuple[str, str, str]:
    """What it does, so that the same is not proposed in other words."""
    kind = "condition" if adjustment.setting == "constraint" else adjustment.operation.value
    removing = "remove" if adjustment.operation.value == "remove" else ""
    return f"{kind}{removing}", adjustment.setting, folded(str(adjustment.value))


def _changes(seen: Seen, adjustment: Adjustment) -> bool:
    """Whether the plan is another one with it."""
    if seen.reading is None:
        return True
    active = ActiveAdjustment(id="new:1", reflection_id="new", adjustment=adjustment)
    try:
        changed = adjustments_apply(seen.plan, [active], seen.reading)
    except ValueError:  # a plan that would not be whole
        return False
    return _shape(changed) != _shape(seen.plan)


def _shape(plan: object) -> tuple[object, ...]:
    return tuple(getattr(plan, name) for name in ("steps", "constraints", "config", "success_criteria"))
