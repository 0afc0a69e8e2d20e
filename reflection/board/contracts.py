"""The collected metrics of reflections, and their targets. Source: RT-010, 8 and "Quality Targets"."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Literal

from pydantic import Field

from core.contracts import Contract


class CollectedMetric(StrEnum):
    """The twelve metrics of RT-010, 8 by their documented names, in that order; and the rejection rate, which has a
    target and is none of the twelve.
    """

    QUALITY_AVG = "metacognition.reflection.quality_score_avg"
    QUALITY_P50 = "metacognition.reflection.quality_score_p50"
    QUALITY_P95 = "metacognition.reflection.quality_score_p95"
    DEPTH_AVG = "metacognition.reflection.depth_score_avg"
    ACTIONABILITY_AVG = "metacognition.reflection.actionability_score_avg"
    COMPLETENESS_AVG = "metacognition.reflection.completeness_avg"
    REJECTED = "metacognition.reflection.rejected_count"
    WITH_WARNINGS = "metacognition.reflection.accepted_with_warnings_count"
    PATTERNS_INVALID = "metacognition.pattern.invalid_count"
    VALIDITY_AVG = "metacognition.pattern.validity_avg"
    ITERATIONS_AVG = "metacognition.improvement_loop.iterations_avg"
    SUCCESS_RATE = "metacognition.improvement_loop.success_rate"
    REJECTION_RATE = "metacognition.reflection.rejection_rate"


REQUIRED_QUALITY_METRICS = tuple(metric for metric in CollectedMetric if metric != CollectedMetric.REJECTION_RATE)

Standing = Literal["met", "missed", "alert"]
"""`missed`: on the wrong side of the target, and not yet beyond what raises an alert."""


class Target(Contract):
    """The limits of a metric: it should be over its target (or under, where less is better), and an alert begins on the
    other side of `alert`. Equal values pass neither.
    """

    target: float
    alert: float
    more_is_better: bool = True

    def standing_of(self, value: float) -> Standing:
        """The standing of a value."""
        side = 1 if self.more_is_better else -1
        if side * value > side * self.target:
            return "met"
        return "alert" if side * value < side * self.alert else "missed"


TARGETS: Mapping[str, Target] = MappingProxyType(
    {
        CollectedMetric.QUALITY_AVG: Target(target=0.8, alert=0.6),
        CollectedMetric.DEPTH_AVG: Target(target=0.7, alert=0.5),
        CollectedMetric.ACTIONABILITY_AVG: Target(target=0.8, alert=0.6),
        CollectedMetric.COMPLETENESS_AVG: Target(target=0.9, alert=0.7),
        CollectedMetric.REJECTION_RATE: Target(target=0.05, alert=0.15, more_is_better=False),
        CollectedMetric.VALIDITY_AVG: Target(target=0.75, alert=0.5),
        CollectedMetric.SUCCESS_RATE: Target(target=0.95, alert=0.8),
    }
)
"""Source: RT-010, "Quality Targets"."""


def standing(metric: str, value: float | None) -> Standing | None:
    """The standing of a value of this metric; None for a metric without a target, and without a value."""
    target = TARGETS.get(metric)
    return None if target is None or value is None else target.standing_of(value)


class QualityFigures(Contract):
    """The twelve metrics of final reflections, and the rejection rate, by their documented names.

    `values` has None where there is nothing to compute one from: an average of nothing, a count of no reflections.
    Scores and rates are from 0 to 1. `samples` says from how many reflections (for `VALIDITY_AVG`: patterns) a metric
    with a target comes.
    """

    reflections: int = Field(ge=0)
    patterns: int = Field(ge=0, description="identified in those reflections, each as often as it was")
    values: dict[str, float | None]
    samples: dict[str, int]

    def __getitem__(self, key: str) -> Any:
        """The metric of this name; else the field."""
        return self.values[key] if key in self.values else super().__getitem__(key)

    def standing(self, metric: str) -> Standing | None:
        return standing(metric, self.values[metric])


class QualityPeriod(Contract):
    """The figures of one day, in UTC, or of the week (from Monday) or month that begins with it."""

    start: date
    figures: QualityFigures
