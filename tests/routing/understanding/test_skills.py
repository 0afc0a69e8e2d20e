"""The skill that looks at the asker's money. Source: spec/4, 3.6."""

import json
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone, translation
from pytest_django import Settings

from accounts.models import User
from gateway.contracts import MICROCENTS, CallReport, OperationRun, Outcome, Payer, Tier, Usage
from gateway.ledger import Reserved, dispatch, reserve, settle
from gateway.ledger.pricing import price_of
from routing.skills import SKILLS, skill_run, skills_for
from routing.understanding.phases import phase_of

SENTENCES = json.loads((Path(__file__).parents[1] / "data" / "spending_status.json").read_text(encoding="utf-8"))
Queries = Callable[[int], AbstractContextManager[object]]


def hold(user: User, cents: int) -> Reserved:
    """So much set aside from a user's day, as before a call."""
    return reserve(
        payer=Payer(chain=str(uuid.uuid4()), user_id=user.pk, is_guest=user.is_guest),
        price=price_of(Tier.CHEAP, "gpt-4o-mini"),
        amount=cents * MICROCENTS,
        run=OperationRun(operation="tutor_turn", run="1"),
        escalation=False,
    )


def spend(user: User, cents: int) -> None:
    """A call that costs exactly so much."""
    held = hold(user, cents)
    dispatch(held, deadline=timedelta(seconds=20), prompt_digest="d" * 64, prompt_bytes=9)
    tokens = held.amount * 1_000 // price_of(Tier.CHEAP, held.model).tokens.input
    settle(held.id, CallReport(outcome=Outcome.ANSWERED, usage=Usage(input=tokens), latency_ms=9))


def test_section_3_6_questions_about_ones_money_are_known_in_both_languages() -> None:
    assert min(map(len, SENTENCES.values())) >= 40
    wrong = [
        one
        for side, expected in (("asks", ["spending_status"]), ("does_not", []))
        for one in SENTENCES[side]
        for language in ("en", "es")
        if skills_for(one, language) != expected
    ]
    assert wrong == []


def test_section_3_6_a_plan_needs_skills_from_phase_4_on_when_one_wants_the_message() -> None:
    for message, expected in (("How much budget do I have left?", True), ("How much do flats cost?", False)):
        wanted = skills_for(message, "en")
        bounds = [phase_of(number).bound(evidence=False, agents=[], skills=wanted) for number in (2, 3, 4, 5)]
        assert [bound.needs_skills for bound in bounds] == [False, False, expected, expected]


@pytest.mark.django_db
def test_the_money_of_the_day_is_what_the_ledger_says(
    learner: User, stranger: User, settings: Settings, django_assert_num_queries: Queries
) -> None:
    settings.USER_DAY_BUDGET_CENTS = 500
    assert skill_run("spending_status", user=learner).amounts == {
        "limit": 500 * MICROCENTS,
        "spent": 0,
        "held": 0,
        "left": 500 * MICROCENTS,
    }
    spend(learner, 3)
    hold(learner, 40)
    spend(stranger, 77)
    with django_assert_num_queries(1):
        found = skill_run("spending_status", user=learner)
    expected = {"limit": 500, "spent": 3, "held": 40, "left": 457}
    assert found.amounts == {name: cents * MICROCENTS for name, cents in expected.items()}
    assert found.skill == "spending_status"
    assert found.at <= timezone.now()
    for amount in ("0.0300", "0.4000", "4.57", "5.00"):
        assert f"US$ {amount}" in found.text, amount


@pytest.mark.django_db
def test_nobody_is_promised_more_than_there_is(learner: User, settings: Settings) -> None:
    settings.USER_DAY_BUDGET_CENTS = 500
    held = reserve(
        payer=Payer(chain="c", user_id=learner.pk),
        price=price_of(Tier.CHEAP, "gpt-4o-mini"),
        amount=1,
        run=OperationRun(operation="tutor_turn", run="1"),
        escalation=False,
    )
    found = skill_run("spending_status", user=learner)
    assert found.amounts["left"] == 500 * MICROCENTS - held.amount
    assert "Left: US$ 4.99 of US$ 5.00" in found.text
    assert "US$ 0.0001" in found.text


@pytest.mark.django_db
def test_a_guest_has_no_more_left_than_all_guests(settings: Settings, django_assert_num_queries: Queries) -> None:
    settings.USER_DAY_BUDGET_CENTS, settings.GUESTS_DAY_BUDGET_CENTS = 500, 600
    one, other = (User.objects.create_user(name, is_guest=True) for name in ("guest-1", "guest-2"))
    spend(one, 350)
    with django_assert_num_queries(1):
        found = skill_run("spending_status", user=other)
    assert (found.amounts["spent"], found.amounts["left"]) == (0, 250 * MICROCENTS)


@pytest.mark.django_db
def test_it_says_whether_anything_costs_at_all(learner: User, settings: Settings) -> None:
    settings.MODELS_CONFIGURED = False
    assert "nothing that you ask costs" in skill_run("spending_status", user=learner).text
    with translation.override("es"):
        assert "5,00" in skill_run("spending_status", user=learner).text


def test_an_unknown_skill_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="the skills are spending_status"):
        skill_run("transfer_money", user=User())
    assert all(str(skill.title) and str(skill.about) for skill in SKILLS.values())
