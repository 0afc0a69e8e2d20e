"""Whose money a call spends: sessions with their floors, days in UTC, guests together, agents' months, operations."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from pytest_django import Settings

from accounts.models import User
from gateway.contracts import BudgetMode, Limits, OperationRun, Payer, Tier
from gateway.errors import DailyMetacognitionBudgetExceeded, MetacognitionCostExceeded
from gateway.ledger import account_open, adjust, expire, release, settle
from gateway.models import Account, Alert
from gateway.operations.registry import operation_named
from gateway.selectors import budget_of
from lesson_engine.services.sessions import BUDGET_SCOPE, session_start
from tests.conftest import LessonMaker
from tests.gateway.ledger_helpers import (
    LATER,
    NOON,
    account,
    answered,
    assert_books_right,
    cents,
    costing,
    held,
    lesson,
    money_of,
    person,
    sent,
    session_account,
)

Scope = Account.Scope
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("whole_months")]
MIDNIGHT = datetime(2026, 4, 1, tzinfo=UTC)


# A session's floors


@pytest.mark.parametrize(
    ("left", "mode", "asked"),
    [
        (cents(100), BudgetMode.FULL, {Tier.THINKER, Tier.CHEAP, Tier.EMBED}),
        (cents(10), BudgetMode.FULL, {Tier.THINKER, Tier.CHEAP, Tier.EMBED}),
        (cents(10) - 1, BudgetMode.NO_THINKER, {Tier.CHEAP, Tier.EMBED}),
        (cents(5), BudgetMode.NO_THINKER, {Tier.CHEAP, Tier.EMBED}),
        (cents(5) - 1, BudgetMode.ECONOMY, {Tier.EMBED}),
        (1, BudgetMode.ECONOMY, {Tier.EMBED}),
        (0, BudgetMode.DETERMINISTIC, set()),
    ],
)
@pytest.mark.parametrize("by", ["held", "spent"])
def test_what_is_left_says_who_may_be_asked(left: int, mode: BudgetMode, asked: set[Tier], by: str) -> None:
    """Left is the limit less what is spent and what is held: under 10 cents no thinker, under 5 embeddings alone."""
    payer = lesson()
    gone = cents(100) - left
    if gone:
        sent(payer, gone, Tier.EMBED)
    if by == "spent":
        expire(now=LATER)
    budget = budget_of(BUDGET_SCOPE, "lesson")
    assert (budget.left, budget.mode) == (left, mode)
    assert {tier for tier in Tier if could_ask(payer, tier)} == asked
    assert {tier for tier in Tier if budget.mode.allows(tier)} == asked


def could_ask(payer: Payer, tier: Tier) -> bool:
    """Whether a call that costs nothing, at most, would be let through."""
    try:
        hold = held(payer, 0, tier)
    except MetacognitionCostExceeded:
        return False
    release(hold.id)
    return True


def test_the_refusal_says_what_is_left() -> None:
    payer = lesson()
    held(payer, cents(91))
    with pytest.raises(MetacognitionCostExceeded, match=r"^With 9 cents left the thinker tier is not asked\.$"):
        held(payer, 1, Tier.THINKER)
    held(payer, cents(4.5))
    with pytest.raises(MetacognitionCostExceeded, match=r"^With 4\.5 cents left the cheap tier is not asked\.$"):
        held(payer, 1)
    held(payer, cents(4.5), Tier.EMBED)
    with pytest.raises(MetacognitionCostExceeded, match=r"^With 0 cents left the embed tier is not asked\.$"):
        held(payer, 0, Tier.EMBED)


def test_a_call_dearer_than_what_is_left_is_refused_to_the_letter() -> None:
    payer = lesson()
    held(payer, cents(80))
    with pytest.raises(MetacognitionCostExceeded, match=r"^Would exceed session budget: \$1\.10 > \$1\.00$"):
        held(payer, cents(30))


def test_what_is_given_back_opens_the_tier_again() -> None:
    payer = lesson()
    hold = held(payer, cents(95))
    assert not could_ask(payer, Tier.THINKER)
    release(hold.id)
    assert could_ask(payer, Tier.THINKER)


def test_floors_and_limits_are_the_authors_where_the_course_says_so(make_lesson: LessonMaker, learner: User) -> None:
    policy = {"budget_cents": 40, "escalations": 2, "escalation_threshold_cents": 30, "economy_threshold_cents": 20}
    payer = of_session(make_lesson(policy=policy), learner)
    budget = budget_of(BUDGET_SCOPE, str(payer.session))
    assert (budget.limit, budget.escalations_limit) == (cents(40), 2)
    assert (budget.thinker_floor, budget.economy_floor) == (cents(30), cents(20))
    held(payer, cents(10), Tier.THINKER)
    held(payer, 1, Tier.THINKER)
    assert not could_ask(payer, Tier.THINKER)
    held(payer, cents(10))
    assert not could_ask(payer, Tier.CHEAP)
    assert could_ask(payer, Tier.EMBED)


def test_floors_and_limits_are_the_servers_where_the_course_is_silent(
    make_lesson: LessonMaker, learner: User, settings: Settings
) -> None:
    settings.SESSION_BUDGET_CENTS, settings.MAX_ESCALATIONS_PER_SESSION = 70, 3
    settings.ESCALATION_THRESHOLD_CENTS, settings.ECONOMY_THRESHOLD_CENTS = 60, 50
    payer = of_session(make_lesson(policy={"economy_threshold_cents": 0}), learner)
    budget = budget_of(BUDGET_SCOPE, str(payer.session))
    assert (budget.limit, budget.escalations_limit) == (cents(70), 3)
    assert (budget.thinker_floor, budget.economy_floor) == (cents(60), 0)


def test_a_course_without_money_asks_nobody(make_lesson: LessonMaker, learner: User) -> None:
    payer = of_session(make_lesson(policy={"budget_cents": 0}), learner)
    assert [tier for tier in Tier if could_ask(payer, tier)] == []


def of_session(version: Any, user: User) -> Payer:
    session = session_start(user=user, lesson=version.lesson)
    return Payer(chain=str(session.pk), session=str(session.pk))


def test_an_account_is_opened_once_and_keeps_its_limit() -> None:
    payer = lesson()
    held(payer)
    account_open(scope=Scope.SESSION, key="lesson", limits=Limits(cents=1, escalations=99))
    row = session_account()
    assert (row.limit, row.escalations_limit, row.held) == (cents(100), 5, cents(1))
    assert_books_right()


# Days


def test_scenario_12_the_days_budget_to_the_letter(learner: User) -> None:
    """spec/1, scenario 12: $4.80 is spent of $5.00 and the plan may cost $0.30."""
    hold = sent(person(learner.pk), cents(480))
    settle(hold, costing(cents(480)), now=NOON)
    with pytest.raises(DailyMetacognitionBudgetExceeded, match=r"^Would exceed daily budget: \$5\.10 > \$5\.00$"):
        held(person(learner.pk), cents(30))
    with pytest.raises(DailyMetacognitionBudgetExceeded, match=r"^Would exceed daily budget: \$5\.00000001 > \$5\.00$"):
        held(person(learner.pk), cents(20) + 1)
    held(person(learner.pk), cents(20))


def test_a_day_is_the_users_over_all_sessions_and_nobody_elses(learner: User, stranger: User) -> None:
    for number in range(5):
        held(lesson(f"lesson-{number}", user_id=learner.pk), cents(100))
    with pytest.raises(DailyMetacognitionBudgetExceeded):
        held(lesson("lesson-5", user_id=learner.pk), 1)
    held(lesson("lesson-5", user_id=stranger.pk), cents(100))
    assert_books_right()


def test_midnight_during_a_call_is_of_the_day_and_month_of_the_reservation(learner: User) -> None:
    payer = lesson(user_id=learner.pk, is_guest=True)
    hold = sent(payer, cents(2), now=MIDNIGHT - timedelta(seconds=1))
    settle(hold, answered(1000), now=MIDNIGHT + timedelta(seconds=1))
    kept = {(row.scope, row.key): row.spent for row in Account.objects.exclude(scope=Scope.SESSION)}
    assert kept == {
        ("user_day", f"{learner.pk}:2026-03-31"): 500_000,
        ("guests_day", "2026-03-31"): 500_000,
        ("user_month", f"{learner.pk}:tutor:2026-03"): 500_000,
        ("guests_month", "tutor:2026-03"): 500_000,
        ("agent_month", "tutor:2026-03"): 500_000,
    }
    assert_books_right(open_holds=0)


def test_a_lost_call_that_expires_after_midnight_is_of_the_day_before(learner: User) -> None:
    sent(person(learner.pk), cents(2), now=MIDNIGHT - timedelta(seconds=1))
    expire(now=MIDNIGHT + timedelta(hours=1))
    assert account(Scope.USER_DAY, f"{learner.pk}:2026-03-31").spent == cents(2)
    assert not Account.objects.filter(key__contains="2026-04").exists()


def test_a_day_begins_anew_at_midnight_in_utc_wherever_the_clock_is(learner: User) -> None:
    held(person(learner.pk), cents(500), now=MIDNIGHT - timedelta(seconds=1))
    in_lima = MIDNIGHT.astimezone(timezone(timedelta(hours=-5)))
    held(person(learner.pk), cents(500), now=in_lima)
    assert account(Scope.USER_DAY, f"{learner.pk}:2026-04-01").held == cents(500)
    assert account(Scope.AGENT_MONTH, "tutor:2026-04").held == cents(500)


def test_all_guests_share_one_day(learner: User, stranger: User, staff: User) -> None:
    held(person(learner.pk, is_guest=True), cents(300))
    with pytest.raises(DailyMetacognitionBudgetExceeded, match=r"^Would exceed daily budget: \$5\.50 > \$5\.00$"):
        held(person(stranger.pk, is_guest=True), cents(250))
    assert money_of(account(Scope.USER_DAY, f"{stranger.pk}:2026-03-10")) == (0, 0)
    held(person(stranger.pk, is_guest=True), cents(200))
    held(person(staff.pk), cents(250))  # who has an account pays from their own day alone


def test_the_settings_say_how_much_a_day_has(learner: User, settings: Settings) -> None:
    settings.USER_DAY_BUDGET_CENTS, settings.GUESTS_DAY_BUDGET_CENTS = 50, 60
    held(person(learner.pk, is_guest=True), cents(50))
    assert account(Scope.USER_DAY, f"{learner.pk}:2026-03-10").limit == cents(50)
    assert account(Scope.GUESTS_DAY, "2026-03-10").limit == cents(60)


def test_a_day_that_staff_raised_is_told_of_over_seven_dollars(learner: User, staff: User) -> None:
    hold = sent(person(learner.pk), cents(500))
    settle(hold, costing(cents(500)), now=NOON)
    day = account(Scope.USER_DAY, f"{learner.pk}:2026-03-10")
    adjust(account_id=day.pk, by=staff, reason="a demonstration", limit=cents(800))
    settle(sent(person(learner.pk), cents(200)), costing(cents(200)), now=NOON)
    assert not Alert.objects.exists()
    settle(sent(person(learner.pk), cents(1)), costing(500), now=NOON)
    assert Alert.objects.get().key == f"{learner.pk}:2026-03-10"
    assert_books_right(open_holds=0)


# Agents and operations


def test_an_agent_has_a_hundred_dollars_a_month(learner: User) -> None:
    for day in range(20):
        held(person(learner.pk), cents(500), now=NOON + timedelta(days=day))
    with pytest.raises(MetacognitionCostExceeded, match=r"^Would exceed monthly budget: \$100\.01 > \$100\.00$"):
        held(person(learner.pk), cents(1), now=NOON + timedelta(days=20))
    held(Payer(chain="c", agent="reader"), cents(100), now=NOON + timedelta(days=20))
    assert account(Scope.AGENT_MONTH, "reader:2026-03").held == cents(100)


@pytest.mark.parametrize(
    ("name", "usd"),
    [("create_plan", 0.01), ("evaluate_result", 0.005), ("reflect_on_result", 0.02), ("corrective_rag_cycle", 0.03)],
)
def test_rt_009s_cap_is_over_all_attempts_of_an_operation(name: str, usd: float) -> None:
    cap = operation_named(name).cap
    assert cap == cents(100 * usd)
    run, payer = OperationRun(operation=name, run=f"{name}:1", cap=cap), lesson()
    first = sent(payer, cap - 1000, run=run)
    release(held(payer, 1000, run=run).id)  # a vote that was not sent
    settle(first, costing(cap - 1000), now=NOON)
    with pytest.raises(MetacognitionCostExceeded, match=rf"^Would exceed operation budget: .* > \${usd:g}"):
        held(payer, 1001, run=run, attempt=2)
    settle(sent(payer, 1000, run=run, attempt=2), costing(1000), now=NOON)
    with pytest.raises(MetacognitionCostExceeded):
        held(payer, 1, run=run, attempt=3)
    held(payer, cap, run=run.model_copy(update={"run": f"{name}:2"}))  # the next run has its own
    assert_books_right(open_holds=1)


def test_an_operation_that_nothing_caps_has_no_account_of_its_own() -> None:
    held(lesson(), cents(50))
    assert not Account.objects.filter(scope=Scope.OPERATION).exists()
