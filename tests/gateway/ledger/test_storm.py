"""Many at once on the ledger, with real threads and connections: never over a limit, no deadlock, every count equal."""

import random
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.services import guest_absorb, guest_create
from gateway.contracts import Limits, OperationRun, Payer, Tier
from gateway.errors import AccountMissing, AdjustmentRefused, HoldNotOpen, MetacognitionCostExceeded
from gateway.ledger import account_open, adjust, correct, expire, release, settle
from gateway.models import Account, Entry, Hold
from tests.gateway.ledger_helpers import (
    LATER,
    TURN,
    answered,
    assert_books_right,
    cents,
    costing,
    held,
    hold_of,
    lesson,
    lost,
    money_of,
    sent,
    session_account,
)
from tests.gateway.watching import pooled, watched
from tests.lesson_engine.services.threads import at_once

pytestmark = [pytest.mark.hard, pytest.mark.django_db(transaction=True)]
GUESTS = Limits(cents=100, escalations=5)
CAPPED = OperationRun(operation="corrective_rag_cycle", run="rag:1", cap=cents(50))


@pytest.fixture(autouse=True)
def _pooled() -> Iterator[None]:
    with pooled():
        yield


def in_turn(work: Callable[[], uuid.UUID]) -> uuid.UUID | None:
    """The hold, or None when the money was not there."""
    try:
        return work()
    except MetacognitionCostExceeded:
        return None


def test_200_reservations_at_once_on_one_session_hold_no_more_than_it_has() -> None:
    payer, chance = lesson(limits=Limits(cents=100)), random.Random(5)
    amounts = [chance.randrange(cents(0.2), cents(3)) for _ in range(200)]
    with watched("session") as seen:
        holds = at_once([partial(in_turn, partial(sent, payer, amount)) for amount in amounts])
    admitted = [amount for amount, hold in zip(amounts, holds, strict=True) if hold]
    row = session_account()
    assert money_of(row) == (0, sum(admitted))
    assert row.limit - row.held < min(amount for amount, hold in zip(amounts, holds, strict=True) if not hold)
    assert seen.spent_and_held <= cents(100)
    assert Hold.objects.count() == len(admitted)
    assert_books_right(open_holds=len(admitted))


def test_200_whole_calls_at_once_on_one_session_spend_no_more_than_it_has() -> None:
    payer, chance = lesson(limits=Limits(cents=100)), random.Random(6)
    kinds = [chance.choice(("answered", "lost", "released", "over")) for _ in range(200)]
    closed: Counter[str] = Counter()

    def call(kind: str) -> int:
        hold = in_turn(partial(sent, payer, cents(2)))
        if hold is None:
            return 0
        closed[kind] += 1
        if kind == "released":
            release(hold)
            return 0
        reports = {"answered": answered(1000), "lost": lost(), "over": costing(cents(4))}
        return settle(hold, reports[kind]).cost

    with watched("session") as seen:
        costs = at_once([partial(call, kind) for kind in kinds])
    assert money_of(session_account()) == (sum(costs), 0)
    assert Entry.objects.filter(kind="settle", account__scope="session").count() == closed.total() - closed["released"]
    assert seen.spent_and_held <= cents(100)
    assert_books_right(open_holds=0)


def test_exactly_five_of_200_escalations_at_once() -> None:
    payer = lesson()
    works = [partial(in_turn, partial(sent, payer, cents(1), Tier.THINKER, escalation=True)) for _ in range(200)]
    with watched("session") as seen:
        holds = at_once(works)
    assert len([hold for hold in holds if hold]) == 5
    assert (session_account().escalations_used, seen.escalations) == (5, 5)
    assert_books_right(open_holds=5)


@pytest.mark.usefixtures("whole_months")
def test_20_sessions_of_one_user_at_once_share_one_day(learner: User) -> None:
    payers = [lesson(f"lesson-{number}", user_id=learner.pk, is_guest=True) for number in range(20)]
    works = [partial(in_turn, partial(sent, payer, cents(5))) for payer in payers for _ in range(10)]
    random.Random(7).shuffle(works)
    with watched("session", "user_day", "guests_day", "agent_month") as seen:
        holds = at_once(works)
    assert len([hold for hold in holds if hold]) == 100  # of US$ 5.00, 5 cents each
    assert seen.spent_and_held == cents(500)
    assert_books_right(open_holds=100)


def test_settling_releasing_and_expiring_at_once_close_each_call_once() -> None:
    payer = lesson(limits=Limits(cents=100, escalations=100))
    holds = [
        (sent if number % 2 else lambda *a, **k: held(*a, **k).id)(payer, cents(2), Tier.THINKER, escalation=True)
        for number in range(30)
    ]

    def closing(work: Callable[[], object]) -> int:
        try:
            work()
        except HoldNotOpen:
            return 0
        return 1

    works: list[Callable[[], int]] = [partial(expire, now=LATER) for _ in range(10)]
    for hold in holds:
        works += [partial(closing, partial(settle, hold, answered(400))), partial(closing, partial(release, hold))]
    random.Random(8).shuffle(works)
    with watched("session"):
        assert sum(at_once(works)) == 30
    states = Counter(hold_of(hold).state for hold in holds)
    row = session_account()
    assert row.held == 0
    assert row.escalations_used == states["settled"]
    assert Entry.objects.exclude(kind__in=("open", "reserve")).filter(account=row).count() == 30
    assert_books_right(open_holds=0)


class Tumult:
    """Calls of many kinds in any order, staff who change limits and charges, guests who sign in, expiry."""

    def __init__(self, staff: User) -> None:
        self.staff, self.people = staff, [guest_create() for _ in range(6)]
        self.accounts = [User.objects.create_user(f"account-{number}", password="x") for number in range(3)]
        for number in range(8):
            account_open(scope="session", key=f"lesson-{number}", limits=GUESTS)
        for guest in self.people:  # what they take along, though they be the first to run
            settle(sent(Payer(chain="lesson-0", session="lesson-0", user_id=guest.pk, is_guest=True), 1), answered(1))

    def calls(self, seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(4):
            with suppress(MetacognitionCostExceeded, AccountMissing, HoldNotOpen):
                self.call(chance)

    def call(self, chance: random.Random) -> None:
        key, user = f"lesson-{chance.randrange(8)}", chance.choice(self.people)
        payer = Payer(chain=key, session=key, user_id=user.pk, is_guest=True)
        run, amount = chance.choice((TURN, TURN, CAPPED)), cents(chance.choice((1, 2, 30)))
        hold = sent(payer, amount, escalation=chance.random() < 0.3, run=run)
        match chance.choice(("answered", "answered", "answered", "lost", "released", "gone")):
            case "answered":
                settle(hold, answered(chance.randrange(1, 9000)))
            case "lost":
                settle(hold, lost())
            case "released":
                release(hold)

    def staff_work(self, seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(4):
            row = Account.objects.exclude(scope="operation").order_by("?")[0]
            unverified = Hold.objects.filter(unverified=True).order_by("?").first()
            with suppress(AdjustmentRefused):
                adjust(account_id=row.pk, by=self.staff, reason="a storm", limit=row.limit + chance.randrange(1, 999))
                if unverified is not None:
                    correct(hold_id=unverified.pk, by=self.staff, reason="a storm", cost=cents(chance.randrange(3)))
            expire(now=LATER)

    def signs_in(self, number: int) -> None:
        guest_absorb(guest=self.people[number], account=self.accounts[number])


def test_everything_at_once_deadlocks_nowhere(staff: User) -> None:
    tumult = Tumult(staff)
    works: list[Callable[[], None]] = [partial(tumult.calls, seed) for seed in range(40)]
    works += [partial(tumult.staff_work, seed) for seed in range(6)]
    works += [partial(tumult.signs_in, number) for number in range(3)]
    with watched(*Account.Scope.values):
        at_once(works)
    expire(now=timezone.now() + timedelta(hours=1))
    gone = [guest.pk for guest in tumult.people[:3]]
    assert not User.objects.filter(pk__in=gone).exists()
    assert Hold.objects.filter(user__in=tumult.accounts).exists()
    assert_books_right(open_holds=0)
