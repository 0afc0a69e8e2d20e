"""What is collected of reflections, and what it is held against. Source: RT-010, 8 and "Quality Targets"."""

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, Literal

from pydantic import Field

from core.contracts import Contract

_REFLECTION, _PATTERN, _LOOP = ("metacognition." + part for part in ("reflection.", "pattern.", "improvement_loop."))

QUALITY_AVG = _REFLECTION + "quality_score_avg"
QUALITY_P50 = _REFLECTION + "quality_score_p50"
QUALITY_P95 = _REFLECTION + "quality_score_p95"
DEPTH_AVG = _REFLECTION + "depth_score_avg"
ACTIONABILITY_AVG = _REFLECTION + "actionability_score_avg"
COMPLETENESS_AVG = _REFLECTION + "completeness_avg"
REJECTED = _REFLECTION + "rejected_count"
WITH_WARNINGS = _REFLECTION + "accepted_with_warnings_count"
PATTERNS_INVALID = _PATTERN + "invalid_count"
VALIDITY_AVG = _PATTERN + "validity_avg"
ITERATIONS_AVG = _LOOP + "iterations_avg"
SUCCESS_RATE = _LOOP + "success_rate"

REQUIRED_QUALITY_METRICS = (
    QUALITY_AVG,
    QUALITY_P50,
    QUALITY_P95,
    DEPTH_AVG,
    ACTIONABILITY_AVG,
    COMPLETENESS_AVG,
    REJECTED,
    WITH_WARNINGS,
    PATTERNS_INVALID,
    VALIDITY_AVG,
    ITERATIONS_AVG,
    SUCCESS_RATE,
)
REJECTION_RATE = _REFLECTION + "rejection_rate"
"""Has a target and is none of the twelve: `REJECTED` over all reflections."""

Standing = Literal["met", "missed", "alert"]
"""`missed`: on the wrong side of the target, and not yet beyond what raises an alert."""


class Target(Contract):
    """What a metric should be over (or under, where less is better), and where an alert begins. Neither is passed by
    the value itself.
    """

    target: float
    alert: float
    more_is_better: bool = True

    def standing_of(self, value: float) -> Standing:
        """Where a value stands."""
        side = 1 if self.more_is_better else -1
        if side * value > side * self.target:
            return "met"
        return "alert" if side * value < side * self.alert else "missed"


TARGETS: Mapping[str, Target] = MappingProxyType(
    {
        QUALITY_AVG: Target(target=0.8, alert=0.6),
        DEPTH_AVG: Target(target=0.7, alert=0.5),
        ACTIONABILITY_AVG: Target(target=0.8, alert=0.6),
        COMPLETENESS_AVG: Target(target=0.9, alert=0.7),
        REJECTION_RATE: Target(target=0.05, alert=0.15, more_is_better=False),
        VALIDITY_AVG: Target(target=0.75, alert=0.5),
        SUCCESS_RATE: Target(target=0.95, alert=0.8),
    }
)
"""Source: RT-010, "Quality Targets"."""


def standing(metric: str, value: float | None) -> Standing | None:
    """Where a value of this metric stands; None for a metric without a target, and where there is no value."""
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
        """Where one of them stands."""
        return standing(metric, self.values[metric])


class QualityPeriod(Contract):
    """The figures of one day, in UTC, or of the week (from Monday) or month that begins with it."""

    start: date
    figures: QualityFigures
