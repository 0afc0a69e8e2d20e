"""RT-010, 8 and "Quality Targets": the twelve metrics, of final reflections, and what they are held against."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from planning.models import Plan
from reflection.board.contracts import REQUIRED_QUALITY_METRICS, TARGETS, QualityFigures, standing
from reflection.board.figures import quality_by_day, quality_figures
from tests.reflection.reflections_made import GOOD, NOON, pattern, plan_make, reflections_make, tried

Counting = Any
DAY = NOON - timedelta(hours=12)
R, P, L = "metacognition.reflection.", "metacognition.pattern.", "metacognition.improvement_loop."
RATE = R + "rejection_rate"


@pytest.fixture
def plan(learner: User) -> Plan:
    return plan_make(learner)


def figures() -> QualityFigures:
    return quality_figures(DAY, DAY + timedelta(days=1))


# What is collected


def test_section_8_the_twelve_metrics_have_their_documented_names() -> None:
    assert list(REQUIRED_QUALITY_METRICS) == [
        "metacognition.reflection.quality_score_avg",
        "metacognition.reflection.quality_score_p50",
        "metacognition.reflection.quality_score_p95",
        "metacognition.reflection.depth_score_avg",
        "metacognition.reflection.actionability_score_avg",
        "metacognition.reflection.completeness_avg",
        "metacognition.reflection.rejected_count",
        "metacognition.reflection.accepted_with_warnings_count",
        "metacognition.pattern.invalid_count",
        "metacognition.pattern.validity_avg",
        "metacognition.improvement_loop.iterations_avg",
        "metacognition.improvement_loop.success_rate",
    ]


@pytest.mark.django_db
def test_section_8_without_a_reflection_there_is_nothing_to_compute_anything_from() -> None:
    found = figures()
    assert (found.reflections, found.patterns) == (0, 0)
    assert [found[name] for name in (*REQUIRED_QUALITY_METRICS, RATE)] == [None] * 13
    assert quality_by_day(DAY, NOON) == ()


def test_section_8_all_twelve_are_computed_from_rows(plan: Plan) -> None:
    poor = {"completeness": 0.5, "depth_score": 0.3, "actionability_score": 0.4}
    reflections_make(
        plan,
        [tried(0.9, patterns=[pattern(4, 5)])],
        [tried(0.4, "rejected"), tried(0.8, metrics={**GOOD, "depth_score": 0.7})],
        [tried(0.6, "accepted_with_warnings", patterns=[pattern(3, 6), pattern(2, 2)])],
        [tried(0.1, "rejected"), tried(0.2, "rejected"), tried(0.3, "rejected", metrics=poor)],
    )
    found = figures()
    assert {name: found[name] for name in REQUIRED_QUALITY_METRICS} == pytest.approx(
        {
            R + "quality_score_avg": 0.65,
            R + "quality_score_p50": 0.7,
            R + "quality_score_p95": 0.885,
            R + "depth_score_avg": 0.7,
            R + "actionability_score_avg": 0.85,
            R + "completeness_avg": 0.875,
            R + "rejected_count": 1,
            R + "accepted_with_warnings_count": 1,
            P + "invalid_count": 2,
            P + "validity_avg": (0.8 + 0.5 + 0) / 3,
            L + "iterations_avg": 1.75,
            L + "success_rate": 0.5,
        }
    )
    assert found[RATE] == 0.25
    assert (found.reflections, found.patterns) == (4, 3)


def test_rates_count_final_reflections_and_not_attempts(plan: Plan) -> None:
    """Three attempts of which the second counts: one reflection, accepted with warnings."""
    weak = tried(0.3, "rejected", metrics={"depth_score": 0.1}, patterns=[pattern(1, 9)])
    reflections_make(
        plan, [weak, tried(0.7, "accepted_with_warnings"), weak], kept=2, decision="accepted_with_warnings"
    )
    found = figures()
    assert (found[RATE], found[R + "quality_score_avg"], found[R + "depth_score_avg"]) == (0, 0.7, 0.9)
    assert (found[R + "accepted_with_warnings_count"], found[L + "iterations_avg"]) == (1, 3)
    assert found.patterns == 0


def test_what_staff_wrote_later_changes_no_figure(plan: Plan) -> None:
    before = [
        tried(0.75, "accepted_with_warnings", metrics={"depth_score": 0.5}),
        tried(0.8, "rejected"),  # a better score, which the gate let less far through
        tried(0.75, "accepted_with_warnings", metrics={"depth_score": 0.6}),  # as good, and later
    ]
    gate = "accepted_with_warnings"
    [row] = reflections_make(plan, before, kept=1, decision=gate)
    expected = figures()
    row.delete()
    staff = [tried(1.0, author="staff", patterns=[pattern(9, 9)]), tried(0.2, "rejected", author="staff")]
    reflections_make(plan, [*before, *staff], decision=gate)
    assert figures() == expected
    assert expected[R + "depth_score_avg"] == 0.5
    assert expected[L + "iterations_avg"] == 3
    assert expected[L + "success_rate"] == 0


def test_section_7_the_loop_succeeded_where_the_reflection_that_counts_is_valid(plan: Plan) -> None:
    """Also where it is valid and scores under the 0.8 that storing wants."""
    reflections_make(
        plan,
        [tried(0.75, "accepted_with_warnings", is_valid=True)],
        [tried(0.85, "accepted_with_warnings", is_valid=False)],
    )
    assert figures()[L + "success_rate"] == 0.5


def test_a_metric_that_could_not_be_computed_lowers_no_average(plan: Plan) -> None:
    reflections_make(plan, [tried(metrics={"depth_score": 0.9})], [tried(metrics={"completeness": 1.0})])
    found = figures()
    assert (found[R + "depth_score_avg"], found[R + "completeness_avg"]) == (0.9, 1)
    assert found[R + "actionability_score_avg"] is None
    assert (found.samples[R + "depth_score_avg"], found.samples[R + "actionability_score_avg"]) == (1, 0)


def test_section_5_a_pattern_is_invalid_under_three_quarters_or_three_occurrences(plan: Plan) -> None:
    seen = [pattern(3, 4), pattern(2, 2), pattern(74, 100), pattern(75, 100)]
    reflections_make(plan, [tried(patterns=seen)])
    found = figures()
    assert (found[P + "invalid_count"], found.patterns) == (2, 4)
    assert found[P + "validity_avg"] == pytest.approx((0.75 + 0 + 0.74 + 0.75) / 4)


def test_a_pattern_known_by_its_words_has_the_validity_that_the_gate_found(plan: Plan) -> None:
    words = pattern(0, 0, 0.0, condition=[], outcome="")
    judged = [{**GOOD, "pattern_validity": share} for share in (0.8, 0.6)]
    reflections_make(plan, *([tried(patterns=[words], metrics=metrics)] for metrics in (*judged, GOOD)))
    found = figures()
    assert found[P + "invalid_count"] == 2
    assert found[P + "validity_avg"] == pytest.approx((0.8 + 0.6 + 0) / 3)


def test_reflections_without_patterns_have_none_that_are_invalid_and_no_validity(plan: Plan) -> None:
    reflections_make(plan, [tried()])
    assert (figures()[P + "invalid_count"], figures()[P + "validity_avg"]) == (0, None)


# When


def test_the_first_moment_counts_and_the_last_does_not(plan: Plan) -> None:
    until = DAY + timedelta(days=1)
    for at in (DAY - timedelta(microseconds=1), DAY, until - timedelta(microseconds=1), until):
        reflections_make(plan, [tried()], at=at)
    assert quality_figures(DAY, until).reflections == 2


def test_days_are_those_of_utc_and_weeks_begin_on_monday(plan: Plan) -> None:
    for at, quality in (
        (datetime(2026, 3, 8, 23, 59, tzinfo=UTC), 0.5),  # a Sunday
        (datetime(2026, 3, 9, tzinfo=UTC), 0.7),
        (datetime(2026, 3, 11, 12, tzinfo=UTC), 0.9),
        (datetime(2026, 4, 1, 12, tzinfo=UTC), 1.0),
    ):
        reflections_make(plan, [tried(quality)], at=at)
    since, until = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 5, 1, tzinfo=UTC)

    def quality_by(unit: str) -> dict[date, float | None]:
        found = quality_by_day(since, until, unit=unit)
        return {one.start: one.figures[R + "quality_score_avg"] for one in found}

    march, april = date(2026, 3, 1), date(2026, 4, 1)
    assert quality_by("day") == {date(2026, 3, 8): 0.5, date(2026, 3, 9): 0.7, date(2026, 3, 11): 0.9, april: 1.0}
    assert quality_by("week") == pytest.approx({date(2026, 3, 2): 0.5, date(2026, 3, 9): 0.8, date(2026, 3, 30): 1.0})
    assert quality_by("month") == pytest.approx({march: 0.7, april: 1.0})
    with pytest.raises(ValueError, match="fortnight"):
        quality_by_day(since, until, unit="fortnight")


def test_all_of_it_is_one_query_however_many_there_are(plan: Plan, django_assert_num_queries: Counting) -> None:
    for number in (1, 20):
        edited = [tried(), tried(author="staff")]
        reflections_make(plan, *[edited, [tried(patterns=[pattern(4, 5)])]] * number)
        with django_assert_num_queries(1):
            quality_figures(DAY, DAY + timedelta(days=1))
        with django_assert_num_queries(1):
            quality_by_day(DAY, DAY + timedelta(days=1))


# What they are held against


TABLE = {
    # metric: target, alert
    R + "quality_score_avg": ("> 0.8", "< 0.6"),
    R + "depth_score_avg": ("> 0.7", "< 0.5"),
    R + "actionability_score_avg": ("> 0.8", "< 0.6"),
    R + "completeness_avg": ("> 0.9", "< 0.7"),
    R + "rejection_rate": ("< 5%", "> 15%"),
    P + "validity_avg": ("> 0.75", "< 0.5"),
    L + "success_rate": ("> 95%", "< 80%"),
}


def test_quality_targets_are_those_of_the_documented_table() -> None:
    def written(sign: str, value: float, metric: str) -> str:
        return f"{sign} {round(100 * value)}%" if "rate" in metric else f"{sign} {value}"

    found = {}
    for metric, one in TARGETS.items():
        better, worse = (">", "<") if one.more_is_better else ("<", ">")
        found[metric] = (written(better, one.target, metric), written(worse, one.alert, metric))
    assert found == TABLE


def test_quality_targets_and_thresholds_are_passed_by_more_than_themselves() -> None:
    faults = []
    for metric, one in TARGETS.items():
        better = 0.001 if one.more_is_better else -0.001
        expected = {
            one.target + better: "met",
            one.target: "missed",
            one.target - better: "missed",
            one.alert: "missed",
            one.alert - better: "alert",
        }
        faults += [(metric, value) for value, said in expected.items() if standing(metric, value) != said]
    assert not faults


def test_nothing_stands_anywhere_without_a_target_or_a_value() -> None:
    assert standing(R + "rejected_count", 5) is None
    assert standing(R + "quality_score_avg", None) is None
    assert standing("no.such.metric", 1) is None
