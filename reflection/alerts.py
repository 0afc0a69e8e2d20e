"""Alerts when reflections are worse than RT-010, "Quality Targets", bears: events, for staff to look into."""

from datetime import UTC, datetime, timedelta
from typing import Any

from gateway.models import Alert
from gateway.services import alert_raise
from reflection import figures_contracts as names
from reflection.figures import quality_figures
from reflection.figures_contracts import TARGETS, QualityFigures

LOOKED_BACK = timedelta(hours=24)
SAMPLE_AT_LEAST = 20
"""Final reflections, or patterns, under which an average or a share says nothing."""
KINDS = {
    names.QUALITY_AVG: Alert.Kind.QUALITY_LOW,
    names.DEPTH_AVG: Alert.Kind.DEPTH_LOW,
    names.ACTIONABILITY_AVG: Alert.Kind.ACTIONABILITY_LOW,
    names.COMPLETENESS_AVG: Alert.Kind.COMPLETENESS_LOW,
    names.REJECTION_RATE: Alert.Kind.REJECTIONS_MANY,
    names.VALIDITY_AVG: Alert.Kind.PATTERNS_WEAK,
    names.SUCCESS_RATE: Alert.Kind.IMPROVEMENT_FAILS,
}


def quality_alerts_raise(*, now: datetime) -> int:
    """Raise an alert for each metric that is beyond its threshold, once a day in UTC; how many were new.

    Of several workers at once one raises it.
    """
    figures = quality_figures(now - LOOKED_BACK, now)
    day = now.astimezone(UTC).date().isoformat()
    found = [metric for metric in KINDS if _is_alarming(figures, metric)]
    return sum(alert_raise(kind=KINDS[one], key=day, details=_details(figures, one), now=now) for one in found)


def _is_alarming(figures: QualityFigures, metric: str) -> bool:
    return figures.samples[metric] >= SAMPLE_AT_LEAST and figures.standing(metric) == "alert"


def _details(figures: QualityFigures, metric: str) -> dict[str, Any]:
    """What the event tells. `of`: from how many reflections, or patterns, the value comes."""
    value = figures.values[metric]
    assert value is not None
    return {
        "metric": metric,
        "value": round(value, 3),
        "threshold": TARGETS[metric].alert,
        "target": TARGETS[metric].target,
        "of": figures.samples[metric],
    }
