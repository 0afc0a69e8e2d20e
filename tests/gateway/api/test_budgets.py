"""Budgets for programs: who sees which, every entry of one, and what staff may change."""

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, get_args

import pytest
from django.conf import LazySettings
from django.test import Client

from accounts.models import Scope, User
from accounts.services import guest_absorb, guest_create
from gateway.api.contracts import EntryKind, ScopeName
from gateway.contracts import MICROCENTS, OperationRun, Payer, Tier
from gateway.ledger import account_open, adjust, release, settle
from gateway.models import Account, Entry
from lesson_engine.models import Lesson, Session
from lesson_engine.services.sessions import session_start
from tests.api.sessions import LEARNING, Answer, Json, Program, integrator_create
from tests.conftest import LessonMaker
from tests.gateway.ledger_helpers import LESSON, TURN, answered, costing, held, lesson, lost, person, sent

Queries = Callable[[int], AbstractContextManager[Any]]
BUDGETS, UNVERIFIED = "budgets/", "budgets/unverified/"
READING = (*LEARNING, Scope.BUDGETS_READ)
MONEY = (Scope.BUDGETS_READ, Scope.BUDGETS_WRITE)
WHO = 2
"""1. the token with its user; 2. how often they asked this minute"""


@pytest.fixture
def office(staff: User) -> Program:
    """The staff's program; its token has been used this minute."""
    program = Program(staff, scopes=MONEY)
    program.get(BUDGETS)
    return program


@pytest.fixture
def mine(learner: User, make_lesson: LessonMaker) -> Program:
    """A learner's own program, with a session begun."""
    make_lesson()
    program = Program(learner, scopes=READING)
    program.start("light")
    return program


def listed(program: Program, query: str = "") -> list[Json]:
    """All budgets in their order, by pages of two."""
    found, address = [], f"{BUDGETS}?limit=2&{query}"
    while address:
        page = program.get(address)
        assert page.status == 200, page.text
        found += page.json["items"]
        address = page.json["next"]
    return found


def keys(program: Program, query: str = "") -> list[tuple[str, str]]:
    return [(item["scope"], item["key"]) for item in listed(program, query)]


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json["code"]


def session_of(user: User) -> str:
    return str(Session.objects.get(user=user).pk)


def budget(scope: str, key: str) -> int:
    return Account.objects.get(scope=scope, key=key).pk


# What is told


def test_a_budget_is_told_to_the_micro_cent(office: Program) -> None:
    payer = lesson()
    settle(sent(payer, 3 * MICROCENTS, Tier.THINKER, escalation=True), answered(1000))
    settle(sent(payer), costing(10_500))
    held(payer, 250_000)
    account = Account.objects.get(scope="session", key="lesson")
    told = office.get(f"{BUDGETS}{account.pk}/").json
    assert told == {
        "id": account.pk,
        "scope": "session",
        "key": "lesson",
        "limit_microcents": 100_000_000,
        "spent_microcents": 2_510_500,
        "held_microcents": 250_000,
        "left_microcents": 97_239_500,
        "left_cents": "97.2395",
        "spent_by_tier": {"cheap": 10_500, "embed": 0, "thinker": 2_500_000},
        "mode": "full",
        "escalations_limit": 5,
        "escalations_used": 1,
        "opened_at": told["opened_at"],
    }


@pytest.mark.parametrize(
    ("left", "mode", "cents"),
    [
        (100_000_000, "full", "100"),
        (10_000_000, "full", "10"),
        (9_999_999, "no_thinker", "9.999999"),
        (5_000_000, "no_thinker", "5"),
        (4_900_000, "economy", "4.9"),
        (1, "economy", "0.000001"),
        (0, "deterministic", "0"),
    ],
)
def test_what_is_left_says_what_it_still_allows(office: Program, left: int, mode: str, cents: str) -> None:
    payer = lesson()
    if spent := 100 * MICROCENTS - left:
        settle(sent(payer, spent), lost())
    told = office.get(f"{BUDGETS}{budget('session', 'lesson')}/").json
    assert (told["left_microcents"], told["mode"], told["left_cents"]) == (left, mode, cents)


def test_the_names_of_scopes_and_kinds_are_those_of_the_ledger() -> None:
    assert set(get_args(ScopeName)) == set(Account.Scope.values)
    assert set(get_args(EntryKind)) == set(Entry.Kind.values)


def test_every_movement_is_an_entry_the_latest_first(office: Program, staff: User) -> None:
    payer = lesson()
    call = sent(payer, 2 * MICROCENTS)
    settle(call, costing(500_000))
    release(held(payer).id)
    pk = budget("session", "lesson")
    adjust(account_id=pk, by=staff, reason="A long lesson.", limit=120 * MICROCENTS)
    entries = office.get(f"{BUDGETS}{pk}/entries/").json["items"]
    assert [entry["kind"] for entry in entries] == ["adjust", "release", "reserve", "settle", "reserve", "open"]
    amounts = ("granted_microcents", "available_microcents", "held_microcents", "spent_microcents")
    assert [sum(entry[name] for name in amounts) for entry in entries] == [0] * 6
    totals = [sum(entry[name] for entry in entries) for name in amounts]
    assert totals == [-120_000_000, 119_500_000, 0, 500_000]
    by_staff, settled = entries[0], entries[3]
    assert (by_staff["by"], by_staff["reason"], by_staff["call"]) == (staff.username, "A long lesson.", None)
    assert settled["call"] == {
        "id": str(call),
        "tier": "cheap",
        "model": "gpt-4o-mini",
        "operation": TURN.operation,
        "attempt": 1,
    }
    assert (settled["by"], settled["reason"]) == (None, None)


def test_entries_come_in_pages(office: Program) -> None:
    payer = lesson()
    for _ in range(3):
        release(held(payer).id)
    found, address = [], f"{BUDGETS}{budget('session', 'lesson')}/entries/?limit=3"
    while address:
        page = office.get(address).json
        assert len(page["items"]) <= 3
        found += [entry["id"] for entry in page["items"]]
        address = page["next"]
    assert found == sorted(found, reverse=True)
    assert len(found) == 7


# Who sees which


def day_and_month(user_id: int) -> list[tuple[str, str]]:
    """The accounts of a user's own that the latest call opened."""
    own = Account.objects.filter(scope__in=("user_day", "user_month"), key__startswith=f"{user_id}:")
    return list(own.order_by("-pk").values_list("scope", "key"))


def test_a_learner_sees_their_session_and_their_days_and_months(mine: Program, learner: User, stranger: User) -> None:
    session = session_of(learner)
    held(Payer(chain="a", session=session, user_id=learner.pk), 1)
    held(person(stranger.pk), 1)
    lesson("somebody else's")
    assert keys(mine) == [*day_and_month(learner.pk), ("session", session)]
    mine_id = budget("session", session)
    assert mine.get(f"{BUDGETS}{mine_id}/").json["key"] == session
    assert [entry["kind"] for entry in mine.get(f"{BUDGETS}{mine_id}/entries/").json["items"]] == ["reserve", "open"]


@pytest.mark.parametrize("path", ["", "entries/"])
def test_what_is_not_ones_own_does_not_exist(mine: Program, stranger: User, path: str) -> None:
    held(person(stranger.pk), 1)
    lesson("somebody else's")
    held(
        Payer(chain="x", user_id=stranger.pk, is_guest=True, managed_by=stranger.pk),
        1,
        run=OperationRun(operation="op", run="1", cap=9),
    )
    others = Account.objects.exclude(scope="session", key=session_of(User.objects.get(username="ana")))
    assert {account.scope for account in others} == set(Account.Scope.values)
    for account in others:
        assert refusal(mine.get(f"{BUDGETS}{account.pk}/{path}")) == (404, "not-found")
    assert refusal(mine.get(f"{BUDGETS}{10**30}/{path}")) == (404, "not-found")


def test_a_user_whose_number_begins_like_anothers_sees_nothing_of_theirs(mine: Program, learner: User) -> None:
    account_open(scope="user_day", key=f"{learner.pk}1:2026-03-10", limits=LESSON)
    account_open(scope="user_day", key=f"{learner.pk}:2026-03-10", limits=LESSON)
    assert keys(mine, "scope=user_day") == [("user_day", f"{learner.pk}:2026-03-10")]


def test_an_integrator_sees_those_of_learners_whom_they_manage(make_lesson: LessonMaker) -> None:
    make_lesson()
    school, other = (Program(integrator_create(name), scopes=READING) for name in ("escuela", "otra"))
    session = school.start("light", learner="7").now["id"]
    pupil = Session.objects.get().user
    held(Payer.of(pupil, chain=session, session=session), 1)
    together = ("integrator_month", f"{pupil.managed_by_id}:tutor:2026-03")
    assert keys(school) == [*day_and_month(pupil.pk), together, ("session", session)]
    assert keys(other) == []


def test_of_an_erased_learner_nothing_is_left_to_see(make_lesson: LessonMaker) -> None:
    make_lesson()
    school = Program(integrator_create(), scopes=READING)
    session = school.start("light", learner="7").now["id"]
    held(Payer(chain=session, session=session, user_id=Session.objects.get().user_id), 1)
    assert school.post("learners/erase/", {"learner": "7"}).status in (200, 204)
    assert keys(school) == []


def test_a_guest_sees_their_own_and_takes_it_along(make_lesson: LessonMaker, learner: User) -> None:
    make_lesson()
    guest = guest_create()
    session = session_start(user=guest, lesson=Lesson.objects.get())
    assert [item["key"] for item in browser(guest).get(f"/api/v1/{BUDGETS}").json()["items"]] == [str(session.pk)]
    guest_absorb(guest=guest, account=learner)
    assert keys(Program(learner, scopes=READING)) == [("session", str(session.pk))]


def test_staff_see_all_and_find_one(office: Program, learner: User) -> None:
    lesson("a")
    held(
        Payer(chain="a", session="a", user_id=learner.pk, is_guest=True, managed_by=learner.pk),
        1,
        run=TURN.model_copy(update={"cap": 9}),
    )
    found = keys(office)
    assert {scope for scope, _key in found} == set(Account.Scope.values)
    assert len(found) == Account.objects.count() == len(Account.Scope)
    assert [item["id"] for item in listed(office)] == list(Account.objects.order_by("-id").values_list("pk", flat=True))
    assert keys(office, "scope=session") == keys(office, "key=a") == [("session", "a")]
    assert keys(office, f"session={uuid.uuid4()}") == []


def test_a_session_is_found_by_its_id(office: Program, mine: Program, learner: User) -> None:
    session = session_of(learner)
    for program in (office, mine):
        assert keys(program, f"session={session}") == [("session", session)]


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def test_staff_in_a_browser_see_all_only_after_their_second_factor(staff: User, settings: LazySettings) -> None:
    lesson("a")
    address = f"/api/v1/{BUDGETS}"
    assert len(browser(staff).get(address).json()["items"]) == 1
    settings.STAFF_WITHOUT_SECOND_FACTOR = ""
    assert browser(staff).get(address).json()["items"] == []
    assert browser(staff).get(f"{address}unverified/").status_code == 403


def test_who_changed_a_limit_and_why_is_for_staff(mine: Program, staff: User, learner: User) -> None:
    pk = budget("session", session_of(learner))
    adjust(account_id=pk, by=staff, reason="A long lesson.", limit=120 * MICROCENTS)
    entry = mine.get(f"{BUDGETS}{pk}/entries/").json["items"][0]
    assert (entry["kind"], entry["by"], entry["reason"]) == ("adjust", None, None)


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("scope=planet", "/scope"),
        ("session=7", "/session"),
        ("key=", "/key"),
        ("key=a%20b", "/key"),
        ("limit=0", "/limit"),
        ("order=left", "/order"),
    ],
)
def test_a_filter_that_does_not_fit_is_refused_where_it_stands(office: Program, query: str, pointer: str) -> None:
    answer = office.get(f"{BUDGETS}?{query}")
    assert refusal(answer) == (422, "invalid-request")
    assert list(answer.places()) == [pointer]


@pytest.mark.parametrize("who", ["learner", "staff"])
def test_a_list_is_one_statement_whoever_asks(
    mine: Program, office: Program, learner: User, who: str, django_assert_num_queries: Queries
) -> None:
    for number in range(10):
        account_open(scope="user_day", key=f"{learner.pk}:2026-03-{number + 10}", limits=LESSON)
    program = office if who == "staff" else mine
    with django_assert_num_queries(WHO + 1):
        assert len(program.get(BUDGETS).json["items"]) == 11


def test_a_budget_takes_one_statement_and_its_entries_two(
    office: Program, staff: User, django_assert_num_queries: Queries
) -> None:
    payer = lesson()
    for _ in range(10):
        release(held(payer).id)
    pk = budget("session", "lesson")
    adjust(account_id=pk, by=staff, reason="A long lesson.", limit=120 * MICROCENTS)
    with django_assert_num_queries(WHO + 1):
        office.get(f"{BUDGETS}{pk}/")
    with django_assert_num_queries(WHO + 2):
        assert len(office.get(f"{BUDGETS}{pk}/entries/").json["items"]) == 22
