"""Design, "Money": what was not sent is given back, and what cost more than was held is taken as far as it is there."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from gateway.contracts import Settled, Tier
from gateway.errors import HoldNotOpen
from gateway.ledger import expire, release, settle
from gateway.models import Account, Alert, Hold
from tests.gateway.ledger_helpers import (
    LATER,
    NOON,
    account,
    answered,
    assert_books_right,
    cents,
    costing,
    events_of,
    held,
    hold_of,
    lesson,
    money_of,
    sent,
    session_account,
    until_somebody_waits,
)

pytestmark = pytest.mark.django_db


# Giving back


@pytest.mark.parametrize("dispatched", [False, True])
def test_what_was_not_sent_is_given_back_with_its_escalation(dispatched: bool) -> None:
    """Also when it was dispatched, and no connection came about."""
    payer = lesson()
    make = sent if dispatched else lambda *args, **more: held(*args, **more).id
    hold = make(payer, cents(2), Tier.THINKER, escalation=True)
    release(hold, now=NOON)
    row = session_account()
    assert (money_of(row), row.escalations_used) == ((0, 0), 0)
    assert (hold_of(hold).state, hold_of(hold).cost, hold_of(hold).outcome) == (Hold.State.RELEASED, 0, "not_sent")
    assert not events_of("lesson", "budget.usage")
    with pytest.raises(HoldNotOpen):
        release(hold, now=NOON)
    assert session_account().escalations_used == 0
    assert_books_right(open_holds=0)


# More than was held


def test_more_than_was_held_is_taken_where_every_account_has_it() -> None:
    hold = sent(lesson(), cents(1))
    settled = settle(hold, costing(cents(3)), now=NOON)
    assert (settled.cost, settled.overrun) == (cents(3), 0)
    assert money_of(session_account()) == (cents(3), 0)
    assert not Alert.objects.filter(kind=Alert.Kind.OVERRUN).exists()
    assert_books_right(open_holds=0)


def test_an_overrun_is_taken_as_far_as_every_account_has_it_and_written_down() -> None:
    payer = lesson(agent="reader")
    hold = sent(payer, cents(1))
    month = account("agent_month", "reader:2026-03")
    Account.objects.filter(pk=month.pk).update(limit=cents(2.5))
    settled = settle(hold, costing(cents(4)), now=NOON)
    assert (settled.cost, settled.overrun) == (cents(2.5), cents(1.5))
    for row in (session_account(), account("agent_month", "reader:2026-03")):
        assert money_of(row) == (cents(2.5), 0)
    assert (hold_of(hold).cost, hold_of(hold).overrun) == (cents(2.5), cents(1.5))
    assert events_of("lesson", "budget.usage")[0]["overrunMicrocents"] == cents(1.5)
    assert Alert.objects.get(kind=Alert.Kind.OVERRUN).key == str(hold)
    assert not Account.objects.filter(pk=month.pk, spent__gt=cents(2.5)).exists()


def test_an_overrun_does_not_take_what_other_calls_hold() -> None:
    payer = lesson()
    first, other = sent(payer, cents(1)), sent(payer, cents(97))
    assert settle(first, costing(cents(50)), now=NOON).cost == cents(3)
    assert settle(other, costing(cents(97)), now=NOON).cost == cents(97)
    assert money_of(session_account()) == (cents(100), 0)
    assert_books_right(open_holds=0)


@pytest.mark.django_db(transaction=True)
def test_an_overrun_sees_what_another_call_took_while_it_waited() -> None:
    payer = lesson()
    hold = sent(payer, cents(1))

    def overrun() -> Settled:
        try:
            return settle(hold, costing(cents(100)), now=NOON)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Account.objects.filter(scope="session").update(held=cents(91))  # as a reservation of 90 that is not through
            waiting = pool.submit(overrun)
            until_somebody_waits()
        settled = waiting.result(timeout=30)
    assert settled.cost == cents(10)
    Account.objects.filter(scope="session").update(held=0)
    assert_books_right(open_holds=0)


def test_what_expired_was_charged_and_a_late_answer_changes_nothing() -> None:
    hold = sent(lesson(), cents(2))
    assert expire(now=LATER) == 1
    with pytest.raises(HoldNotOpen):
        settle(hold, answered(1), now=LATER)
    assert money_of(session_account()) == (cents(2), 0)
    assert_books_right(open_holds=0)
