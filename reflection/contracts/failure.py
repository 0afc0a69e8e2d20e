"""A failure with its history: the input of a reflection."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from evaluation.contracts import Evaluation
from memory.contracts import ActiveAdjustment
from planning.contracts import Plan
from reflection.contracts import AdjustmentProposed

EPISODES_READ = 50
"""Of the same user and type of task. Source: RT-010, 5 (`top_k`)."""
REFLECTIONS_READ = 100
UNLEARNED = "reflection:"


@dataclass(frozen=True)
class PastEpisode:
    """An earlier event in a task of the same type. `features` are those of `patterns.features`, empty for an episode
    without a stored evaluation. `failed` None: the outcome is not known.

    The id is an episode's; after `UNLEARNED` it is that of a reflection from which nothing was remembered: the failure
    happened all the same.
    """

    id: str
    content: str
    failed: bool | None
    features: frozenset[str] = frozenset()
    task: str = ""
    at: datetime | None = None


@dataclass(frozen=True)
class PastReflection:
    """An earlier reflection for the same user, in any type of task. `in_force`: its adjustments are set."""

    id: UUID
    task_type: str
    analysis: str
    learning: str
    adjustments: tuple[AdjustmentProposed, ...] = ()
    in_force: bool = False
    at: datetime | None = None


@dataclass(frozen=True)
class Failure:
    """A plan, the evaluation in which it failed, and the result (JSON; None where it is not known).

    `past` are earlier episodes, the latest first, `adjustments` those set for the user in tasks of this type, oldest
    first, `reflections` earlier reflections, the latest first. The texts are those of a plan or an evaluation that is
    no contract of ours; the contract in its place is empty.
    """

    plan: Plan
    evaluation: Evaluation
    result: Any = None
    past: tuple[PastEpisode, ...] = ()
    adjustments: tuple[ActiveAdjustment, ...] = ()
    reflections: tuple[PastReflection, ...] = ()
    plan_text: str = ""
    evaluation_text: str = ""

    @property
    def language(self) -> Literal["en", "es"]:
        """Which the plan is in, and so what is written of it."""
        return "es" if self.plan.metadata.language == "es" else "en"

    @property
    def domain(self) -> str:
        """The type of task."""
        return self.plan.metadata.task_type

    @property
    def attribution(self) -> dict[str, Any]:
        """The fields of a reflection that say what it is about."""
        return {
            "task": self.plan.task,
            "task_type": self.domain,
            "language": self.language,
            "evaluation_id": self.evaluation.id,
            "plan_id": self.plan.id,
            "user_id": self.plan.user_id,
        }
