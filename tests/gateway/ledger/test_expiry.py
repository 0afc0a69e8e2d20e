"""Design, "Money": holds expire. What was not sent costs nothing, what was dispatched costs all of it."""

import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial

import pytest
from django.conf import settings
from django.db import connection, transaction

from gateway.contracts import Payer, Tier
from gateway.errors import HoldNotOpen
from gateway.ledger import expire, ledger_check, settle
from gateway.models import Account, Hold
from gateway.tasks import expire_holds
from tests.gateway.ledger_helpers import (
    DEADLINE,
    LATER,
    NOON,
    answered,
    assert_books_right,
    cents,
    events_of,
    held,
    hold_of,
    lesson,
    money_of,
    sent,
    session_account,
)
from tests.lesson_engine.services.threads import at_once

pytestmark = pytest.mark.django_db


def test_an_unsent_hold_costs_nothing_and_gives_its_escalation_back() -> None:
    hold = held(lesson(), cents(2), Tier.THINKER, escalation=True)
    assert expire(now=LATER) == 1
    row = hold_of(hold.id)
    assert (row.state, row.cost, row.outcome, row.unverified) == (Hold.State.EXPIRED, 0, "not_sent", False)
    assert money_of(session_account()) == (0, 0)
    assert session_account().escalations_used == 0
    assert not events_of("lesson", "budget.usage")
    assert_books_right(open_holds=0)


def test_a_dispatched_hold_costs_all_of_it_and_keeps_its_escalation() -> None:
    hold = sent(lesson(), cents(2), Tier.THINKER, escalation=True)
    assert expire(now=LATER) == 1
    row = hold_of(hold)
    assert (row.state, row.cost, row.outcome, row.unverified) == (Hold.State.SETTLED, cents(2), "lost", True)
    assert money_of(session_account()) == (cents(2), 0)
    assert session_account().escalations_used == 1
    assert [event["costMicrocents"] for event in events_of("lesson", "budget.usage")] == [cents(2)]
    assert_books_right(open_holds=0)


@pytest.mark.parametrize(("make", "lives"), [(held, timedelta(seconds=60)), (sent, DEADLINE + timedelta(seconds=30))])
def test_a_hold_lives_as_long_as_it_may(make: Callable[[Payer], object], lives: timedelta) -> None:
    make(lesson())
    assert expire(now=NOON + lives) == 0
    assert expire(now=NOON + lives + timedelta(microseconds=1)) == 1


def test_what_is_closed_does_not_expire() -> None:
    payer = lesson()
    settle(sent(payer), answered(), now=NOON)
    assert expire(now=LATER) == 0
    held(payer)
    assert expire(now=LATER) == 1
    assert expire(now=LATER) == 0
    assert_books_right(open_holds=0)


def test_what_expires_is_there_for_the_next_call() -> None:
    payer = lesson()
    held(payer, cents(100))
    expire(now=LATER)
    assert held(payer, cents(100), now=LATER)


def test_many_are_closed_in_portions_the_oldest_first() -> None:
    payer = lesson()
    for number in range(203):
        held(payer, 1, now=NOON + timedelta(seconds=number % 7))
    assert expire(now=LATER) == 200
    left = Hold.objects.filter(state__in=Hold.OPEN).values_list("reserved_at", flat=True)
    assert {moment.second for moment in left} == {6}
    assert expire(now=LATER) == 3
    assert_books_right(open_holds=0)


def test_beat_closes_them_often() -> None:
    hold = held(lesson(), now=datetime.now(tz=NOON.tzinfo) - timedelta(minutes=2))
    expire_holds()
    assert hold_of(hold.id).state == Hold.State.EXPIRED
    schedule = settings.CELERY_BEAT_SCHEDULE.values()
    assert [entry["schedule"] for entry in schedule if entry["task"] == expire_holds.name] == [15.0]


@pytest.mark.django_db(transaction=True)
def test_one_that_is_being_closed_at_this_moment_is_left_to_whoever_does_it() -> None:
    hold = sent(lesson(), cents(2))
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        Hold.objects.select_for_update(no_key=True).get(pk=hold)
        assert pool.submit(in_own_connection, LATER).result(timeout=10) == 0
    settle(hold, answered(1000), now=LATER)
    assert money_of(session_account()) == (500_000, 0)
    assert_books_right(open_holds=0)


@pytest.mark.django_db(transaction=True)
def test_several_that_expire_the_same_close_each_once() -> None:
    payer = lesson()
    for _ in range(20):
        sent(payer)
    closed = at_once([partial(expire, now=LATER) for _ in range(4)])
    assert sum(closed) == 20
    assert money_of(session_account()) == (cents(20), 0)
    assert_books_right(open_holds=0)


@pytest.mark.django_db(transaction=True)
def test_an_answer_and_its_expiry_at_once_are_one_charge() -> None:
    payer = lesson()
    holds = [sent(payer) for _ in range(10)]

    def answer(hold: uuid.UUID) -> int:
        try:
            return settle(hold, answered(1000), now=LATER).cost
        except HoldNotOpen:
            return 0

    def expiring() -> int:
        return expire(now=LATER) * cents(1)

    works: list[Callable[[], int]] = [partial(answer, hold) for hold in holds]
    taken = at_once([*works, expiring])
    assert money_of(session_account()) == (sum(taken), 0)
    assert_books_right(open_holds=0)


@pytest.mark.django_db(transaction=True)
def test_one_that_cannot_be_closed_holds_up_no_other() -> None:
    broken, sound = lesson("broken"), lesson("sound")
    sent(broken)
    Account.objects.filter(scope="session", key="broken").update(held=0)  # somebody has been at it by hand
    sent(sound)
    assert expire(now=LATER) == 1
    assert money_of(session_account("sound")) == (cents(1), 0)
    assert any("broken" in fault.about for fault in ledger_check().faults)


def in_own_connection(now: datetime) -> int:
    try:
        return expire(now=now)
    finally:
        connection.close()
