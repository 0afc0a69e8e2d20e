"""A plan on the table: its steps, criteria, constraints and settings can be changed there, and it stays whole."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from planning.contracts import (
    CRITERIA_AT_MOST,
    LINE_LENGTH,
    STEPS_AT_MOST,
    CriterionSource,
    Plan,
    PlanConfig,
    Step,
    SuccessCriterion,
)
from planning.experience.conditions import covers, parsed
from planning.experience.words import normalised, stems


@dataclass(eq=False)
class DraftStep:
    """A step that knows those before it, and not their numbers."""

    description: str
    expected_output: str = ""
    after: list["DraftStep"] = field(default_factory=list)


class Draft:
    """The parts of a plan that learnings and adjustments change."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.steps = _steps_of(plan.steps)
        self.criteria = list(plan.success_criteria)
        self.constraints = list(plan.constraints)
        self.priority = plan.config.priority
        self.settings: dict[str, Any] = dict(plan.config.settings)

    def plan(self, **metadata: Any) -> Plan:
        return self._plan.replaced(
            steps=_numbered(self.steps),
            success_criteria=self.criteria,
            constraints=self.constraints,
            config=PlanConfig(priority=self.priority, settings=self.settings),
            metadata=self._plan.metadata.model_copy(update=metadata),
        )

    # Steps

    def step_said(self, description: str) -> DraftStep | None:
        wanted = stems(description)
        return next((step for step in self.steps if stems(step.description) == wanted), None)

    def step_add(self, description: str, expected_output: str, place: int) -> bool:
        """Put a step at a place (from 0): it comes after what the next one came after, and that after it. False where
        it is there already, is too long, or the plan has as many as it may have.
        """
        if len(description) > LINE_LENGTH or self.step_said(description) or len(self.steps) >= STEPS_AT_MOST:
            return False
        step = DraftStep(description, expected_output[:LINE_LENGTH], self.steps[max(place - 1, 0) : place])
        if place < len(self.steps):
            following = self.steps[place]
            step.after, following.after = following.after or step.after, [step]
        self.steps.insert(place, step)
        return True

    def step_remove(self, step: DraftStep) -> bool:
        """Take a step out; what came after it comes after what it came after. False for the last one there is."""
        if len(self.steps) < 2:
            return False
        self.steps.remove(step)
        for other in self.steps:
            if step in other.after:
                other.after = list(
                    dict.fromkeys([*(needed for needed in other.after if needed is not step), *step.after])
                )
        return True

    # Constraints and criteria

    def constraint_add(self, text: str) -> bool:
        """Add a constraint, unless it is there, or a stricter one. Whether it was added."""
        if self.constraint_covering(text) is not None:
            return False
        self.constraints.append(text)
        return True

    def constraint_covering(self, text: str) -> str | None:
        """The constraint that says at least this."""
        parse = parsed(text)
        for constraint in self.constraints:
            other = parsed(constraint) if parse is not None else None
            if normalised(constraint) == normalised(text) or (parse and other and covers(other, parse)):
                return constraint
        return None

    def criterion_add(self, text: str, source: CriterionSource) -> bool:
        """Add a criterion that can be measured, unless one says at least as much. Whether it was added."""
        criterion = SuccessCriterion(text=text, source=source)
        if criterion.parse is None or not criterion.measurable or len(self.criteria) >= CRITERIA_AT_MOST:
            return False
        if any(present.parse is not None and covers(present.parse, criterion.parse) for present in self.criteria):
            return False
        self.criteria.append(criterion)
        return True

    def criteria_remove(self, wanted: Callable[[SuccessCriterion], bool]) -> bool:
        """Take out the criteria that are `wanted`, but none that was given, and not the last that can be measured.
        Whether any went.
        """
        gone = False
        for criterion in [other for other in self.criteria if other.source != CriterionSource.GIVEN and wanted(other)]:
            rest = [other for other in self.criteria if other is not criterion]
            if any(other.measurable for other in rest):
                self.criteria, gone = rest, True
        return gone


def _steps_of(steps: Sequence[Step]) -> list[DraftStep]:
    """Dependencies on what is not before a step are left out."""
    made: dict[int, DraftStep] = {}
    drafts = []
    for step in steps:
        draft = DraftStep(
            step.description,
            step.expected_output,
            [made[dependency] for dependency in dict.fromkeys(step.dependencies) if dependency in made],
        )
        made.setdefault(step.order, draft)
        drafts.append(draft)
    return drafts


def _numbered(steps: Sequence[DraftStep]) -> list[Step]:
    orders = {id(step): place for place, step in enumerate(steps, 1)}
    return [
        Step(
            order=place,
            description=step.description,
            expected_output=step.expected_output,
            dependencies=sorted(orders[id(needed)] for needed in step.after if orders.get(id(needed), place) < place),
        )
        for place, step in enumerate(steps, 1)
    ]
