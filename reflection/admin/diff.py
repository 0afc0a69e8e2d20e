"""The diff of an adjustment: applied to the plan that failed, as the next plan will have it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from memory.contracts import ActiveAdjustment, Adjustment, AdjustmentOperation
from planning.contracts import Plan
from planning.experience import adjustments_apply
from planning.understanding import TaskReading, task_read

LINES_AT_MOST, DIFFS_AT_MOST = 20, 40
"""Lines of one diff, and different adjustments of a page whose diff is worked out."""
_ADDS = (AdjustmentOperation.ADD_CONSTRAINT, AdjustmentOperation.FILTER)
_MOVES = {AdjustmentOperation.INCREASE: "+", AdjustmentOperation.DECREASE: "−"}


@dataclass(frozen=True)
class Line:
    """One difference: the part of the strategy, its value before and after. None: there is no such part; empty: it has
    no value.
    """

    name: str | Promise
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Diff:
    """The changes of an adjustment. `applies`: they are to the plan that failed; else the lines are its request."""

    lines: Sequence[Line] = ()
    applies: bool = True


@dataclass
class Strategy:
    """The strategy of a failed plan, with the diffs of adjustments to it; each is worked out once."""

    plan: Plan
    _reading: TaskReading | None = None
    _known: dict[Adjustment, Diff] = field(default_factory=dict)

    def diff(self, adjustment: Adjustment) -> Diff:
        """Against the plan as it was."""
        if adjustment not in self._known:
            if len(self._known) >= DIFFS_AT_MOST:
                return diff_unapplied(adjustment)
            self._known[adjustment] = self._diff(adjustment)
        return self._known[adjustment]

    def _diff(self, adjustment: Adjustment) -> Diff:
        try:
            if self._reading is None:
                self._reading = task_read(self.plan.task, self.plan.metadata.task_type or None)
        except ValueError:  # a task that only the row takes
            return diff_unapplied(adjustment)
        active = ActiveAdjustment(id="-", reflection_id="-", adjustment=adjustment)
        after = adjustments_apply(self.plan, [active], self._reading)
        lines = tuple(_lines(self.plan, after))[:LINES_AT_MOST]
        return Diff(lines) if lines else diff_unapplied(adjustment)


def diff_unapplied(adjustment: Adjustment) -> Diff:
    """The request of an adjustment that changes nothing in the plan."""
    value = _text(adjustment.value)
    if adjustment.operation in _ADDS:
        line = Line(_("Condition"), adjustment.previous, value)
    elif adjustment.operation is AdjustmentOperation.REMOVE:
        line = Line(_name(adjustment.setting), value, None)
    elif adjustment.operation in _MOVES and adjustment.relative:
        line = Line(_name(adjustment.setting), None, f"{_MOVES[adjustment.operation]}{value}")
    else:
        line = Line(_name(adjustment.setting), adjustment.previous, value)
    return Diff((line,), applies=False)


_NAMES: dict[str, str | Promise] = {
    "priority": _("Priority"),
    "constraint": _("Condition"),
    "criterion": _("Criterion"),
    "steps": pgettext_lazy("plan", "Step"),
}


def _name(setting: str) -> str | Promise:
    return _NAMES.get(setting, setting)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _lines(before: Plan, after: Plan) -> Iterator[Line]:
    if before.config.priority != after.config.priority:
        yield Line(_NAMES["priority"], before.config.priority or "", after.config.priority or "")
    old, new = before.config.settings, after.config.settings
    for name in dict.fromkeys([*old, *new]):
        if old.get(name) != new.get(name):
            yield Line(name, _text(old[name]) if name in old else "", _text(new[name]) if name in new else "")
    yield from _listed(_NAMES["constraint"], before.constraints, after.constraints)
    steps = ([step.description for step in plan.steps] for plan in (before, after))
    yield from _listed(_NAMES["steps"], *steps)
    criteria = ([criterion.text for criterion in plan.success_criteria] for plan in (before, after))
    yield from _listed(_NAMES["criterion"], *criteria)


def _listed(name: str | Promise, before: list[str], after: list[str]) -> Iterator[Line]:
    """What is replaced, taken out and put in."""
    for kind, start, end, other_start, other_end in SequenceMatcher(None, before, after, False).get_opcodes():
        if kind == "equal":
            continue
        pairs = zip_longest(before[start:end], after[other_start:other_end])
        yield from (Line(name, *pair) for pair in pairs)
