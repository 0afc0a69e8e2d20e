"""Reflections and their parts. Sources: RT-010; RF-008; design.md, "Settled where the sources conflict"."""

from enum import StrEnum
from typing import Any, Self
from uuid import UUID

from pydantic import Field

from core.contracts import Contract
from memory.contracts import Adjustment
from reflection.errors import error_of

ANALYSIS_AT_LEAST, LEARNING_AT_LEAST = 100, 50
"""Fewest characters of a reflection of ours. Source: RT-010, 7. Others are read at any length."""
ANALYSIS_LENGTH, LEARNING_LENGTH, LINE_LENGTH, LINES_AT_MOST = 5_000, 2_000, 500, 20
"""Limits of edits by staff: characters, and how many adjustments or patterns."""
ATTEMPTS_AT_MOST = 3


class Metric(StrEnum):
    """The six metrics of a reflection, each 0 to 1. Source: RT-010, 1."""

    COMPLETENESS = "completeness"
    DEPTH = "depth_score"
    ACTIONABILITY = "actionability_score"
    PATTERNS = "pattern_validity"
    RELEVANCE = "relevance_score"
    NOVELTY = "novelty_score"


class Decision(StrEnum):
    """What the gate says of a reflection. Source: design.md, "Settled", 2."""

    ACCEPTED = "accepted"
    ACCEPTED_WITH_WARNINGS = "accepted_with_warnings"
    REJECTED = "rejected"


class Author(StrEnum):
    """Who wrote an attempt."""

    FACTS = "facts"  # rules, from stored facts
    MODEL = "model"
    STAFF = "staff"


class PatternState(StrEnum):
    """Whether a pattern can be relied on. Source: design.md, "Settled", 5."""

    PROVISIONAL = "provisional"  # it holds, but the lower bound of its confidence is under 0.5
    ESTABLISHED = "established"
    RETIRED = "retired"  # it has stopped holding


class Violation(Contract):
    """A standard that is not met: of which metric, None where of none of the six, and in words as RT-010 has them."""

    metric: Metric | None = None
    text: str

    def __str__(self) -> str:
        return self.text


class PatternFound(Contract):
    """A recurring outcome of a user under a condition. Source: design.md, "Settled", 5.

    `condition` are features of episodes that hold together ("priority=price"), `outcome` is one ("fails:quality >= 7");
    both are empty for a pattern that is known by its words alone. `support` counts the episodes with both, `contrary`
    those with the condition that ended otherwise, `total` those looked at. `confidence` is support over total,
    `lower_bound` the lower end of its Wilson interval at 95 %. The ids are of episodes, at most 50 of each, the latest
    first.
    """

    text: str
    domain: str = ""
    condition: tuple[str, ...] = ()
    outcome: str = ""
    support: int = Field(default=0, ge=0)
    contrary: int = Field(default=0, ge=0)
    total: int = Field(default=0, ge=0)
    confidence: float = Field(default=0.0, ge=0, le=1)
    lower_bound: float = Field(default=0.0, ge=0, le=1)
    state: PatternState = PatternState.PROVISIONAL
    episodes: tuple[str, ...] = ()
    contrary_episodes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text


class PatternValidity(float):
    """How far a pattern can be relied on, 0 to 1: occurrences over episodes, 0 under three. Source: RT-010, 5.

    `false_positives` is the share of what matches that ended otherwise, 0 to 1; None where no episode says how it
    ended.
    """

    occurrences: int
    episodes: int
    lower_bound: float
    false_positives: float | None

    def __new__(
        cls,
        value: float,
        *,
        occurrences: int = 0,
        episodes: int = 0,
        lower_bound: float = 0.0,
        false_positives: float | None = None,
    ) -> Self:
        validity = super().__new__(cls, value)
        validity.occurrences, validity.episodes = occurrences, episodes
        validity.lower_bound, validity.false_positives = lower_bound, false_positives
        return validity

    def __getitem__(self, key: str) -> Any:
        """By key, as the sources read results."""
        if key in ("confidence", "validity"):
            return float(self)
        if key in ("occurrences", "episodes", "lower_bound", "false_positives"):
            return getattr(self, key)
        raise KeyError(key)


class AdjustmentProposed(Contract):
    """An adjustment as it is written, with its typed value.

    `adjustment` None: it is none of the documented forms. `fault`: why the registry cannot execute it. `firm`: it comes
    from an established pattern.
    """

    text: str
    adjustment: Adjustment | None = None
    fault: str | None = None
    firm: bool = False

    def __str__(self) -> str:
        return self.text


class ValidationResult(Contract):
    """The gate's judgement. `metrics` are by the names of `Metric`; one that cannot be computed is not among them.

    `quality_score` is their weighted mean, 0 to 1. `is_valid`: no standard is missed, whatever the score is. `faults`
    are the same as `violations`, each with its metric.
    """

    is_valid: bool
    quality_score: float = Field(ge=0, le=1)
    violations: list[str] = Field(default_factory=list)
    metrics: dict[str, float] = Field(default_factory=dict)
    faults: list[Violation] = Field(default_factory=list)
    decision: Decision = Decision.REJECTED

    def raise_for_violations(self) -> None:
        """Raise the error that fits the first violation: `IncompleteReflectionError`, `InsufficientDepthError`,
        `NotActionableError`, `InvalidPatternError`, else `ReflectionQualityError`. Source: RT-010, "Excepciones".
        """
        if self.violations:
            first = self.faults[0].metric if self.faults else None
            raise error_of(first)("; ".join(self.violations))


class Reflection(Contract):
    """The learning from a failure. Strings of any length build; the gate judges them.

    `adjustments` are the `strategy_adjustments` as typed values, in the same order; empty where they were not read.
    `task` None: it is not known. `id` None: not stored. `quality` None: not judged.
    """

    analysis: str = ""
    patterns_identified: list[str] = Field(default_factory=list)
    strategy_adjustments: list[str] = Field(default_factory=list)
    learning: str = ""
    adjustments: tuple[AdjustmentProposed, ...] = ()
    task: str | None = None
    task_type: str = ""
    language: str = "en"
    id: UUID | None = None
    evaluation_id: UUID | None = None
    plan_id: UUID | None = None
    user_id: str | None = None
    author: Author | None = None
    quality: ValidationResult | None = None
    decision: Decision | None = None

    def replaced(self, **changes: Any) -> Self:
        """The same with some fields changed, validated anew."""
        return type(self)(**{**{name: getattr(self, name) for name in type(self).model_fields}, **changes})
