"""The gate: a reflection against every standard. Sources: RT-010, 1 to 6; design.md, "Settled", 2 to 5."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from reflection.contracts import AdjustmentProposed, Decision, Metric, PatternValidity, ValidationResult, Violation
from reflection.quality.actionability import ActionabilityChecker
from reflection.quality.depth import DepthAnalyzer
from reflection.quality.measures import PATTERNS, completeness_of, missing_fields, novelty_of, relevance_of
from reflection.quality.metrics import REFLECTION_QUALITY_METRICS, decision_of, quality_of, stored_from, threshold_of
from reflection.quality.patterns import PatternValidator, RetrievesMemories

JUDGED_AT_MOST: Final = 50
"""Patterns and adjustments of one reflection that are looked up; further patterns count as invalid."""
_SHOWN: Final = 200
logger = logging.getLogger(__name__)


class ReflectionQualityValidator:
    """Validate reflection quality before storage. Collaborators that are left out are the documented ones. Patterns
    without known figures are looked up in `memory`; with `sees_patterns` False they are left out of the metric.
    """

    def __init__(
        self,
        memory: RetrievesMemories | None = None,
        *,
        depth_analyzer: DepthAnalyzer | None = None,
        actionability_checker: ActionabilityChecker | None = None,
        pattern_validator: PatternValidator | None = None,
        sees_patterns: bool = True,
    ) -> None:
        self.depth_analyzer = depth_analyzer or DepthAnalyzer()
        self.actionability_checker = actionability_checker or ActionabilityChecker()
        self.pattern_validator = pattern_validator or PatternValidator(memory)
        self._sees_patterns = sees_patterns

    def validate_reflection(
        self,
        reflection: Any,
        *,
        existing: Sequence[str] | None = None,
        patterns: Mapping[str, PatternValidity] | None = None,
        needs_patterns: bool = True,
        is_first: bool = False,
        adjustments: Sequence[AdjustmentProposed] | None = None,
    ) -> ValidationResult:
        """Anything with the fields of `Reflection` is taken.

        `existing` are texts of earlier reflections, as `embedded_text` makes them. `patterns` are known figures by the
        words of patterns; others are validated. `needs_patterns` False: fewer than three similar failed episodes, so
        that there may be none. `is_first` (which has no episodes either): accepted from 0.6. `adjustments` are those of
        the reflection as they were read, in order, at most `JUDGED_AT_MOST` of them; None: whether they can be executed
        is not judged.
        """
        needs_patterns = needs_patterns and not is_first
        validities = self._validities(reflection, patterns or {})
        metrics = self._metrics(reflection, validities, existing, needs_patterns)
        missing = missing_fields(reflection, needs_patterns)
        faults = [
            *_missed(metrics, (Metric.COMPLETENESS, Metric.DEPTH, Metric.ACTIONABILITY), missing),
            *_patterns_missed(validities),
            *_missed(metrics, (Metric.RELEVANCE, Metric.NOVELTY), missing),
            *_not_executable(_texts(reflection, "strategy_adjustments"), adjustments),
        ]
        quality, is_valid = quality_of(metrics), not faults
        return ValidationResult(
            is_valid=is_valid,
            quality_score=quality,
            violations=[fault.text for fault in faults],
            metrics=metrics,
            faults=faults,
            decision=decision_of(is_valid, quality, is_first),
        )

    def _metrics(
        self,
        reflection: Any,
        validities: Sequence[tuple[str, PatternValidity]],
        existing: Sequence[str] | None,
        needs_patterns: bool,
    ) -> dict[str, float]:
        """By name, in the order of the source; without those that cannot be computed."""
        metrics = {
            Metric.COMPLETENESS: completeness_of(reflection, needs_patterns),
            Metric.DEPTH: self.depth_analyzer.assess_depth(str(getattr(reflection, "analysis", None) or "")),
            Metric.ACTIONABILITY: self.actionability_checker.score(_texts(reflection, "strategy_adjustments")),
        }
        if validities:
            metrics[Metric.PATTERNS] = sum(float(value) for _, value in validities) / len(validities)
        relevance = relevance_of(reflection, getattr(reflection, "task", None))
        if relevance is not None:
            metrics[Metric.RELEVANCE] = relevance
        metrics[Metric.NOVELTY] = novelty_of(reflection, existing)
        return {metric.value: float(value) for metric, value in metrics.items()}

    def _validities(self, reflection: Any, known: Mapping[str, PatternValidity]) -> list[tuple[str, PatternValidity]]:
        user_id = getattr(reflection, "user_id", None)
        validities: list[tuple[str, PatternValidity]] = []
        lookups = 0
        for text in _texts(reflection, PATTERNS):
            if text in known:
                validities.append((text, known[text]))
            elif self._sees_patterns:
                lookups += 1
                beyond = lookups > JUDGED_AT_MOST
                validity = PatternValidity(0.0) if beyond else self.pattern_validator.validate(text, user_id)
                validities.append((text, validity))
        return validities


_MISSED: Final = {
    Metric.COMPLETENESS: "Incomplete reflection: {value:.2f} < 0.9. Missing fields: {missing}",
    Metric.DEPTH: "Shallow reflection: depth={value:.2f} < 0.7. Need root cause analysis, not just symptoms.",
    Metric.ACTIONABILITY: "Not actionable: {value:.2f} < 0.8. Adjustments must be concrete and executable.",
    Metric.RELEVANCE: "Irrelevant reflection: relevance={value:.2f} < 0.6. It must be about the task.",
    Metric.NOVELTY: "Nothing new: novelty={value:.2f} < 0.3. It repeats an earlier reflection.",
}
"""Violations; the first three in the source's words, which has none for the others."""


def _missed(metrics: Mapping[str, float], standards: Sequence[Metric], missing: list[str]) -> Iterator[Violation]:
    for metric in standards:
        value = metrics.get(metric)
        if value is not None and value < threshold_of(metric):
            yield Violation(metric=metric, text=_MISSED[metric].format(value=value, missing=missing))


def _patterns_missed(validities: Sequence[tuple[str, PatternValidity]]) -> Iterator[Violation]:
    most = REFLECTION_QUALITY_METRICS[Metric.PATTERNS]["criteria"]["max_false_positives"]
    for text, validity in validities:
        name, false_positives = _shown(text), getattr(validity, "false_positives", None)
        if validity < threshold_of(Metric.PATTERNS):
            yield Violation(metric=Metric.PATTERNS, text=f"Invalid pattern '{name}': confidence={validity:.2f} < 0.75")
        if false_positives is not None and false_positives > most:
            yield Violation(
                metric=Metric.PATTERNS, text=f"Invalid pattern '{name}': false positives={false_positives:.2f} > 0.1"
            )


def _not_executable(texts: Sequence[str], adjustments: Sequence[AdjustmentProposed] | None) -> Iterator[Violation]:
    """Source: design.md, "Settled", 4."""
    if adjustments is None:
        return
    faults = [adjustment.fault for adjustment in adjustments[:JUDGED_AT_MOST]]
    for text, fault in zip_longest(texts, faults, fillvalue=f"only the first {JUDGED_AT_MOST} are looked at"):
        if fault:
            yield Violation(text=f"Not executable: '{_shown(text)}': {fault}")


def _texts(reflection: Any, field: str) -> list[str]:
    value = getattr(reflection, field, None)
    return [str(text) for text in value] if isinstance(value, list | tuple) else []


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


class ReflectionQualityEnforcer:
    """Enforce quality standards, reject low-quality reflections. The counts of RT-010 are taken from stored rows."""

    def __init__(self, validator: ReflectionQualityValidator | None = None) -> None:
        self.validator = validator or ReflectionQualityValidator()
        self.rejection_count = 0

    def enforce_quality(self, reflection: Any, **context: Any) -> tuple[bool, str]:
        """(is_accepted, reason). `context` are the other arguments of `validate_reflection`. One accepted with warnings
        has no effect until staff approve it.
        """
        is_first = bool(context.get("is_first"))
        validation = self.validator.validate_reflection(reflection, **context)
        score, violations = validation.quality_score, validation.violations
        if validation.decision == Decision.REJECTED:
            self.rejection_count += 1
            logger.warning("Reflection REJECTED: quality_score=%.2f. Violations: %s", score, violations)
        elif validation.decision == Decision.ACCEPTED:
            logger.info("Reflection accepted: quality_score=%.2f", score)
        else:
            issues = violations or [_below(validation, is_first)]
            logger.warning("Reflection accepted WITH WARNINGS: quality_score=%.2f. Issues: %s", score, issues)
        return validation.decision != Decision.REJECTED, reason_of(validation, is_first)


def reason_of(validation: ValidationResult, is_first: bool = False) -> str:
    """The decision in words."""
    if validation.decision == Decision.ACCEPTED:
        return "Accepted"
    if validation.decision == Decision.REJECTED:
        return f"Quality too low: {', '.join(validation.violations)}"
    return f"Accepted with warnings: {', '.join(validation.violations) or _below(validation, is_first)}"


def _below(validation: ValidationResult, is_first: bool) -> str:
    """The reason of a warning without a missed standard."""
    return f"Quality below storage threshold: {validation.quality_score:.2f} < {stored_from(is_first)}"
