"""Adjustments that were in force for a plan, and those set since. Only the plan says which it was made with."""

import re
from dataclasses import dataclass

from memory.contracts import ActiveAdjustment, Adjustment, AdjustmentOperation
from planning.experience import adjustments_apply, field_key, normalised
from reflection.causes.detect.checks import Check, parse_of
from reflection.causes.detect.reading import Case
from reflection.causes.texts import shown

SETTINGS_READ = 60
_LABEL = re.compile(r"step .*? -> (.+)", re.DOTALL)


@dataclass(frozen=True)
class Set:
    """An active adjustment with the field that it is of, its name and its sentence."""

    active: ActiveAdjustment
    field: str
    name: str
    text: str


def settings_of(case: Case) -> list[Set]:
    """The adjustments that the plan was made with, the latest first."""
    return [setting for setting in _settings(case) if in_force(case, setting.active.adjustment)]


def unreached_of(case: Case, check: Check | None) -> list[Set]:
    """Adjustments set for this criterion by now that would change this plan and are not in it; the latest first."""
    if check is None:
        return []
    settings = (setting for setting in _settings(case) if of_field(setting, check))
    return [setting for setting in settings if is_unreached(case, setting.active.adjustment)]


def is_unreached(case: Case, adjustment: Adjustment) -> bool:
    return not in_force(case, adjustment) and changes(case, adjustment)


def _settings(case: Case) -> list[Set]:
    settings = map(_set, case.failure.adjustments[-SETTINGS_READ:][::-1])
    return [setting for setting in settings if setting is not None]


def _set(active: ActiveAdjustment) -> Set | None:
    adjustment = active.adjustment
    value = adjustment.value
    text = shown(adjustment.text or f"{adjustment.setting} = {value}", 80)
    text += "'" if text.count("'") % 2 else ""  # the one at its end was cut off
    if adjustment.operation is AdjustmentOperation.REMOVE or not isinstance(value, str):
        return None
    if adjustment.setting == "priority":
        return Set(active, field_key(value), shown(value, 40), text)
    if adjustment.setting == "constraint":
        parse = parse_of(value)
        return Set(active, field_key(parse.field), shown(parse.field.replace("_", " "), 40), text) if parse else None
    return Set(active, "", shown(value, 60), text)


def of_field(setting: Set, check: Check) -> bool:
    """Whether the adjustment was meant to mend this criterion."""
    return setting.field == check.field if setting.field else check.is_named_in(setting.name)


def in_force(case: Case, adjustment: Adjustment) -> bool:
    """Whether the plan says that it was applied, or holds what it asks."""
    plan, value = case.plan, _tight(str(adjustment.value))
    applied = {_tight(label.partition(": ")[2]) for label in plan.metadata.applied_adjustments}
    if adjustment.operation is AdjustmentOperation.REMOVE:
        return any(label.startswith("removed") and label.endswith(value) for label in applied)
    if adjustment.setting == "priority":
        return f"priority={value}" in applied or field_key(case.priority) == field_key(str(adjustment.value))
    if adjustment.setting == "constraint":
        constraints = {_tight(text) for text in plan.constraints}
        return value in constraints or f"constraint{value}" in applied or f"filter{value}" in applied
    if adjustment.setting == "steps":
        is_step = any(value in _tight(step.description) for step in plan.steps)
        return is_step or any(label.startswith("step") and label.endswith(f"->{value}") for label in applied)
    setting = _tight(adjustment.setting)
    is_set = adjustment.setting in plan.config.settings and not adjustment.relative
    moved = any(f"{setting}{sign}{value}" in applied for sign in "=+-")
    return moved or (is_set and _tight(str(plan.config.settings[adjustment.setting])) == value)


def _tight(text: str) -> str:
    return "".join(normalised(text[:500]).split())


def changes(case: Case, adjustment: Adjustment) -> bool:
    """Whether the plan is another one with it."""
    if case.reading is None:
        return True
    active = ActiveAdjustment(id="new:1", reflection_id="new", adjustment=adjustment)
    try:
        changed = adjustments_apply(case.plan, [active], case.reading)
    except ValueError:  # a plan that would not be whole
        return False
    return any(
        getattr(changed, name) != getattr(case.plan, name)
        for name in ("steps", "constraints", "config", "success_criteria")
    )


def tried(case: Case) -> list[Adjustment]:
    """Adjustments that were set when the plan was made, and those that earlier reflections proposed for this type of
    task; without those that are set and have not reached this plan: it is not known yet whether they help.
    """
    waiting: list[Adjustment] = []
    reached: list[Adjustment] = []
    for adjustment in _recent(case):
        (waiting if is_unreached(case, adjustment) else reached).append(adjustment)
    values = {_value(adjustment) for adjustment in waiting}
    return [*reached, *(adjustment for adjustment in _proposed(case) if _value(adjustment) not in values)]


def _recent(case: Case) -> list[Adjustment]:
    return [active.adjustment for active in case.failure.adjustments[-SETTINGS_READ:]]


def _proposed(case: Case) -> list[Adjustment]:
    return [
        proposed.adjustment
        for earlier in case.failure.reflections
        if earlier.task_type == case.failure.domain
        for proposed in dict.fromkeys(earlier.adjustments)
        if proposed.adjustment is not None
    ]


def _value(adjustment: Adjustment) -> tuple[str, str, str]:
    removing = "remove" if adjustment.operation is AdjustmentOperation.REMOVE else ""
    return removing, adjustment.setting, normalised(str(adjustment.value))


def edits_of(case: Case) -> list[str]:
    """New beginnings of steps, normalised: those set or proposed, and those that the plan says were applied."""
    adjustments = [*_recent(case), *_proposed(case)]
    edits = [normalised(str(edit.value)) for edit in adjustments if edit.setting == "steps" and edit.value]
    labels = (label.partition(": ")[2] for label in case.plan.metadata.applied_adjustments)
    return edits + [normalised(match[1]) for label in labels if (match := _LABEL.fullmatch(label))]
