"""What the API of plans takes and gives. Money in micro-cents (1e-6 cent), scores 0 to 1."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

from django.utils.translation import override
from pydantic import AfterValidator, Field, StringConstraints

from accounts.contracts import Pseudonym
from core.api.base import BLANKS, PYTHONS_PATTERNS, PageQuery
from core.contracts import Contract
from language.word_lists import json_file
from memory.contracts import TASK_TYPE_FORM, TASK_TYPE_LENGTH
from planning.contracts import (
    CRITERIA_AT_MOST,
    LINE_LENGTH,
    TASK_LENGTH,
    CriterionSource,
    DesiredResult,
    PlanConfig,
    PlanOutcome,
    PlanSource,
    Step,
)
from planning.criteria import CriterionParse
from planning.understanding import GIVEN_ONLY
from planning.understanding.text import task_clean

# A line that can be seen: no control characters, and no blank at its ends.
_LINE = rf"^[^{BLANKS}]([^\x00-\x1f\x7f-\x9f\u2028\u2029]*[^{BLANKS}])?$"
# Text with a letter or a digit in it, on however many lines.
_CONTROL = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_WORDS = rf"^([^{_CONTROL}\w]|_)*[^\W_][^{_CONTROL}]*$"


def _task(text: str) -> str:
    """The task as it is planned, with its blanks made one each. Raises `ValueError`."""
    with override("en"):
        return task_clean(text)


TaskType = Annotated[str, StringConstraints(pattern=TASK_TYPE_FORM, max_length=TASK_TYPE_LENGTH)]


def _asked_for(task_type: str) -> str:
    """The type, unless only Andamio itself makes plans of it. Raises `ValueError`."""
    if task_type in GIVEN_ONLY:
        raise ValueError("must not be a type whose plans Andamio makes itself, when a session starts")
    return task_type


OwnTaskType = Annotated[TaskType, AfterValidator(_asked_for), Field(json_schema_extra={"not": {"enum": [*GIVEN_ONLY]}})]
Task = Annotated[
    str,
    StringConstraints(min_length=1, max_length=TASK_LENGTH, pattern=_WORDS),
    AfterValidator(_task),
]
CriterionText = Annotated[str, StringConstraints(min_length=1, max_length=LINE_LENGTH, pattern=_LINE)]


class PlansQuery(PageQuery):
    """Which plans to list; each filter that is given must hold."""

    model_config = PYTHONS_PATTERNS

    task_type: TaskType | None = Field(default=None, description="Only plans for tasks of this type.")
    source: PlanSource | None = Field(default=None, description="Only plans that come from here.")
    outcome: PlanOutcome | None = Field(default=None, description="Only plans whose last evaluation said this.")
    learner: Pseudonym | None = Field(default=None, description="Only plans for this learner of yours.")


class PlanBody(Contract):
    """What to plan, and for whom."""

    model_config = PYTHONS_PATTERNS

    task: Task = Field(description="What is to be done, in English or Spanish.", examples=["Book hotel in Paris"])
    learner: Pseudonym | None = Field(default=None, description="For whom; absent: for yourself.")
    task_type: OwnTaskType | None = Field(
        default=None, description="Absent: found from the task. Plans of lessons are made by their sessions alone."
    )
    criteria: list[CriterionText] | None = Field(
        default=None,
        min_length=1,
        max_length=CRITERIA_AT_MOST,
        description="Success criteria, of which one at least can be measured; absent: made for the task.",
    )


class PlanItem(Contract):
    """A plan in short. `outcome` is null until a result was evaluated."""

    id: UUID
    task: str
    task_type: str
    language: str
    source: PlanSource
    outcome: PlanOutcome | None
    created_at: datetime
    evaluated_at: datetime | None


class CriterionItem(Contract):
    """A success criterion; `parse` is what is understood of it, null where nothing: then only a judge can say."""

    text: str
    normal: str
    measurable: bool
    verifiable: bool
    source: CriterionSource
    parse: CriterionParse | None


class PlanDetail(PlanItem):
    """A whole plan.

    `applied_adjustments` name the reflection that each comes from. `fallback` says why a model that was asked was not
    followed, `cached_from` which plan was reused and `cache_adjustments` what of it was adjusted to this task.
    """

    desired_result: DesiredResult
    steps: list[Step]
    success_criteria: list[CriterionItem]
    config: PlanConfig
    constraints: list[str]
    influenced_by_experience: bool
    past_learnings: list[str]
    preferences: list[str]
    applied_adjustments: list[str]
    cached_from: UUID | None
    cache_adjustments: list[str]
    similarity: float | None
    model: str | None
    fallback: str | None
    cost_microcents: int


EXAMPLE: dict[str, Any] = json_file(Path(__file__).parent / "example.json")
ITEM_EXAMPLE = {name: EXAMPLE[name] for name in PlanItem.model_fields}
