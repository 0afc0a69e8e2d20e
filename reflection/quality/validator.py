"""The gate: a reflection against every standard. Sources: RT-010, 1 to 5; design.md, "Settled", 2 to 5."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from reflection.contracts import Metric, PatternValidity, ValidationResult, Violation
from reflection.quality.actionability import ActionabilityChecker
from reflection.quality.completeness import PATTERNS, completeness_of, missing_fields
from reflection.quality.depth import DepthAnalyzer
from reflection.quality.embedded import novelty_of, relevance_of
from reflection.quality.metrics import REFLECTION_QUALITY_METRICS, decision_of, quality_of, threshold_of
from reflection.quality.patterns import PatternValidator, RetrievesMemories

JUDGED_AT_MOST: Final = 50
"""Patterns and adjustments of one reflection that are looked up; nothing bears out those beyond."""
_SHOWN: Final = 200
Judge = Callable[[str], str | None]
"""Why an adjustment cannot be executed, None where it can."""


class ReflectionQualityValidator:
    """Validate reflection quality before storage. Collaborators that are left out are the documented ones; `memory` is
    where patterns are looked up that nothing is known of; with `sees_patterns` False nobody looks, and those are left
    out of the metric.
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
        judge: Judge | None = None,
    ) -> ValidationResult:
        """Anything with the fields of `Reflection` is taken.

        `existing` are texts of earlier reflections, as `embedded_text` makes them. `patterns` is what is known of
        patterns by their words; those not in it are validated. `needs_patterns` False: fewer than three similar failed
        episodes, so that there may be none. `is_first` (which has no episodes either): accepted from 0.6. `judge` says
        why an adjustment cannot be executed; None: nobody is asked.
        """
        needs_patterns = needs_patterns and not is_first
        validities = self._validities(reflection, patterns or {})
        metrics = self._metrics(reflection, validities, existing, needs_patterns)
        faults = [
            *_missed(reflection, metrics, needs_patterns),
            *_patterns_missed(validities),
            *_near_missed(metrics),
            *_not_executable(_texts(reflection, "strategy_adjustments"), judge),
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
        found: list[tuple[str, PatternValidity]] = []
        asked = 0
        for text in _texts(reflection, PATTERNS):
            if text in known:
                found.append((text, known[text]))
                continue
            if self._sees_patterns:
                asked += 1
                beyond = asked > JUDGED_AT_MOST
                found.append((text, PatternValidity(0.0) if beyond else self.pattern_validator.validate(text, user_id)))
        return found


def _missed(reflection: Any, metrics: Mapping[str, float], needs_patterns: bool) -> Iterator[Violation]:
    """The first three standards, in the source's words."""
    completeness, depth = metrics[Metric.COMPLETENESS], metrics[Metric.DEPTH]
    actionability = metrics[Metric.ACTIONABILITY]
    if completeness < threshold_of(Metric.COMPLETENESS):
        missing = missing_fields(reflection, needs_patterns)
        yield Violation(
            metric=Metric.COMPLETENESS,
            text=f"Incomplete reflection: {completeness:.2f} < 0.9. Missing fields: {missing}",
        )
    if depth < threshold_of(Metric.DEPTH):
        yield Violation(
            metric=Metric.DEPTH,
            text=f"Shallow reflection: depth={depth:.2f} < 0.7. Need root cause analysis, not just symptoms.",
        )
    if actionability < threshold_of(Metric.ACTIONABILITY):
        yield Violation(
            metric=Metric.ACTIONABILITY,
            text=f"Not actionable: {actionability:.2f} < 0.8. Adjustments must be concrete and executable.",
        )


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


def _near_missed(metrics: Mapping[str, float]) -> Iterator[Violation]:
    """The two standards of which the source has no words."""
    relevance, novelty = metrics.get(Metric.RELEVANCE, 1.0), metrics[Metric.NOVELTY]
    if relevance < threshold_of(Metric.RELEVANCE):
        yield Violation(
            metric=Metric.RELEVANCE,
            text=f"Irrelevant reflection: relevance={relevance:.2f} < 0.6. It must be about the task.",
        )
    if novelty < threshold_of(Metric.NOVELTY):
        yield Violation(
            metric=Metric.NOVELTY,
            text=f"Nothing new: novelty={novelty:.2f} < 0.3. It repeats an earlier reflection.",
        )


def _not_executable(adjustments: Sequence[str], judge: Judge | None) -> Iterator[Violation]:
    """Source: design.md, "Settled", 4."""
    for place, text in enumerate(adjustments if judge else ()):
        assert judge is not None
        beyond = place >= JUDGED_AT_MOST
        fault = f"only the first {JUDGED_AT_MOST} are looked at" if beyond else judge(text)
        if fault:
            yield Violation(text=f"Not executable: '{_shown(text)}': {fault}")


def _texts(reflection: Any, field: str) -> list[str]:
    value = getattr(reflection, field, None)
    return [str(one) for one in value] if isinstance(value, list | tuple) else []


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
