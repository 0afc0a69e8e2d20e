"""RT-009: latency targets, hard limits that cancel, and what is written down of each run."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import DataError, connection, connections, transaction

from gateway.client import Model
from gateway.contracts import MICROCENTS, Payer, Tier
from gateway.errors import MetacognitionPerformanceError, MetacognitionTimeoutError
from gateway.models import Hold, OperationTiming
from gateway.operations.deadlines import Running, aoperation_run, operation_run, running
from gateway.operations.registry import operation_named
from tests.gateway.calls import TIMED_OUT
from tests.provider import Provider, hangs, says

pytestmark = pytest.mark.django_db(transaction=True)
PLAIN = Payer(chain="plain")
FAILED, DONE = OperationTiming.Outcome.FAILED, OperationTiming.Outcome.DONE


def timings() -> list[tuple[str, str]]:
    """Operation and outcome, in the order in which they ended."""
    return list(OperationTiming.objects.order_by("pk").values_list("operation", "outcome"))


def run(work: Coroutine[Any, Any, None]) -> None:
    """In a loop of its own, whose thread gives its connections back."""

    async def whole() -> None:
        try:
            await work
        finally:
            await sync_to_async(connections.close_all)()

    asyncio.run(whole())


def wait_ms(milliseconds: int) -> None:
    """Wait for something other than a model: the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(%s)", [milliseconds / 1000])


# What the document says


@pytest.mark.parametrize(
    ("name", "target", "limit", "cents"),
    [
        ("create_plan", 2000, 5000, 1),
        ("decompose_task", 1000, None, None),
        ("retrieve_experience", 100, None, None),
        ("evaluate_result", 500, 2000, 0.5),
        ("check_criteria", 200, None, None),
        ("assess_relevance", 300, None, None),
        ("reflect_on_result", 3000, 10_000, 2),
        ("analyze_cause", 1500, None, None),
        ("identify_patterns", 1000, None, None),
        ("decide_adjustments", 1000, None, None),
        ("corrective_rag_cycle", 5000, 15_000, 3),
        ("relevance_grading", 500, None, None),
        ("knowledge_refinement", 2000, None, None),
        ("rerank_results", 800, None, None),
    ],
)
def test_documented_targets_limits_and_caps(name: str, target: int, limit: int | None, cents: float | None) -> None:
    operation = operation_named(name)
    assert (operation.target_ms, operation.timeout_ms, operation.degrades) == (target, limit, True)
    assert operation.cap == (None if cents is None else cents * MICROCENTS)


def test_an_operation_nobody_registered_does_not_run() -> None:
    with pytest.raises(KeyError), operation_run("daydream"):
        pass
    assert timings() == []


# Hard limits


def test_the_hard_limit_cancels_what_is_awaited() -> None:
    ended: list[str] = []

    async def plan() -> None:
        async with aoperation_run("create_plan", timeout_ms=50):
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                ended.append("cancelled")
                raise

    with pytest.raises(MetacognitionTimeoutError, match=r"^create_plan exceeded 50ms$") as caught:
        run(plan())
    assert isinstance(caught.value, MetacognitionPerformanceError)
    assert ended == ["cancelled"]
    assert timings() == [("create_plan", TIMED_OUT)]


def test_the_hard_limit_ends_a_call_to_a_model(provider: Provider) -> None:
    provider.next(says("Ready."))
    provider.always(hangs())
    model = Model(Tier.CHEAP, payer=PLAIN, operation="create_plan")
    model.complete("Are you there?")  # the first call of a process loads the client, which takes longer than the limit

    async def plan() -> None:
        async with aoperation_run("create_plan", timeout_ms=1000):
            await model.acomplete("Plan.")

    with pytest.raises(MetacognitionTimeoutError):
        run(plan())
    provider.wait_gone(1)
    hold = Hold.objects.latest("reserved_at")
    assert (hold.state, hold.unverified, hold.cost) == ("settled", True, hold.amount)
    assert timings() == [("create_plan", TIMED_OUT)]


def test_a_caller_may_shorten_the_limit_and_not_lengthen_it() -> None:
    with operation_run("create_plan", timeout_ms=100) as short:
        assert short.timeout_ms == 100
    with operation_run("create_plan", timeout_ms=60_000) as long:
        assert long.timeout_ms == 5000
    with operation_run("check_criteria") as without:
        assert without.left_ms is None
    with operation_run("check_criteria", timeout_ms=700) as given:
        assert (given.left_ms or 0) > 600


def test_what_waits_for_no_model_is_refused_before_it_stores_anything() -> None:
    stored = []

    def plan() -> None:
        with operation_run("create_plan", timeout_ms=20) as under_way:
            wait_ms(40)
            under_way.check()
            stored.append("plan")

    with pytest.raises(MetacognitionTimeoutError):
        plan()
    assert stored == []
    assert timings() == [("create_plan", TIMED_OUT)]


def test_what_comes_too_late_is_refused_when_it_is_done() -> None:
    with pytest.raises(MetacognitionTimeoutError), operation_run("create_plan", timeout_ms=20):
        wait_ms(40)
    assert timings() == [("create_plan", TIMED_OUT)]


def test_the_limit_of_an_operation_holds_for_what_is_part_of_it() -> None:
    async def evaluate() -> None:
        async with aoperation_run("evaluate_result", timeout_ms=60), aoperation_run("check_criteria"):
            await asyncio.Event().wait()

    with pytest.raises(MetacognitionTimeoutError, match="evaluate_result exceeded 60ms"):
        run(evaluate())
    step, whole = timings()
    assert step[0] == "check_criteria"
    assert whole == ("evaluate_result", TIMED_OUT)


def test_without_its_own_limit_a_step_has_what_is_left_of_the_whole() -> None:
    with operation_run("evaluate_result", timeout_ms=500) as whole, operation_run("check_criteria") as step:
        assert running() is step
        assert step.left_ms is not None
        assert step.left_ms <= 500
        assert step.run.outer == whole.run
        assert step.run.capped == whole.run.capped == {whole.run.run: MICROCENTS // 2}
        assert step.run.operation == "check_criteria"
    assert running() is None


def test_side_by_side_each_has_its_own_clock() -> None:
    seen: dict[str, Running | None] = {}

    async def one(name: str, other: asyncio.Event, mine: asyncio.Event) -> None:
        async with aoperation_run(name):
            mine.set()
            await other.wait()
            seen[name] = running()

    async def both() -> None:
        first, second = asyncio.Event(), asyncio.Event()
        await asyncio.gather(one("check_criteria", first, second), one("assess_relevance", second, first))

    run(both())
    assert {name: under_way and under_way.operation.name for name, under_way in seen.items()} == {
        "check_criteria": "check_criteria",
        "assess_relevance": "assess_relevance",
    }


# Other ends


def test_a_time_limit_of_somebody_elses_is_not_the_operations() -> None:
    async def plan() -> None:
        async with aoperation_run("create_plan"), asyncio.timeout(0.02):
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        run(plan())
    assert timings() == [("create_plan", FAILED)]


def test_a_client_who_goes_ends_the_operation() -> None:
    async def plan(begun: asyncio.Event) -> None:
        async with aoperation_run("create_plan"):
            begun.set()
            await asyncio.Event().wait()

    async def go() -> None:
        begun = asyncio.Event()
        task = asyncio.create_task(plan(begun))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(go())
    assert timings() == [("create_plan", FAILED)]


def test_an_error_stays_what_it_is() -> None:
    with pytest.raises(ZeroDivisionError), operation_run("create_plan"):
        1 / 0  # noqa: B018 - it is the error that is wanted
    assert timings() == [("create_plan", FAILED)]


def test_a_timing_that_cannot_be_stored_costs_the_figure_alone(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(DataError), transaction.atomic(), operation_run("create_plan"), connection.cursor() as cursor:
        cursor.execute("SELECT 1 / 0")
    assert timings() == []
    assert "a timing was not stored" in caplog.text


# Targets


def test_over_its_target_is_logged_as_a_warning_and_stored_with_the_target(
    provider: Provider, caplog: pytest.LogCaptureFixture
) -> None:
    provider.always(says("Paris.", delay=0.12))
    with operation_run("retrieve_experience"):
        Model(Tier.CHEAP, payer=PLAIN, operation="retrieve_experience").complete("Where was it?")
    row = OperationTiming.objects.get()
    assert (row.violated, row.target_ms, row.outcome) == (True, 100, DONE)
    assert row.ms >= 120
    [told] = [record for record in caplog.records if record.name == "gateway.operations.deadlines"]
    assert told.levelname == "WARNING"
    assert "over its latency target" in told.getMessage()
    assert "'target_ms': 100" in told.getMessage() or "target_ms=100" in told.getMessage()


def test_within_its_target_is_stored_and_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    with operation_run("create_plan") as under_way:
        under_way.cache_hit = True
    row = OperationTiming.objects.get()
    assert (row.violated, row.target_ms, row.outcome, row.cache_hit) == (False, 2000, DONE, True)
    assert not [record for record in caplog.records if record.name == "gateway.operations.deadlines"]


def test_where_nobody_looked_into_a_cache_none_is_told() -> None:
    with operation_run("create_plan"):
        pass
    assert OperationTiming.objects.get().cache_hit is None
