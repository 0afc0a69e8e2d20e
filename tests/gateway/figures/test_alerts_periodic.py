"""What beat finds each minute: RT-009, "Alert thresholds", and the thinker's share of spec/3."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from gateway.contracts import DegradationLevel, OperationRun, Payer, Tier
from gateway.figures.alerts import periodic_alerts_raise
from gateway.ledger import settle
from gateway.models import Alert, Degradation
from gateway.tasks import check_alerts
from telemetry.chains.verification import chains_verify
from telemetry.models import Event
from tests.gateway.calls import DAY, DONE, TIMED_OUT, at, call, minutes, timed
from tests.gateway.ledger_helpers import answered, cents, events_of, sent
from tests.lesson_engine.services.threads import at_once

pytestmark = pytest.mark.django_db
Kind = Alert.Kind
NOW = at(DAY, 13)
RECENT = NOW - minutes(30)
PLAIN = Payer(chain="plain")


def raised() -> list[tuple[str, str]]:
    return list(Alert.objects.order_by("pk").values_list("kind", "key"))


def calls(cheap: int, thinker: int) -> None:
    for tier, count in ((Tier.CHEAP, cheap), (Tier.THINKER, thinker)):
        for _ in range(count):
            call(tier=tier, amount=0.5, now=RECENT)


def test_nothing_to_tell() -> None:
    assert periodic_alerts_raise(now=NOW) == 0
    assert not Event.objects.exists()


# The thinker's share


def test_the_thinker_over_5_percent_of_a_days_calls_is_told_once_a_day() -> None:
    calls(38, 2)
    assert periodic_alerts_raise(now=NOW) == 0  # five of a hundred, not more
    calls(0, 1)
    assert periodic_alerts_raise(now=NOW) == 1
    assert periodic_alerts_raise(now=NOW + minutes(1)) == 0
    assert raised() == [("thinker_share", "2026-03-10")]
    [told] = events_of("gateway", "alert.raised")
    assert told == {"kind": "thinker_share", "about": "2026-03-10", "calls": 41, "thinker": 3}
    assert [check.fault for check in chains_verify(["gateway"])] == [None]


def test_retries_of_one_call_count_once_for_the_tier_that_was_tried_last() -> None:
    calls(18, 0)
    asked, fell_back = uuid.uuid4(), uuid.uuid4()
    for attempt in (1, 2, 3):
        call(tier=Tier.THINKER, amount=0.5, now=RECENT, call=asked, attempt=attempt)
    for attempt, tier in ((1, Tier.THINKER), (2, Tier.THINKER), (3, Tier.CHEAP)):
        call(tier=tier, amount=0.5, now=RECENT, call=fell_back, attempt=attempt)
    assert periodic_alerts_raise(now=NOW) == 0  # one of twenty
    call(tier=Tier.THINKER, amount=0.5, now=RECENT)
    assert periodic_alerts_raise(now=NOW) == 1
    assert Alert.objects.get().details == {"calls": 21, "thinker": 2}


def test_a_few_calls_say_nothing_about_shares() -> None:
    calls(9, 10)
    assert periodic_alerts_raise(now=NOW) == 0
    calls(1, 0)
    assert periodic_alerts_raise(now=NOW) == 1


def test_the_next_day_is_counted_by_itself() -> None:
    calls(0, 20)
    assert periodic_alerts_raise(now=NOW) == 1
    assert periodic_alerts_raise(now=NOW + timedelta(days=1)) == 0
    for _ in range(20):
        call(tier=Tier.THINKER, amount=0.5, now=RECENT + timedelta(days=1))
    assert periodic_alerts_raise(now=NOW + timedelta(days=1)) == 1
    assert raised() == [("thinker_share", "2026-03-10"), ("thinker_share", "2026-03-11")]


# RT-009: latencies, the plan cache, timeouts


@pytest.mark.parametrize(
    ("operation", "kind", "most"),
    [
        ("create_plan", Kind.PLANNING_SLOW, 3000),
        ("evaluate_result", Kind.EVALUATION_SLOW, 1000),
        ("reflect_on_result", Kind.REFLECTION_SLOW, 5000),
    ],
)
def test_a_p95_over_its_threshold_is_told_once_a_day(operation: str, kind: Alert.Kind, most: int) -> None:
    timed(operation, *[10] * 18, most, most, now=RECENT)
    assert raise_of(kind) == 0
    timed(operation, *[most + 1] * 2, now=RECENT)
    assert raise_of(kind) == 1
    assert raise_of(kind) == 0
    assert Alert.objects.get(kind=kind).details == {"p95Ms": most + 1, "overMs": most, "runs": 22}


def raise_of(kind: Alert.Kind) -> int:
    """How many alerts of this kind came; slow operations also lower the degradation level."""
    before = Alert.objects.filter(kind=kind).count()
    periodic_alerts_raise(now=NOW)
    return Alert.objects.filter(kind=kind).count() - before


@pytest.mark.parametrize("when", [NOW - minutes(61), NOW + minutes(1)])
def test_only_the_last_hour_counts(when: Any) -> None:
    timed("create_plan", *[4000] * 30, now=when)
    assert raise_of(Kind.PLANNING_SLOW) == 0


def test_a_few_runs_say_nothing() -> None:
    timed("create_plan", *[4000] * 19, now=RECENT)
    assert raise_of(Kind.PLANNING_SLOW) == 0
    timed("create_plan", 4000, now=RECENT)
    assert raise_of(Kind.PLANNING_SLOW) == 1


def test_a_plan_cache_that_hits_under_20_percent_is_told() -> None:
    timed("create_plan", *[10] * 50, now=RECENT)  # nobody looked into the cache
    timed("create_plan", *[10] * 4, hit=True, now=RECENT)
    timed("create_plan", *[10] * 16, hit=False, now=RECENT)
    assert periodic_alerts_raise(now=NOW) == 0  # a fifth, not under
    timed("create_plan", 10, hit=False, now=RECENT)
    assert periodic_alerts_raise(now=NOW) == 1
    assert Alert.objects.get().details == {"hits": 4, "runs": 21}


def test_timeouts_of_over_5_percent_are_told() -> None:
    timed("create_plan", *[10] * 19, now=RECENT)
    timed("create_plan", 10, outcome=TIMED_OUT, now=RECENT)
    timed("check_criteria", *[10] * 50, outcome=TIMED_OUT, now=RECENT)  # it has no limit: what it is part of has
    assert periodic_alerts_raise(now=NOW) == 0
    timed("evaluate_result", 10, outcome=TIMED_OUT, now=RECENT)
    assert periodic_alerts_raise(now=NOW) == 1
    assert raised() == [("timeouts_many", "2026-03-10")]
    assert Alert.objects.get().details == {"timeouts": 2, "runs": 21}


# What a reflection cost


def reflection(run: str, tokens: int, now: Any = RECENT) -> None:
    """A run that was capped at 2 cents, and whose provider counted more than was held."""
    named = OperationRun(operation="analyze_cause", run=f"reflect_on_result:{run}", cap=cents(2))
    settle(sent(PLAIN, cents(1), now=now, run=named), answered(tokens), now=now)


def test_a_reflection_over_5_cents_is_told_with_what_its_cap_could_not_bear() -> None:
    reflection("a", 10_000)  # 5 cents, of which 2 were charged
    assert Alert.objects.filter(kind=Kind.REFLECTION_COST).count() == 0
    assert periodic_alerts_raise(now=NOW) == 0
    reflection("b", 11_000)
    assert periodic_alerts_raise(now=NOW) == 1
    assert periodic_alerts_raise(now=NOW) == 0
    alert = Alert.objects.get(kind=Kind.REFLECTION_COST)
    assert (alert.key, alert.details) == ("reflect_on_result:b", {"costMicrocents": cents(5.5)})


def test_attempts_of_one_reflection_are_added_up() -> None:
    for _ in range(2):
        named = OperationRun(operation="reflect_on_result", run="reflect_on_result:c", cap=cents(2))
        settle(sent(PLAIN, 0, now=RECENT, run=named), answered(6_000), now=RECENT)  # 3 cents each
    assert periodic_alerts_raise(now=NOW) == 1


def test_a_dear_run_of_another_operation_is_no_reflection() -> None:
    named = OperationRun(operation="create_plan", run="create_plan:a", cap=cents(1))
    settle(sent(PLAIN, cents(1), now=RECENT, run=named), answered(20_000), now=RECENT)
    assert not [key for kind, key in raised() if kind == Kind.REFLECTION_COST]
    assert periodic_alerts_raise(now=NOW) == 0


# The degradation level


def test_the_level_is_told_in_both_directions_and_an_alert_is_raised_when_it_gets_worse() -> None:
    timed("create_plan", *[2500] * 11, now=NOW - minutes(1))
    assert periodic_alerts_raise(now=NOW) == 1
    assert periodic_alerts_raise(now=NOW) == 0
    timed("create_plan", *[2500] * 15, now=NOW)
    assert periodic_alerts_raise(now=NOW + minutes(1)) == 1
    assert periodic_alerts_raise(now=NOW + minutes(9.5)) == 0  # the first eleven are too old
    assert periodic_alerts_raise(now=NOW + minutes(11)) == 0
    told = [(data["from"], data["to"], data["violations"]) for data in events_of("gateway", "degradation.changed")]
    assert told == [
        ("full", "reduced", 11),
        ("reduced", "minimal", 26),
        ("minimal", "reduced", 15),
        ("reduced", "full", 0),
    ]
    levels = Event.objects.filter(event="degradation.changed").order_by("seq").values_list("level", flat=True)
    assert list(levels) == ["warning", "warning", "info", "info"]
    assert raised() == [
        ("degraded", "2026-03-10T13:00:00+00:00"),
        ("degraded", "2026-03-10T13:01:00+00:00"),
    ]
    assert Degradation.objects.get().level == DegradationLevel.FULL
    assert [check.fault for check in chains_verify(["gateway"])] == [None]


def test_a_worker_whose_clock_is_behind_takes_nothing_back() -> None:
    timed("create_plan", *[2500] * 11, now=NOW)
    assert periodic_alerts_raise(now=NOW + minutes(1)) == 1
    assert periodic_alerts_raise(now=NOW - minutes(1)) == 0
    assert Degradation.objects.get().level == DegradationLevel.REDUCED


# Two workers


def everything() -> None:
    timed("create_plan", *[4000] * 30, now=NOW - minutes(1))
    timed("create_plan", *[10] * 30, hit=False, now=NOW - minutes(1))
    timed("reflect_on_result", *[9000] * 30, outcome=TIMED_OUT, now=NOW - minutes(1))
    timed("evaluate_result", *[1500] * 30, outcome=DONE, now=NOW - minutes(1))
    calls(0, 20)
    reflection("a", 20_000)


@pytest.mark.django_db(transaction=True)
def test_several_workers_at_once_raise_each_once() -> None:
    everything()
    before = Alert.objects.count()  # what the settlement raised
    work: Callable[[], int] = partial(periodic_alerts_raise, now=NOW)
    assert sum(at_once([work] * 4)) == Alert.objects.count() - before == 8
    assert len(events_of("gateway", "alert.raised")) == 8
    assert len(events_of("gateway", "degradation.changed")) == 1
    assert [check.fault for check in chains_verify(["gateway"])] == [None]


def test_beat_raises_what_is_due_now() -> None:
    timed("create_plan", *[10] * 25, hit=False, now=timezone.now() - minutes(1))
    check_alerts()
    assert [kind for kind, _key in raised()] == ["cache_cold"]


def test_the_number_of_queries_does_not_grow(django_assert_num_queries: Any) -> None:
    """The thinker's share; times; reflections; for the level a savepoint, its row twice, how many operations
    were slow, and the savepoint's end.
    """
    for _ in range(2):
        timed("create_plan", *[10] * 25, hit=True, now=RECENT)
        calls(3, 0)
        periodic_alerts_raise(now=NOW)
        with django_assert_num_queries(8):
            periodic_alerts_raise(now=NOW)
