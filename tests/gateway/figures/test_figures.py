"""What is told of money and time, against rows that the ledger wrote."""

from collections import Counter
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from gateway.contracts import CallReport, DegradationLevel, Outcome, Payer, Tier, Usage
from gateway.figures.contracts import Days, SpreadMetrics
from gateway.figures.reading import figures_of
from gateway.ledger import adjust, correct, dispatch, expire, owners, settle
from telemetry.contracts import EventDraft
from telemetry.services import events_append, rollups_advance
from tests.gateway.calls import DAY, at, call, ended, in_session, timed
from tests.gateway.ledger_helpers import DEADLINE, LATER, NOON, answered, cents, held, sent, session_account

pytestmark = pytest.mark.django_db
TODAY = Days(since=DAY, until=DAY)


def days_later(days: int) -> date:
    return DAY + timedelta(days=days)


def verdict(result: str, mode: str = "adaptive", rule: str = "open.keywords") -> None:
    draft = EventDraft(event="evaluation.result", data={"rule": rule, "result": result, "attempts": 1})
    with transaction.atomic():
        events_append(chain="s1", course="light", mode=mode, drafts=[draft], now=NOON)


# Usage by tier: spec/3, "Política de Uso"


def test_nothing_was_asked() -> None:
    figures = figures_of(TODAY)
    assert (figures.calls, figures.cost) == (0, 0)
    assert [(use.tier, use.calls, use.share, use.p95) for use in figures.tiers] == [
        (tier, 0, None, None) for tier in Tier
    ]
    assert figures.sessions == figures.learner_days == SpreadMetrics(of=0, mean=None, p95=None)
    assert [*figures.by_day, *figures.operations, *figures.latencies, *figures.failures, *figures.costliest] == []
    assert figures.escalations.rate is None
    assert figures.level == DegradationLevel.FULL


def test_shares_are_of_calls_and_stand_beside_80_15_5() -> None:
    for _ in range(16):
        call()
    for _ in range(3):
        call(tier=Tier.EMBED, amount=2)
    call(tier=Tier.THINKER, amount=3)
    figures = figures_of(TODAY)
    assert [(use.calls, use.share, use.policy) for use in figures.tiers] == [
        (16, 0.8, 0.8),
        (3, 0.15, 0.15),
        (1, 0.05, 0.05),
    ]
    assert [use.cost for use in figures.tiers] == [cents(16), cents(6), cents(3)]
    assert figures.cost == cents(25)


def test_what_was_never_sent_is_no_call_and_what_is_under_way_costs_nothing_yet() -> None:
    ended(Outcome.NOT_SENT)
    held(Payer(chain="plain"))
    assert figures_of(TODAY).calls == 0
    expire(now=LATER)
    assert figures_of(TODAY).calls == 0
    sent(Payer(chain="plain"), cents(2))
    figures = figures_of(TODAY)
    assert (figures.calls, figures.cost) == (1, 0)


def test_a_call_belongs_to_the_day_in_utc_on_which_it_was_reserved() -> None:
    before_midnight = at(DAY, 23, 59)
    hold = sent(Payer(chain="plain"), cents(2), now=before_midnight)
    settle(hold, answered(4000), now=before_midnight + timedelta(minutes=2))
    call(now=at(days_later(1), 0))
    assert [(one.day, one.cost) for one in figures_of(TODAY).by_day] == [(DAY, cents(2))]
    both = figures_of(Days(since=DAY, until=days_later(1)))
    assert [(one.day, one.cost) for one in both.by_day] == [(DAY, cents(2)), (days_later(1), cents(1))]
    assert figures_of(Days(since=days_later(2), until=days_later(9))).calls == 0


def test_a_correction_changes_what_the_call_cost(staff: User) -> None:
    hold = sent(Payer(chain="plain"), cents(2))
    settle(hold, CallReport(outcome=Outcome.CUT), now=NOON)
    figures = figures_of(TODAY)
    assert (figures.cost, figures.unverified.calls, figures.unverified.cost) == (cents(2), 1, cents(2))
    correct(hold_id=hold, by=staff, reason="the bill", cost=cents(0.5))
    figures = figures_of(TODAY)
    assert (figures.cost, figures.unverified.calls, figures.unverified.cost) == (cents(0.5), 0, 0)


def test_an_overrun_is_told_beside_the_cost() -> None:
    payer = in_session()
    hold = sent(payer, cents(60))
    settle(hold, answered(250_000), now=NOON)  # 125 cents, of which the session has 100
    figures = figures_of(TODAY)
    assert (figures.cost, figures.overruns.calls, figures.overruns.cost) == (cents(100), 1, cents(25))


def test_providers_latency_is_that_of_the_answers() -> None:
    for ms in range(1, 101):
        call(ms=ms * 10, amount=0.5)
    settle(sent(Payer(chain="plain"), cents(1)), CallReport(outcome=Outcome.TIMED_OUT, latency_ms=20_000), now=NOON)
    use = figures_of(TODAY).tier(Tier.CHEAP)
    assert (use.p50, use.p95) == (500, 950)


def test_sums_are_those_of_plain_counting() -> None:
    """Over random calls of three weeks, sessions and users."""
    random, found = Random(5), []
    for _ in range(150):
        tier, day, user = random.choice(list(Tier)), days_later(random.randrange(21)), random.choice([None, *people()])
        key, amount = f"s{random.randrange(12)}", random.choice([0.5, 1, 1.5])
        call(in_session(key, user_id=user), amount, tier, now=at(day, random.randrange(24)))
        found.append((day, tier, key, user, cents(amount)))
    week = Days(since=days_later(7), until=days_later(13))
    rows = [row for row in found if week.since <= row[0] <= week.until]
    figures = figures_of(week)
    assert {(one.day, one.tier): (one.calls, one.cost) for one in figures.by_day} == {
        key: (count, sum(row[4] for row in rows if row[:2] == key))
        for key, count in Counter(row[:2] for row in rows).items()
    }
    by_session = [(row[2], row[4]) for row in rows]
    by_learner_day = [(f"{row[3]}:{row[0]}", row[4]) for row in rows if row[3]]
    for spread, parts in ((figures.sessions, by_session), (figures.learner_days, by_learner_day)):
        sums: Counter[str] = Counter()
        for of, amount in parts:
            sums[of] += amount
        costs = sorted(sums.values())
        assert spread.of == len(costs)
        assert spread.mean == -(-sum(costs) // len(costs))
        assert spread.p95 == costs[-(-95 * len(costs) // 100) - 1]


def people() -> list[int]:
    """Ids of two users, made once."""
    return [User.objects.get_or_create(username=name)[0].pk for name in ("one", "two")]


# Cost per session and per learner-day


def test_cost_per_session_is_of_sessions_that_asked() -> None:
    in_session("silent")
    call(in_session("a"), 1)
    call(in_session("a"), 1)
    call(in_session("b"), 4)
    call(Payer(chain="nobody's"), 50)  # a call of no session
    figures = figures_of(TODAY)
    assert figures.sessions == SpreadMetrics(of=2, mean=cents(3), p95=cents(4))
    assert [(one.session, one.course, one.calls, one.cost) for one in figures.costliest] == [
        ("b", "light", 1, cents(4)),
        ("a", "light", 2, cents(2)),
    ]


def test_a_mean_is_rounded_up() -> None:
    for key, amount in (("a", 0.5), ("b", 0.5), ("c", 0.5005)):
        call(in_session(key), amount)
    assert figures_of(TODAY).sessions.mean == 500_167  # of 500,166.67


def test_the_ten_costliest_sessions_are_named() -> None:
    for number in range(12):
        call(in_session(f"s{number:02}"), 1 + number)
    costliest = figures_of(TODAY).costliest
    assert [one.session for one in costliest] == [f"s{number:02}" for number in range(11, 1, -1)]


def test_cost_per_learner_day_is_by_user_and_day() -> None:
    one, two = people()
    call(in_session("a", user_id=one), 1)
    call(in_session("b", user_id=one), 2)
    call(in_session("a", user_id=one), 4, now=at(days_later(1)))
    call(in_session("c", user_id=two), 5)
    call(in_session("d"), 6)  # nobody's
    figures = figures_of(Days(since=DAY, until=days_later(1)))
    assert figures.learner_days == SpreadMetrics(of=3, mean=cents(4), p95=cents(5))


# Escalations


def test_the_escalation_rate_is_of_answers_graded_in_adaptive_mode() -> None:
    for result in ("ACCEPT", "PARTIAL", "REJECT", "REJECT"):
        verdict(result)
    verdict("NOT_GRADABLE")
    verdict("ACCEPT", mode="deterministic")
    call(in_session(), 2.5, Tier.THINKER, escalation=True)
    found = figures_of(TODAY).escalations
    assert (found.made, found.graded, found.rate) == (1, 4, 0.25)
    rollups_advance()
    assert figures_of(TODAY).escalations == found


def test_without_a_layer_that_grades_there_is_no_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owners, "_registered", [])
    assert figures_of(TODAY).escalations.graded is None
    assert figures_of(TODAY).escalations.rate is None


def test_each_layer_that_grades_is_counted_and_asked_for_the_same_days(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict("REJECT")
    other = owners.Owner(lambda _user: User.objects.none(), lambda _key: "", lambda since, until: (until - since).days)
    monkeypatch.setattr(owners, "_registered", [*owners._registered, other])
    assert figures_of(Days(since=DAY, until=days_later(7))).escalations.graded == 1 + 7


# What changes nothing


def test_a_hold_given_up_before_it_was_sent_counts_for_nothing() -> None:
    hold = held(in_session())
    dispatch(hold, deadline=DEADLINE, prompt_digest="d" * 64, prompt_bytes=9, now=NOON)
    settle(hold.id, CallReport(outcome=Outcome.ANSWERED, usage=Usage(input=1000)), now=NOON)
    held(in_session())
    assert figures_of(TODAY).calls == 1


def test_a_raised_limit_changes_no_figure(staff: User) -> None:
    call(in_session(), 2)
    before = figures_of(TODAY)
    adjust(account_id=session_account().pk, by=staff, reason="a long lesson", limit=cents(300))
    assert figures_of(TODAY) == before


def test_the_last_day_of_all_time_is_only_empty() -> None:
    assert figures_of(Days(since=date(2999, 12, 30), until=date(2999, 12, 31))).calls == 0


def test_the_number_of_queries_does_not_grow(django_assert_num_queries: Any) -> None:
    """Days and tiers; sessions; odd charges; the level; answer times; the horizon; graded answers; learners' days;
    operations; their times; failures.
    """
    for round_ in range(2):
        for number in range(3):
            call(in_session(f"s{round_}{number}"))
            ended(Outcome.CUT)
            timed("create_plan", 10)
        figures_of(TODAY)
        with django_assert_num_queries(13):
            figures_of(TODAY)
