"""What the API of evaluations takes and gives. Scores 0 to 1, money in micro-cents (1e-6 cent)."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, StringConstraints
from typing_extensions import TypeAliasType

from core.contracts import Contract
from evaluation.contracts import CriterionResult, RelevanceBreakdown
from language.word_lists import json_file

# Any JSON that can be stored: no text in it, and no name, has the character NUL.
JsonText = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]
JsonValue = TypeAliasType("JsonValue", "JsonText | int | float | bool | list[JsonValue] | JsonObject | None")
JsonObject = TypeAliasType(
    "JsonObject",
    "Annotated[dict[JsonText, JsonValue], Field(json_schema_extra={'additionalProperties': False})]",
)


class ResultBody(Contract):
    """What came of a plan."""

    execution_result: JsonObject = Field(
        description="What was done, as JSON: any names, any nesting. At most 256 KB and 30 levels.",
        examples=[{"hotel_selected": {"quality": 8, "price": 150}, "user_feedback": "confirmed"}],
    )


class EvaluationItem(Contract):
    """A result held against its plan.

    `success`: something could be checked, and nothing failed. In `criteria_met`, `met` null means unknown,
    and `reason` says why; it counts neither for nor against. `path` is the place in the result that was read.
    `completeness_score` is the share of criteria that could be checked.
    """

    id: UUID
    plan_id: UUID
    success: bool
    criteria_met: list[CriterionResult]
    errors: list[str]
    warnings: list[str]
    relevancy_score: float
    relevance: RelevanceBreakdown | None
    completeness_score: float
    reflection_pending: bool = Field(description="It failed, and is yet to be reflected on.")
    cost_microcents: int
    created_at: datetime


EXAMPLE: dict[str, Any] = json_file(Path(__file__).parent / "example.json")
