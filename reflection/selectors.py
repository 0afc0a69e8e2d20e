"""Reads of reflection."""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.selectors import users_seen_by
from evaluation.contracts import Evaluation
from evaluation.models import Evaluation as EvaluationRow
from evaluation.selectors import evaluation_of
from memory.contracts import EpisodeOutcome, Memory
from memory.models import StrategyAdjustment
from memory.selectors import adjustments_of, episodes_latest
from memory.services import EPISODE_KEPT
from planning.contracts import Plan
from planning.selectors import plan_of, user_planned_for
from reflection.contracts import Author, Decision, Reflection, ValidationResult, Violation
from reflection.failure import EPISODES_READ, REFLECTIONS_READ, UNLEARNED, Failure, PastEpisode, PastReflection
from reflection.models import Attempt, Review
from reflection.models import Reflection as ReflectionRow
from reflection.patterns import features_of


def reflection_of(row: ReflectionRow) -> Reflection:
    """The value that a row holds: the attempt that counts. Select `kept` and `evaluation__plan` with it."""
    assert row.kept is not None
    return _value(row, row.kept)


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
        past=episodes_of(user.pk, task_type, besides=evaluation.id, now=now),
        adjustments=tuple(adjustments_of(user.pk, task_type, now)),
        reflections=reflections_before(user.pk),
    )


def failure_of_row(row: ReflectionRow) -> Failure:
    """The failure that a stored reflection is of, with what is on record now beside that reflection itself."""
    found = EvaluationRow.objects.prefetch_related("checks", "plan__steps", "plan__criteria").select_related("plan")
    evaluation = found.get(pk=row.evaluation_id)
    failure = failure_of(plan_of(evaluation.plan), evaluation_of(evaluation), evaluation.execution_result)
    others = tuple(one for one in failure.reflections if one.id != row.pk)
    return replace(failure, reflections=others)


def adjustments_set_by(row: ReflectionRow) -> QuerySet[StrategyAdjustment]:
    """All that a reflection has ever set for whom its plan was for, whether it holds still or not."""
    mine = Q(reflection_id=str(row.pk)) | Q(reflection_id__startswith=f"{row.pk}/")
    return StrategyAdjustment.objects.filter(mine, user=row.evaluation.plan.user_id)


def adjustments_set_last(row: ReflectionRow) -> tuple[int, list[StrategyAdjustment]]:
    """What a reflection set when it was put in force last, in order, with the number of that time; 0 and nothing where
    it never set any. The key of the first time is its id, later ones are "id/2", "id/3" and so on. One query.
    """
    times: dict[int, list[StrategyAdjustment]] = {}
    for one in adjustments_set_by(row).order_by("position"):
        times.setdefault(int(one.reflection_id.partition("/")[2] or 1), []).append(one)
    last = max(times, default=0)
    return last, times.get(last, [])


def reflections_before(user_id: int) -> tuple[PastReflection, ...]:
    """Earlier reflections for a user that were put in force, and those that staff rejected, which must not come back.

    What waits for staff feeds nothing: it does not make what comes after it old either.
    """
    rows = ReflectionRow.objects.filter(evaluation__plan__user=user_id)
    rows = rows.filter(Q(in_force=True) | Q(review__in=(Review.APPROVED, Review.REJECTED)))
    rows = rows.select_related("kept").order_by("-created_at")
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


def episodes_of(
    user_id: int, task_type: str, *, besides: uuid.UUID | None = None, now: datetime | None = None
) -> tuple[PastEpisode, ...]:
    """What happened to a user in tasks of a type, at most 50, the latest first, with features; without what is of the
    evaluation `besides`. Seven queries at most.

    Failures of which the reflection was not accepted are among them: they happened, whatever was made of them.
    """
    moment = now or timezone.now()
    remembered = _past(episodes_latest(user_id, task_type, EPISODES_READ, moment), besides)
    found = [*remembered, *_unlearned(user_id, task_type, besides, moment)]
    return tuple(sorted(found, key=_when, reverse=True)[:EPISODES_READ])


def _unlearned(user_id: int, task_type: str, besides: uuid.UUID | None, now: datetime) -> list[PastEpisode]:
    rows = ReflectionRow.objects.filter(
        evaluation__plan__user=user_id,
        task_type=task_type,
        in_force=False,
        created_at__gt=now - EPISODE_KEPT,
    )
    rows = rows.exclude(review=Review.SUPERSEDED)
    if besides is not None:
        rows = rows.exclude(evaluation=besides)
    latest = rows.select_related("evaluation__plan").order_by("-created_at")[:EPISODES_READ]
    return [
        PastEpisode(
            id=f"{UNLEARNED}{row.pk}",
            content=row.evaluation.plan.task,
            failed=True,
            features=frozenset(row.features),
            task=row.evaluation.plan.task,
            at=row.created_at,
        )
        for row in latest
    ]


def _when(episode: PastEpisode) -> tuple[datetime, str]:
    return episode.at or datetime.min.replace(tzinfo=UTC), episode.id


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
        decision=Decision(row.decision),
    )


ATTEMPTS = Prefetch("attempts", queryset=Attempt.objects.select_related("by").order_by("number"))
"""For pages that show them all."""
