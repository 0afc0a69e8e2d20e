"""The six metrics, their thresholds and weights, score and decision. Sources: RT-010, 1, 2; "Settled", 2, 3."""

from collections.abc import Mapping
from typing import Any, Final

from reflection.contracts import Decision, Metric

QUALITY_VERSION: Final = "rt010-1"
"""Of the gate, stored with every attempt. A change that may judge the same reflection otherwise takes the next one."""
REFLECTION_QUALITY_METRICS: Final[dict[str, dict[str, Any]]] = {
    "depth_score": {
        "min_threshold": 0.7,
        "description": "Measure of analysis depth (0-1)",
        "criteria": {"surface": 0.3, "shallow": 0.5, "medium": 0.7, "deep": 0.9},
    },
    "actionability_score": {
        "min_threshold": 0.8,
        "description": "Does reflection produce concrete adjustments?",
        "criteria": {"none": 0.0, "vague": 0.4, "specific": 0.8, "executable": 1.0},
    },
    "pattern_validity": {
        "min_threshold": 0.75,
        "description": "Are identified patterns statistically valid?",
        "criteria": {"min_occurrences": 3, "min_confidence": 0.75, "max_false_positives": 0.1},
    },
    "relevance_score": {
        "min_threshold": 0.6,
        "description": "Is reflection relevant to current task?",
        "calculation": "cosine_similarity(reflection_embedding, task_embedding)",
    },
    "novelty_score": {
        "min_threshold": 0.3,
        "description": "Does reflection provide new insight?",
        "calculation": "1 - max_similarity_to_existing_reflections",
    },
    "completeness": {
        "min_threshold": 0.9,
        "required_fields": ["analysis", "patterns_identified", "strategy_adjustments", "learning"],
    },
}
WEIGHTS: Final[dict[str, float]] = {
    "completeness": 0.2,
    "depth_score": 0.3,
    "actionability_score": 0.3,
    "relevance_score": 0.1,
    "novelty_score": 0.1,
}
"""Of the overall score. The validity of patterns has none."""
STORED_FROM, STORED_FIRST_FROM, REJECTED_UNDER = 0.8, 0.6, 0.5
_DIGITS = 9  # a sum that misses a threshold by a rounding error meets it


def threshold_of(metric: Metric) -> float:
    return float(REFLECTION_QUALITY_METRICS[metric]["min_threshold"])


def quality_of(metrics: Mapping[str, float]) -> float:
    """The weighted mean, 0 to 1, of those that could be computed. Source: RT-010, 2; "Settled", 3."""
    counted = {name: weight for name, weight in WEIGHTS.items() if name in metrics}
    total = sum(counted.values())
    if not total:
        return 0.0
    score = sum(metrics[name] * weight for name, weight in counted.items()) / total
    return min(1.0, max(0.0, round(score, 12)))


def stored_from(is_first: bool) -> float:
    """The score from which a valid reflection is stored."""
    return STORED_FIRST_FROM if is_first else STORED_FROM


def decision_of(is_valid: bool, quality_score: float, is_first: bool = False) -> Decision:
    """The decision that follows from validity and score. Source: design.md, "Settled", 2."""
    score = round(quality_score, _DIGITS)
    if score < REJECTED_UNDER:
        return Decision.REJECTED
    return Decision.ACCEPTED if is_valid and score >= stored_from(is_first) else Decision.ACCEPTED_WITH_WARNINGS
