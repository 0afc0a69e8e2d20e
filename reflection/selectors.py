"""Reads of reflection."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, QuerySet

from accounts.models import User
from accounts.selectors import users_seen_by
from evaluation.contracts import Evaluation
from evaluation.models import Evaluation as EvaluationRow
from evaluation.selectors import evaluation_of
from memory.contracts import EpisodeOutcome, Memory
from memory.selectors import adjustments_of, episodes_latest
from planning.contracts import Plan
from planning.selectors import plan_of, user_planned_for
from reflection.contracts import Author, Decision, Reflection, ValidationResult, Violation
from reflection.failure import EPISODES_READ, REFLECTIONS_READ, Failure, PastEpisode, PastReflection
from reflection.models import Attempt
from reflection.models import Reflection as ReflectionRow
from reflection.patterns import features_of


def reflection_of(row: ReflectionRow) -> Reflection:
    """The value that a row holds: the attempt that counts. Select `kept` and `evaluation__plan` with it."""
    assert row.kept is not None
    return _value(row, row.kept)


def attempt_of(row: ReflectionRow, attempt: Attempt) -> Reflection:
    """The value of one attempt at it."""
    return _value(row, attempt)


def validation_of(attempt: Attempt) -> ValidationResult:
    """What the gate said of an attempt."""
    faults = [Violation(**one) for one in attempt.violations]
    return ValidationResult(
        is_valid=attempt.is_valid,
        quality_score=attempt.quality_score,
        violations=[fault.text for fault in faults],
        metrics=attempt.metrics,
        faults=faults,
        decision=Decision(attempt.decision),
    )


def reflections_seen_by(user: User) -> QuerySet[ReflectionRow]:
    """Reflections on plans of a user and of the learners whom they manage. Still a query."""
    return ReflectionRow.objects.filter(evaluation__plan__user__in=users_seen_by(user))


def reflection_on(evaluation_id: uuid.UUID) -> Reflection | None:
    """The reflection on a stored evaluation; None where there is none (yet). One query."""
    rows = ReflectionRow.objects.select_related("kept", "evaluation__plan")
    row = rows.filter(evaluation=evaluation_id).first()
    return reflection_of(row) if row else None


def failure_of(plan: Plan, evaluation: Evaluation, result: Any, *, now: datetime | None = None) -> Failure:
    """The failure with what is on record of whom the plan was for. At most eight queries; none for nobody known."""
    user = user_planned_for(plan.id) if plan.id else None
    if user is None:
        return Failure(plan=plan, evaluation=evaluation, result=result)
    task_type = plan.metadata.task_type
    return Failure(
        plan=plan,
        evaluation=evaluation,
        result=result,
        past=_past(episodes_latest(user.pk, task_type, EPISODES_READ, now), evaluation.id),
        adjustments=tuple(adjustments_of(user.pk, task_type, now)),
        reflections=reflections_before(user.pk),
    )


def reflections_before(user_id: int) -> tuple[PastReflection, ...]:
    """Earlier reflections for a user, of those that somebody may have learned from: not the rejected ones."""
    rows = ReflectionRow.objects.filter(evaluation__plan__user=user_id).exclude(decision=Decision.REJECTED)
    rows = rows.exclude(review="rejected").select_related("kept").order_by("-created_at")
    return tuple(
        PastReflection(
            id=row.pk,
            task_type=row.task_type,
            analysis=row.kept.analysis,
            learning=row.kept.learning,
            adjustments=tuple(one["text"] for one in row.kept.adjustments),
            in_force=row.in_force,
            at=row.created_at,
        )
        for row in rows[:REFLECTIONS_READ]
        if row.kept is not None
    )


def episodes_of(user_id: int, task_type: str, *, now: datetime | None = None) -> tuple[PastEpisode, ...]:
    """What happened to a user in tasks of a type, at most 50, the latest first, with features. Five queries at most."""
    return _past(episodes_latest(user_id, task_type, EPISODES_READ, now), None)


def _past(memories: Sequence[Memory], own: uuid.UUID | None) -> tuple[PastEpisode, ...]:
    """Without the episode of the evaluation `own`."""
    evaluations = {memory.id: _uuid(memory.metadata.get("evaluation")) for memory in memories}
    unread = [
        found
        for memory in memories
        if (found := evaluations[memory.id]) is not None and not isinstance(memory.metadata.get("features"), list)
    ]
    read = _features(unread)
    return tuple(
        PastEpisode(
            id=memory.id,
            content=memory.content,
            failed=_failed(memory.outcome),
            features=_kept(memory) or read.get(evaluations[memory.id], frozenset()),
            task=str(memory.metadata.get("task") or ""),
            at=memory.timestamp,
        )
        for memory in memories
        if own is None or evaluations[memory.id] != own
    )


def _kept(memory: Memory) -> frozenset[str]:
    kept = memory.metadata.get("features")
    return frozenset(one for one in kept if isinstance(one, str)) if isinstance(kept, list) else frozenset()


def _failed(outcome: EpisodeOutcome) -> bool | None:
    return None if outcome == EpisodeOutcome.UNKNOWN else outcome == EpisodeOutcome.FAILURE


def _features(evaluations: Sequence[uuid.UUID]) -> dict[uuid.UUID | None, frozenset[str]]:
    """Of episodes that do not carry their features: those of successes, which the layer below stores."""
    if not evaluations:
        return {}
    rows = EvaluationRow.objects.filter(pk__in=evaluations).defer("execution_result").select_related("plan")
    rows = rows.prefetch_related("checks", "plan__steps", "plan__criteria")
    return {row.pk: features_of(plan_of(row.plan), evaluation_of(row)) for row in rows}


def _uuid(value: object) -> uuid.UUID | None:
    try:
        return uuid.UUID(str(value))
    except ValueError:
        return None


def _value(row: ReflectionRow, attempt: Attempt) -> Reflection:
    plan = row.evaluation.plan
    return Reflection(
        analysis=attempt.analysis,
        patterns_identified=[one["text"] for one in attempt.patterns],
        strategy_adjustments=[one["text"] for one in attempt.adjustments],
        learning=attempt.learning,
        task=plan.task,
        task_type=row.task_type,
        language=row.language,
        id=row.pk,
        evaluation_id=row.evaluation_id,
        plan_id=plan.pk,
        user_id=None if plan.user_id is None else str(plan.user_id),
        author=Author(attempt.author),
        quality=validation_of(attempt),
        decision=row.decision and Decision(row.decision),
    )


ATTEMPTS = Prefetch("attempts", queryset=Attempt.objects.select_related("by").order_by("number"))
"""For pages that show them all."""
