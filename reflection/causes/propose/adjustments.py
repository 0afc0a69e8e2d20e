"""Adjustments that answer a cause, from the mildest to the firmest. Source: RF-008 (`decide_adjustments`).

Every adjustment that is proposed can be executed, has not been tried, and changes the plan.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.contracts import Adjustment, AdjustmentOperation
from memory.strategy.registry import adjustment_judge
from planning.experience import normalised
from reflection.causes.contracts import Cause
from reflection.causes.detect.activation import changes, tried, unreached_of
from reflection.causes.detect.checks import Check
from reflection.causes.detect.reading import Case
from reflection.causes.detect.task_specific import is_task_specific
from reflection.causes.propose.answers import candidates_of, fallbacks_of
from reflection.causes.propose.candidates import AdjustmentCandidate
from reflection.contracts import AdjustmentProposed, PatternFound, PatternState
from reflection.redaction import has_secrets

AT_MOST, USUAL = 3, 2


@dataclass(frozen=True)
class Proposal:
    """One to three adjustments, what helps most first. `used_up`: all were tried, and this is the firmest once more."""

    adjustments: tuple[AdjustmentProposed, ...]
    used_up: bool = False

    @property
    def texts(self) -> list[str]:
        """The adjustments in the language of the plan."""
        return [adjustment.text for adjustment in self.adjustments]


def adjustments_of(cause: Cause, case: Case, patterns: Sequence[PatternFound], attempt: int = 1) -> Proposal:
    """Answers to a cause; firmer ones with an established pattern, and in later attempts. What is set and has not
    reached the plan comes once more: nothing shows yet that something firmer is needed.
    """
    check = case.check_of(cause)
    candidates = list(candidates_of(cause, case, check))
    waits = bool(unreached_of(case, check))
    firm = not waits and any(is_established(pattern, cause, check) for pattern in patterns)
    if firm or (attempt > 1 and not waits):
        candidates = sorted(candidates, key=lambda candidate: -candidate.firmness)
    selection = _Selection(case)
    chosen = selection.choose(candidates, AT_MOST if firm else USUAL)
    chosen = chosen or selection.choose(fallbacks_of(case, check), 1)
    if chosen:
        return Proposal(_proposed(chosen))
    return Proposal(_proposed(_strongest(case, [*candidates, *fallbacks_of(case, check)])), used_up=True)


def _proposed(adjustments: Iterable[Adjustment]) -> tuple[AdjustmentProposed, ...]:
    return tuple(AdjustmentProposed(text=adjustment.text, adjustment=adjustment) for adjustment in adjustments)


def _strongest(case: Case, candidates: Sequence[AdjustmentCandidate]) -> list[Adjustment]:
    """The last one that was set, else the firmest candidate that can be executed; one at most."""
    adjustments = [
        active.adjustment
        for active in case.failure.adjustments[::-1]
        if active.adjustment.setting != "constraint" or not is_task_specific(case, str(active.adjustment.value))
    ]
    adjustments += [candidate.adjustment for candidate in sorted(candidates, key=lambda candidate: -candidate.firmness)]
    for adjustment in adjustments:
        if adjustment.text and not has_secrets(adjustment.text) and adjustment_judge(adjustment) is None:
            return [adjustment]
    return []


class _Selection:
    """The candidates that are chosen, and the adjustments that were tried."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._chosen: list[Adjustment] = []
        self._done = {_identity(adjustment) for adjustment in tried(case)}

    def choose(self, candidates: Iterable[AdjustmentCandidate], most: int) -> list[Adjustment]:
        """The first candidates that can be executed, are new and change the plan, and fit the others."""
        for candidate in candidates:
            if len(self._chosen) == most:
                break
            if self._is_new(candidate):
                self._done.add(_identity(candidate.adjustment))
                self._chosen.append(candidate.adjustment)
        return self._chosen

    def _is_new(self, candidate: AdjustmentCandidate) -> bool:
        adjustment = candidate.adjustment
        if adjustment_judge(adjustment) is not None or _identity(adjustment) in self._done:
            return False
        if any(_same_subject(other, adjustment) for other in self._chosen):
            return False
        return candidate.overrides or changes(self._case, adjustment)


def _same_subject(first: Adjustment, second: Adjustment) -> bool:
    """Whether the second one would find nothing left to change, or undo the first."""
    if first.setting != second.setting or AdjustmentOperation.REMOVE in (first.operation, second.operation):
        return False
    if first.setting == "steps":
        return first.previous == second.previous
    return first.setting == "priority" or _field(first) == _field(second)


def _field(adjustment: Adjustment) -> str:
    return normalised(re.split(r" (?:>=|<=|>|<|==|!=) ", str(adjustment.value))[0])


def is_established(pattern: PatternFound, cause: Cause, check: Check | None) -> bool:
    """Whether a pattern can be relied on and is about what the cause is about."""
    if pattern.state != PatternState.ESTABLISHED:
        return False
    text = normalised(f"{pattern.outcome} {pattern.text}").replace("_", " ")
    return any(name and name in text for name in (normalised(cause.about), cause.field, check.name if check else ""))


def _identity(adjustment: Adjustment) -> tuple[str, str, str]:
    """What an adjustment does, the same in other words."""
    kind = "condition" if adjustment.setting == "constraint" else adjustment.operation.value
    removing = "remove" if adjustment.operation is AdjustmentOperation.REMOVE else ""
    return f"{kind}{removing}", adjustment.setting, normalised(str(adjustment.value))
