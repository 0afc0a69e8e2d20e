"""What one user, all learners of an integrator, and all guests together may spend of an agent's month."""

from datetime import timedelta
from functools import partial

import pytest
from pytest_django import Settings

from accounts.models import Role, User
from accounts.services import learner_of
from gateway.contracts import Payer
from gateway.errors import MetacognitionCostExceeded
from gateway.ledger import release, settle
from gateway.ledger.cost_tracker import CostTracker
from gateway.ledger.pricing import prices_seed
from gateway.models import Account
from tests.api.sessions import integrator_create
from tests.gateway.ledger_helpers import (
    NOON,
    account,
    assert_books_right,
    cents,
    costing,
    held,
    money_of,
    person,
    sent,
)
from tests.lesson_engine.services.threads import at_once

pytestmark = pytest.mark.django_db


def test_twenty_free_accounts_cannot_empty_the_tutors_month(learner: User) -> None:
    people = [User.objects.create(username=f"free-{number}", role=Role.LEARNER) for number in range(20)]
    for someone in people:
        held(person(someone.pk), cents(400))
        with pytest.raises(MetacognitionCostExceeded, match=r"^Would exceed monthly budget: \$4\.01 > \$4\.00$"):
            held(person(someone.pk), cents(1), now=NOON + timedelta(days=1))
    assert account("agent_month", "tutor:2026-03").held == cents(8000)
    held(person(learner.pk), cents(400))
    assert_books_right(open_holds=21)


def test_the_learners_of_an_integrator_together_have_half_of_the_month() -> None:
    school = integrator_create()
    pupils = [learner_of(integrator=school, pseudonym=f"learner-{number}") for number in range(14)]
    payers = [Payer.of(pupil, chain="c") for pupil in pupils]
    holds = [held(payer, cents(400)) for payer in payers[:12]]
    held(payers[12], cents(200))
    with pytest.raises(MetacognitionCostExceeded, match=r"^Would exceed monthly budget: \$50\.01 > \$50\.00$"):
        held(payers[13], cents(1))
    release(holds[0].id)
    held(payers[13], cents(1))
    other = learner_of(integrator=integrator_create("otra"), pseudonym="learner-1")
    held(Payer.of(other, chain="c"), cents(400))
    assert account("integrator_month", f"{school.pk}:tutor:2026-03").held == cents(4601)
    assert_books_right(open_holds=14)


def test_the_early_no_asks_the_learners_of_an_integrator_together(settings: Settings) -> None:
    settings.INTEGRATOR_MONTH_SHARE = 0
    school = integrator_create()
    CostTracker.of(school, agent="tutor").check_budget_before_operation("create_plan", 0.01)
    pupil = learner_of(integrator=school, pseudonym="7")
    with pytest.raises(MetacognitionCostExceeded):
        CostTracker.of(pupil, agent="tutor").check_budget_before_operation("create_plan", 0.01)


@pytest.mark.django_db(transaction=True)
def test_learners_of_an_integrator_who_call_at_once_do_not_pass_their_share(settings: Settings) -> None:
    settings.INTEGRATOR_MONTH_SHARE = 1
    prices_seed()
    school = integrator_create()
    payers = [Payer.of(learner_of(integrator=school, pseudonym=str(number)), chain="c") for number in range(8)]

    def pays(payer: Payer) -> bool:
        try:
            settle(sent(payer, cents(20)), costing(cents(20)))
        except MetacognitionCostExceeded:
            return False
        return True

    assert sum(at_once([partial(pays, payer) for payer in payers])) == 5
    assert money_of(account("integrator_month", f"{school.pk}:tutor:2026-03")) == (cents(100), 0)
    assert_books_right(open_holds=0)


def test_all_guests_together_have_a_fifth_of_the_month() -> None:
    guests = [User.objects.create(username=f"guest-{number}", is_guest=True) for number in range(6)]
    for number, guest in enumerate(guests[:5]):
        held(person(guest.pk, is_guest=True), cents(400), now=NOON + timedelta(days=number))
    with pytest.raises(MetacognitionCostExceeded, match=r"^Would exceed monthly budget: \$20\.01 > \$20\.00$"):
        held(person(guests[5].pk, is_guest=True), cents(1), now=NOON + timedelta(days=5))
    assert money_of(account("user_month", f"{guests[5].pk}:tutor:2026-03")) == (0, 0)
    assert_books_right(open_holds=5)


def test_a_share_is_of_each_agents_month_and_begins_anew_with_it(learner: User, settings: Settings) -> None:
    settings.USER_MONTH_SHARE, settings.AGENT_MONTH_BUDGET_CENTS = 10, 99
    held(person(learner.pk), cents(9.9))
    for payer, now in (
        (Payer(chain="c", user_id=learner.pk, agent="router"), NOON),
        (person(learner.pk), NOON + timedelta(days=31)),
    ):
        held(payer, cents(9.9), now=now)
    keys = Account.objects.filter(scope="user_month").order_by("pk").values_list("key", "limit")
    names = [f"{learner.pk}:{name}" for name in ("tutor:2026-03", "router:2026-03", "tutor:2026-04")]
    assert list(keys) == [(name, cents(9.9)) for name in names]
    with pytest.raises(MetacognitionCostExceeded):
        held(person(learner.pk), 1)
