"""Audit entries for programs: the documented form, who sees which, and whether they hold."""

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.conf import LazySettings

from accounts.models import User
from accounts.services import learner_erase
from routing.models import AuditEntry, QueryPlan, Question
from routing.services.auditing import entry_document
from tests.api.sessions import Json, Program, integrator_create
from tests.planning.api_plans import browser, listed, refusal
from tests.routing.api_consult import ENTRIES, EXCEDENCIA, MARKET, PLANS, WHO, asked, consulter, corrected
from tests.routing.audit_hands import tamper

pytestmark = pytest.mark.django_db
Queries = Callable[[int], AbstractContextManager[Any]]
DOCUMENTED = ["query_plan_id", "timestamp", "user_id", "message", "query_plan", "status"]


@pytest.fixture
def mine(learner: User) -> Program:
    return consulter(learner)


@pytest.fixture
def school(db: None) -> Program:
    """The program of an integrator, who manages learners."""
    return consulter(integrator_create("school"))


@pytest.fixture
def office(staff: User) -> Program:
    return consulter(staff)


def entries(program: Program, query: str = "") -> list[Json]:
    answer = program.get(f"{ENTRIES}{query}")
    assert answer.status == 200, answer.text
    items: list[Json] = answer.json["items"]
    return items


def verification(program: Program, plan: Json) -> Json:
    answer = program.get(f"{ENTRIES}{plan['audit_entry_id']}/verification/")
    assert answer.status == 200, answer.text
    return answer.json


# What is told


def test_section_6_an_entry_is_told_in_the_documented_form(mine: Program, learner: User) -> None:
    plan = asked(mine)
    answer = mine.get(f"{ENTRIES}{plan['audit_entry_id']}/")
    told, row = answer.json, AuditEntry.objects.get()
    assert list(told)[:6] == DOCUMENTED
    assert told == entry_document(row)
    assert list(told["query_plan"]) == list(plan["plan"]), "in its documented order"
    assert (told["query_plan_id"], told["user_id"], told["message"]) == (plan["id"], str(learner.pk), EXCEDENCIA)
    assert (told["query_plan"], told["status"], told["entry_id"]) == (plan["plan"], "success", plan["audit_entry_id"])
    assert told["timestamp"].endswith("Z")
    assert (told["seq"], told["checksum"], told["signature"]) == (1, row.hash, row.signature)
    assert entries(mine) == [told]


def test_each_filter_narrows_the_list_and_all_together(school: Program, settings: LazySettings) -> None:
    first, own = asked(school, learner="7"), asked(school)
    tax = corrected(school, own).json
    settings.QUERY_PLAN_PHASE = 99
    assert school.post(PLANS, {"message": MARKET}).status == 503
    broken = AuditEntry.objects.get(status="error")
    since = QueryPlan.objects.get(pk=own["id"]).audit_entries.get().timestamp.isoformat().replace("+00:00", "Z")
    ids = [str(broken.pk), *(one["audit_entry_id"] for one in (tax, own, first))]
    cases = {
        "": ids,
        "limit=1": ids[:1],
        "status=error": ids[:1],
        "status=success": ids[1:],
        "status=partial": [],
        f"correlation_id={own['correlation_id']}": ids[1:3],
        f"query_plan_id={own['id']}": ids[2:3],
        f"query_plan_id={own['id']}&correlation_id={tax['correlation_id']}": ids[2:3],
        f"query_plan_id={uuid.uuid4()}": [],
        "learner=7": ids[3:],
        f"since={since}": ids[:3],
        f"until={since}": ids[3:],
    }
    for query, expected in cases.items():
        assert [entry["entry_id"] for entry in entries(school, f"?{query}")] == expected, query
    seen, address = [], f"{ENTRIES}?limit=2"
    while address:
        page = school.get(address).json
        seen += [entry["entry_id"] for entry in page["items"]]
        address = page["next"]
    assert seen == ids


def test_a_query_string_that_does_not_fit_is_refused_where_it_stands(mine: Program) -> None:
    cases = {
        "?status=fine": ["/status"],
        "?correlation_id=7": ["/correlation_id"],
        "?query_plan_id=": ["/query_plan_id"],
        "?limit=51": ["/limit"],
        "?since=2026-01-01&user=7": ["/since", "/user"],
        f"{uuid.uuid4()}/verification/?now=true": ["/now"],
    }
    for query, places in cases.items():
        answer = mine.get(f"{ENTRIES}{query}")
        assert (answer.status, list(answer.places())) == (422, places), query
    assert refusal(mine.get(f"{ENTRIES}?cursor=abc")) == (404, "cursor-unknown")


# Who sees which


def test_what_is_not_ones_own_does_not_exist(mine: Program, stranger: User, school: Program) -> None:
    key = asked(mine)["audit_entry_id"]
    for other in (consulter(stranger), school):
        assert entries(other) == []
        for path in ("", "verification/"):
            there, nowhere = (other.get(f"{ENTRIES}{one}/{path}") for one in (key, uuid.uuid4()))
            assert refusal(there) == refusal(nowhere) == (404, "not-found")
            assert there.json["detail"] == nowhere.json["detail"]


def test_staff_see_all_in_a_browser_after_their_second_factor(
    office: Program, mine: Program, staff: User, settings: LazySettings
) -> None:
    theirs, own = asked(mine)["audit_entry_id"], asked(office)["audit_entry_id"]
    page = browser(staff)

    def seen() -> list[str]:
        return [item["entry_id"] for item in page.get(f"/api/v1/{ENTRIES}").json()["items"]]

    assert [entry["entry_id"] for entry in entries(office)] == seen() == [own, theirs]
    assert office.get(f"{ENTRIES}{theirs}/verification/").json["holds"]
    settings.STAFF_WITHOUT_SECOND_FACTOR = ""
    assert seen() == [own]
    for path in ("", "verification/"):
        assert page.get(f"/api/v1/{ENTRIES}{theirs}/{path}").status_code == 404


def test_of_an_erased_learner_the_entry_is_left_without_a_word_and_holds(school: Program, office: Program) -> None:
    plan = asked(school, "Zacarías Urrutikoetxea pide una excedencia", learner="7")
    before = entries(school)[0]
    learner_erase(user=Question.objects.get().user)
    for program in (school, office):
        assert entries(program) == [{**before, "message": None}]
        assert verification(program, plan)["chain_whole"]
        assert "Urrutikoetxea" not in program.get(ENTRIES).text
    assert listed(school, PLANS) == [plan["id"]]


# Whether they hold


def test_a_chain_that_is_whole_is_said_to_be_and_when_it_was_last(mine: Program) -> None:
    plans = [asked(mine), asked(mine, MARKET)]
    told = verification(mine, plans[0])
    assert told.pop("verified_at")
    assert told == {
        "entry_id": plans[0]["audit_entry_id"],
        "seq": 1,
        "holds": True,
        "chain": AuditEntry.objects.first().chain_id,  # type: ignore[union-attr]
        "chain_whole": True,
        "entries": 2,
        "fault": None,
        "verified_entries": 2,
    }


@pytest.mark.parametrize(
    "change",
    [
        'plan_snapshot = plan_snapshot || \'{"confidence": "low"}\'',
        "plan_snapshot = '[]'",
        "timestamp = '2026-02-12 18:14:00+00 BC'",
        "warnings = (repeat('[', 3000) || repeat(']', 3000))::jsonb",
    ],
)
def test_a_forged_entry_is_named_with_the_last_good_check(mine: Program, office: Program, change: str) -> None:
    plans = [asked(mine), asked(mine, MARKET)]
    good = verification(mine, plans[0])
    plans.append(asked(mine, "¿Cómo mejoro mi marca personal?"))
    tamper(f"UPDATE routing_auditentry SET {change} WHERE id = %s", plans[1]["audit_entry_id"])
    for program in (mine, office):
        first, second, third = (verification(program, plan) for plan in plans)
        assert [one["holds"] for one in (first, second, third)] == [True, False, False]
        for told in (first, second, third):
            assert (told["chain_whole"], told["entries"]) == (False, 3)
            assert (told["verified_at"], told["verified_entries"]) == (good["verified_at"], 2)
            assert (told["fault"]["kind"], told["fault"]["seq"]) == ("altered", 2)
            assert told["fault"]["entry_id"] == plans[1]["audit_entry_id"]


def test_a_forged_snapshot_is_shown_as_it_stands(mine: Program) -> None:
    plan = asked(mine)
    tamper("UPDATE routing_auditentry SET plan_snapshot = plan_snapshot || '{\"confidence\": 7}'")
    tamper("UPDATE routing_queryplan SET reading = '[1]'")
    assert mine.get(f"{ENTRIES}{plan['audit_entry_id']}/").json["query_plan"]["confidence"] == 7
    assert mine.get(f"{PLANS}{plan['id']}/").json["reading"] is None


# Few statements


def test_queries_do_not_grow_with_entries(mine: Program, office: Program, django_assert_num_queries: Queries) -> None:
    plans = [asked(mine, f"¿Pido una excedencia en {year}?") for year in range(3)]
    for program in (mine, office):
        with django_assert_num_queries(WHO + 1):
            assert len(entries(program)) == 3
        with django_assert_num_queries(WHO + 1):
            program.get(f"{ENTRIES}{plans[0]['audit_entry_id']}/")
