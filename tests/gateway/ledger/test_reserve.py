"""Design, "Money": the worst case is reserved before the call, one conditional UPDATE an account, all or nothing."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from gateway.contracts import Limits, OperationRun, Payer, Tier
from gateway.errors import (
    AccountMissing,
    DailyMetacognitionBudgetExceeded,
    EscalationRefused,
    HoldNotOpen,
    MetacognitionCostExceeded,
    PriceUnknown,
)
from gateway.ledger import dispatch, expire, release, reserve
from gateway.ledger.pricing import price_of
from gateway.models import Account, Entry, Hold
from tests.gateway.ledger_helpers import (
    DEADLINE,
    LATER,
    NOON,
    account,
    assert_books_right,
    cents,
    held,
    lesson,
    money_of,
    person,
    price_now,
    sent,
    session_account,
    until_somebody_waits,
)

Scope = Account.Scope
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("whole_months")]


def paying(user: User) -> Payer:
    """Who pays from all of them: an operation's cap comes with the run."""
    return lesson(user_id=user.pk, is_guest=True, managed_by=user.pk)


CAPPED = OperationRun(operation="create_plan", run="1", cap=cents(1))


def test_what_is_reserved_is_held_in_every_account_that_pays(learner: User) -> None:
    hold = held(paying(learner), cents(0.75), run=CAPPED)
    assert {(row.scope, row.key): money_of(row) for row in Account.objects.all()} == {
        ("operation", CAPPED.run): (0, cents(0.75)),
        ("session", "lesson"): (0, cents(0.75)),
        ("user_day", f"{learner.pk}:2026-03-10"): (0, cents(0.75)),
        ("guests_day", "2026-03-10"): (0, cents(0.75)),
        ("user_month", f"{learner.pk}:tutor:2026-03"): (0, cents(0.75)),
        ("integrator_month", f"{learner.pk}:tutor:2026-03"): (0, cents(0.75)),
        ("guests_month", "tutor:2026-03"): (0, cents(0.75)),
        ("agent_month", "tutor:2026-03"): (0, cents(0.75)),
    }
    assert Hold.objects.get().pk == hold.id
    assert_books_right(open_holds=1)


def test_amounts_are_integers_of_micro_cents() -> None:
    held(lesson(), 1)
    assert session_account().held == 1
    kinds = {type(value) for value in Entry.objects.values_list("available", "held", "spent", "granted").first() or ()}
    assert kinds == {int}


def test_accounts_are_taken_in_the_fixed_order(learner: User) -> None:
    payer = paying(learner)
    with CaptureQueriesContext(connection) as queries:
        held(payer, run=CAPPED)
    texts = [query["sql"].lstrip() for query in queries]
    own = [text for text in texts if text.startswith("UPDATE gateway_account")]
    assert [next(scope for scope in Scope.values if f"scope = '{scope}'" in text) for text in own] == list(Account.OWN)
    (last,) = [text for text in texts if text.startswith("WITH shared")]
    assert texts.index(last) > texts.index(own[-1])
    order = last.partition("array_position('{")[2].partition("}")[0].split(",")
    scopes = dict(Account.objects.values_list("pk", "scope"))
    assert [scopes[int(one)] for one in order] == list(Account.SHARED)
    assert (*Account.OWN, *Account.SHARED) == tuple(Scope)


@pytest.mark.parametrize("short", Scope.values)
def test_all_or_nothing_whichever_account_is_short(learner: User, short: str) -> None:
    payer = paying(learner)
    held(payer, cents(0.5), run=CAPPED)
    Account.objects.filter(scope=short).update(limit=cents(0.9))
    before = {row.pk: money_of(row) for row in Account.objects.all()}
    with pytest.raises(MetacognitionCostExceeded):
        held(payer, cents(0.5), run=CAPPED)
    assert {row.pk: money_of(row) for row in Account.objects.all()} == before
    assert Hold.objects.count() == 1
    assert Entry.objects.filter(kind="reserve").count() == len(Scope)


def test_the_last_micro_cent_may_be_reserved_and_not_one_more() -> None:
    payer = lesson()
    held(payer, cents(100) - 1)
    with pytest.raises(MetacognitionCostExceeded):
        held(payer, 2, Tier.EMBED)
    held(payer, 1, Tier.EMBED)
    assert session_account().held == cents(100)
    assert_books_right()


def test_without_its_account_a_session_gets_nothing() -> None:
    with pytest.raises(AccountMissing, match="There is no account for a session nowhere"):
        held(Payer(chain="nowhere", session="nowhere"))
    assert not Hold.objects.exists()


def test_a_user_who_is_gone_gets_nothing(learner: User) -> None:
    payer, pk = lesson(user_id=learner.pk), learner.pk
    learner.delete()
    with pytest.raises(AccountMissing, match=f"There is no user {pk}"):
        held(payer)
    assert not Hold.objects.exists()
    assert session_account().held == 0


def test_of_an_unknown_model_nobody_knows_the_price() -> None:
    with pytest.raises(PriceUnknown, match=r"gpt-99 has no price for the tier cheap"):
        price_of(Tier.CHEAP, "gpt-99")
    with pytest.raises(PriceUnknown):
        price_of(Tier.THINKER, "gpt-4o-mini")  # a price is for a tier


def test_a_reservation_refuses_to_be_part_of_a_larger_transaction(transactional_db: None) -> None:
    payer = lesson()
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        held(payer)


@pytest.mark.parametrize("end", ["released", "expired", "dispatched"])
def test_only_a_hold_that_nobody_closed_may_be_dispatched_and_once(end: str) -> None:
    hold = held(lesson())
    if end == "dispatched":
        dispatch(hold, deadline=DEADLINE, prompt_digest="", prompt_bytes=0)
    elif end == "released":
        release(hold.id)
    else:
        assert expire(now=LATER) == 1
    with pytest.raises(HoldNotOpen, match="given up before the request was made"):
        dispatch(hold, deadline=DEADLINE, prompt_digest="", prompt_bytes=0)


def test_a_hold_may_wait_a_minute_and_a_request_its_deadline_and_half_a_minute() -> None:
    hold = held(lesson())
    assert Hold.objects.get().expires_at == NOON + timedelta(seconds=60)
    dispatch(hold, deadline=DEADLINE, prompt_digest="", prompt_bytes=0, now=NOON + timedelta(seconds=5))
    assert Hold.objects.get().expires_at == NOON + timedelta(seconds=5 + 20 + 30)


def test_a_negative_amount_is_refused_by_the_database() -> None:
    payer = lesson()
    with pytest.raises(IntegrityError, match=r"account_never_overspent|hold_amounts_from_zero"):
        held(payer, -1)
    assert session_account().held == 0


# Escalations


def test_escalations_are_counted_in_the_same_update() -> None:
    payer = lesson()
    with CaptureQueriesContext(connection) as queries:
        held(payer, tier=Tier.THINKER, escalation=True)
    writes = [query["sql"] for query in queries if "escalations_used + 1" in query["sql"]]
    assert len(writes) == 1
    assert "held = held + 1000000" in writes[0]
    assert session_account().escalations_used == 1


def test_the_sixth_escalation_of_a_session_is_refused() -> None:
    payer = lesson()
    for _ in range(5):
        held(payer, tier=Tier.THINKER, escalation=True)
    with pytest.raises(EscalationRefused, match=r"^All 5 escalations of this session are used\.$"):
        held(payer, tier=Tier.THINKER, escalation=True)
    assert session_account().held == cents(5)
    held(payer, tier=Tier.THINKER)  # the money is there: a thinker's call that is no escalation
    assert_books_right()


def test_an_escalation_without_the_money_is_not_counted() -> None:
    payer = lesson()
    held(payer, cents(95))
    with pytest.raises(MetacognitionCostExceeded) as refused:
        held(payer, tier=Tier.THINKER, escalation=True)
    assert not isinstance(refused.value, EscalationRefused)
    assert session_account().escalations_used == 0


def test_an_escalation_whose_day_is_over_its_budget_is_not_counted(learner: User) -> None:
    payer = lesson(user_id=learner.pk)
    held(person(learner.pk), cents(500))
    with pytest.raises(DailyMetacognitionBudgetExceeded):
        held(payer, tier=Tier.THINKER, escalation=True)
    assert session_account().escalations_used == 0
    assert session_account().held == 0


def test_a_lesson_without_escalations_has_none() -> None:
    payer = lesson(limits=Limits(cents=100, escalations=0))
    with pytest.raises(EscalationRefused, match=r"^All 0 escalations"):
        held(payer, tier=Tier.THINKER, escalation=True)


# A first request cannot slip through; who is away does not hold the others up


@pytest.mark.django_db(transaction=True)
def test_two_first_requests_of_a_day_at_once_share_one_account(learner: User) -> None:
    price = price_now()

    def first() -> str:
        try:
            reserve(
                payer=person(learner.pk), price=price, amount=cents(300),
                run=OperationRun(operation="tutor_turn", run="1"), now=NOON,
            )  # fmt: skip
        except DailyMetacognitionBudgetExceeded:
            return "refused"
        finally:
            connections.close_all()
        return "held"

    with ThreadPoolExecutor(2) as pool:
        outcomes = [done.result(timeout=30) for done in [pool.submit(first) for _ in range(2)]]
    assert sorted(outcomes) == ["held", "refused"]
    assert account(Scope.USER_DAY, f"{learner.pk}:2026-03-10").held == cents(300)
    assert_books_right(open_holds=1)


@pytest.mark.django_db(transaction=True)
def test_who_signs_in_meanwhile_holds_up_nobody_else(learner: User, stranger: User) -> None:
    """Signing in locks the guest; a reservation for the guest waits for that before it locks what all share."""
    price_now()

    def work(user: User) -> None:
        try:
            sent(person(user.pk))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            User.objects.select_for_update().get(pk=learner.pk)
            waiting = pool.submit(work, learner)
            until_somebody_waits()
            with ThreadPoolExecutor(1) as other:
                other.submit(work, stranger).result(timeout=5)
        waiting.result(timeout=30)
    assert_books_right(open_holds=2)
