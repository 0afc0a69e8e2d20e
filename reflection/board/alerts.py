"""Alerts, as events, when reflections are worse than the limits of RT-010, "Quality Targets"."""

from datetime import UTC, datetime, timedelta
from typing import Any

from gateway.models import Alert
from gateway.services import alert_raise
from reflection.board.contracts import TARGETS, CollectedMetric, QualityFigures
from reflection.board.figures import quality_figures

LOOKED_BACK = timedelta(hours=24)
SAMPLE_AT_LEAST = 20
"""Final reflections, or patterns, without which an average or a share has no meaning."""
KINDS = {
    CollectedMetric.QUALITY_AVG: Alert.Kind.QUALITY_LOW,
    CollectedMetric.DEPTH_AVG: Alert.Kind.DEPTH_LOW,
    CollectedMetric.ACTIONABILITY_AVG: Alert.Kind.ACTIONABILITY_LOW,
    CollectedMetric.COMPLETENESS_AVG: Alert.Kind.COMPLETENESS_LOW,
    CollectedMetric.REJECTION_RATE: Alert.Kind.REJECTIONS_MANY,
    CollectedMetric.VALIDITY_AVG: Alert.Kind.PATTERNS_WEAK,
    CollectedMetric.SUCCESS_RATE: Alert.Kind.IMPROVEMENT_FAILS,
}


def quality_alerts_raise(*, now: datetime) -> int:
    """Raise an alert for each metric that is beyond its threshold, once a day in UTC; how many were new.

    Of several workers at once one raises it.
    """
    figures = quality_figures(now - LOOKED_BACK, now)
    day = now.astimezone(UTC).date().isoformat()
    return sum(
        alert_raise(kind=kind, key=day, details=_details(figures, metric), now=now)
        for metric, kind in KINDS.items()
        if figures.samples[metric] >= SAMPLE_AT_LEAST and figures.standing(metric) == "alert"
    )


def _details(figures: QualityFigures, metric: str) -> dict[str, Any]:
    """The data of the event. `of`: the number of reflections, or patterns, behind the value."""
    value = figures.values[metric]
    assert value is not None
    return {
        "metric": str(metric),
        "value": round(value, 3),
        "threshold": TARGETS[metric].alert,
        "target": TARGETS[metric].target,
        "of": figures.samples[metric],
    }
