"""What was in force for a plan, and what is set since. Only the plan says what it was made with."""

import re
from dataclasses import dataclass

from memory.contracts import ActiveAdjustment, Adjustment, AdjustmentOperation
from planning.contracts import SuccessCriterion
from planning.learning import adjustment_parse, adjustments_apply, field_key, folded, stems
from reflection.causes.reading import Check, Seen
from reflection.causes.wording import shown

SETTINGS_READ = 60
_LABEL = re.compile(r"step .*? -> (.+)", re.DOTALL)


@dataclass(frozen=True)
class Set:
    """Something that is set: of which field, in words as it is shown."""

    active: ActiveAdjustment
    field: str
    name: str
    text: str


def settings_of(seen: Seen) -> list[Set]:
    """What the plan was made with, the latest first."""
    return [one for one in _settings(seen) if in_force(seen, one.active.adjustment)]


def unreached_of(seen: Seen, check: Check | None) -> list[Set]:
    """What is set for this criterion by now, and is not in this plan although it would change it; the latest first."""
    if check is None:
        return []
    return [one for one in _settings(seen) if of_field(one, check) and is_unreached(seen, one.active.adjustment)]


def is_unreached(seen: Seen, adjustment: Adjustment) -> bool:
    return not in_force(seen, adjustment) and changes(seen, adjustment)


def _settings(seen: Seen) -> list[Set]:
    found = [_set(one) for one in seen.failure.adjustments[-SETTINGS_READ:]]
    return [one for one in reversed(found) if one is not None]


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
        parse = SuccessCriterion(text=value[:500]).parse if value.strip() else None
        return Set(active, field_key(parse.field), shown(parse.field.replace("_", " "), 40), text) if parse else None
    return Set(active, "", shown(value, 60), text)


def of_field(one: Set, check: Check) -> bool:
    """Whether the adjustment was meant to mend this criterion."""
    if one.field:
        return one.field == check.field
    words = set(stems(check.name))
    return bool(words) and words <= set(stems(one.name))


def in_force(seen: Seen, adjustment: Adjustment) -> bool:
    """Whether the plan says that it was applied, or holds what it asks."""
    plan, value = seen.plan, adjustment.value
    said = _tight(str(value))
    applied = {_tight(label.partition(": ")[2]) for label in plan.metadata.applied_adjustments}
    if adjustment.operation is AdjustmentOperation.REMOVE:
        return any(label.startswith("removed") and label.endswith(said) for label in applied)
    if adjustment.setting == "priority":
        return f"priority={said}" in applied or field_key(plan.config.priority or "") == field_key(str(value))
    if adjustment.setting == "constraint":
        held = {_tight(text) for text in plan.constraints}
        return said in held or f"constraint{said}" in applied or f"filter{said}" in applied
    if adjustment.setting == "steps":
        spoken = any(said in _tight(one.description) for one in plan.steps)
        return spoken or any(label.startswith("step") and label.endswith(f"->{said}") for label in applied)
    setting = _tight(adjustment.setting)
    same = adjustment.setting in plan.config.settings and not adjustment.relative
    moved = any(label in applied for label in (f"{setting}={said}", f"{setting}+{said}", f"{setting}-{said}"))
    return moved or (same and _tight(str(plan.config.settings[adjustment.setting])) == said)


def _tight(text: str) -> str:
    return "".join(folded(text[:500]).split())


def changes(seen: Seen, adjustment: Adjustment) -> bool:
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


def tried(seen: Seen) -> list[Adjustment]:
    """What was set when the plan was made, and what earlier reflections proposed for this type of task, but for what is
    set and has not reached this plan: nobody knows yet whether it helps.
    """
    waiting: list[Adjustment] = []
    done: list[Adjustment] = []
    for active in seen.failure.adjustments[-SETTINGS_READ:]:
        (waiting if is_unreached(seen, active.adjustment) else done).append(active.adjustment)
    known = {_value(one) for one in waiting}
    return [*done, *(one for one in _proposed(seen) if _value(one) not in known)]


def _proposed(seen: Seen) -> list[Adjustment]:
    texts = (
        text
        for earlier in seen.failure.reflections
        if earlier.task_type == seen.failure.domain
        for text in earlier.adjustments
    )
    return [one for text in dict.fromkeys(texts) if text and (one := adjustment_parse(text)) is not None]


def _value(adjustment: Adjustment) -> tuple[str, str, str]:
    removing = "remove" if adjustment.operation is AdjustmentOperation.REMOVE else ""
    return removing, adjustment.setting, folded(str(adjustment.value))


def edits_of(seen: Seen) -> list[str]:
    """New beginnings of steps, folded: what was set or proposed for them, and what the plan says was applied."""
    known = [one.adjustment for one in seen.failure.adjustments[-SETTINGS_READ:]] + _proposed(seen)
    found = [folded(str(one.value)) for one in known if one.setting == "steps" and one.value]
    labels = (label.partition(": ")[2] for label in seen.plan.metadata.applied_adjustments)
    return found + [folded(match[1]) for label in labels if (match := _LABEL.fullmatch(label))]
