"""Adjustments that answer a cause, from the mildest to the firmest. Source: RF-008 (`decide_adjustments`).

Forms and steps are in `data/adjustments.json`. Whatever is proposed parses, can be executed, has not been tried, and
changes the plan.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from memory.contracts import Adjustment
from planning.learning import adjustment_parse, folded
from reflection.adjusting import adjustment_fault
from reflection.causes.contracts import Cause
from reflection.causes.force import changes, tried, unreached_of
from reflection.causes.forms import Rung
from reflection.causes.own import stands_in_task
from reflection.causes.reading import Check, Seen
from reflection.causes.rungs import ladder_of, last_of
from reflection.causes.saying import check_of
from reflection.contracts import PatternFound, PatternState
from reflection.discretion import hides
from reflection.failure import Failure

AT_MOST, USUAL = 3, 2


def adjustments_of(cause: Cause, failure: Failure, patterns: Sequence[PatternFound]) -> list[str]:
    """One to three, the most telling first, in the language of the plan. Established patterns make them firmer."""
    return adjustments_seen(cause, Seen(failure), patterns).texts


@dataclass(frozen=True)
class Proposed:
    """Adjustments in words. `used_up`: everything was tried, and this is the firmest of it once more."""

    texts: list[str]
    used_up: bool = False


def adjustments_seen(cause: Cause, seen: Seen, patterns: Sequence[PatternFound], attempt: int = 1) -> Proposed:
    """`adjustments_of` for a failure that was looked at; later attempts go one rung firmer. What is set and has not
    reached the plan comes once more: nothing shows yet that something firmer is needed.
    """
    check = check_of(cause, seen)
    rungs = list(ladder_of(cause, seen, check))
    waits = bool(unreached_of(seen, check))
    firm = not waits and any(is_established(one, cause, check) for one in patterns)
    if firm or (attempt > 1 and not waits):
        rungs = sorted(rungs, key=lambda rung: -rung.firmness)
    most = AT_MOST if firm else USUAL
    taken = _Taken(seen)
    kept = [rung.text for rung in rungs if len(taken.kept) < most and taken.take(rung)]
    kept = kept or [rung.text for rung in last_of(seen, check) if not taken.kept and taken.take(rung)]
    return Proposed(kept) if kept else Proposed(_strongest(seen, [*rungs, *last_of(seen, check)]), used_up=True)


def _strongest(seen: Seen, rungs: Sequence[Rung]) -> list[str]:
    """What was set last, else the firmest that is on hand and can be executed; one at most."""
    texts = [one.adjustment.text for one in seen.failure.adjustments[::-1] if not _is_of_task(one.adjustment, seen)]
    texts += [rung.text for rung in sorted(rungs, key=lambda rung: -rung.firmness) if rung.is_read]
    return list(islice((text for text in texts if text and not hides(text) and adjustment_fault(text) is None), 1))


def _is_of_task(adjustment: Adjustment, seen: Seen) -> bool:
    return adjustment.setting == "constraint" and stands_in_task(seen, str(adjustment.value))


class _Taken:
    """What has been tried and what is proposed now."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self.kept: list[Adjustment] = []
        self._done = {_key(one) for one in tried(seen)}

    def take(self, rung: Rung) -> bool:
        """Whether it can be proposed beside the others; it is one of them then."""
        adjustment = adjustment_parse(rung.text)
        if adjustment is None or not rung.is_read or adjustment_fault(rung.text) is not None:
            return False
        if _key(adjustment) in self._done or any(_same_subject(one, adjustment) for one in self.kept):
            return False
        if not rung.overrides and not changes(self._seen, adjustment):
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
