"""Plans and what they are made of. Sources: RF-007; design.md, "Names that stay put".

Lists are lists, as in the sources; nobody changes them in place.
"""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Self
from uuid import UUID

from pydantic import Field, field_validator, model_validator

from core.contracts import Contract
from planning.criteria import CriterionParse, criterion_parse

TASK_LENGTH = 2_000
LINE_LENGTH = 500
STEPS_AT_MOST = 50
CRITERIA_AT_MOST = 50


class PlanSource(StrEnum):
    """Where a plan's steps come from."""

    CACHE = "cache"
    TEMPLATE = "template"
    MODEL = "model"


class PlanOutcome(StrEnum):
    """What the last evaluation said; UNKNOWN where nothing could be verified."""

    SUCCESS = "success"
    FAILURE = "failure"
    UNKNOWN = "unknown"


class CriterionSource(StrEnum):
    """Where a criterion comes from."""

    GIVEN = "given"  # whoever asked for the plan passed it in
    TEMPLATE = "template"  # of the task's type
    TASK = "task"  # what the task itself says: its dates, its amounts
    PREFERENCE = "preference"
    EXPERIENCE = "experience"
    ADJUSTMENT = "adjustment"
    MODEL = "model"


class DesiredResult(Contract):
    """How things stand when the task is done, in sentences such as "User has: Confirmed hotel reservation"."""

    user_has: list[str] = Field(default_factory=list)
    system_shows: list[str] = Field(default_factory=list)


class Step(Contract):
    """One step. `order` counts from 1; `dependencies` are the orders of steps that must be done before."""

    order: int = Field(ge=1)
    description: str = Field(min_length=1, max_length=LINE_LENGTH)
    expected_output: str = Field(default="", max_length=LINE_LENGTH)
    dependencies: list[int] = Field(default_factory=list)


class SuccessCriterion(Contract):
    """A criterion as written, and what the grammar makes of it.

    `measurable`: a value is compared, so that no opinion decides. `verifiable`: it can be checked at all. One that the
    grammar does not understand (`parse` None) is neither, until a judge is asked. Builds from its text alone.
    """

    text: str = Field(min_length=1, max_length=LINE_LENGTH)
    measurable: bool = False
    verifiable: bool = False
    parse: CriterionParse | None = None
    source: CriterionSource = CriterionSource.GIVEN

    @model_validator(mode="before")
    @classmethod
    def _understood(cls, data: Any) -> Any:
        if isinstance(data, str):
            data = {"text": data}
        if isinstance(data, dict) and "text" in data and "parse" not in data:
            parse = criterion_parse(data["text"]) if isinstance(data["text"], str) else None
            known = parse is not None
            data = {"measurable": known, "verifiable": known, **data, "parse": parse}
        return data

    @property
    def normal(self) -> str:
        """Its normal form; as written where the grammar does not understand it."""
        return self.parse.normal if self.parse else self.text

    def __str__(self) -> str:
        return self.text


class PlanConfig(Contract):
    """Settings of the strategy that the plan follows. `priority`: what options are sorted by, None where by nothing."""

    priority: str | None = None
    settings: dict[str, Any] = Field(default_factory=dict)


class PlanMetadata(Contract):
    """Where a plan comes from and what shaped it.

    `past_learnings` are distilled ("quality > price"), `applied_adjustments` like "<reflection id>: priority=quality".
    `cache_adjustments` says what of a cached plan was adjusted to this task, `cached_from` which plan it was.
    `cost_microcents` is what models took.
    """

    source: PlanSource = PlanSource.TEMPLATE
    task_type: str = ""
    language: str = "en"
    influenced_by_experience: bool = False
    past_learnings: list[str] = Field(default_factory=list)
    learned_constraints: list[str] = Field(default_factory=list)
    preferences: list[str] = Field(default_factory=list)
    applied_adjustments: list[str] = Field(default_factory=list)
    cache_adjustments: list[str] = Field(default_factory=list)
    cached_from: str | None = None
    similarity: float | None = None
    episodes: list[str] = Field(default_factory=list)
    model: str | None = None
    fallback: str | None = Field(default=None, description="Why a model that was asked was not followed.")
    cost_microcents: int = 0
    created_at: str = Field(default_factory=lambda: datetime.now(UTC).isoformat())


class Plan(Contract):
    """A task with what is wanted, how to get there and how to tell that one has.

    Builds from a task and criteria as strings; whether it is whole is judged when it is saved
    (`planning.services.plan_save`). `id` None: not saved.
    """

    task: str = Field(min_length=1, max_length=TASK_LENGTH)
    desired_result: DesiredResult = Field(default_factory=DesiredResult)
    steps: list[Step] = Field(default_factory=list)
    success_criteria: list[SuccessCriterion] = Field(default_factory=list)
    config: PlanConfig = Field(default_factory=PlanConfig)
    constraints: list[str] = Field(default_factory=list)
    metadata: PlanMetadata = Field(default_factory=PlanMetadata)
    id: UUID | None = None
    user_id: str | None = None

    @field_validator("user_id", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int) else value

    def replaced(self, **changes: Any) -> Self:
        """The same plan with some fields changed, validated anew."""
        return type(self)(**{**{name: getattr(self, name) for name in type(self).model_fields}, **changes})
