"""Metrics for programs: the figures of some days in one answer, with the names that RT-009 has."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts.errors import TokenRefused
from accounts.models import Scope, User
from accounts.services import token_issue
from gateway.contracts import OperationRun, Outcome, Tier
from gateway.figures.contracts import Days, Metrics
from gateway.figures.reading import figures_of
from tests.api.sessions import Program, integrator_create
from tests.api.test_problems import problem_of
from tests.gateway.calls import DAY, TIMED_OUT, call, ended, in_session, timed
from tests.gateway.ledger_helpers import NOON, cents

URL = "metrics/"
DAYS = f"{URL}?since=2026-03-01&until=2026-03-31"


@pytest.fixture
def program(staff: User) -> Program:
    """The staff's program, that may read metrics and nothing else."""
    return Program(staff, scopes=(Scope.METRICS_READ,))


@pytest.fixture
def spent(learner: User) -> None:
    payer = in_session(user_id=learner.pk)
    for _ in range(3):
        call(payer, 1)
    call(payer, 2.5, Tier.THINKER, escalation=True)
    call(payer, 0.5, run=OperationRun(operation="create_plan", run="create_plan:1", cap=cents(1)))
    ended(Outcome.CUT, payer, 1)
    timed("create_plan", *range(10, 1010, 10), hit=True)
    timed("create_plan", 5000, outcome=TIMED_OUT, hit=False)
    timed("evaluate_result", 400)


def test_nothing_was_asked_and_nothing_ran(program: Program) -> None:
    told = program.get(URL)
    assert told.status == 200
    assert told.json["until"] == datetime.now(UTC).date().isoformat()
    assert told.json["since"] == (datetime.now(UTC).date() - timedelta(days=29)).isoformat()
    nothing = {"count": 0, "mean_microcents": None, "p95_microcents": None}
    assert told.json["cost_per_session"] == told.json["daily_cost_per_user"] == nothing
    for name in ("planning_latency_p95", "evaluation_latency_p50", "reflection_latency_p95", "cache_hit_rate"):
        assert told.json[name] is None
    assert (told.json["timeout_errors"], told.json["timeout_rate"], told.json["degradation_level"]) == (0, None, "full")
    assert [use["policy"] for use in told.json["usage_by_tier"]] == [0.8, 0.15, 0.05]


def test_rt_009s_metrics(program: Program, spent: None) -> None:
    told = program.get(DAYS).json
    names = ("planning_latency_p50", "planning_latency_p95", "planning_latency_p99")
    assert [told[name] for name in names] == [510, 960, 1000]
    assert (told["evaluation_latency_p50"], told["evaluation_latency_p95"]) == (400, 400)
    assert (told["reflection_latency_p50"], told["reflection_latency_p95"]) == (None, None)
    assert told["cache_hit_rate"] == pytest.approx(100 / 101)
    assert (told["timeout_errors"], told["timeout_rate"]) == (1, pytest.approx(1 / 102))
    assert told["daily_cost_per_user"] == {"count": 1, "mean_microcents": cents(7), "p95_microcents": cents(7)}
    costs = {one["operation"]: one for one in told["cost_per_operation"]}
    assert costs["create_plan"]["per_run"] == {
        "count": 1,
        "mean_microcents": cents(0.5),
        "p95_microcents": cents(0.5),
    }
    assert (costs["create_plan"]["cap_microcents"], costs["tutor_turn"]["cost_microcents"]) == (cents(1), cents(6.5))
    assert (told["cost_exceeded"], told["quota_exceeded"]) == (0, 0)


def test_usage_and_money(program: Program, spent: None) -> None:
    told = program.get(DAYS).json
    assert (told["calls"], told["cost_microcents"]) == (6, cents(7))
    assert {use["tier"]: (use["calls"], use["cost_microcents"]) for use in told["usage_by_tier"]} == {
        "cheap": (5, cents(4.5)),
        "embed": (0, 0),
        "thinker": (1, cents(2.5)),
    }
    assert told["cost_by_day"] == [
        {"day": "2026-03-10", "tier": "cheap", "calls": 5, "cost_microcents": cents(4.5)},
        {"day": "2026-03-10", "tier": "thinker", "calls": 1, "cost_microcents": cents(2.5)},
    ]
    assert told["escalations"] == {"made": 1, "graded_answers": 0, "rate": None}
    assert told["unverified"] == {"calls": 1, "cost_microcents": cents(1)}
    assert told["overruns"] == {"calls": 0, "cost_microcents": 0}
    [cut] = told["failures"]
    assert (cut["outcome"], cut["tier"], cut["calls"], cut["cost_microcents"]) == ("cut", "cheap", 1, cents(1))


def test_the_figures_are_those_of_the_dashboard(program: Program, spent: None) -> None:
    told, figures = program.get(DAYS).json, figures_of(Days(since=DAY.replace(day=1), until=DAY.replace(day=31)))
    assert (told["calls"], told["cost_microcents"]) == (figures.calls, figures.cost)
    assert [one["p99"] for one in told["latency_by_operation"]] == [one.p99 for one in figures.latencies]
    assert Metrics.model_validate(told).model_dump(mode="json", by_alias=True) == told


def test_nobody_and_no_session_is_in_it(program: Program, spent: None, learner: User) -> None:
    text = program.get(DAYS).text
    assert "lesson" not in text
    assert learner.username not in text


def test_both_days_count(program: Program) -> None:
    for days in (-1, 0, 1, 2):
        call(in_session(), 1, now=NOON + timedelta(days=days))
    assert program.get(f"{URL}?since=2026-03-10&until=2026-03-11").json["calls"] == 2
    assert program.get(f"{URL}?until=2026-03-10").json["calls"] == 2
    assert program.get(f"{URL}?until=2026-03-10").json["since"] == "2026-02-09"
    assert program.get(f"{URL}?since=2026-03-11").json["calls"] == 2


def test_a_first_day_in_the_future_is_only_empty(program: Program) -> None:
    told = program.get(f"{URL}?since=2999-12-31").json
    assert (told["since"], told["until"], told["calls"]) == ("2999-12-31", "2999-12-31", 0)


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("since=yesterday", "/since"),
        ("since=1772323200", "/since"),
        ("since=2026-02-30", "/since"),
        ("until=9999-12-31", "/until"),
        ("until=2026-3-1", "/until"),
        ("since=2026-02-02&until=2026-02-01", "/until"),
        ("since=2010-01-01&until=2026-02-01", "/until"),
        ("since=1999-01-01", "/since"),
        ("since=2026-02-02T00:00:00Z", "/since"),
        ("limit=5", "/limit"),
    ],
)
def test_days_that_make_no_sense_are_refused(program: Program, query: str, pointer: str) -> None:
    errors = problem_of(program.client.get(f"/api/v1/{URL}?{query}"), 422, "invalid-request")["errors"]
    assert [place["pointer"] for place in errors] == [pointer]


def test_neither_integrators_nor_learners_read_the_figures_of_everybody(learner: User, integrator: User) -> None:
    for user in (learner, integrator):
        assert Program(user, scopes=(Scope.BUDGETS_READ,)).get(URL).status == 403
        with pytest.raises(TokenRefused):
            token_issue(user=user, name="figures", scopes=(Scope.METRICS_READ,), days=1)


@pytest.fixture
def integrator(db: None) -> User:
    """Somebody whose programs audit."""
    return integrator_create()


def test_requests_are_counted_against_the_rate(program: Program) -> None:
    assert "RateLimit" in "".join(program.get(URL).headers)


def test_the_number_of_queries_does_not_grow(program: Program, django_assert_num_queries: Any) -> None:
    """The token with its user; how often they asked; the eleven of the figures."""
    for number in range(2):
        call(in_session(f"s{number}"))
        timed("create_plan", 10)
        program.get(DAYS)  # events came: the horizon moves
        with django_assert_num_queries(15):
            program.get(DAYS)
