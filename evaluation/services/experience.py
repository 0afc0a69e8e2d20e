"""What a success is remembered as. Source: RF-008 in related-facts: on success the episode is stored.

A failure is remembered when it was reflected on, by the layer above.
"""

import uuid

import structlog

from evaluation.contracts import Evaluation
from gateway.errors import MetacognitionStorageQuotaExceeded
from memory.errors import MemoryRefused
from memory.models import Episode
from memory.services import episode_store, episodes_forget
from planning.contracts import Plan
from planning.models import Plan as PlanRow

_log = structlog.get_logger(__name__)
_DONE = {"en": "Done", "es": "Hecho"}
_LONGEST = 4_000


def experience_of(plan: Plan, evaluation: Evaluation) -> str:
    """The task, and how much was seen to be reached: what was wanted is the plan's, not what the user is like."""
    met = sum(check.met is True for check in evaluation.criteria_met)
    done = _DONE.get(plan.metadata.language, _DONE["en"])
    return f"{done}: {plan.task} ({met}/{len(evaluation.criteria_met)})"[:_LONGEST]


def experience_store(*, plan: PlanRow, evaluation_id: uuid.UUID, content: str) -> None:
    """Remember it for the user of the plan, once; part of the transaction that stores the evaluation.

    A memory that is full costs the episode, not the evaluation.
    """
    if plan.user_id is None:
        return
    try:
        episode_store(
            plan.user_id,
            content,
            plan.task_type,
            "success",
            {"plan": str(plan.pk), "evaluation": str(evaluation_id)},
            source=f"evaluation:{evaluation_id}",
        )
    except (MetacognitionStorageQuotaExceeded, MemoryRefused) as error:
        _log.warning("a success is not remembered", plan=str(plan.pk), error=error.message)


def experience_withdraw(*, user_id: int, evaluation_id: uuid.UUID) -> None:
    """Forget a success that is none any more; part of the transaction that stores what it is instead."""
    known = Episode.objects.filter(user_id=user_id, source=f"evaluation:{evaluation_id}")
    if ids := list(known.values_list("pk", flat=True)):
        episodes_forget(user=user_id, ids=ids)
