"""What adjustments change in a plan. Source: RF-007, scenario 14."""

from collections.abc import Sequence
from typing import Final

from memory.contracts import ActiveAdjustment, Adjustment, AdjustmentOperation
from planning.contracts import LINE_LENGTH, CriterionSource, Plan
from planning.criteria import CriterionParse
from planning.experience.conditions import bound_of, condition_key, covers, moved, parsed
from planning.experience.editing import Draft, DraftStep
from planning.experience.fields import field_key
from planning.experience.naming import condition_said, setting_key
from planning.experience.placing import Placing, condition_held, is_kind
from planning.experience.precedence import SIDES, adjustments_in_force, bound_set, label_of, text_of
from planning.experience.words import normalised, stems
from planning.understanding.contracts import TaskReading

ADJUSTMENTS_AT_MOST: Final = 100
_ASKED: Final = (CriterionSource.GIVEN, CriterionSource.TASK)
_OURS: Final = (CriterionSource.ADJUSTMENT, CriterionSource.EXPERIENCE)


def adjustments_apply(plan: Plan, adjustments: Sequence[ActiveAdjustment], reading: TaskReading) -> Plan:
    """The plan with the adjustments that can be executed on it, the first ones first; a later one wins over an earlier
    one on the same setting, which is then not listed. What is listed already is not applied again.

    Given criteria stay as they are. To change, increase, decrease or remove needs something that is there; what is set
    need not be. Bounds such as `max_price` are kept as constraints too.
    """
    applied = list(plan.metadata.applied_adjustments)
    draft = Draft(plan)
    changing = _Changing(draft, Placing(draft, reading))
    for active in adjustments_in_force(adjustments[-ADJUSTMENTS_AT_MOST:]):
        label = f"{active.reflection_id}: {label_of(active.adjustment)}"
        if label not in applied and changing.apply(active.adjustment):
            applied.append(label)
    if applied == plan.metadata.applied_adjustments:
        return plan
    return draft.plan(applied_adjustments=applied)


def _is_of(text: str, name: str, bound: tuple[str, str] | None) -> bool:
    """Whether a constraint bounds this field, on the side of the bound where one is named."""
    limit = bound_of(parsed(text))
    side = bound and SIDES[bound[1]]
    return limit is not None and limit.field == field_key(name) and side in (None, limit.side)


def _gives_way(old: CriterionParse | None, new: CriterionParse, instead: bool) -> bool:
    """Whether the old condition goes when the new one comes."""
    if old is None or old.normal == new.normal:
        return False
    one, other = bound_of(old), bound_of(new)
    if one is not None and other is not None and one.excludes(other):
        return True
    if condition_key(old) != condition_key(new):
        return False
    return instead or old.kind != new.kind or old.operator != new.operator or not covers(old, new)


class _Changing:
    """Adjustments executed on a draft."""

    def __init__(self, draft: Draft, placing: Placing) -> None:
        self._draft, self._placing = draft, placing

    def apply(self, adjustment: Adjustment) -> bool:
        """Execute it. False where that cannot be done on this plan, which is then as it was."""
        match adjustment.operation:
            case AdjustmentOperation.ADD_CONSTRAINT | AdjustmentOperation.FILTER:
                return self._condition(text_of(adjustment.value), adjustment.previous)
            case AdjustmentOperation.REMOVE:
                return self._remove(adjustment.setting, text_of(adjustment.value))
            case AdjustmentOperation.INCREASE | AdjustmentOperation.DECREASE:
                return self._move(adjustment)
        if adjustment.setting == "priority":
            return self._priority(adjustment)
        if adjustment.setting == "steps":
            return self._reword(adjustment.previous, adjustment.value)
        return self._set(adjustment)

    # Priority and settings

    def _priority(self, adjustment: Adjustment) -> bool:
        value = adjustment.value
        if not isinstance(value, str) or not value.strip() or len(value) > 200:
            return False
        before = adjustment.previous or self._draft.priority
        over = before if before and field_key(before) != field_key(value) else None
        self._draft.priority = value
        self._placing.sort_by(value, over)
        return True

    def _set(self, adjustment: Adjustment) -> bool:
        setting, value = adjustment.setting, adjustment.value
        bound = bound_set(setting)
        if value is None or setting in ("constraint", "criterion"):
            return False
        if bound is not None and not isinstance(value, bool):
            held = self._condition(f"{bound[0]} {bound[1]} {value}", None, instead=True)
            if held or adjustment.operation == AdjustmentOperation.SET:
                self._draft.settings[setting] = value
            return held or adjustment.operation == AdjustmentOperation.SET
        if adjustment.operation == AdjustmentOperation.CHANGE and setting not in self._draft.settings:
            return False
        self._draft.settings[setting] = value
        return True

    def _move(self, adjustment: Adjustment) -> bool:
        """A number in the settings, or in constraints: "min_quality" is that of "quality >= 7"."""
        up = adjustment.operation == AdjustmentOperation.INCREASE
        setting, bound = adjustment.setting, bound_set(adjustment.setting)
        name = bound[0] if bound else setting.replace("_", " ")
        done = False
        if setting in self._draft.settings:
            value = moved(self._draft.settings[setting], adjustment, up)
            if value is None:
                return False
            self._draft.settings[setting], done = value, True
        texts = [text for text in self._draft.constraints if _is_of(text, name, bound)]
        if len(texts) == 1:
            done = self._constraint_move(texts[0], adjustment, up) or done
        if not done and not texts and bound is not None and not adjustment.relative:
            return self._condition(f"{bound[0]} {bound[1]} {adjustment.value}", None)
        return done

    def _constraint_move(self, text: str, adjustment: Adjustment, up: bool) -> bool:
        parse = parsed(text)
        name, symbol, value = text.partition(f" {parse.operator.value} ") if parse else ("", "", "")
        changed = moved(value, adjustment, up) if symbol else None
        return changed is not None and self._condition(f"{name}{symbol}{changed}", text)

    # Conditions

    def _condition(self, text: str, previous: str | None, *, instead: bool = False) -> bool:
        """Hold the plan to a condition, in the place of the `previous` one, of weaker ones on the same field, and of
        what cannot hold beside it; with `instead` of stricter ones too. False against what the task asks.
        """
        condition = condition_said(text)
        parse = parsed(condition) if condition else None
        if condition is None or parse is None or self._is_impossible(parse):
            return False
        replaced = [
            constraint
            for constraint in self._draft.constraints
            if constraint != condition
            and (normalised(constraint) == normalised(previous or "") or _gives_way(parsed(constraint), parse, instead))
        ]
        self._draft.constraints = [constraint for constraint in self._draft.constraints if constraint not in replaced]
        covering = self._draft.constraint_covering(condition)
        if condition not in self._draft.constraints:
            self._draft.constraints.append(condition)
        if covering in (None, condition):
            self._steps_hold(condition, replaced)
            self._criteria_hold(condition, parse, replaced, instead)
        return True

    def _is_impossible(self, parse: CriterionParse) -> bool:
        bound = bound_of(parse)
        asked = [bound_of(criterion.parse) for criterion in self._draft.criteria if criterion.source in _ASKED]
        return bound is not None and any(limit is not None and limit.excludes(bound) for limit in asked)

    def _steps_hold(self, condition: str, replaced: Sequence[str]) -> None:
        wanted = self._placing.filter_said(condition)
        steps = [step for text in [condition, *replaced] for step in self._placing.steps_holding(text)]
        kept = next((step for step in steps if step.description == wanted[0]), steps[0] if steps else None)
        if kept is None:
            self._placing.filter_by(condition)
            return
        kept.description, kept.expected_output = wanted
        for step in dict.fromkeys(steps):
            if step is not kept:
                self._draft.step_remove(step)

    def _criteria_hold(self, condition: str, parse: CriterionParse, replaced: Sequence[str], instead: bool) -> None:
        gone, before = {normalised(text) for text in replaced}, self._draft.criteria
        self._draft.criteria = [
            criterion
            for criterion in before
            if criterion.source in _ASKED
            or not (
                {normalised(criterion.normal), normalised(criterion.text)} & gone
                or (criterion.source in _OURS and _gives_way(criterion.parse, parse, instead))
            )
        ]
        self._draft.criterion_add(condition, CriterionSource.ADJUSTMENT)
        if not any(criterion.measurable for criterion in self._draft.criteria):
            self._draft.criteria = before

    # Removals

    def _remove(self, setting: str, value: str) -> bool:
        if setting == "priority":
            return self._priority_remove()
        if setting == "constraint":
            return self._constraint_remove(value)
        if setting == "criterion":
            return self._criterion_remove(value)
        done = self._step_remove(value)
        if not done:
            done = self._constraint_remove(value) or self._setting_remove(value)
        return done

    def _priority_remove(self) -> bool:
        if self._draft.priority is None:
            return False
        self._placing.sort_forget(self._draft.priority)
        self._draft.priority = None
        return True

    def _constraint_remove(self, value: str) -> bool:
        """By what it says, or by the name of its field ("price")."""
        parse = parsed(value)
        normal = parse.normal if parse else None
        field = field_key(value)
        gone = []
        for text in self._draft.constraints:
            other = parsed(text)
            named = other is not None and parse is None and field_key(other.field) == field
            if normalised(text) == normalised(value) or (other and other.normal == normal) or named:
                gone.append(text)
        self._draft.constraints = [text for text in self._draft.constraints if text not in gone]
        steps = [step for text in [*gone, value] for step in self._placing.steps_saying(text)]
        done = [self._draft.step_remove(step) for step in dict.fromkeys(steps)]
        return self._criteria_named_remove([*gone, value, normal or value]) or bool(gone) or any(done)

    def _criterion_remove(self, value: str) -> bool:
        parse = parsed(value)
        return self._criteria_named_remove([value, parse.normal if parse else value])

    def _criteria_named_remove(self, texts: Sequence[str]) -> bool:
        names = {normalised(text) for text in texts}
        return self._draft.criteria_remove(
            lambda criterion: not names.isdisjoint((normalised(criterion.normal), normalised(criterion.text)))
        )

    def _step_remove(self, value: str) -> bool:
        step = self._step_meant(value)
        if step is None or not self._draft.step_remove(step):
            return False
        if held := condition_held(step):
            self._constraint_remove(held)
        if self._draft.priority is not None and is_kind(step, "sort"):
            self._draft.priority = None
        return True

    def _setting_remove(self, value: str) -> bool:
        key = setting_key(value)
        return self._draft.settings.pop(key, None) is not None if key else False

    # Steps

    def _step_meant(self, value: str) -> DraftStep | None:
        """The step that says so, or by its number ("2"), or the only one with all these words, of at least two."""
        exact = self._draft.step_said(value)
        if exact is not None:
            return exact
        if value.isdigit() and len(value) <= 2 and 1 <= int(value) <= len(self._draft.steps):
            return self._draft.steps[int(value) - 1]
        words = set(stems(value))
        steps = [step for step in self._draft.steps if words <= set(stems(step.description))]
        return steps[0] if len(steps) == 1 and len(words) > 1 else None

    def _reword(self, previous: str | None, value: object) -> bool:
        step = self._step_meant(previous or "") if previous else None
        if step is None or not isinstance(value, str) or not value.strip() or len(value) > LINE_LENGTH:
            return False
        step.description = value
        return True
