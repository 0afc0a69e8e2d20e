"""Query plans for programs: asking, finding, correcting, who sees which, and what is refused."""

import json
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from accounts.models import Scope, User
from accounts.services import guest_absorb, guest_create, learner_erase
from core.idempotency import request_claim
from core.models import IdempotentRequest
from routing.api_contracts import MESSAGE_LENGTH
from routing.contracts import QueryPlan as Plan
from routing.contracts import validate_query_plan
from routing.models import AuditEntry, LabelledExample, QueryPlan, Question
from routing.services import question_ask
from tests.api.sessions import Program, integrator_create
from tests.planning.api_plans import browser, listed, refusal
from tests.routing.api_consult import CONSULTING, EXCEDENCIA, PLANS, WHO, asked, consulter, corrected
from tests.sessions.threads import at_once

Queries = Callable[[int], AbstractContextManager[Any]]
MARKET = "¿Cuánto vale el metro cuadrado en el centro?"


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


# What is told


def test_section_10_the_documents_own_question_is_told_whole_and_found_at_its_address(mine: Program) -> None:
    made = mine.post(PLANS, {"message": EXCEDENCIA})
    assert made.status == 201, made.text
    assert made.headers["Location"] == f"http://testserver/api/v1/query-plans/{made.json['id']}/"
    told = mine.get(made.headers["Location"]).json
    row = QueryPlan.objects.get()
    assert told == made.json
    assert (told["id"], told["correlation_id"]) == (str(row.pk), str(row.correlation_id))
    assert (told["message"], told["excerpt"], told["language"]) == (EXCEDENCIA, EXCEDENCIA, "es")
    assert told["plan"] == row.plan
    assert list(told["plan"]) == list(Plan.model_fields), "as documented, in its order too"
    assert validate_query_plan(told["plan"])
    assert (told["mode"], told["domains"], told["confidence"]) == ("deep", ["transition", "market"], "high")
    assert told["probability"] == row.probability
    assert told["audit_entry_id"] == str(AuditEntry.objects.get().pk)
    assert (told["corrects"], told["corrected_by"], told["model"]) == (None, None, None)
    assert told["versions"] == {
        "schema": "query-plan/1",
        "router": row.router_version,
        "pack": str(row.pack),
        "pack_digest": row.pack.digest,
        "phase": 2,
    }


def test_it_says_what_decided(mine: Program) -> None:
    reading = asked(mine)["reading"]
    assert reading["shares"][0]["domain"] == "transition"
    assert sum(one["share"] for one in reading["shares"]) == pytest.approx(1, abs=0.001)
    assert {"domain": "transition", "keyword": "excedencia"} in reading["keywords"]
    assert reading["nearest"][0]["domain"] == "transition"
    assert reading["in_scope"] > 0.5


def test_any_message_gives_a_plan(mine: Program) -> None:
    messages = [
        "",
        " ",
        "🦄" * 50,
        "{}",
        '{"a": [1]}',
        "<script>alert(1)</script>",
        "مرحبا " * 50,
        "'; DROP TABLE x; --",
    ]
    messages += ["\u202e\ufeff\u200b", "asdf qwer zxcv", "x" * MESSAGE_LENGTH]
    for message in messages:
        plan = asked(mine, message)
        assert validate_query_plan(plan["plan"])
        assert (plan["message"], plan["excerpt"]) == (message, message[:200])
    shown = [item["excerpt"] for item in mine.get(PLANS).json["items"]]
    assert shown == [message[:200] for message in reversed(messages)]


def test_hint_and_mode_are_followed_as_the_router_does(mine: Program) -> None:
    plan = asked(mine, EXCEDENCIA, domain_hint="tax", mode="deep")
    assert (plan["domain_hint"], plan["mode"]) == ("tax", "deep")
    lab = asked(mine, "Quiero usar el laboratorio", domain_hint="lab")
    assert lab["flags"][:2] == ["lab-access-requested", "lab-access-denied"]
    assert "lab" not in lab["domains"]
    assert asked(mine, "What is my tax rate?", mode=None)["language"] == "en"


# Finding one


def test_each_filter_narrows_the_list_and_all_together(school: Program) -> None:
    clear, unclear = asked(school, learner="7"), asked(school, "asdf qwer zxcv", learner="7")
    market, own = asked(school, MARKET, learner="8", mode="fast"), asked(school, EXCEDENCIA)
    tax = corrected(school, own).json
    start = QueryPlan.objects.get(pk=market["id"]).created_at.isoformat().replace("+00:00", "Z")
    every = [one["id"] for one in (tax, own, market, unclear, clear)]
    cases: dict[str, list[Any]] = {
        "": every,
        "confidence=low": [unclear],
        "flag=needs-clarification": [unclear],
        "flag=nobody-knows-it": [],
        "domain=transition": [own, clear],
        "domain=tax": [tax],
        "domain=transition&learner=7": [clear],
        "mode=fast&learner=8": [market],
        "corrected=true": [own],
        "corrected=false": [tax, market, unclear, clear],
        "learner=7": [unclear, clear],
        "learner=9": [],
        f"since={start}": [tax, own, market],
        f"until={start}": [unclear, clear],
        f"since={start}&corrected=true": [own],
        "until=0001-01-01T00:00:00Z": [],
    }
    for query, expected in cases.items():
        wanted = [one if isinstance(one, str) else one["id"] for one in expected]
        given = dict(part.split("=", 1) for part in query.split("&") if part)
        assert listed(school, PLANS, **given) == wanted, query
    item = school.get(f"{PLANS}?corrected=true").json["items"][0]
    assert item == {name: own[name] for name in item} | {"corrected_by": tax["id"]}


# Who sees which


def test_what_is_not_ones_own_does_not_exist(mine: Program, stranger: User, school: Program) -> None:
    plan = asked(mine)
    for other in (consulter(stranger), school):
        assert listed(other, PLANS) == []
        there, nowhere = (other.get(f"{PLANS}{key}/") for key in (plan["id"], uuid.uuid4()))
        assert refusal(there) == refusal(nowhere) == (404, "not-found")
        assert there.json["detail"] == nowhere.json["detail"]
        assert refusal(corrected(other, plan)) == (404, "not-found")
    assert QueryPlan.objects.count() == 1


def test_a_program_asks_for_the_learners_whom_it_manages(school: Program, mine: Program) -> None:
    plan = asked(school, learner="learner-7")
    assert Question.objects.get().user.pseudonym == "learner-7"
    assert listed(school, PLANS) == [plan["id"]]
    assert listed(consulter(integrator_create("other school")), PLANS) == []
    assert corrected(school, plan).status == 201
    refused = mine.post(PLANS, {"message": EXCEDENCIA, "learner": "learner-7"})
    assert refusal(refused) == (403, "learners-not-managed")


def test_of_an_erased_learner_the_plan_is_left_without_a_word(school: Program, office: Program) -> None:
    message = "Zacarías Urrutikoetxea pide una excedencia"
    sent = {"message": message, "learner": "7"}
    plan = school.post(PLANS, sent, idempotency_key="a").json
    learner_erase(user=Question.objects.get().user)
    for program in (school, office):
        told = program.get(f"{PLANS}{plan['id']}/")
        assert (told.json["message"], told.json["excerpt"], told.json["plan"]) == (None, None, plan["plan"])
        for text in (told.text, program.get(PLANS).text):
            assert "Urrutikoetxea" not in text
    assert listed(school, PLANS) == [plan["id"]]
    assert listed(school, PLANS, learner="7") == []
    assert refusal(corrected(school, plan)) == (409, "correction-refused")
    anew = school.post(PLANS, sent, idempotency_key="a")
    assert anew.json["id"] != plan["id"], "another learner of that name, and no kept answer with the words"


def test_staff_see_all_in_a_browser_after_their_second_factor_and_correct_their_own(
    office: Program, mine: Program, staff: User, settings: LazySettings
) -> None:
    theirs, own = asked(mine), asked(office)
    assert listed(office, PLANS) == [own["id"], theirs["id"]]
    assert office.get(f"{PLANS}{theirs['id']}/").json == theirs
    assert refusal(corrected(office, theirs)) == (404, "not-found")
    page = browser(staff)

    def seen() -> list[str]:
        return [item["id"] for item in page.get(f"/api/v1/{PLANS}").json()["items"]]

    assert seen() == [own["id"], theirs["id"]]
    settings.STAFF_WITHOUT_SECOND_FACTOR = ""
    assert seen() == [own["id"]]
    assert page.get(f"/api/v1/{PLANS}{theirs['id']}/").status_code == 404


def test_a_guest_asks_and_takes_it_along(learner: User, mine: Program) -> None:
    guest = guest_create()
    body = json.dumps({"message": EXCEDENCIA})
    made = browser(guest).post(f"/api/v1/{PLANS}", body, content_type="application/json")
    assert made.status_code == 201
    guest_absorb(guest=guest, account=learner)
    assert listed(mine, PLANS) == [made.json()["id"]]


@pytest.mark.parametrize("scope", CONSULTING)
def test_reading_asking_and_auditing_are_scopes_of_their_own(learner: User, scope: Scope) -> None:
    program = Program(learner, scopes=(scope,))
    found = {
        Scope.QUERY_PLANS_READ: program.get(PLANS).status,
        Scope.QUERY_PLANS_WRITE: program.post(PLANS, {"message": EXCEDENCIA}).status,
        Scope.AUDIT_READ: program.get("audit-entries/").status,
    }
    assert found.pop(scope) in (200, 201)
    assert set(found.values()) == {403}


# Sent twice


def test_sent_twice_it_is_one_plan(mine: Program, stranger: User) -> None:
    body = {"message": EXCEDENCIA}
    first, again = (mine.post(PLANS, body, idempotency_key="a") for _ in range(2))
    assert (first.status, again.status, again.text) == (201, 201, first.text)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Location"] == first.headers["Location"]
    other = mine.post(PLANS, {"message": MARKET}, idempotency_key="a")
    assert refusal(other) == (422, "idempotency-key-reused")
    assert consulter(stranger).post(PLANS, body, idempotency_key="a").json["id"] != first.json["id"]
    assert mine.post(PLANS, body, idempotency_key="b").json["id"] != first.json["id"]
    assert QueryPlan.objects.count() == AuditEntry.objects.count() == 3


def test_when_the_first_answer_was_lost_it_is_one_plan_and_one_correction_too(mine: Program) -> None:
    def lose() -> None:
        request = IdempotentRequest.objects.get(key="a")
        known = {"owner": request.owner, "key": "a", "fingerprint": request.fingerprint}
        request.delete()
        request_claim(**known)  # as a process does that dies before it answers
        IdempotentRequest.objects.update(lease_until=timezone.now() - timedelta(seconds=1))

    body = {"message": EXCEDENCIA}
    first = mine.post(PLANS, body, idempotency_key="a")
    lose()
    assert mine.post(PLANS, body, idempotency_key="a").json == first.json
    IdempotentRequest.objects.all().delete()  # after a day
    assert mine.post(PLANS, {"message": MARKET}, idempotency_key="a").json["id"] != first.json["id"]
    IdempotentRequest.objects.all().delete()
    tax = corrected(mine, first.json, idempotency_key="a")
    lose()
    assert corrected(mine, first.json, idempotency_key="a").json == tax.json
    assert QueryPlan.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_two_at_once_are_one_plan_and_one_correction(mine: Program) -> None:
    asked(mine, MARKET)  # the pack is read and on record
    works = [lambda: mine.post(PLANS, {"message": EXCEDENCIA}, idempotency_key="a")] * 3
    answers = at_once(works)
    assert {answer.status for answer in answers} <= {201, 409}
    plans = {answer.json["id"] for answer in answers if answer.status == 201}
    assert len(plans) == 1
    plan = QueryPlan.objects.get(pk=plans.pop())
    assert QueryPlan.objects.count() == AuditEntry.objects.count() == 2
    body = {"id": str(plan.pk)}
    said = at_once([lambda: corrected(mine, body, "tax"), lambda: corrected(mine, body, "brand")])
    assert sorted(answer.status for answer in said) == [201, 409]
    assert QueryPlan.objects.filter(corrects=plan).count() == 1


# Corrections


def test_a_correction_is_another_plan_linked_with_the_first_which_stays(mine: Program) -> None:
    plan = asked(mine)
    made = corrected(mine, plan)
    tax = made.json
    assert made.status == 201
    assert made.headers["Location"] == f"http://testserver/api/v1/query-plans/{tax['id']}/"
    assert mine.get(made.headers["Location"]).json == tax
    assert (tax["domains"], tax["domain_hint"], tax["corrects"], tax["corrected_by"]) == (
        *(["tax"], "tax"),
        *(plan["id"], None),
    )
    assert (tax["correlation_id"], tax["message"]) == (plan["correlation_id"], EXCEDENCIA)
    assert tax["audit_entry_id"] != plan["audit_entry_id"]
    assert mine.get(f"{PLANS}{plan['id']}/").json == {**plan, "corrected_by": tax["id"]}
    assert LabelledExample.objects.get().domain == "tax"
    assert corrected(mine, plan).json == tax, "the same again is the plan that is there"


def test_what_cannot_be_corrected_is_refused(mine: Program) -> None:
    plan = asked(mine)
    assert refusal(corrected(mine, plan, "lab")) == (409, "correction-refused")
    for domain in ("auto", "finance", "", "Tax"):
        wrong = corrected(mine, plan, domain)
        assert (refusal(wrong), list(wrong.places())) == ((422, "invalid-request"), ["/domain"])
    assert corrected(mine, plan).status == 201
    assert refusal(corrected(mine, plan, "brand")) == (409, "correction-refused")
    assert refusal(corrected(mine, {"id": uuid.uuid4()})) == (404, "not-found")
    assert QueryPlan.objects.count() == 2


# What is refused


def test_a_body_that_does_not_fit_is_refused_where_it_stands(mine: Program) -> None:
    cases: list[tuple[Any, str]] = [
        ({}, "/message"),
        ({"message": None}, "/message"),
        ({"message": 7}, "/message"),
        ({"message": "a\0b"}, "/message"),
        ({"message": "x" * (MESSAGE_LENGTH + 1)}, "/message"),
        ({"message": "x", "domain_hint": "AUTO"}, "/domain_hint"),
        ({"message": "x", "domain_hint": None}, "/domain_hint"),
        ({"message": "x", "mode": "slow"}, "/mode"),
        ({"message": "x", "learner": " 7"}, "/learner"),
        ({"message": "x", "user_id": 7}, "/user_id"),
    ]
    for body, pointer in cases:
        answer = mine.post(PLANS, body)
        assert (refusal(answer), list(answer.places())) == ((422, "invalid-request"), [pointer]), str(body)[:80]
    assert refusal(mine.post(PLANS, b'{"message": "\\ud800"}')) == (400, "malformed-request")
    assert refusal(mine.post(PLANS, {"message": "x" * 1_000_001})) == (413, "request-too-large")
    assert not Question.objects.exists() and not AuditEntry.objects.exists()


def test_a_filter_that_does_not_fit_is_refused_where_it_stands(mine: Program) -> None:
    cases = {
        "confidence=sure": ["/confidence"],
        "domain=auto": ["/domain"],
        "flag=Low%20Flag": ["/flag"],
        "flag=": ["/flag"],
        "mode=": ["/mode"],
        "corrected=yes": ["/corrected"],
        "learner=%00": ["/learner"],
        "since=2026-01-01&until=today": ["/since", "/until"],
        "limit=201&message=x": ["/limit", "/message"],
    }
    for query, places in cases.items():
        answer = mine.get(f"{PLANS}?{query}")
        assert (answer.status, list(answer.places())) == (422, places), query
    assert refusal(mine.get(f"{PLANS}?cursor=abc")) == (404, "cursor-unknown")


def test_decision_9_a_plan_that_cannot_be_put_on_record_is_not_given(mine: Program, settings: LazySettings) -> None:
    plan = asked(mine)
    settings.AUDIT_RETENTION_DAYS = -1  # which the database refuses
    for refused in (
        mine.post(PLANS, {"message": MARKET}, idempotency_key="a"),
        corrected(mine, plan, idempotency_key="b"),
    ):
        assert refusal(refused) == (503, "audit-write-failed")
        assert refused.headers["Content-Type"] == "application/problem+json"
        assert int(refused.headers["Retry-After"]) > 0
        assert "domains" not in refused.text
    assert QueryPlan.objects.count() == AuditEntry.objects.count() == Question.objects.count() == 1
    settings.AUDIT_RETENTION_DAYS = 30
    assert mine.post(PLANS, {"message": MARKET}, idempotency_key="a").status == 201
    assert corrected(mine, plan, idempotency_key="b").status == 201


def test_a_question_that_cannot_be_read_is_on_record_and_may_be_sent_again(
    mine: Program, settings: LazySettings
) -> None:
    settings.QUERY_PLAN_PHASE = 99  # which the router does not know
    failed = mine.post(PLANS, {"message": EXCEDENCIA}, idempotency_key="a")
    assert refusal(failed) == (503, "consult-failed")
    assert failed.headers["Content-Type"] == "application/problem+json"
    assert int(failed.headers["Retry-After"]) > 0
    entry = mine.get("audit-entries/").json["items"][0]
    assert (entry["status"], entry["message"], entry["query_plan"]) == ("error", EXCEDENCIA, None)
    assert entry["error_message"] == AuditEntry.objects.get().error_message != ""
    settings.QUERY_PLAN_PHASE = 2
    assert mine.post(PLANS, {"message": EXCEDENCIA}, idempotency_key="a").status == 201


# Few statements


def test_a_list_is_one_statement_and_a_plan_another(
    mine: Program, office: Program, learner: User, django_assert_num_queries: Queries
) -> None:
    plans = [asked(mine, f"¿Pido una excedencia en {year}?") for year in range(3)]
    corrected(mine, plans[0])
    question_ask(user=learner, message="a\0b \ud800")  # what only pages and programs of ours can send
    for program in (mine, office):
        with django_assert_num_queries(WHO + 1):
            items = program.get(PLANS).json["items"]
        assert len(items) == 5
        assert (items[0]["excerpt"], items[1]["corrects"]) == ("a\0b \ufffd\ufffd\ufffd", plans[0]["id"])
        with django_assert_num_queries(WHO + 1):
            assert program.get(f"{PLANS}{plans[0]['id']}/").json["corrected_by"] == items[1]["id"]
