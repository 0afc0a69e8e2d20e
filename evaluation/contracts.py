"""Evaluations and what they are made of. Sources: RF-007; design.md, "Settled where the sources conflict", 6 to 8."""

from enum import StrEnum
from typing import Any, Self
from uuid import UUID

from pydantic import Field

from core.contracts import Contract


class Reason(StrEnum):
    """Why a criterion was neither met nor failed."""

    DATA_MISSING = "data_missing"  # the result does not say: absent, null, NaN, a placeholder
    NOT_UNDERSTOOD = "not_understood"  # the grammar cannot read the criterion, and no judge may be asked
    WRONG_TYPE = "wrong_type"  # there is a value, but none that compares with the wanted one: "cheap" with <= 200
    AMBIGUOUS = "ambiguous"  # several values fit the name, and they disagree
    UNIT_MISMATCH = "unit_mismatch"  # another currency, or a unit of another dimension
    JUDGES_DISAGREE = "judges_disagree"
    JUDGE_FAILED = "judge_failed"  # asked, but no usable answer came
    CHECK_FAILED = "check_failed"  # a fault of ours, in this check alone


class CheckedBy(StrEnum):
    """Who said what came of a criterion."""

    GRAMMAR = "grammar"
    JUDGE = "judge"
    NOBODY = "nobody"


_OTHER_NAMES = {"actual_value": "actual", "expected_value": "expected"}


class Votes(Contract):
    """How many judges voted for what."""

    met: int = 0
    not_met: int = 0
    unknown: int = 0


class CriterionResult(Contract):
    """One criterion, checked. `met` None: unknown, and `reason` says why; it counts as neither.

    `criterion` is the normal form (`quality >= 7`), `source` the text as written. `actual` is the value that was read,
    from the place `path` ("hotel_selected.quality"); `expected` what was wanted (">= 7"). `error` is None unless it
    failed. `evaluator` is the name and version of the check ("presence/1"), empty where none takes such a criterion,
    and for what was checked before checks had versions.
    """

    criterion: str
    source: str
    met: bool | None
    actual: Any = None
    expected: str | None = None
    explanation: str = ""
    error: str | None = None
    reason: Reason | None = None
    path: str | None = None
    checked_by: CheckedBy = CheckedBy.GRAMMAR
    evaluator: str = ""
    votes: Votes | None = None

    def __getitem__(self, key: str) -> Any:
        """A field by its name, or by the other name that the sources have for it."""
        return super().__getitem__(_OTHER_NAMES.get(key, key))

    @property
    def actual_value(self) -> Any:
        return self.actual

    @property
    def expected_value(self) -> str | None:
        return self.expected


class RelevanceBreakdown(Contract):
    """The parts of a relevance, each 0 to 1. `user_satisfaction` is predicted where the user has not said."""

    task_match: float = Field(ge=0, le=1)
    user_satisfaction: float = Field(ge=0, le=1)
    completeness: float = Field(ge=0, le=1)


class RelevanceScore(float):
    """How relevant a result is to its task, 0 to 1, with its parts."""

    breakdown: RelevanceBreakdown

    def __new__(cls, value: float, breakdown: RelevanceBreakdown) -> Self:
        score = super().__new__(cls, value)
        score.breakdown = breakdown
        return score

    @property
    def score_breakdown(self) -> RelevanceBreakdown:
        """`breakdown`, under the name of RF-007, scenario 9."""
        return self.breakdown

    @property
    def relevancy_score(self) -> float:
        """The score as a plain float."""
        return float(self)

    def __getitem__(self, key: str) -> Any:
        """By key, as the sources read results."""
        values: dict[str, Any] = {
            "relevancy_score": float(self),
            "score_breakdown": self.breakdown,
            "breakdown": self.breakdown,
        }
        return values[key]


class Evaluation(Contract):
    """A result held against its plan. `success`: at least one criterion could be checked, and none failed.

    `completeness_score` is the share of criteria that could be checked. `id` None: not stored.
    """

    success: bool
    criteria_met: list[CriterionResult]
    errors: list[str] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)
    relevancy_score: float = Field(ge=0, le=1)
    relevance: RelevanceBreakdown | None = None
    completeness_score: float = Field(ge=0, le=1)
    id: UUID | None = None
    plan_id: UUID | None = None
    cost_microcents: int = 0

    @property
    def verified(self) -> int:
        """How many criteria could be checked."""
        return sum(check.met is not None for check in self.criteria_met)
