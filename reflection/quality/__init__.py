"""The quality gate of reflections. Sources: RT-010; design.md, "Settled", 2 to 5."""

from reflection.quality.actionability import ActionabilityChecker
from reflection.quality.depth import DepthAnalyzer
from reflection.quality.measures import embedded_text
from reflection.quality.metrics import REFLECTION_QUALITY_METRICS, decision_of
from reflection.quality.patterns import PatternValidator
from reflection.quality.validator import (
    JUDGED_AT_MOST,
    ReflectionQualityEnforcer,
    ReflectionQualityValidator,
    reason_of,
)

__all__ = (
    "JUDGED_AT_MOST",
    "REFLECTION_QUALITY_METRICS",
    "ActionabilityChecker",
    "DepthAnalyzer",
    "PatternValidator",
    "ReflectionQualityEnforcer",
    "ReflectionQualityValidator",
    "decision_of",
    "embedded_text",
    "reason_of",
)
