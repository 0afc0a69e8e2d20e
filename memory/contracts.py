"""Values of memory that cross layers. Scores are 0 to 1. Source: RF-007; design.md, "Names that stay put"."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy
from pydantic import Field

from core.contracts import Contract

TASK_TYPE_LENGTH = 60
TASK_TYPE_FORM = r"^[a-z][a-z0-9_]*$"


class MemoryType(StrEnum):
    """What is remembered: episodes are what happened, semantic memories what a user wants or cannot have."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"


class EpisodeOutcome(StrEnum):
    """How what happened ended."""

    SUCCESS = "success"
    FAILURE = "failure"
    UNKNOWN = "unknown"


OUTCOME_LABELS: dict[EpisodeOutcome, Promise] = {
    EpisodeOutcome.SUCCESS: pgettext_lazy("episode", "success"),
    EpisodeOutcome.FAILURE: pgettext_lazy("episode", "failure"),
    EpisodeOutcome.UNKNOWN: pgettext_lazy("episode", "unknown"),
}


class Memory(Contract):
    """Something remembered, as `retrieve` gives it. `task_type` is empty where it was stored without one.

    `score` weighs similarity, recency and outcome; `similarity` is the cosine alone. Preferences have score 1 and no
    outcome.
    """

    id: str
    content: str
    memory_type: MemoryType = MemoryType.EPISODIC
    task_type: str = ""
    outcome: EpisodeOutcome = EpisodeOutcome.UNKNOWN
    score: float = Field(default=1.0, ge=0, le=1)
    similarity: float | None = None
    timestamp: datetime | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)


class AdjustmentOperation(StrEnum):
    """What an adjustment does to a setting: a closed list. Source: RF-008; design.md, issue "Reflections"."""

    CHANGE = "change"
    SET = "set"
    ADD_CONSTRAINT = "add_constraint"
    REMOVE = "remove"
    INCREASE = "increase"
    DECREASE = "decrease"
    FILTER = "filter"


class Adjustment(Contract):
    """One change of a strategy. `text` is the sentence it was read from.

    CHANGE and SET give `setting` the `value` (CHANGE names the `previous` one); ADD_CONSTRAINT and FILTER add `value`,
    a criterion in normal form, with `setting` "constraint"; REMOVE takes `value` away from what `setting` names;
    INCREASE and DECREASE move a number to `value`, or by `value` where `relative`.
    """

    operation: AdjustmentOperation
    setting: str = Field(min_length=1, max_length=60)
    value: str | int | float | bool | None = None
    previous: str | None = None
    relative: bool = False
    text: str = Field(default="", max_length=500)


class ActiveAdjustment(Contract):
    """An adjustment that is set for a user, and the reflection that it comes from."""

    id: str
    reflection_id: str
    task_type: str = ""
    adjustment: Adjustment
