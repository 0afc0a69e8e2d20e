"""What the API of reflections takes and gives. Money in micro-cents (1e-6 cent), scores and shares 0 to 1."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints

from accounts.contracts import Pseudonym
from core.api.base import BLANKS, PYTHONS_PATTERNS, Moment, PageQuery
from core.contracts import Contract
from memory.contracts import TASK_TYPE_FORM, TASK_TYPE_LENGTH, AdjustmentOperation
from reflection.contracts import (
    ANALYSIS_LENGTH,
    LEARNING_LENGTH,
    LINE_LENGTH,
    LINES_AT_MOST,
    Author,
    Decision,
    Metric,
    PatternState,
)

REASON_LENGTH = 500
# Something that can be seen, then any text; a line has no control characters and no blank at its end.
_CONTROL = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_PROSE = rf"^[^{BLANKS}][^{_CONTROL}]*$"
_LINE = rf"^[^{BLANKS}]([^\x00-\x1f\x7f-\x9f\u2028\u2029]*[^{BLANKS}])?$"

Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
TaskType = Annotated[str, StringConstraints(pattern=TASK_TYPE_FORM, max_length=TASK_TYPE_LENGTH)]
Prose = Annotated[str, StringConstraints(min_length=1, pattern=_PROSE)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=LINE_LENGTH, pattern=_LINE)]
ReviewAction = Literal["approve", "reject", "edit"]
Reviewed = Literal["approved", "rejected", "superseded"]


class ReflectionsQuery(PageQuery):
    """Which reflections to list; each filter that is given must hold."""

    model_config = PYTHONS_PATTERNS

    decision: Decision | None = Field(default=None, description="Only those of which the gate said this.")
    review: Literal["none", "approved", "rejected", "superseded"] | None = Field(
        default=None, description="Only those of which staff said this; `none`: nothing yet."
    )
    in_force: Literal["true", "false"] | None = Field(
        default=None, description="Only those that are remembered and followed, or only those that are not."
    )
    task_type: TaskType | None = Field(default=None, description="Only those on plans for tasks of this type.")
    learner: Pseudonym | None = Field(default=None, description="Only those on plans for this learner of yours.")
    since: Moment | None = Field(default=None, description="Only those made at this time or later.")
    until: Moment | None = Field(default=None, description="Only those made before this time.")


class ReflectionMetrics(Contract):
    """The six metrics; null for one that could not be computed."""

    completeness: Share | None
    depth_score: Share | None
    actionability_score: Share | None
    pattern_validity: Share | None
    relevance_score: Share | None
    novelty_score: Share | None


class ReflectionViolation(Contract):
    """A standard that is not met: of which metric, null where of none of the six, and why."""

    metric: Metric | None
    text: str


class ReflectionItem(Contract):
    """What is to be learned from a plan that failed, by the attempt that counts.

    `decision` is what the gate said of the best attempt when it was made, and stays; `review` is what staff said since,
    null before they have. While `in_force` it is remembered, and its adjustments shape the learner's next plans.
    """

    id: UUID
    evaluation_id: UUID
    plan_id: UUID
    task: str
    task_type: str
    language: str
    is_first: bool = Field(description="Nothing was on record of this person before; accepted from 0.6, not 0.8.")
    decision: Decision
    review: Reviewed | None
    in_force: bool
    attempt: int = Field(ge=1, description="The number of the attempt that counts.")
    version: int = Field(ge=1, description="One more with each review; send it as `seen` with yours.")
    author: Author = Field(description="Who wrote that attempt: rules, a model, or staff.")
    analysis: str
    learning: str
    strategy_adjustments: list[str]
    patterns_identified: list[str]
    quality_score: Share
    metrics: ReflectionMetrics
    violations: list[str]
    cost_microcents: Count
    created_at: datetime
    reviewed_at: datetime | None


class StrategyChange(Contract):
    """What an adjustment would do to a setting of the strategy."""

    operation: AdjustmentOperation
    setting: str
    value: str | int | float | bool | None
    previous: str | None
    relative: bool = Field(description="Whether the number is moved by `value`, not to it.")


class ReflectionAdjustment(Contract):
    """An adjustment as it is written.

    `change` is what was understood of it, null where it is none of the known forms. `fault` says why it cannot be
    executed, null where it can. `firm`: an established pattern is behind it.
    """

    text: str
    change: StrategyChange | None
    fault: str | None
    firm: bool


class ReflectionPattern(Contract):
    """Something that keeps happening: under `condition`, `outcome`; both empty where it is known by its words alone.

    `support` counts the episodes with both, `contrary` those with the condition that ended otherwise, `total` those
    looked at. `confidence` is support over total, `lower_bound` the lower end of its 95 % interval (Wilson); under 0.5
    the pattern is provisional.
    """

    text: str
    condition: list[str]
    outcome: str
    support: Count
    contrary: Count
    total: Count
    confidence: Share
    lower_bound: Share
    state: PatternState


class ReflectionAttempt(Contract):
    """One way in which it was written, with what the gate said of it. Never changes."""

    number: int = Field(ge=1)
    author: Author
    by: str | None = Field(description="User name of the person of the staff who wrote it; null to everybody else.")
    model: str | None = Field(description="The model that wrote it; null where none did.")
    analysis: str
    learning: str
    adjustments: list[ReflectionAdjustment]
    patterns: list[ReflectionPattern]
    decision: Decision
    is_valid: bool = Field(description="Whether no standard is missed.")
    quality_score: Share
    quality_version: str | None = Field(description="Of the gate that judged it; null before gates had versions.")
    metrics: ReflectionMetrics
    violations: list[ReflectionViolation]
    created_at: datetime


class ReflectionReviewItem(Contract):
    """Something that staff did about it, and why. Never changes."""

    action: ReviewAction
    reason: str
    by: str = Field(description="User name of who did it.")
    attempt: int | None = Field(description="The number of the attempt that counted after it.")
    at: datetime


class ReflectionDetail(ReflectionItem):
    """A whole reflection: every attempt in order, and to staff everything that staff did about it."""

    fallback: str | None = Field(description="Why a model that was asked was not followed.")
    attempts: list[ReflectionAttempt]
    reviews: list[ReflectionReviewItem] | None = Field(description="The oldest first; null to whoever is not staff.")


WORDS = ("analysis", "learning", "strategy_adjustments", "patterns_identified")


def _words_with_edit(schema: dict[str, Any]) -> None:
    """The words come with `edit`, all of them, and with nothing else, in the words of JSON Schema."""
    for name in WORDS:
        field = schema["properties"][name]
        field.pop("default", None)
        field.update(next(kind for kind in field.pop("anyOf") if kind.get("type") != "null"))
    schema["oneOf"] = [
        {"properties": {"action": {"enum": ["edit"]}}, "required": list(WORDS)},
        {"properties": {"action": {"enum": ["approve", "reject"]}, **dict.fromkeys(WORDS, False)}},
    ]


class ReflectionReviewBody(Contract):
    """What staff do about a reflection. With `edit` come all its words, which are then approved."""

    model_config = ConfigDict(**PYTHONS_PATTERNS, json_schema_extra=_words_with_edit)

    action: ReviewAction = Field(description="Put it in force; take or keep it out of force; or write it anew.")
    reason: Prose = Field(max_length=REASON_LENGTH, description="Why, for whoever audits it.")
    seen: Annotated[int, Field(ge=1, le=32_767)] | None = Field(
        default=None,
        description=(
            "The `version` that you saw. Sent along, your review is refused when somebody reviewed it meanwhile; left "
            "out, it is not asked."
        ),
        examples=[1],
    )
    analysis: Annotated[str, StringConstraints(min_length=1, max_length=ANALYSIS_LENGTH, pattern=_PROSE)] | None = (
        Field(default=None, description="With `edit`: the root cause. The gate wants 100 characters.")
    )
    learning: Annotated[str, StringConstraints(min_length=1, max_length=LEARNING_LENGTH, pattern=_PROSE)] | None = (
        Field(default=None, description="With `edit`: what to do otherwise. The gate wants 50 characters.")
    )
    strategy_adjustments: Annotated[list[Line], Field(max_length=LINES_AT_MOST)] | None = Field(
        default=None, description="With `edit`: each in a known form, such as `Add constraint: quality >= 7`."
    )
    patterns_identified: Annotated[list[Line], Field(max_length=LINES_AT_MOST)] | None = Field(
        default=None, description="With `edit`: those of the attempt before keep their figures."
    )


class QualityQuery(Contract):
    """Of which time to tell."""

    since: Moment | None = Field(
        default=None, description="Reflections made at this time or later; left out, thirty days before the end."
    )
    until: Moment | None = Field(default=None, description="Reflections made before this time; left out, now.")


class QualityMetric(Contract):
    """One metric by its documented name; `target` and what belongs to it are null for one that has none."""

    name: str = Field(examples=["metacognition.reflection.quality_score_avg"])
    value: float | None = Field(description="Null where there is nothing to compute it from.")
    target: float | None = Field(description="It should be beyond this: over it, or under it where less is better.")
    alert: float | None = Field(description="Staff are told when it falls behind this.")
    better: Literal["more", "less"] | None
    standing: Literal["met", "missed", "alert"] | None = Field(
        description="Where it stands between the two; null without a value."
    )
    samples: Count | None = Field(description="How many reflections, or patterns, it comes from.")


class QualityReport(Contract):
    """How good the reflections of a time are: the twelve collected metrics, and the rejection rate."""

    since: datetime
    until: datetime
    reflections: Count
    patterns: Count = Field(description="Identified in those reflections, each as often as it was.")
    metrics: list[QualityMetric]
