"""Reflections put in force: they are remembered, and change the strategy for their learner.

Sources: RF-008; RT-009, "Storage"; design.md, "Settled", 2.
"""

import uuid
from datetime import datetime

import structlog

from gateway.errors import MetacognitionStorageQuotaExceeded
from memory.errors import MemoryRefused
from memory.models import Episode
from memory.services import adjustment_withdraw, adjustments_set, episode_store, episodes_forget
from reflection.contracts import AdjustmentProposed, PatternFound
from reflection.models import Reflection as ReflectionRow
from reflection.models import Review
from reflection.selectors import adjustments_set_by, adjustments_set_last
from reflection.services.patterns import patterns_revalidate, patterns_store

_log = structlog.get_logger(__name__)
_LONGEST = 4_000


def episode_words(learning: str) -> str:
    """The text by which a failure is remembered: the learning without the words of the task, which later plans would
    take for wishes.
    """
    return learning.strip()[:_LONGEST] or "-"


def reflection_activate(row: ReflectionRow, *, now: datetime) -> None:
    """Remember the failure with what was learned, and set the adjustments that can be executed; once.

    Needs the transaction that decides it, and a plan with a user. A memory that is full costs the episode
    or the adjustments, not the reflection.
    """
    plan = row.evaluation.plan
    assert plan.user_id is not None
    assert row.kept is not None
    _episode_store(row, now)
    proposed = [AdjustmentProposed(**adjustment) for adjustment in row.kept.adjustments]
    adjustments = [proposal.adjustment for proposal in proposed if proposal.adjustment and proposal.fault is None]
    try:
        adjustments_set(
            user=plan.user_id,
            reflection_id=_next_key(row),
            task_type=row.task_type,
            adjustments=adjustments,
            now=now,
        )
    except (MetacognitionStorageQuotaExceeded, MemoryRefused) as error:
        _log.warning("adjustments are not set", reflection=str(row.pk), error=error.message)
    row.in_force = True
    row.save(update_fields=["in_force"])
    patterns = [PatternFound(**pattern) for pattern in row.kept.patterns]
    patterns_store(user_id=plan.user_id, found=patterns, language=row.language, found_at=row.kept.created_at, now=now)


def reflection_deactivate(row: ReflectionRow, *, now: datetime) -> None:
    """Put it out of force and undo its effects. Needs the transaction that decides it."""
    row.in_force = False
    row.save(update_fields=["in_force"])
    reflection_undo(row, now=now)


def reflection_undo(row: ReflectionRow, *, now: datetime) -> None:
    """Forget what was learned, take the adjustments back, and count the patterns without it.

    The row must be stored as out of force before: a failure that is no episode any more counts among those without a
    learning, unless another result has replaced it. Needs the transaction that decides it.
    """
    user_id = row.evaluation.plan.user_id
    if user_id is None:
        return
    episodes = Episode.objects.filter(user_id=user_id, source=_source(row)).values_list("pk", flat=True)
    episodes_forget(user=user_id, ids=list(episodes))
    for adjustment_id in adjustments_set_by(row).filter(withdrawn_at=None).values_list("pk", flat=True):
        adjustment_withdraw(user=user_id, adjustment_id=adjustment_id, now=now)
    patterns_revalidate(user_id=user_id, domain=row.task_type, now=now)


def superseded_end(*, plan_id: uuid.UUID, now: datetime) -> None:
    """Undo the reflections on earlier results of a plan of which another result counts. Needs the transaction."""
    rows = ReflectionRow.objects.select_related("kept", "evaluation__plan").select_for_update(of=("self",), no_key=True)
    for row in rows.filter(evaluation__plan=plan_id).exclude(review=Review.SUPERSEDED).order_by("pk"):
        was_in_force, row.in_force = row.in_force, False
        row.review, row.reviewed_at, row.version = Review.SUPERSEDED, now, row.version + 1
        row.save(update_fields=["review", "reviewed_at", "version", "in_force"])
        if was_in_force:
            reflection_undo(row, now=now)


def _episode_store(row: ReflectionRow, now: datetime) -> None:
    assert row.kept is not None
    plan = row.evaluation.plan
    metadata = {
        "plan": str(plan.pk),
        "evaluation": str(row.evaluation_id),
        "reflection_id": str(row.pk),
        "task": plan.task[:500],
        "features": row.features,
        "adjustments": [],  # they are set apart, and can be withdrawn there
    }
    try:
        episode_store(
            plan.user_id,  # type: ignore[arg-type]  # its callers have looked
            episode_words(row.kept.learning),
            row.task_type,
            "failure",
            metadata,
            source=_source(row),
            now=now,
        )
    except (MetacognitionStorageQuotaExceeded, MemoryRefused) as error:
        _log.warning("a failure is not remembered", reflection=str(row.pk), error=error.message)


def _next_key(row: ReflectionRow) -> str:
    """The reflection's id, with a number from the second time on: a key sets adjustments once."""
    last, _adjustments = adjustments_set_last(row)
    return f"{row.pk}/{last + 1}" if last else str(row.pk)


def _source(row: ReflectionRow) -> str:
    return f"evaluation:{row.evaluation_id}"
