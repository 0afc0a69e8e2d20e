"""What an adjustment changes, as a diff: applied to the plan that failed, as the next plan will have it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from memory.contracts import ActiveAdjustment, Adjustment, AdjustmentOperation
from planning.contracts import Plan
from planning.learning import adjustments_apply
from planning.understanding import TaskReading, task_read

LINES_AT_MOST, DIFFS_AT_MOST = 20, 40
"""Lines of one diff, and different adjustments on a page of which it is worked out: whoever writes more is not read."""
_ADDS = (AdjustmentOperation.ADD_CONSTRAINT, AdjustmentOperation.FILTER)
_MOVES = {AdjustmentOperation.INCREASE: "+", AdjustmentOperation.DECREASE: "−"}


@dataclass(frozen=True)
class Line:
    """One difference: what of the strategy, what it was and what it becomes. None: there is no such thing then; empty:
    it has no value.
    """

    name: str | Promise
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Diff:
    """What an adjustment changes. `applies`: it changes the plan that failed; else the lines say what it asks for."""

    lines: Sequence[Line] = ()
    applies: bool = True


@dataclass
class Strategy:
    """The strategy that a failed plan followed, and what adjustments would make of it; each is worked out once."""

    plan: Plan
    _reading: TaskReading | None = None
    _known: dict[Adjustment, Diff] = field(default_factory=dict)

    def diff(self, adjustment: Adjustment) -> Diff:
        """Against the plan as it was."""
        if adjustment not in self._known:
            if len(self._known) >= DIFFS_AT_MOST:
                return asked(adjustment)
            self._known[adjustment] = self._diff(adjustment)
        return self._known[adjustment]

    def _diff(self, adjustment: Adjustment) -> Diff:
        try:
            if self._reading is None:
                self._reading = task_read(self.plan.task, self.plan.metadata.task_type or None)
        except ValueError:  # a task that only the row takes
            return asked(adjustment)
        active = ActiveAdjustment(id="-", reflection_id="-", adjustment=adjustment)
        after = adjustments_apply(self.plan, [active], self._reading)
        lines = tuple(_lines(self.plan, after))[:LINES_AT_MOST]
        return Diff(lines) if lines else asked(adjustment)


def asked(adjustment: Adjustment) -> Diff:
    """What an adjustment asks for, where it changes nothing of the plan."""
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
    """What is put in the place of what, what is taken out, and what is put in."""
    for kind, start, end, other_start, other_end in SequenceMatcher(None, before, after, False).get_opcodes():
        if kind == "equal":
            continue
        gone, come = before[start:end], after[other_start:other_end]
        pairs = min(len(gone), len(come))
        yield from (Line(name, one, other) for one, other in zip(gone, come, strict=False))
        yield from (Line(name, one, None) for one in gone[pairs:])
        yield from (Line(name, None, one) for one in come[pairs:])
