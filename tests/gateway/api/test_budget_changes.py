"""What staff change of budgets through the API: a limit, and a charge that nobody could verify."""

import uuid
from functools import partial
from typing import Any

import pytest

from accounts.models import Scope, User
from gateway.contracts import MICROCENTS, Outcome, Tier
from gateway.ledger import ledger_check, settle
from gateway.models import Account, Entry, Hold
from telemetry.models import Event
from tests.api.sessions import Answer, Program
from tests.gateway.api.test_budgets import BUDGETS, MONEY, READING, UNVERIFIED, WHO, Queries, budget, refusal
from tests.gateway.ledger_helpers import NOON, costing, held, lesson, lost, sent
from tests.lesson_engine.services.threads import at_once


@pytest.fixture
def office(staff: User) -> Program:
    """The staff's program; its token has been used this minute."""
    program = Program(staff, scopes=MONEY)
    program.get(BUDGETS)
    return program


def unverified_charge(cents: int = 3) -> uuid.UUID:
    """A call in the account `lesson` whose reply was lost: all that it held is charged."""
    call = sent(lesson(), cents * MICROCENTS, Tier.THINKER)
    settle(call, lost(Outcome.CUT))
    return call


def adjusted(program: Program, pk: int, limit: int, key: str = "", **more: Any) -> Answer:
    headers = {"idempotency_key": key} if key else {}
    body = {"limit_microcents": limit, "reason": "A long lesson.", **more}
    return program.post(f"{BUDGETS}{pk}/adjustments/", body, **headers)


def corrected(program: Program, call: uuid.UUID, cost: int, **more: Any) -> Answer:
    body = {"cost_microcents": cost, "reason": "The bill, line 12.", **more}
    return program.post(f"{BUDGETS}charges/{call}/correction/", body)


def test_staff_give_a_budget_another_limit_with_a_reason(office: Program, staff: User) -> None:
    lesson()
    pk = budget("session", "lesson")
    answer = adjusted(office, pk, 150 * MICROCENTS)
    assert answer.status == 201, answer.text
    assert answer.json["budget"]["limit_microcents"] == 150_000_000
    assert answer.json["budget"]["left_cents"] == "150"
    entry = Entry.objects.get(kind="adjust")
    assert answer.json["entry"]["id"] == entry.pk
    assert (entry.granted, entry.available, entry.by, entry.reason) == (
        -50 * MICROCENTS,
        50 * MICROCENTS,
        staff,
        "A long lesson.",
    )
    event = Event.objects.get(event="budget.adjusted")
    assert (event.chain_id, event.data["limitMicrocents"], event.data["by"]) == ("lesson", 150_000_000, staff.pk)
    assert ledger_check().findings == ()


def test_a_limit_below_what_is_spent_and_held_is_refused(office: Program) -> None:
    payer = lesson()
    settle(sent(payer, 20 * MICROCENTS), lost())
    held(payer, 10 * MICROCENTS)
    pk = budget("session", "lesson")
    assert refusal(adjusted(office, pk, 30 * MICROCENTS - 1)) == (409, "adjustment-refused")
    assert adjusted(office, pk, 30 * MICROCENTS).json["budget"]["mode"] == "deterministic"
    assert refusal(adjusted(office, pk, 30 * MICROCENTS)) == (409, "adjustment-refused")  # that is it already


def test_an_adjustment_that_comes_twice_is_made_once(office: Program) -> None:
    lesson()
    pk = budget("session", "lesson")
    first, second = (adjusted(office, pk, 150 * MICROCENTS, key="mine") for _ in range(2))
    assert (first.status, second.status, first.json) == (201, 201, second.json)
    assert second.headers["Idempotent-Replayed"] == "true"
    assert Entry.objects.filter(kind="adjust").count() == 1


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"limit_microcents": 5}, "/reason"),
        ({"limit_microcents": 5, "reason": ""}, "/reason"),
        ({"limit_microcents": 5, "reason": " \n"}, "/reason"),
        ({"limit_microcents": 5, "reason": "x" * 501}, "/reason"),
        ({"limit_microcents": 5, "reason": "a\0b"}, "/reason"),
        ({"limit_microcents": 5, "reason": "\0"}, "/reason"),
        ({"limit_microcents": -1, "reason": "x"}, "/limit_microcents"),
        ({"limit_microcents": 10**15 + 1, "reason": "x"}, "/limit_microcents"),
        ({"limit_microcents": 1.5, "reason": "x"}, "/limit_microcents"),
        ({"limit_microcents": "5", "reason": "x"}, "/limit_microcents"),
        ({"reason": "x"}, "/limit_microcents"),
        ({"limit_microcents": 5, "reason": "x", "by": "me"}, "/by"),
    ],
)
def test_an_adjustment_that_does_not_fit_is_refused_where_it_stands(
    office: Program, body: object, pointer: str
) -> None:
    lesson()
    answer = office.post(f"{BUDGETS}{budget('session', 'lesson')}/adjustments/", body)
    assert refusal(answer) == (422, "invalid-request")
    assert list(answer.places()) == [pointer]
    assert not Entry.objects.filter(kind="adjust").exists()


def test_a_budget_that_is_not_there_cannot_be_adjusted(office: Program) -> None:
    assert refusal(adjusted(office, 4711, 5)) == (404, "not-found")
    assert refusal(adjusted(office, 10**30, 5)) == (404, "not-found")


def test_reading_does_not_let_anybody_write(staff: User, learner: User) -> None:
    call = unverified_charge()
    pk = budget("session", "lesson")
    for program in (Program(staff, scopes=(Scope.BUDGETS_READ,)), Program(learner, scopes=READING)):
        assert adjusted(program, pk, 5).status == 403
        assert corrected(program, call, 5).status == 403
        assert program.get(UNVERIFIED).status == 403
    assert not Entry.objects.filter(kind__in=("adjust", "correct")).exists()


@pytest.mark.django_db(transaction=True)
def test_of_many_adjustments_at_once_all_are_in_the_books(staff: User) -> None:
    office = Program(staff, scopes=MONEY)
    lesson()
    pk = budget("session", "lesson")
    works = [partial(adjusted, Program(staff, scopes=MONEY), pk, (101 + number) * MICROCENTS) for number in range(6)]
    assert [answer.status for answer in at_once(works)] == [201] * 6
    assert Account.objects.get(pk=pk).limit == office.get(f"{BUDGETS}{pk}/").json["limit_microcents"]
    assert ledger_check().findings == ()


def test_unverified_charges_are_listed_and_corrected_by_the_bill(office: Program, staff: User) -> None:
    call = unverified_charge(3)
    settle(sent(lesson()), costing(500_000))
    [charge] = office.get(UNVERIFIED).json["items"]
    assert (charge["id"], charge["outcome"], charge["cost_microcents"]) == (str(call), "cut", 3_000_000)
    assert (charge["tier"], charge["model"], charge["chain"]) == ("thinker", "o3-mini", "lesson")
    answer = corrected(office, call, 182_000)
    assert answer.status == 201, answer.text
    assert answer.json == {**charge, "cost_microcents": 182_000, "unverified": False}
    assert office.get(UNVERIFIED).json == {"items": [], "next": None}
    entries = Entry.objects.filter(kind="correct")
    assert {(entry.spent, entry.by, entry.reason) for entry in entries} == {(-2_818_000, staff, "The bill, line 12.")}
    assert Account.objects.get(scope="session", key="lesson").spent_thinker == 182_000
    assert ledger_check().findings == ()


def test_a_charge_can_be_confirmed_as_it_is(office: Program) -> None:
    call = unverified_charge(3)
    assert corrected(office, call, 3_000_000).json["unverified"] is False
    assert ledger_check().findings == ()


def test_a_charge_is_corrected_once_and_only_when_unverified(office: Program) -> None:
    call = unverified_charge()
    corrected(office, call, 5)
    settled, under_way = sent(lesson()), sent(lesson())
    settle(settled, costing(500_000))
    for one in (call, settled, under_way):
        assert refusal(corrected(office, one, 6)) == (409, "adjustment-refused")
    assert refusal(corrected(office, uuid.uuid4(), 6)) == (404, "not-found")
    assert Hold.objects.get(pk=call).cost == 5


def test_a_correction_no_budget_can_bear_is_refused(office: Program) -> None:
    call = unverified_charge(60)
    assert refusal(corrected(office, call, 101 * MICROCENTS)) == (409, "adjustment-refused")
    assert corrected(office, call, 100 * MICROCENTS).status == 201
    assert ledger_check().findings == ()


def test_unverified_charges_come_the_latest_first_in_pages(office: Program, django_assert_num_queries: Queries) -> None:
    payer = lesson()
    calls = []
    for number in range(5):
        call = sent(payer, now=NOON.replace(minute=number // 2))
        settle(call, lost())
        calls.append(str(call))
    found, address = [], f"{UNVERIFIED}?limit=2"
    while address:
        with django_assert_num_queries(WHO + 1):
            page = office.get(address).json
        found += [charge["id"] for charge in page["items"]]
        address = page["next"]
    assert sorted(found) == sorted(calls)
    assert found[0] == calls[-1]
    assert set(found[-2:]) == set(calls[:2])
