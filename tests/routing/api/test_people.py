"""Who sees which query plans through the API, and what a request that is sent twice does."""

import json
import uuid
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.utils import timezone

from accounts.models import Scope, User
from accounts.services import guest_absorb, guest_create, learner_erase
from core.api.idempotency import request_claim
from core.models import IdempotentRequest
from routing.models import AuditEntry, QueryPlan, Question
from tests.api.sessions import Program, integrator_create
from tests.lesson_engine.services.threads import at_once
from tests.planning.api_plans import browser, listed, refusal
from tests.routing.api_consult import CONSULTING, EXCEDENCIA, MARKET, PLANS, asked, consulter, corrected

pytestmark = pytest.mark.django_db


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
