"""Reads of reflection."""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from core.contracts import uuid_of
from evaluation.contracts import Evaluation
from evaluation.models import Evaluation as EvaluationRow
from evaluation.selectors import evaluation_of
from memory.contracts import EpisodeOutcome, Memory, MemoryType
from memory.models import StrategyAdjustment
from memory.selectors import adjustments_of, episodes_latest
from memory.services import EPISODE_KEPT
from planning.contracts import Plan
from planning.experience.context import PassedMemory, memories_of
from planning.experience.context import adjustments_of as adjustments_passed
from planning.selectors import plan_of, user_planned_for
from reflection.contracts import (
    AdjustmentProposed,
    Author,
    Decision,
    PatternFound,
    Reflection,
    ValidationResult,
    Violation,
)
from reflection.contracts.failure import (
    EPISODES_READ,
    REFLECTIONS_READ,
    UNLEARNED,
    Failure,
    PastEpisode,
    PastReflection,
)
from reflection.models import Attempt, Pattern, Review
from reflection.models import Reflection as ReflectionRow
from reflection.patterns import features_of

_NEVER = datetime.min.replace(tzinfo=UTC)
_EVALUATIONS = EvaluationRow.objects.select_related("plan").prefetch_related("checks", "plan__steps", "plan__criteria")
"""With everything that their contracts and those of their plans need."""


def reflection_of(row: ReflectionRow) -> Reflection:
    """The value that a row holds: the attempt that counts. Select `kept` and `evaluation__plan` with it."""
    attempt, plan = row.kept, row.evaluation.plan
    assert attempt is not None
    return Reflection(
        analysis=attempt.analysis,
        patterns_identified=[pattern["text"] for pattern in attempt.patterns],
        strategy_adjustments=[values["text"] for values in attempt.adjustments],
        adjustments=tuple(AdjustmentProposed(**values) for values in attempt.adjustments),
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


def pattern_of(row: Pattern) -> PatternFound:
    """The value that a row holds, without episodes: those are counted."""
    return PatternFound.from_object(row, episodes=(), contrary_episodes=())


def validation_of(attempt: Attempt) -> ValidationResult:
    """The gate's judgement of an attempt."""
    faults = [Violation(**violation) for violation in attempt.violations]
    return ValidationResult(
        is_valid=attempt.is_valid,
        quality_score=attempt.quality_score,
        violations=[fault.text for fault in faults],
        metrics=attempt.metrics,
        faults=faults,
        decision=Decision(attempt.decision),
    )


def reflection_on(evaluation_id: uuid.UUID) -> Reflection | None:
    """The reflection on a stored evaluation; None where there is none (yet). One query."""
    rows = ReflectionRow.objects.select_related("kept", "evaluation__plan")
    row = rows.filter(evaluation=evaluation_id).first()
    return reflection_of(row) if row else None


def failure_gathered(plan: Plan, evaluation: Evaluation, result: Any, memory: PassedMemory | None) -> Failure:
    """The failure with its history; a passed memory replaces earlier episodes and adjustments."""
    failure = failure_of(plan, evaluation, result)
    if memory is None:
        return failure
    user_id, task_type = plan.user_id, plan.metadata.task_type
    episodes = memories_of(memory, plan.task, MemoryType.EPISODIC, user_id, task_type, EPISODES_READ)
    past = tuple(_past_episode(episode) for episode in episodes)
    return replace(failure, past=past, adjustments=tuple(adjustments_passed(memory, user_id, task_type)))


def failure_of(plan: Plan, evaluation: Evaluation, result: Any) -> Failure:
    """The failure with the history of the plan's user. At most eight queries; none without a known user."""
    user = user_planned_for(plan.id) if plan.id else None
    if user is None:
        return Failure(plan=plan, evaluation=evaluation, result=result)
    task_type = plan.metadata.task_type
    return Failure(
        plan=plan,
        evaluation=evaluation,
        result=result,
        past=episodes_of(user.pk, task_type, besides=evaluation.id),
        adjustments=tuple(adjustments_of(user.pk, task_type)),
        reflections=reflections_before(user.pk),
    )


def failure_of_row(row: ReflectionRow) -> Failure:
    """The failure of a stored reflection, with the user's history as of now, without that reflection."""
    evaluation = _EVALUATIONS.get(pk=row.evaluation_id)
    failure = failure_of(plan_of(evaluation.plan), evaluation_of(evaluation), evaluation.execution_result)
    others = tuple(reflection for reflection in failure.reflections if reflection.id != row.pk)
    return replace(failure, reflections=others)


def adjustments_set_by(row: ReflectionRow) -> QuerySet[StrategyAdjustment]:
    """All adjustments that a reflection has ever set for its user, withdrawn ones included."""
    own = Q(reflection_id=str(row.pk)) | Q(reflection_id__startswith=f"{row.pk}/")
    return StrategyAdjustment.objects.filter(own, user=row.evaluation.plan.user_id)


def adjustments_set_last(row: ReflectionRow) -> tuple[int, list[StrategyAdjustment]]:
    """The adjustments that a reflection set when it was put in force last, in order, and how many times that was; 0
    and nothing for never. The key of the first time is its id, later ones are "id/2", "id/3" and so on. One query.
    """
    times: dict[int, list[StrategyAdjustment]] = {}
    for adjustment in adjustments_set_by(row).order_by("position"):
        times.setdefault(int(adjustment.reflection_id.partition("/")[2] or 1), []).append(adjustment)
    last = max(times, default=0)
    return last, times.get(last, [])


def reflections_before(user_id: int) -> tuple[PastReflection, ...]:
    """Earlier reflections for a user that were put in force, and those that staff rejected, which must not come back.

    Those that wait for staff are left out: a later reflection is no repetition of them.
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
            adjustments=tuple(AdjustmentProposed(**values) for values in row.kept.adjustments),
            in_force=row.in_force,
            at=row.created_at,
        )
        for row in rows[:REFLECTIONS_READ]
        if row.kept is not None
    )


def episodes_of(
    user_id: int, task_type: str, *, besides: uuid.UUID | None = None, now: datetime | None = None
) -> tuple[PastEpisode, ...]:
    """The episodes of a user in tasks of a type, at most 50, the latest first, with features; without those of the
    evaluation `besides`. Seven queries at most.

    Failures of which the reflection was not accepted are among them.
    """
    moment = now or timezone.now()
    remembered = _past(episodes_latest(user_id, task_type, EPISODES_READ, moment), besides)
    episodes = [*remembered, *_unlearned(user_id, task_type, besides, moment)]
    episodes.sort(key=lambda episode: (episode.at or _NEVER, episode.id), reverse=True)
    return tuple(episodes[:EPISODES_READ])


def _unlearned(user_id: int, task_type: str, besides: uuid.UUID | None, now: datetime) -> list[PastEpisode]:
    own = ReflectionRow.objects.filter(evaluation__plan__user=user_id, task_type=task_type, in_force=False)
    rows = own.filter(created_at__gt=now - EPISODE_KEPT).exclude(review=Review.SUPERSEDED)
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


def _past(memories: Sequence[Memory], own: uuid.UUID | None) -> tuple[PastEpisode, ...]:
    """Without the episode of the evaluation `own`."""
    evaluations = {memory.id: uuid_of(str(memory.metadata.get("evaluation"))) for memory in memories}
    unread = [memory.id for memory in memories if not isinstance(memory.metadata.get("features"), list)]
    features = _features([found for id_ in unread if (found := evaluations[id_]) is not None])
    return tuple(
        _past_episode(memory, features.get(evaluations[memory.id], frozenset()))
        for memory in memories
        if own is None or evaluations[memory.id] != own
    )


def _past_episode(memory: Memory, otherwise: frozenset[str] = frozenset()) -> PastEpisode:
    """A memory as an episode; `otherwise` are the features of one that carries none."""
    features = memory.metadata.get("features")
    return PastEpisode(
        id=memory.id,
        content=memory.content,
        failed=None if memory.outcome == EpisodeOutcome.UNKNOWN else memory.outcome == EpisodeOutcome.FAILURE,
        features=(frozenset(map(str, features)) if isinstance(features, list) else frozenset()) or otherwise,
        task=str(memory.metadata.get("task") or ""),
        at=memory.timestamp,
    )


def _features(evaluations: Sequence[uuid.UUID]) -> dict[uuid.UUID | None, frozenset[str]]:
    """The features of evaluations whose episodes carry none: those of successes, which the layer below stores."""
    if not evaluations:
        return {}
    rows = _EVALUATIONS.filter(pk__in=evaluations).defer("execution_result")
    return {row.pk: features_of(plan_of(row.plan), evaluation_of(row)) for row in rows}


ATTEMPTS = Prefetch("attempts", queryset=Attempt.objects.select_related("by").order_by("number"))
"""For pages that show them all."""
