"""The gate: six standards, their messages, three decisions, and what is raised. Sources: RT-010; "Settled", 2 to 5."""

import logging
from types import SimpleNamespace
from typing import Any

import pytest

from memory.contracts import Adjustment
from planning.experience import adjustment_parse
from reflection import errors
from reflection.contracts import Decision, Metric, PatternValidity, Reflection, ValidationResult, Violation
from reflection.quality import (
    REFLECTION_QUALITY_METRICS,
    ReflectionQualityEnforcer,
    ReflectionQualityValidator,
    decision_of,
    embedded_text,
    reason_of,
)
from reflection.quality import adjustments as adjusting
from reflection.quality.adjustments import adjustments_read
from tests.each import each

PATTERN = "cheap hotels are rejected"
ANALYSIS = (
    "My price-first strategy was the wrong approach for this hotel in Paris: the user wanted quality, and it took the"
    " cheapest one."
)
LEARNING = "Search hotels by quality first where it is asked for; this prevents that a cheap one is rejected."
VALID = PatternValidity(1.0, occurrences=4, episodes=4, lower_bound=0.51, false_positives=0.0)
EXTRAS = ("existing", "needs_patterns", "is_first", "judge")


def reflection(**changes: Any) -> Reflection:
    fields = {
        "analysis": ANALYSIS,
        "patterns_identified": [PATTERN],
        "strategy_adjustments": ["Change priority from price to quality", "Add constraint: quality >= 7"],
        "learning": LEARNING,
        "task": "Book hotel in Paris",
    }
    return Reflection(**{**fields, **changes})


def judged(known: dict[str, PatternValidity] | None = None, **changes: Any) -> ValidationResult:
    extras = {
        name: changes.pop(name) for name in ("existing", "needs_patterns", "is_first", "adjustments") if name in changes
    }
    patterns = {PATTERN: VALID} if known is None else known
    return ReflectionQualityValidator().validate_reflection(reflection(**changes), patterns=patterns, **extras)


def told(result: ValidationResult) -> list[tuple[str | None, str]]:
    assert [fault.text for fault in result.faults] == result.violations
    assert result.is_valid == (not result.violations)
    return [(fault.metric, fault.text) for fault in result.faults]


def test_section_1_metrics_thresholds_and_criteria() -> None:
    thresholds = {name: metric["min_threshold"] for name, metric in REFLECTION_QUALITY_METRICS.items()}
    assert thresholds == {
        "depth_score": 0.7, "actionability_score": 0.8, "pattern_validity": 0.75, "relevance_score": 0.6,
        "novelty_score": 0.3, "completeness": 0.9,
    }  # fmt: skip
    criteria = {name: metric.get("criteria") for name, metric in REFLECTION_QUALITY_METRICS.items()}
    assert criteria["depth_score"] == {"surface": 0.3, "shallow": 0.5, "medium": 0.7, "deep": 0.9}
    assert criteria["actionability_score"] == {"none": 0.0, "vague": 0.4, "specific": 0.8, "executable": 1.0}
    assert criteria["pattern_validity"] == {"min_occurrences": 3, "min_confidence": 0.75, "max_false_positives": 0.1}
    required = REFLECTION_QUALITY_METRICS["completeness"]["required_fields"]
    assert required == ["analysis", "patterns_identified", "strategy_adjustments", "learning"]


def test_a_good_reflection_is_accepted_with_all_six_metrics() -> None:
    result = judged()
    assert told(result) == []
    assert result.decision == Decision.ACCEPTED
    assert set(result.metrics) == set(Metric)
    assert result.metrics["novelty_score"] == 1.0
    assert result.quality_score >= 0.8


def test_section_2_messages_of_the_first_three_standards() -> None:
    result = judged(analysis="It failed", learning="", strategy_adjustments=["Do better next time"])
    assert told(result)[:3] == [
        (Metric.COMPLETENESS, "Incomplete reflection: 0.50 < 0.9. Missing fields: ['analysis', 'learning']"),
        (Metric.DEPTH, "Shallow reflection: depth=0.20 < 0.7. Need root cause analysis, not just symptoms."),
        (Metric.ACTIONABILITY, "Not actionable: 0.40 < 0.8. Adjustments must be concrete and executable."),
    ]
    assert result.decision == Decision.REJECTED


def test_section_2_a_pattern_that_is_not_borne_out_is_a_violation_and_the_metric_is_the_mean() -> None:
    known = {PATTERN: VALID, "rain": PatternValidity(0.5, occurrences=5, episodes=10)}
    result = judged(known, patterns_identified=[PATTERN, "rain"])
    assert told(result) == [(Metric.PATTERNS, "Invalid pattern 'rain': confidence=0.50 < 0.75")]
    assert result.metrics["pattern_validity"] == 0.75
    assert result.decision == Decision.ACCEPTED_WITH_WARNINGS


@pytest.mark.parametrize(("false_positives", "violations"), [(None, 0), (0.1, 0), (0.11, 1)])
def test_section_1_false_positives_are_a_violation_where_they_are_known(
    false_positives: float | None, violations: int
) -> None:
    validity = PatternValidity(0.8, occurrences=8, episodes=10, false_positives=false_positives)
    assert [metric for metric, _ in told(judged({PATTERN: validity}))] == [Metric.PATTERNS] * violations


def test_section_1_relevance_and_novelty_are_standards_too() -> None:
    result = judged(task="Write unit tests for the invoice parser", existing=[embedded_text(ANALYSIS, LEARNING)])
    (relevance, said), (novelty, repeated) = told(result)
    assert (relevance, novelty) == (Metric.RELEVANCE, Metric.NOVELTY)
    assert said.startswith("Irrelevant reflection: relevance=0.")
    assert repeated == "Nothing new: novelty=0.00 < 0.3. It repeats an earlier reflection."
    assert result.decision == Decision.ACCEPTED_WITH_WARNINGS


@pytest.mark.parametrize("task", [None, "", "  "])
def test_without_a_task_relevance_is_left_out_and_the_other_weights_are_scaled(task: str | None) -> None:
    result = judged(task=task)
    assert "relevance_score" not in result.metrics
    depth = result.metrics["depth_score"]
    assert result.quality_score == pytest.approx((0.2 + 0.3 * depth + 0.3 + 0.1) / 0.9)


@pytest.mark.parametrize("extras", [{"needs_patterns": False}, {"is_first": True}])
def test_with_fewer_than_three_similar_failures_empty_patterns_do_not_lower_completeness(
    extras: dict[str, Any],
) -> None:
    assert judged(patterns_identified=[]).metrics["completeness"] == 0.75
    result = judged(patterns_identified=[], **extras)
    assert result.metrics["completeness"] == 1.0
    assert "pattern_validity" not in result.metrics
    assert result.decision == Decision.ACCEPTED
    assert judged(patterns_identified=[], learning="", **extras).metrics["completeness"] == 0.75


def test_fields_of_blanks_say_nothing() -> None:
    result = judged({}, patterns_identified=["  "], learning=" " * 20, strategy_adjustments=[""])
    assert result.metrics["completeness"] == 0.25


def test_what_the_judge_refuses_is_a_violation_of_its_own() -> None:
    texts = ["Add constraint: quality >= 7", "Set weather = sunny"]
    result = judged(strategy_adjustments=texts, adjustments=adjustments_read(texts))
    ((metric, said),) = told(result)
    assert metric is None
    assert said.startswith("Not executable: 'Set weather = sunny': ")
    assert result.metrics["actionability_score"] == 1.0
    assert result.decision == Decision.ACCEPTED_WITH_WARNINGS
    assert judged(strategy_adjustments=["Set weather = sunny"]).is_valid


def test_each_adjustment_is_parsed_once_and_has_the_fault_of_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def parse(text: str) -> Adjustment | None:
        parsed.append(text)
        return adjustment_parse(text)

    texts = ["Add constraint: quality >= 7", "Set weather = sunny", "Try harder"]
    monkeypatch.setattr(adjusting, "adjustment_parse", parse)
    read = adjustments_read(texts)
    assert parsed == texts
    assert (read[0].fault, read[2].adjustment) == (None, None)


def test_anything_with_the_documented_fields_is_judged() -> None:
    plain = SimpleNamespace(analysis=ANALYSIS, strategy_adjustments=("Remove filter price",), learning=None)
    result = ReflectionQualityValidator().validate_reflection(plain)
    assert (result.metrics["completeness"], result.metrics["actionability_score"]) == (0.5, 1.0)


def test_many_and_long_parts_are_judged_in_bounded_time_and_told_shortened() -> None:
    result = judged(
        {},
        patterns_identified=[f"pattern {number} " + "x" * 5_000 for number in range(300)],
        strategy_adjustments=["Do better"] * 3_000,
        adjustments=adjustments_read(["Do better"] * 50),
    )
    assert result.metrics["pattern_validity"] == 0.0
    assert max(map(len, result.violations)) < 400
    assert result.violations[-1] == "Not executable: 'Do better': only the first 50 are looked at"


@each(
    ("is_valid", "score", "is_first", "decision"),
    [
        (True, 0.8, False, "accepted"),
        (True, 0.8 - 1e-12, False, "accepted"),
        (True, 0.79, False, "accepted_with_warnings"),
        (True, 0.6, True, "accepted"),
        (True, 0.59, True, "accepted_with_warnings"),
        (False, 0.95, False, "accepted_with_warnings"),
        (False, 0.95, True, "accepted_with_warnings"),
        (False, 0.5, False, "accepted_with_warnings"),
        (False, 0.499, False, "rejected"),
        (False, 0.499, True, "rejected"),
    ],
)
def test_storage_at_0_8_or_0_6_for_the_first_and_rejection_below_0_5(
    is_valid: bool, score: float, is_first: bool, decision: str
) -> None:
    assert decision_of(is_valid, score, is_first) == decision


def test_section_6_accepts(caplog: pytest.LogCaptureFixture) -> None:
    enforcer = ReflectionQualityEnforcer()
    with caplog.at_level(logging.INFO, "reflection.quality.validator"):
        assert enforcer.enforce_quality(reflection(), patterns={PATTERN: VALID}) == (True, "Accepted")
    assert caplog.messages[0].startswith("Reflection accepted: quality_score=0.9")
    assert enforcer.rejection_count == 0


def test_section_6_accepts_with_warnings(caplog: pytest.LogCaptureFixture) -> None:
    enforcer = ReflectionQualityEnforcer()
    accepted, reason = enforcer.enforce_quality(reflection(learning=""), patterns={PATTERN: VALID})
    violation = "Incomplete reflection: 0.75 < 0.9. Missing fields: ['learning']"
    assert (accepted, reason) == (True, f"Accepted with warnings: {violation}")
    (line,) = caplog.messages
    assert line.startswith("Reflection accepted WITH WARNINGS: quality_score=0.")
    assert line.endswith(f'. Issues: ["{violation}"]')
    assert enforcer.rejection_count == 0


def test_section_6_rejects_and_counts(caplog: pytest.LogCaptureFixture) -> None:
    enforcer, bad = ReflectionQualityEnforcer(), Reflection(analysis="It failed", strategy_adjustments=["improve"])
    accepted, reason = enforcer.enforce_quality(bad)
    assert not accepted
    assert reason.startswith("Quality too low: Incomplete reflection: 0.25 < 0.9. Missing fields: [")
    assert ", Shallow reflection: depth=0.20 < 0.7." in reason
    assert caplog.messages[0].startswith("Reflection REJECTED: quality_score=0.")
    enforcer.enforce_quality(bad)
    assert enforcer.rejection_count == 2


def test_a_valid_reflection_that_is_not_good_enough_to_be_stored_says_so() -> None:
    result = ValidationResult(is_valid=True, quality_score=0.76, decision=decision_of(True, 0.76))
    assert reason_of(result) == "Accepted with warnings: Quality below storage threshold: 0.76 < 0.8"


@each(
    ("metric", "error"),
    [
        (Metric.COMPLETENESS, errors.IncompleteReflectionError),
        (Metric.DEPTH, errors.InsufficientDepthError),
        (Metric.ACTIONABILITY, errors.NotActionableError),
        (Metric.PATTERNS, errors.InvalidPatternError),
        (Metric.RELEVANCE, errors.ReflectionQualityError),
        (None, errors.ReflectionQualityError),
    ],
)
def test_exceptions_raise_for_violations_raises_the_one_that_fits(
    metric: Metric | None, error: type[errors.ReflectionQualityError]
) -> None:
    faults = [Violation(metric=metric, text="first"), Violation(metric=Metric.DEPTH, text="second")]
    result = ValidationResult(is_valid=False, quality_score=0.6, faults=faults, violations=["first", "second"])
    with pytest.raises(errors.ReflectionQualityError, match="first; second") as raised:
        result.raise_for_violations()
    assert type(raised.value) is error


def test_exceptions_of_reflections_that_the_gate_judged() -> None:
    judged().raise_for_violations()
    with pytest.raises(errors.InsufficientDepthError):
        judged(analysis="The hotel was not what the user had wanted, and so it was refused.").raise_for_violations()
    with pytest.raises(errors.NotActionableError):
        judged(strategy_adjustments=["Try harder"]).raise_for_violations()
    with pytest.raises(errors.InvalidPatternError):
        judged({}).raise_for_violations()
    with pytest.raises(errors.IncompleteReflectionError):
        judged(learning="").raise_for_violations()
