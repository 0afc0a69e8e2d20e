"""Which adjustments hold together, and how they are worded: as metadata names them, and in sentences of the grammar."""

from collections.abc import Sequence
from typing import Final

from language.word_lists import json_file
from memory.contracts import ActiveAdjustment, Adjustment, AdjustmentOperation
from planning.experience.adjustments import adjustment_parse
from planning.experience.conditions import compact, condition_key, parsed
from planning.experience.fields import bound_named, field_key
from planning.experience.words import DATA, normalised

SIDES: Final = {">=": "low", "<=": "high"}
Subject = tuple[str, ...]


def label_of(adjustment: Adjustment) -> str:
    """An adjustment as metadata names it: "priority=quality", "constraint quality>=7", "min_quality+1"."""
    setting, value = adjustment.setting, compact(text_of(adjustment.value))
    match adjustment.operation:
        case AdjustmentOperation.ADD_CONSTRAINT:
            return f"constraint {value}"
        case AdjustmentOperation.FILTER:
            return f"filter {value}"
        case AdjustmentOperation.REMOVE:
            return "removed priority" if setting == "priority" else f"removed {setting.removesuffix('s')} {value}"
        case AdjustmentOperation.INCREASE | AdjustmentOperation.DECREASE if adjustment.relative:
            return f"{setting}{'+' if adjustment.operation == AdjustmentOperation.INCREASE else '-'}{value}"
        case AdjustmentOperation.CHANGE if setting == "steps":
            return f"step {adjustment.previous} -> {value}"
    return f"{setting}={value}"


def text_of(value: str | int | float | bool | None) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def adjustments_in_force(adjustments: Sequence[ActiveAdjustment]) -> list[ActiveAdjustment]:
    """Those that no later one overrides. What is added after it was removed is there, and the other way round."""
    taken: set[Subject] = set()
    left: list[ActiveAdjustment] = []
    for active in reversed(adjustments):
        subjects, claims = _subjects_of(active.adjustment)
        if taken.isdisjoint(subjects):
            left.append(active)
            taken.update(claims)
    return left[::-1]


def _subjects_of(adjustment: Adjustment) -> tuple[set[Subject], set[Subject]]:
    """What an adjustment is of, and of what it has the last word. What moves a number, or changes what must be there,
    builds on what was set before.
    """
    setting, operation = adjustment.setting, adjustment.operation
    if setting == "priority":
        return {("priority",)}, {("priority",)}
    if setting == "constraint":
        parse = parsed(text_of(adjustment.value))
        if parse is None:
            return {("constraint", normalised(text_of(adjustment.value)))}, set()
        exact, key = ("constraint", normalised(parse.normal)), condition_key(parse)
        return {exact, key}, {exact} if operation == AdjustmentOperation.REMOVE else {exact, key}
    bound = bound_set(setting)
    subject = ("setting", setting) if bound is None else ("bound", field_key(bound[0]), SIDES[bound[1]])
    return {subject}, {subject} if operation == AdjustmentOperation.SET else set()


def bound_set(setting: str) -> tuple[str, str] | None:
    return bound_named(setting.replace("_", " "))


def adjustment_worded(adjustment: Adjustment, language: str) -> Adjustment | None:
    """The adjustment with its sentence as `text`; None where the grammar would read that sentence as anything else.

    Conditions are added, filtered by and removed, criteria removed, priority and steps changed. Raises `KeyError` for
    other adjustments.
    """
    form = f"{adjustment.operation} {adjustment.setting}"
    if adjustment.setting == "priority" and not adjustment.previous:
        form += " alone"
    sentence = json_file(DATA / "wording.json")[language][form]
    text = sentence.format(value=adjustment.value, previous=adjustment.previous)
    worded = adjustment.model_copy(update={"text": text})
    return worded if adjustment_parse(text) == worded else None
