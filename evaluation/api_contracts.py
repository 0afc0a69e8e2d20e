"""What the API of evaluations takes and gives. Scores 0 to 1, money in micro-cents (1e-6 cent)."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, StringConstraints
from typing_extensions import TypeAliasType

from core.contracts import Contract
from evaluation.contracts import CriterionResult, RelevanceBreakdown

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

    `success`: something could be checked, and nothing failed. In `criteria_met`, `met` null means that nobody knows,
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


EXAMPLE: dict[str, Any] = {
    "id": "5a2c3b0e-8d4a-4c0e-9c57-0d3c1e8a7b21",
    "plan_id": "0b0e8c1e-52c7-4a52-8a5e-9a1f0a6f4d11",
    "success": False,
    "criteria_met": [
        {
            "criterion": "quality >= 7",
            "source": "Hotel quality >= 7",
            "met": False,
            "actual": 5,
            "expected": ">= 7",
            "explanation": "Quality below threshold (5 < 7)",
            "error": "Quality below threshold (5 < 7)",
            "reason": None,
            "path": "hotel_selected.quality",
            "checked_by": "grammar",
            "votes": None,
        },
        {
            "criterion": "pool",
            "source": "Hotel has pool",
            "met": None,
            "actual": None,
            "expected": "has pool",
            "explanation": "The result does not say: Pool",
            "error": None,
            "reason": "data_missing",
            "path": None,
            "checked_by": "grammar",
            "votes": None,
        },
    ],
    "errors": ["Quality below threshold (5 < 7)"],
    "warnings": ["Cannot verify criterion: pool (missing data)"],
    "relevancy_score": 0.31,
    "relevance": {"task_match": 0.77, "user_satisfaction": 0.05, "completeness": 0.5},
    "completeness_score": 0.5,
    "reflection_pending": True,
    "cost_microcents": 0,
    "created_at": "2026-01-31T12:00:00Z",
}
