"""The algorithms as RT-010, 2 to 5, prints them: what scores are held against. Not our code."""

import re
from typing import Any

DEPTH_INDICATORS = {
    "surface": ["it failed", "it didn't work", "error occurred", "task unsuccessful"],
    "shallow": ["wrong result", "incorrect output", "selected wrong", "chose bad option"],
    "medium": ["because", "due to", "caused by", "resulted from", "prioritized", "assumed", "overlooked"],
    "deep": [
        "strategy",
        "approach",
        "methodology",
        "reasoning",
        "conflicting",
        "contradictory",
        "fundamental flaw",
        "incorrect assumption",
        "systematic error",
    ],
}
ACTIONABLE_PATTERNS = [
    r"change .+ to .+",
    r"add constraint: .+",
    r"set .+ = .+",
    r"increase .+ by .+",
    r"decrease .+ from .+ to .+",
    r"remove .+",
    r"filter .+ where .+",
]
VAGUE_PATTERNS = [r"do better", r"improve", r"try harder", r"be more careful", r"pay attention"]
REQUIRED_FIELDS = ["analysis", "patterns_identified", "strategy_adjustments", "learning"]
WEIGHTS = {
    "completeness": 0.2,
    "depth_score": 0.3,
    "actionability_score": 0.3,
    "relevance_score": 0.1,
    "novelty_score": 0.1,
}


def depth(analysis: str) -> float:
    small = analysis.lower()
    counts = {level: sum(1 for one in ones if one in small) for level, ones in DEPTH_INDICATORS.items()}
    if counts["deep"] >= 2:
        base_score = 0.9
    elif counts["medium"] >= 2:
        base_score = 0.7
    elif counts["shallow"] >= 1:
        base_score = 0.5
    else:
        base_score = 0.3
    length_bonus = min(0.1, len(analysis) / 5000)
    if len(analysis) < 50:
        return 0.2
    return min(1.0, base_score + length_bonus)


def actionability(adjustments: list[str]) -> float:
    if not adjustments:
        return 0.0
    actionable_count = vague_count = 0
    for adjustment in adjustments:
        if any(re.search(pattern, adjustment.lower()) for pattern in ACTIONABLE_PATTERNS):
            actionable_count += 1
        elif any(re.search(pattern, adjustment.lower()) for pattern in VAGUE_PATTERNS):
            vague_count += 1
    total = len(adjustments)
    if actionable_count == total:
        return 1.0
    if actionable_count >= total * 0.8:
        return 0.8
    if vague_count >= total * 0.5:
        return 0.4
    return 0.6


def pattern_validity(pattern: str, episodes: list[str]) -> float:
    occurrences = 0
    for episode in episodes:
        keywords = pattern.lower().split()
        matches = sum(1 for word in keywords if word in episode.lower())
        occurrences += matches >= len(keywords) * 0.7
    return 0.0 if occurrences < 3 else occurrences / len(episodes)


def completeness(reflection: Any) -> float:
    present = 0
    for field in REQUIRED_FIELDS:
        value = getattr(reflection, field, None)
        if value and ((isinstance(value, str) and len(value) > 10) or (isinstance(value, list) and len(value) > 0)):
            present += 1
    return present / len(REQUIRED_FIELDS)


def quality_score(metrics: dict[str, float]) -> float:
    return sum(metrics.get(metric, 0) * weight for metric, weight in WEIGHTS.items())
