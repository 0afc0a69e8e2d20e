"""Reflections as the API shows them."""

from datetime import datetime
from typing import Any, Literal

from reflection.api.contracts import (
    QualityMetric,
    QualityReport,
    ReflectionAdjustment,
    ReflectionAttempt,
    ReflectionDetail,
    ReflectionItem,
    ReflectionMetrics,
    ReflectionPattern,
    ReflectionReviewItem,
    StrategyChange,
)
from reflection.board.contracts import TARGETS, CollectedMetric, QualityFigures
from reflection.contracts import AdjustmentProposed, Metric, PatternFound
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
    others = {
        "plan_id": plan.pk,
        "task": plan.task,
        "review": row.review or None,
        "attempt": kept.number,
        "strategy_adjustments": [adjustment["text"] for adjustment in kept.adjustments],
        "patterns_identified": [pattern["text"] for pattern in kept.patterns],
        "metrics": _metrics(kept),
        "violations": [violation["text"] for violation in kept.violations],
        "cost_microcents": row.cost,
    }
    of_attempt = ("author", "analysis", "learning", "quality_score")
    of_row = [name for name in ReflectionItem.model_fields if name not in (*others, *of_attempt)]
    return {
        **{name: getattr(row, name) for name in of_row},
        **{name: getattr(kept, name) for name in of_attempt},
        **others,
    }


def _attempt(attempt: Attempt, *, to_staff: bool) -> ReflectionAttempt:
    return ReflectionAttempt.from_object(
        attempt,
        by=attempt.by.get_username() if to_staff and attempt.by else None,
        model=attempt.model or None,
        adjustments=[_adjustment(AdjustmentProposed(**values)) for values in attempt.adjustments],
        patterns=[ReflectionPattern.from_object(PatternFound(**values)) for values in attempt.patterns],
        quality_version=attempt.quality_version or None,
        metrics=_metrics(attempt),
    )


def _metrics(attempt: Attempt) -> ReflectionMetrics:
    return ReflectionMetrics(**{metric.value: attempt.metrics.get(metric.value) for metric in Metric})


def _adjustment(proposed: AdjustmentProposed) -> ReflectionAdjustment:
    change = StrategyChange.from_object(proposed.adjustment) if proposed.adjustment else None
    return ReflectionAdjustment.from_object(proposed, change=change)


def _review(review: ReflectionReview) -> ReflectionReviewItem:
    attempt = review.attempt.number if review.attempt else None
    return ReflectionReviewItem.from_object(review, by=review.by.get_username(), attempt=attempt)


def quality_report(since: datetime, until: datetime, figures: QualityFigures) -> QualityReport:
    """The metrics in the order in which they are documented, and the rejection rate, which has a target."""
    metrics = [_metric(name, figures) for name in CollectedMetric]
    return QualityReport.from_object(figures, since=since, until=until, metrics=metrics)


def _metric(name: str, figures: QualityFigures) -> QualityMetric:
    target = TARGETS.get(name)
    better: Literal["more", "less"] | None = None if target is None else "more" if target.more_is_better else "less"
    return QualityMetric(
        name=name,
        value=figures.values[name],
        target=target.target if target else None,
        alert=target.alert if target else None,
        better=better,
        standing=figures.standing(name),
        samples=figures.samples.get(name),
    )
