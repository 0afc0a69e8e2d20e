"""RT-009, "Degradation levels": less is done after many slow runs, and all of it again when they are past."""

from datetime import timedelta

import pytest

from gateway.contracts import DegradationLevel
from gateway.operations.degradation import Feature, degradation_allows, degradation_level, violations_count
from gateway.operations.registry import operations_all
from tests.gateway.calls import DONE, TIMED_OUT, minutes, timed
from tests.gateway.ledger_helpers import NOON

pytestmark = pytest.mark.django_db
FULL, REDUCED, MINIMAL, DISABLED = DegradationLevel
EVERYTHING: tuple[Feature, ...] = ("reflection", "reranking", "corrective_rag", "planning", "evaluation")


@pytest.mark.parametrize(
    ("violations", "level"),
    [
        (0, FULL),
        (10, FULL),
        (11, REDUCED),
        (25, REDUCED),
        (26, MINIMAL),
        (50, MINIMAL),
        (51, DISABLED),
        (500, DISABLED),
    ],
)
def test_more_than_10_25_and_50_violations(violations: int, level: DegradationLevel) -> None:
    timed("create_plan", *[2001] * violations, *[2000] * 60, now=NOON - minutes(1))
    assert violations_count(now=NOON) == violations
    assert degradation_level(now=NOON) == level


def test_violations_of_all_operations_count_together() -> None:
    degrading = [operation for operation in operations_all() if operation.degrades]
    assert len(degrading) == 14
    for operation in degrading:
        timed(operation.name, operation.target_ms + 1, now=NOON)
    assert degradation_level(now=NOON) == REDUCED


def test_only_the_last_ten_minutes_count() -> None:
    timed("create_plan", *[2001] * 11, now=NOON)
    assert degradation_level(now=NOON + timedelta(minutes=9, seconds=59)) == REDUCED
    assert degradation_level(now=NOON + minutes(10)) == FULL


def test_it_goes_down_and_comes_back_by_itself() -> None:
    for start, count in ((0, 11), (2, 15), (4, 25)):
        timed("evaluate_result", *[501] * count, now=NOON + minutes(start))
    levels = [degradation_level(now=NOON + minutes(at)) for at in (-1, 1, 3, 5, 10.5, 12.5, 14.5)]
    # 51 ran slowly by then, of which the first 11 leave the window, then 15, then 25.
    assert levels[-3:] == [MINIMAL, REDUCED, FULL]
    assert levels[3] == DISABLED


def test_an_operation_that_does_not_degrade_counts_for_nothing() -> None:
    """A lesson's second opinions have their own fallback, the grader's verdict."""
    spared = next(operation for operation in operations_all() if not operation.degrades)
    timed(spared.name, *[spared.target_ms + 1] * 60, now=NOON)
    assert degradation_level(now=NOON) == FULL


def test_a_run_that_was_ended_early_is_no_slow_one() -> None:
    """A shorter limit that a caller gave ends a run before its target: that is a timeout, and no violation."""
    timed("create_plan", *[100] * 20, now=NOON, outcome=TIMED_OUT)
    assert degradation_level(now=NOON) == FULL
    timed("create_plan", *[5000] * 20, now=NOON, outcome=TIMED_OUT)
    assert degradation_level(now=NOON) == REDUCED


@pytest.mark.parametrize(
    ("violations", "without"),
    [
        (0, set()),
        (11, {"reflection", "reranking"}),
        (26, {"reflection", "reranking", "corrective_rag"}),
        (51, set(EVERYTHING)),
    ],
)
def test_what_each_level_leaves_out(violations: int, without: set[Feature]) -> None:
    timed("create_plan", *[2001] * violations, now=NOON, outcome=DONE)
    assert {feature for feature in EVERYTHING if not degradation_allows(feature, now=NOON)} == without
