"""What the API of reflections answers, for its document."""

from typing import Any

from reflection.board.contracts import TARGETS, CollectedMetric

_ANALYSIS = (
    "The plan put price before everything (priority: price), and no step of it looked at quality, so the cheapest hotel"
    " was taken because nothing ruled it out. This approach conflicts with what was wanted: quality >= 7, and it was 5."
)
_LEARNING = "For hotel bookings: quality of 7 or more comes before the price; search with both limits from the start."
_ADJUSTMENT = "Add constraint: quality >= 7"
_PATTERN = "When price comes first, quality falls short"
_METRICS: dict[str, Any] = {
    "completeness": 1.0,
    "depth_score": 0.95,
    "actionability_score": 1.0,
    "pattern_validity": 0.8,
    "relevance_score": 0.83,
    "novelty_score": 0.64,
}
_SHALLOW = "Shallow reflection: depth=0.53 < 0.7. Need root cause analysis, not just symptoms."
ITEM_EXAMPLE: dict[str, Any] = {
    "id": "c1d8f1c2-7f0f-4d59-8c1b-3a7a5f1f2e10",
    "evaluation_id": "5a2c3b0e-8d4a-4c0e-9c57-0d3c1e8a7b21",
    "plan_id": "0b0e8c1e-52c7-4a52-8a5e-9a1f0a6f4d11",
    "task": "Book hotel in Paris",
    "task_type": "hotel_booking",
    "language": "en",
    "is_first": False,
    "decision": "accepted",
    "review": None,
    "in_force": True,
    "attempt": 1,
    "version": 1,
    "author": "facts",
    "analysis": _ANALYSIS,
    "learning": _LEARNING,
    "strategy_adjustments": [_ADJUSTMENT],
    "patterns_identified": [_PATTERN],
    "quality_score": 0.93,
    "metrics": _METRICS,
    "violations": [],
    "cost_microcents": 0,
    "created_at": "2026-01-31T12:00:05Z",
    "reviewed_at": None,
}
_ATTEMPT: dict[str, Any] = {
    "number": 1,
    "author": "facts",
    "by": None,
    "model": None,
    "analysis": _ANALYSIS,
    "learning": _LEARNING,
    "adjustments": [
        {
            "text": _ADJUSTMENT,
            "change": {
                "operation": "add_constraint",
                "setting": "constraint",
                "value": "quality >= 7",
                "previous": None,
                "relative": False,
            },
            "fault": None,
            "firm": False,
        }
    ],
    "patterns": [
        {
            "text": _PATTERN,
            "condition": ["priority=price"],
            "outcome": "fails:quality >= 7",
            "support": 4,
            "contrary": 0,
            "total": 5,
            "confidence": 0.8,
            "lower_bound": 0.38,
            "state": "provisional",
        }
    ],
    "decision": "accepted",
    "is_valid": True,
    "quality_score": 0.93,
    "quality_version": "rt010-1",
    "metrics": _METRICS,
    "violations": [],
    "created_at": "2026-01-31T12:00:05Z",
}
EXAMPLE: dict[str, Any] = {**ITEM_EXAMPLE, "fallback": None, "attempts": [_ATTEMPT], "reviews": None}
_DOUBTFUL: dict[str, Any] = {
    "decision": "accepted_with_warnings",
    "analysis": "The wrong hotel was selected for the stay in Paris: its quality was 5, and 7 or more had been wanted.",
    "quality_score": 0.79,
    "metrics": {**_METRICS, "depth_score": 0.53},
}
REVIEWED_EXAMPLE: dict[str, Any] = {
    **EXAMPLE,
    **_DOUBTFUL,
    "violations": [_SHALLOW],
    "review": "approved",
    "reviewed_at": "2026-02-01T09:30:00Z",
    "attempts": [
        {
            **_ATTEMPT,
            **_DOUBTFUL,
            "is_valid": False,
            "violations": [{"metric": "depth_score", "text": _SHALLOW}],
        }
    ],
    "reviews": [
        {
            "action": "approve",
            "reason": "Short, but the cause is right.",
            "by": "staff",
            "attempt": 1,
            "at": "2026-02-01T09:30:00Z",
        }
    ],
}
_VALUES = (0.86, 0.88, 0.96, 0.9, 0.98, 0.99, 1, 3, 2, 0.78, 1.2, 0.96, 0.02)
QUALITY_EXAMPLE: dict[str, Any] = {
    "since": "2026-01-01T00:00:00Z",
    "until": "2026-01-31T00:00:00Z",
    "reflections": 50,
    "patterns": 31,
    "metrics": [
        {
            "name": name.value,
            "value": value,
            "target": target and target.target,
            "alert": target and target.alert,
            "better": target and ("more" if target.more_is_better else "less"),
            "standing": target and target.standing_of(value),
            "samples": target and (31 if name == CollectedMetric.VALIDITY_AVG else 50),
        }
        for name, value in zip(CollectedMetric, _VALUES, strict=True)
        for target in [TARGETS.get(name)]
    ],
}
