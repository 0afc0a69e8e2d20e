"""Reflections as the API shows them."""

from datetime import datetime
from typing import Any, Literal

from reflection.api_contracts import (
    QualityMetric,
    QualityReport,
    ReflectionAdjustment,
    ReflectionAttempt,
    ReflectionDetail,
    ReflectionItem,
    ReflectionMetrics,
    ReflectionPattern,
    ReflectionReviewItem,
    ReflectionViolation,
    StrategyChange,
)
from reflection.contracts import AdjustmentProposed, Author, Decision, Metric, PatternFound
from reflection.figures_contracts import REJECTION_RATE, REQUIRED_QUALITY_METRICS, TARGETS, QualityFigures
from reflection.models import Attempt, Reflection, ReflectionReview


def reflection_item(row: Reflection) -> ReflectionItem:
    """A reflection by the attempt that counts; needs `kept` and `evaluation__plan`."""
    return ReflectionItem(**_item(row))


def reflection_detail(row: Reflection, *, to_staff: bool) -> ReflectionDetail:
    """The same with every attempt, and to staff with who reviewed it and why; needs `attempts` and `reviews` too."""
    return ReflectionDetail(
        **_item(row),
        fallback=row.fallback or None,
        attempts=[_attempt(attempt, to_staff=to_staff) for attempt in row.attempts.all()],
        reviews=[_review(review) for review in row.reviews.all()] if to_staff else None,
    )


def _item(row: Reflection) -> dict[str, Any]:
    plan, kept = row.evaluation.plan, row.kept
    assert kept is not None
    return {
        "id": row.pk,
        "evaluation_id": row.evaluation_id,
        "plan_id": plan.pk,
        "task": plan.task,
        "task_type": row.task_type,
        "language": row.language,
        "is_first": row.is_first,
        "decision": row.decision,
        "review": row.review or None,
        "in_force": row.in_force,
        "attempt": kept.number,
        "version": row.version,
        "author": kept.author,
        "analysis": kept.analysis,
        "learning": kept.learning,
        "strategy_adjustments": [one["text"] for one in kept.adjustments],
        "patterns_identified": [one["text"] for one in kept.patterns],
        "quality_score": kept.quality_score,
        "metrics": _metrics(kept),
        "violations": [one["text"] for one in kept.violations],
        "cost_microcents": row.cost,
        "created_at": row.created_at,
        "reviewed_at": row.reviewed_at,
    }


def _attempt(attempt: Attempt, *, to_staff: bool) -> ReflectionAttempt:
    return ReflectionAttempt(
        number=attempt.number,
        author=Author(attempt.author),
        by=attempt.by.get_username() if to_staff and attempt.by else None,
        model=attempt.model or None,
        analysis=attempt.analysis,
        learning=attempt.learning,
        adjustments=[_adjustment(AdjustmentProposed(**one)) for one in attempt.adjustments],
        patterns=[_pattern(PatternFound(**one)) for one in attempt.patterns],
        decision=Decision(attempt.decision),
        is_valid=attempt.is_valid,
        quality_score=attempt.quality_score,
        metrics=_metrics(attempt),
        violations=[ReflectionViolation(metric=one["metric"], text=one["text"]) for one in attempt.violations],
        created_at=attempt.created_at,
    )


def _metrics(attempt: Attempt) -> ReflectionMetrics:
    return ReflectionMetrics(**{metric.value: attempt.metrics.get(metric.value) for metric in Metric})


def _adjustment(proposed: AdjustmentProposed) -> ReflectionAdjustment:
    found = proposed.adjustment
    change = StrategyChange(**found.model_dump(exclude={"text"})) if found else None
    return ReflectionAdjustment(text=proposed.text, change=change, fault=proposed.fault, firm=proposed.firm)


def _pattern(pattern: PatternFound) -> ReflectionPattern:
    shown = ReflectionPattern.model_fields
    return ReflectionPattern(**{name: value for name, value in pattern.model_dump().items() if name in shown})


def _review(review: ReflectionReview) -> ReflectionReviewItem:
    return ReflectionReviewItem.model_validate(
        {
            "action": review.action,
            "reason": review.reason,
            "by": review.by.get_username(),
            "attempt": review.attempt.number if review.attempt else None,
            "at": review.at,
        }
    )


def quality_report(since: datetime, until: datetime, figures: QualityFigures) -> QualityReport:
    """The metrics in the order in which they are documented, and the rejection rate, which has a target."""
    return QualityReport(
        since=since,
        until=until,
        reflections=figures.reflections,
        patterns=figures.patterns,
        metrics=[_metric(name, figures) for name in (*REQUIRED_QUALITY_METRICS, REJECTION_RATE)],
    )


def _metric(name: str, figures: QualityFigures) -> QualityMetric:
    target = TARGETS.get(name)
    better: Literal["more", "less"] | None = None
    if target is not None:
        better = "more" if target.more_is_better else "less"
    return QualityMetric(
        name=name,
        value=figures.values[name],
        target=target.target if target else None,
        alert=target.alert if target else None,
        better=better,
        standing=figures.standing(name),
        samples=figures.samples.get(name),
    )
