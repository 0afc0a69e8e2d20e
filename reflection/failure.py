"""A failure with everything on record that may say why: what a reflection is made from."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from evaluation.contracts import Evaluation
from memory.contracts import ActiveAdjustment
from planning.contracts import Plan

EPISODES_READ = 50
"""Of the same user and type of task. Source: RT-010, 5 (`top_k`)."""
REFLECTIONS_READ = 100
UNLEARNED = "reflection:"


@dataclass(frozen=True)
class PastEpisode:
    """Something that happened earlier in a task of the same type. `features` are those of `patterns.features`, empty
    for an episode of which no evaluation is on record. `failed` None: nobody knows how it ended.

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
    """An earlier reflection for the same user, in whatever type of task. `in_force`: what it adjusted is set."""

    id: UUID
    task_type: str
    analysis: str
    learning: str
    adjustments: tuple[str, ...] = ()
    in_force: bool = False
    at: datetime | None = None


@dataclass(frozen=True)
class Failure:
    """A plan, the evaluation in which it failed, and the result (JSON; None where it is not known).

    `past` are earlier episodes, the latest first, `adjustments` what is set for the user in tasks of this type, oldest
    first, `reflections` earlier reflections, the latest first. The texts are what a plan or an evaluation says that is
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
