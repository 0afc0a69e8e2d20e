"""Design, "Money": prices are versioned rows; what staff change is an entry with a reason, and nothing is rewritten."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from gateway.contracts import Tier, TokenPrices
from gateway.errors import AdjustmentRefused, HoldNotOpen, MetacognitionCostExceeded, PriceRefused
from gateway.ledger import adjust, correct, expire, release, settle
from gateway.ledger.pricing import DEFAULTS, price_of, price_set
from gateway.models import Account, Entry, Hold, Price
from tests.gateway.ledger_helpers import (
    LATER,
    NOON,
    account,
    answered,
    assert_books_right,
    cents,
    events_of,
    held,
    hold_of,
    lesson,
    lost,
    money_of,
    sent,
    session_account,
    until_somebody_waits,
)
from tests.hands import assert_never
from tests.lesson_engine.services.threads import at_once

pytestmark = pytest.mark.django_db


# Limits


def test_a_limit_is_raised_with_an_entry_and_an_event(staff: User) -> None:
    payer = lesson()
    held(payer, cents(100))
    entry = adjust(account_id=session_account().pk, by=staff, reason="a long lesson", limit=cents(150))
    assert (entry.granted, entry.available, entry.by, entry.reason) == (-cents(50), cents(50), staff, "a long lesson")
    assert events_of("lesson", "budget.adjusted") == [
        {"scope": "session", "limitMicrocents": cents(150), "byMicrocents": cents(50), "by": staff.pk}
    ]
    held(payer, cents(50))
    assert_books_right()


def test_a_limit_is_lowered_down_to_what_is_spent_and_held(staff: User) -> None:
    payer = lesson()
    settle(sent(payer, cents(20)), answered(40_000), now=NOON)
    hold = held(payer, cents(30))
    change = partial(adjust, account_id=session_account().pk, by=staff, reason="too much")
    with pytest.raises(AdjustmentRefused, match="below what is spent and held"):
        change(limit=cents(50) - 1)
    change(limit=cents(50))
    with pytest.raises(MetacognitionCostExceeded):
        held(payer, 1, Tier.EMBED)
    release(hold.id)
    change(limit=cents(20))
    assert (session_account().limit, session_account().spent) == (cents(20), cents(20))
    assert_books_right(open_holds=0)


def test_the_limit_it_has_is_no_adjustment(staff: User) -> None:
    lesson()
    with pytest.raises(AdjustmentRefused, match="limit already"):
        adjust(account_id=session_account().pk, by=staff, reason="the same", limit=cents(100))


@pytest.mark.django_db(transaction=True)
def test_a_limit_lowered_while_a_call_reserves_keeps_what_came_first(staff: User) -> None:
    payer = lesson()
    lower = partial(adjust, account_id=session_account().pk, by=staff, reason="less", limit=cents(50))

    def lowering() -> str:
        try:
            lower()
        except AdjustmentRefused:
            return "refused"
        finally:
            connection.close()
        return "lowered"

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Account.objects.filter(scope="session").update(held=cents(60))
            waiting = pool.submit(lowering)
            until_somebody_waits()
        assert waiting.result(timeout=30) == "refused"
    Account.objects.filter(scope="session").update(held=0)
    held(payer, cents(100))
    assert_books_right(open_holds=1)


# Charges that nobody could verify


@pytest.mark.parametrize(("billed", "escalations"), [(0, 1), (cents(0.4), 1), (cents(2), 1), (cents(7), 1)])
def test_an_unverified_charge_is_corrected_in_all_its_accounts(
    learner: User, staff: User, billed: int, escalations: int
) -> None:
    payer = lesson(user_id=learner.pk, is_guest=True)
    hold = sent(payer, cents(2), Tier.THINKER, escalation=True)
    expire(now=LATER)
    correct(hold_id=hold, by=staff, reason="the bill says so", cost=billed)
    assert {(row.spent, row.spent_thinker, row.held) for row in Account.objects.all()} == {(billed, billed, 0)}
    assert Entry.objects.filter(kind="correct", by=staff, reason="the bill says so").count() == 6
    assert (hold_of(hold).cost, hold_of(hold).unverified) == (billed, False)
    assert session_account().escalations_used == escalations
    assert events_of("lesson", "charge.corrected") == [
        {"hold": str(hold), "costMicrocents": billed, "byMicrocents": billed - cents(2), "by": staff.pk}
    ]
    assert_books_right(open_holds=0)


def test_a_charge_is_corrected_once(staff: User) -> None:
    hold = sent(lesson(), cents(2))
    settle(hold, lost(), now=NOON)
    correct(hold_id=hold, by=staff, reason="the bill", cost=cents(1))
    with pytest.raises(AdjustmentRefused, match="Only a charge that is unverified"):
        correct(hold_id=hold, by=staff, reason="the bill again", cost=cents(2))
    assert money_of(session_account()) == (cents(1), 0)


def test_a_charge_that_the_provider_counted_stands(staff: User) -> None:
    payer = lesson()
    counted, under_way = sent(payer), sent(payer)
    settle(counted, answered(1000), now=NOON)
    for hold in (counted, under_way):
        with pytest.raises(AdjustmentRefused):
            correct(hold_id=hold, by=staff, reason="cheaper", cost=0)
    assert money_of(session_account()) == (500_000, cents(1))


def test_a_correction_takes_no_more_than_every_account_has(staff: User) -> None:
    payer = lesson(agent="reader")
    hold = sent(payer, cents(2))
    settle(hold, lost(), now=NOON)
    Account.objects.filter(pk=account("agent_month", "reader:2026-03").pk).update(limit=cents(3))
    with pytest.raises(AdjustmentRefused, match="not enough left"):
        correct(hold_id=hold, by=staff, reason="the bill", cost=cents(3) + 1)
    with pytest.raises(AdjustmentRefused):
        correct(hold_id=hold, by=staff, reason="the bill", cost=-1)
    correct(hold_id=hold, by=staff, reason="the bill", cost=cents(3))
    assert account("agent_month", "reader:2026-03").spent == session_account().spent == cents(3)


@pytest.mark.django_db(transaction=True)
def test_of_two_corrections_at_once_one_counts(staff: User) -> None:
    hold = sent(lesson(), cents(2))
    settle(hold, lost(), now=NOON)

    def to(cost: int) -> int:
        try:
            correct(hold_id=hold, by=staff, reason="the bill", cost=cost)
        except AdjustmentRefused:
            return 0
        return cost

    assert sum(at_once([partial(to, cost) for cost in (1, 10, 100)])) == session_account().spent
    assert_books_right(open_holds=0)


def test_after_a_correction_a_late_answer_is_still_refused(staff: User) -> None:
    hold = sent(lesson(), cents(2))
    expire(now=LATER)
    correct(hold_id=hold, by=staff, reason="the bill", cost=cents(1))
    with pytest.raises(HoldNotOpen):
        settle(hold, answered(1), now=LATER)


# What cannot be done


@pytest.mark.parametrize("reason", ["", "   "])
def test_staff_say_why(staff: User, reason: str) -> None:
    payer = lesson()
    hold = sent(payer)
    settle(hold, lost(), now=NOON)
    with pytest.raises(AdjustmentRefused, match="reason"):
        adjust(account_id=session_account().pk, by=staff, reason=reason, limit=cents(150))
    with pytest.raises(AdjustmentRefused, match="reason"):
        correct(hold_id=hold, by=staff, reason=reason, cost=0)
    assert session_account().limit == cents(100)


@pytest.mark.parametrize("change", [{"spent": 0}, {"available": 5, "spent": -5}, {"reason": "another"}])
def test_an_entry_is_never_changed(change: dict[str, object]) -> None:
    held(lesson())
    assert_never(lambda: Entry.objects.update(**change))
    assert_never(Entry.objects.all().delete)


def test_the_database_itself_refuses_what_would_overspend() -> None:
    payer = lesson()
    held(payer, cents(60))
    rows = Account.objects.filter(scope="session")
    for change, rule in (
        ({"held": cents(101)}, "account_never_overspent"),
        ({"limit": cents(59)}, "account_never_overspent"),
        ({"spent": 5}, "account_spent_by_tier"),
        ({"escalations_used": 6}, "account_escalations_within_limit"),
        ({"held": -1}, "account_never_overspent"),
    ):
        with pytest.raises(IntegrityError, match=rule), transaction.atomic():
            rows.update(**change)


def test_the_database_itself_refuses_entries_that_do_not_sum_to_zero_or_come_twice() -> None:
    hold = held(lesson())
    row = session_account()
    entry = partial(Entry, account=row, hold_id=hold.id, at=NOON)
    for wrong, rule in (
        (entry(kind="settle", held=-cents(1), spent=cents(2)), "entry_sums_to_zero"),
        (entry(kind="reserve", available=-1, held=1), "entry_once_per_hold"),
        (Entry(account=row, kind="adjust", at=NOON, granted=-1, available=1), "entry_of_staff_has_reason"),
        (Entry(account=row, kind="settle", at=NOON), "entry_of_call_has_hold"),
    ):
        with pytest.raises(IntegrityError, match=rule), transaction.atomic():
            wrong.save()
    assert Hold.objects.count() == 1


# Prices


def test_the_documented_prices_are_there_from_the_start() -> None:
    assert {
        (row.tier, row.model, row.version, row.input, row.output, row.embedding) for row in Price.objects.all()
    } == {
        ("cheap", "gpt-4o-mini", 1, 500_000, 500_000, 0),
        ("embed", "text-embedding-3-small", 1, 0, 0, 100_000),
        ("thinker", "o3-mini", 1, 2_500_000, 2_500_000, 0),
    }


def test_a_price_is_a_new_version_told_of_and_the_old_one_stays(staff: User) -> None:
    old = price_of(Tier.CHEAP, "gpt-4o-mini")
    dearer = DEFAULTS[0][2].model_copy(update={"output": 700_000})
    price_set(tier=Tier.CHEAP, model="gpt-4o-mini", prices=dearer, after=1, reason="the bill", by=staff)
    assert price_of(Tier.CHEAP, "gpt-4o-mini").tokens == dearer
    assert Price.objects.get(pk=old.id).output == 500_000
    told = events_of("gateway", "price.set")
    assert [(event["version"], event["output"], event["by"]) for event in told] == [(2, 700_000, staff.pk)]
    assert_never(lambda: Price.objects.update(input=1))


def test_a_price_that_is_no_news_or_no_longer_the_next_is_refused(staff: User) -> None:
    same, other = DEFAULTS[0][2], TokenPrices(input=1, cached=1, output=1, reasoning=1, embedding=0)
    set_price = partial(price_set, tier=Tier.CHEAP, model="gpt-4o-mini", reason="a test", by=staff)
    with pytest.raises(PriceRefused, match="costs already"):
        set_price(prices=same, after=1)
    with pytest.raises(PriceRefused, match="another version"):
        set_price(prices=other, after=0)
    set_price(prices=other, after=1)
    with pytest.raises(PriceRefused):
        set_price(prices=same, after=1)
    assert Price.objects.filter(tier="cheap").count() == 2


@pytest.mark.django_db(transaction=True)
def test_of_two_prices_at_once_one_is_stored() -> None:
    def storing(price: int) -> bool:
        prices = TokenPrices(input=price, cached=0, output=0, reasoning=0, embedding=0)
        try:
            price_set(tier=Tier.CHEAP, model="local", prices=prices, after=0, reason="a test", by=None)
        except PriceRefused:
            return False
        return True

    assert sorted(at_once([partial(storing, price) for price in (1, 2, 3)])) == [False, False, True]
    assert Price.objects.filter(model="local").count() == 1
    assert_books_right()
