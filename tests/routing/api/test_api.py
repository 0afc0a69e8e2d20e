"""Query plans for programs: asking, finding, correcting, and what is refused."""

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.conf import LazySettings

from accounts.models import User
from routing.api.contracts import MESSAGE_LENGTH
from routing.contracts import QueryPlan as Plan
from routing.contracts import validate_query_plan
from routing.models import AuditEntry, LabelledExample, QueryPlan, Question
from routing.services import question_ask
from tests.api.sessions import Json, Program, integrator_create
from tests.planning.api_plans import listed, refusal
from tests.routing.api_consult import EXCEDENCIA, MARKET, PLANS, WHO, asked, consulter, corrected

Queries = Callable[[int], AbstractContextManager[Any]]


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
    every = [tax, own, market, unclear, clear]
    assert unclear["flags"] == ["needs-clarification"]
    cases: dict[str, list[Json]] = {
        "": every,
        "confidence=low": [one for one in every if one["confidence"] == "low"],
        "flag=needs-clarification": [one for one in every if "needs-clarification" in one["flags"]],
        "flag=nobody-knows-it": [],
        "domain=transition": [one for one in every if "transition" in one["domains"]],
        "domain=transition&learner=7&confidence=high": [clear],
        "mode=fast": [one for one in every if one["mode"] == "fast"],
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
        given = dict(part.split("=", 1) for part in query.split("&") if part)
        assert listed(school, PLANS, **given) == [one["id"] for one in expected], query
    item = school.get(f"{PLANS}?corrected=true").json["items"][0]
    assert item == {name: own[name] for name in item} | {"corrected_by": tax["id"]}


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
    assert not Question.objects.exists()
    assert not AuditEntry.objects.exists()


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
