"""RT-009, "Degradation levels": less is done after many slow runs, and all of it again when they are past."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.services import guest_absorb, guest_create, learner_of
from gateway.contracts import DegradationLevel
from gateway.models import OperationTiming
from gateway.operations.deadlines import operation_run
from gateway.operations.degradation import Feature, degradation_allows, degradation_level, violations_read
from gateway.operations.registry import operations_all
from tests.api.sessions import integrator_create
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
    assert violations_read(now=NOON).common == violations
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


def test_a_user_who_is_slow_is_degraded_and_nobody_else() -> None:
    """32 evaluations of one user, each over three targets, as they were seen to switch the models off for all."""
    for operation in ("evaluate_result", "check_criteria", "assess_relevance"):
        timed(operation, *[2300] * 32, now=NOON, user_id=7)
    assert violations_read(user_id=7, now=NOON) == (5, 96, 1)
    assert degradation_level(now=NOON) == degradation_level(user_id=8, now=NOON) == FULL
    assert degradation_level(user_id=7, now=NOON) == DISABLED
    assert degradation_allows("evaluation", user_id=8, now=NOON)
    assert not degradation_allows("evaluation", user_id=7, now=NOON)


@pytest.mark.parametrize(("own", "level"), [(10, FULL), (11, REDUCED), (26, MINIMAL), (51, DISABLED)])
def test_a_users_own_level_has_the_same_limits(own: int, level: DegradationLevel) -> None:
    timed("create_plan", *[2001] * own, now=NOON, user_id=7)
    assert degradation_level(user_id=7, now=NOON) == level
    assert violations_read(now=NOON).users_degraded == (level != FULL)


def test_of_each_user_five_count_for_all(learner: User, stranger: User, staff: User) -> None:
    for user in (learner, stranger):
        timed("create_plan", *[2001] * 9, now=NOON, user_id=user.pk)
    assert (violations_read(now=NOON).common, degradation_level(now=NOON)) == (10, FULL)
    timed("create_plan", 2001, now=NOON, user_id=staff.pk)
    assert degradation_level(now=NOON) == degradation_level(user_id=learner.pk, now=NOON) == REDUCED


def test_of_all_whom_an_integrator_manages_five_count_for_all() -> None:
    schools = [integrator_create(name) for name in ("escuela", "otra")]
    pupils = [learner_of(integrator=schools[0], pseudonym=f"learner-{number}") for number in range(11)]
    for user in (*pupils, schools[0]):
        timed("create_plan", *[2001] * 12, now=NOON, user_id=user.pk)
    assert violations_read(user_id=pupils[0].pk, now=NOON) == (5, 12, 12)
    assert degradation_level(user_id=pupils[0].pk, now=NOON) == REDUCED, "each is degraded by their own"
    timed("create_plan", *[2001] * 12, now=NOON, user_id=learner_of(integrator=schools[1], pseudonym="7").pk)
    assert violations_read(now=NOON).common == 10


def test_of_all_guests_together_five_count_for_all(learner: User) -> None:
    guests = [guest_create() for _ in range(11)]
    for guest in guests:
        timed("create_plan", *[2001] * 5, now=NOON, user_id=guest.pk)
    guest_absorb(guest=guests[0], account=learner)
    assert violations_read(user_id=guests[1].pk, now=NOON) == (5, 5, 0)
    timed("create_plan", *[2001] * 2, now=NOON, user_id=learner.pk)
    timed("create_plan", *[2001] * 9, now=NOON)
    assert violations_read(now=NOON).common == 16, "those of nobody who is known all count"


def test_the_worse_of_the_two_levels_is_in_force() -> None:
    timed("create_plan", *[2001] * 26, now=NOON)
    timed("create_plan", *[2001] * 11, now=NOON, user_id=7)
    assert degradation_level(user_id=7, now=NOON) == MINIMAL


def test_an_operation_within_another_is_for_the_same_user() -> None:
    with operation_run("create_plan") as whole:
        with operation_run("retrieve_experience"):
            pass
        whole.user_id = 7
        with operation_run("decompose_task"):
            pass
    rows = OperationTiming.objects.order_by("pk").values_list("operation", "user_id")
    assert list(rows) == [("retrieve_experience", None), ("decompose_task", 7), ("create_plan", 7)]


@pytest.mark.hard
def test_among_many_timings_the_level_is_read_from_an_index_alone() -> None:
    for minute in range(100):
        timed("create_plan", *[100] * 990, *[2001] * 10, now=NOON - minutes(minute), user_id=minute)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE gateway_operationtiming")
        with CaptureQueriesContext(connection) as queries:
            violations_read(user_id=7, now=NOON)
        assert len(queries) == 1
        cursor.execute("EXPLAIN " + queries[0]["sql"])
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Index Only Scan using timing_violations" in plan, plan
