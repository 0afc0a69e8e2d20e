"""What staff do about reflections through the API: what it changes, who may, and what is refused."""

import uuid

import pytest

from accounts.models import Role, Scope, User
from core.models import IdempotentRequest
from reflection.models import Attempt, ReflectionReview
from telemetry.models import Event
from tests.api.sessions import Program, integrator_create
from tests.planning.api_plans import browser, planned, planner, refusal
from tests.reflection.api_rows import (
    APPROVE,
    EDIT,
    QUALITY,
    REFLECTIONS,
    REJECT,
    failed,
    kept,
    reviewer,
    reviews,
)


@pytest.fixture
def mine(learner: User) -> Program:
    return planner(learner)


@pytest.fixture
def office(staff: User) -> Program:
    """A program of somebody who reviews."""
    return reviewer(staff)


@pytest.mark.django_db
def test_only_staff_review_and_with_the_scope_for_it_alone(mine: Program, staff: User, learner: User) -> None:
    row, office = kept(failed(mine)), reviewer(staff)
    assert refusal(office.post(f"{REFLECTIONS}{uuid.uuid4()}/reviews/", APPROVE)) == (404, "not-found")
    others = tuple(scope for scope in Scope if scope != Scope.REFLECTIONS_REVIEW)
    for program in (mine, planner(integrator_create()), Program(staff, scopes=others)):
        assert refusal(program.post(reviews(row), APPROVE)) == (403, "scope-missing")
    page = browser(learner)
    assert page.post(f"/api/v1/{reviews(row)}", APPROVE, content_type="application/json").status_code == 403
    assert (page.get(f"/api/v1/{QUALITY}").status_code, mine.get(QUALITY).status) == (403, 403)
    User.objects.filter(pk=staff.pk).update(role=Role.INTEGRATOR, is_staff=False, is_superuser=False)
    assert refusal(office.post(reviews(row), APPROVE)) == (403, "scope-missing")
    assert not ReflectionReview.objects.exists()


# What staff do about it


@pytest.mark.django_db
def test_approved_it_shapes_the_next_plan_and_rejected_it_does_not_any_more(mine: Program, office: Program) -> None:
    row = kept(failed(mine))
    before = planned(mine, "Book hotel in London")["applied_adjustments"]
    approved = office.post(reviews(row), {**APPROVE, "seen": 1})
    assert approved.status == 201, approved.text
    assert (approved.json["review"], approved.json["in_force"]) == ("approved", True)
    assert approved.json["decision"] == "accepted_with_warnings"
    assert approved.json == office.get(f"{REFLECTIONS}{row.pk}/").json
    after = planned(mine, "Book hotel in Lisbon")["applied_adjustments"]
    assert (before, [one.partition(":")[0] for one in after]) == ([], [str(row.pk)])
    rejected = office.post(reviews(row), REJECT)
    assert (rejected.json["review"], rejected.json["in_force"]) == ("rejected", False)
    assert planned(mine, "Book hotel in Bern")["applied_adjustments"] == []
    assert [(one["action"], one["reason"], one["by"], one["attempt"]) for one in rejected.json["reviews"]] == [
        ("approve", APPROVE["reason"], "carla", 1),
        ("reject", REJECT["reason"], "carla", 1),
    ]
    assert Event.objects.filter(event="reflection.reviewed").count() == 2


@pytest.mark.django_db
def test_what_staff_write_anew_is_an_attempt_of_theirs_which_counts(mine: Program, office: Program) -> None:
    row = kept(failed(mine), attempts=3)
    answer = office.post(reviews(row), {**EDIT, "seen": 1})
    assert answer.status == 201, answer.text
    told = answer.json
    assert (told["attempt"], told["author"], told["review"], told["in_force"]) == (4, "staff", "approved", True)
    assert {name: told[name] for name in EDIT if name in told} == {
        name: value for name, value in EDIT.items() if name in told
    }
    attempt = told["attempts"][3]
    assert (attempt["by"], attempt["patterns"][0]["support"]) == ("carla", 4)
    assert set(attempt["metrics"]) == set(told["metrics"])
    assert told["reviews"][0]["attempt"] == 4


@pytest.mark.django_db
def test_who_reviewed_it_and_why_is_told_to_staff_alone(mine: Program, office: Program) -> None:
    row = kept(failed(mine))
    told = office.post(reviews(row), EDIT).json
    seen = mine.get(f"{REFLECTIONS}{row.pk}/")
    assert seen.json["reviews"] is None
    assert seen.json["attempts"][1] == {**told["attempts"][1], "by": None}
    assert "carla" not in seen.text
    assert EDIT["reason"] not in seen.text


@pytest.mark.django_db
def test_who_comes_second_is_refused_in_english_and_nothing_is_stored(mine: Program, office: Program) -> None:
    row = kept(failed(mine))
    office.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "es"
    for body, again in ((APPROVE, {**APPROVE, "reason": "Once more."}), (REJECT, {**REJECT, "reason": "Once more."})):
        assert office.post(reviews(row), body).status == 201
        assert refusal(office.post(reviews(row), again)) == (409, "review-refused")
    late = office.post(reviews(row), {**EDIT, "seen": 1})
    assert refusal(late) == (409, "review-refused")
    assert late.json["detail"] == "Somebody reviewed it meanwhile. Look at it again."
    assert ReflectionReview.objects.count() == 2
    assert Attempt.objects.count() == 1


@pytest.mark.django_db
def test_sent_twice_it_is_one_review_also_when_the_first_answer_was_lost(mine: Program, office: Program) -> None:
    row = kept(failed(mine))
    for number, body in enumerate((EDIT, REJECT, APPROVE), 1):
        first, again = (office.post(reviews(row), body, idempotency_key=f"k{number}") for _ in range(2))
        assert (first.status, again.status, again.json) == (201, 201, first.json)
        assert again.headers["Idempotent-Replayed"] == "true"
        IdempotentRequest.objects.all().delete()  # as if the process had died before it answered
        lost = office.post(reviews(row), body, idempotency_key=f"k{number}")
        assert (lost.status, lost.json) == (201, first.json)
        assert ReflectionReview.objects.count() == number
    assert Attempt.objects.count() == 2
    office.post(reviews(row), REJECT, idempotency_key="k")
    assert refusal(office.post(reviews(row), APPROVE, idempotency_key="k")) == (422, "idempotency-key-reused")


# What is refused


@pytest.mark.django_db
def test_a_review_that_does_not_fit_is_refused_where_it_stands_and_nothing_is_stored(
    mine: Program, office: Program
) -> None:
    row = kept(failed(mine))
    words = ("analysis", "learning", "strategy_adjustments", "patterns_identified")
    cases: list[tuple[object, list[str]]] = [
        ({}, ["/action", "/reason"]),
        ([], [""]),
        ({**APPROVE, "action": "delete"}, ["/action"]),
        ({**APPROVE, "reason": ""}, ["/reason"]),
        ({**APPROVE, "reason": " \u200b "}, ["/reason"]),
        ({**APPROVE, "reason": "x" * 501}, ["/reason"]),
        ({**APPROVE, "reason": "a\0"}, ["/reason"]),
        ({**APPROVE, "reason": "a\u0007"}, ["/reason"]),
        ({**APPROVE, "by": "ana"}, ["/by"]),
        ({**APPROVE, "seen": 0}, ["/seen"]),
        ({**APPROVE, "seen": "1"}, ["/seen"]),
        ({**APPROVE, "seen": 40_000}, ["/seen"]),
        ({**APPROVE, "seen": True}, ["/seen"]),
        ({"action": "edit", "reason": "x"}, [f"/{name}" for name in words]),
        ({**EDIT, "action": "reject"}, [f"/{name}" for name in words]),
        ({**APPROVE, "patterns_identified": []}, ["/patterns_identified"]),
        ({**APPROVE, "analysis": None}, ["/analysis"]),
        ({**EDIT, "analysis": None}, ["/analysis"]),
        ({**EDIT, "analysis": " "}, ["/analysis"]),
        ({**EDIT, "analysis": "x" * 5_001}, ["/analysis"]),
        ({**EDIT, "learning": "x" * 2_001}, ["/learning"]),
        ({**EDIT, "learning": {"text": "x"}}, ["/learning"]),
        ({**EDIT, "strategy_adjustments": "Set priority = quality"}, ["/strategy_adjustments"]),
        ({**EDIT, "strategy_adjustments": ["a\nb"]}, ["/strategy_adjustments/0"]),
        ({**EDIT, "strategy_adjustments": ["x", ""]}, ["/strategy_adjustments/1"]),
        ({**EDIT, "strategy_adjustments": ["x" * 501]}, ["/strategy_adjustments/0"]),
        ({**EDIT, "strategy_adjustments": ["x"] * 21}, ["/strategy_adjustments"]),
        ({**EDIT, "patterns_identified": [None]}, ["/patterns_identified/0"]),
        ({**EDIT, "patterns_identified": ["x"] * 21}, ["/patterns_identified"]),
    ]
    faults = []
    for body, pointers in cases:
        answer = office.post(reviews(row), body)
        if refusal(answer) != (422, "invalid-request") or list(answer.places()) != pointers:
            faults.append((body, pointers, answer.text))
    assert faults == []
    assert office.post(reviews(row), "{").status == 400
    assert office.post(reviews(row), '{"action": "approve", "reason": ' + "[" * 10_000).status == 400
    assert not ReflectionReview.objects.exists()
    assert Attempt.objects.count() == 1


@pytest.mark.django_db
def test_whatever_words_are_sent_they_are_kept_as_they_are(mine: Program, office: Program) -> None:
    row = kept(failed(mine))
    hostile = [
        "<script>alert(1)</script>",
        "%s {0} ${x} \\ ' \" ; DROP TABLE reflection_reflection; --",
        "Add constraint: quality >= 99999999999999999999999999999999",
        "Set priority = " + "a" * 480,
        "\U0001f600 \u202e \uffff ñandú",
        "change from to from to from to",
    ]
    for number, line in enumerate(hostile, 2):
        lines = [line, *hostile][:20]
        answer = office.post(
            reviews(row),
            {**EDIT, "analysis": f"{line}\n" * 9, "strategy_adjustments": lines, "patterns_identified": lines},
        )
        assert answer.status == 201, answer.text
        assert answer.json["strategy_adjustments"] == answer.json["patterns_identified"] == lines
        assert (answer.json["attempt"], answer.json["analysis"]) == (number, f"{line}\n" * 9)
    assert office.post(reviews(row), {**EDIT, "analysis": "because " * 600, "learning": "é" * 2_000}).status == 201
