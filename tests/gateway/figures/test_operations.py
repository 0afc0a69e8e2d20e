"""What operations cost and how long they took, and how calls failed."""

from datetime import timedelta

import pytest

from gateway.contracts import OperationRun, Outcome, Payer
from gateway.figures.contracts import Days, SpreadMetrics
from gateway.figures.reading import figures_of
from gateway.models import OperationTiming
from tests.gateway.calls import DAY, TIMED_OUT, at, call, ended, timed
from tests.gateway.ledger_helpers import NOON, cents

pytestmark = pytest.mark.django_db
TODAY = Days(since=DAY, until=DAY)


def test_cost_by_operation_with_that_of_its_runs() -> None:
    payer = Payer(chain="plain")
    for run, amounts in (("create_plan:1", (0.5, 0.5)), ("create_plan:2", (0.5,))):
        for amount in amounts:
            call(payer, amount, run=OperationRun(operation="create_plan", run=run, cap=cents(1)))
    call(payer, 4)
    plan, turn = sorted(figures_of(TODAY).operations, key=lambda one: one.operation)
    assert (plan.operation, plan.calls, plan.cost, plan.cap) == ("create_plan", 3, cents(1.5), cents(1))
    assert plan.per_run == SpreadMetrics(of=2, mean=cents(0.75), p95=cents(1))
    assert (turn.operation, turn.calls, turn.cost, turn.cap, turn.per_run.of) == ("tutor_turn", 1, cents(4), None, 0)


def test_what_is_done_within_a_run_counts_in_the_run() -> None:
    within = OperationRun(operation="analyze_cause", run="reflect_on_result:1", cap=cents(2))
    call(Payer(chain="plain"), 1, run=within)
    cause, reflection = figures_of(TODAY).operations
    assert (cause.operation, cause.cost, cause.per_run.of) == ("analyze_cause", cents(1), 0)
    assert (reflection.operation, reflection.calls, reflection.cost) == ("reflect_on_result", 0, 0)
    assert reflection.per_run == SpreadMetrics(of=1, mean=cents(1), p95=cents(1))


def test_latency_by_operation_beside_its_target() -> None:
    timed("create_plan", *range(100, 10_100, 100))
    timed("create_plan", 6000, 7000, outcome=TIMED_OUT)
    timed("create_plan", 100, hit=True)
    timed("create_plan", 100, 100, 100, hit=False)
    timed("check_criteria", 10)
    timed("check_criteria", 10, now=at(DAY - timedelta(days=1)))
    plan, check = figures_of(TODAY).latencies
    assert (plan.operation, plan.runs, plan.target, plan.limit) == ("create_plan", 106, 2000, 5000)
    assert (plan.violations, plan.timeouts) == (82, 2)
    assert (plan.hit_rate, plan.timeout_rate) == (0.25, 2 / 106)
    ordered = sorted([*range(100, 10_100, 100), 6000, 7000, 100, 100, 100, 100])
    assert (plan.p50, plan.p95, plan.p99) == tuple(ordered[-(-share * 106 // 100) - 1] for share in (50, 95, 99))
    assert (check.operation, check.runs, check.p99, check.hit_rate) == ("check_criteria", 1, 10, None)


def test_an_operation_nobody_registers_any_more_keeps_the_target_it_had() -> None:
    OperationTiming.objects.create(operation="gone", at=NOON, ms=5, target_ms=7, outcome="done")
    [gone] = figures_of(TODAY).latencies
    assert (gone.operation, gone.target, gone.limit) == ("gone", 7, None)


# Failures


def test_failures_are_told_by_how_they_ended() -> None:
    call()
    for outcome in (Outcome.FAILED, Outcome.FAILED, Outcome.REFUSED, Outcome.NOT_SENT, Outcome.LOST):
        ended(outcome)
    found = {one.outcome: (one.calls, one.cost, one.model) for one in figures_of(TODAY).failures}
    assert found == {
        Outcome.FAILED: (2, cents(2), "gpt-4o-mini"),
        Outcome.REFUSED: (1, 0, "gpt-4o-mini"),
        Outcome.NOT_SENT: (1, 0, "gpt-4o-mini"),
        Outcome.LOST: (1, cents(1), "gpt-4o-mini"),
    }
