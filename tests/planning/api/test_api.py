"""Plans for programs: making one, finding one, who sees which, and what is refused."""

import json
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from accounts.models import Scope, User
from accounts.services import guest_absorb, guest_create, learner_erase
from core.api.idempotency import request_claim
from core.models import IdempotentRequest
from gateway.models import Account, Hold
from memory.contracts import Adjustment, AdjustmentOperation
from memory.services import adjustments_set, episode_store, preference_set
from planning.api.contracts import PlanBody
from planning.contracts import CRITERIA_AT_MOST, PlanOutcome
from planning.layer import PlanningLayer
from planning.models import Plan
from planning.selectors import task_types
from planning.services import plan_outcome_set
from planning.understanding.types.classifier import GIVEN_ONLY
from tests.api.sessions import LEARNING, Program, integrator_create
from tests.conftest import LessonMaker
from tests.planning.api_plans import (
    HOTEL,
    PARIS,
    PLANNING,
    PLANS,
    WHO,
    browser,
    hurry,
    listed,
    planned,
    planner,
    refusal,
)
from tests.provider import Provider, hangs, says

Queries = Callable[[int], AbstractContextManager[Any]]


@pytest.fixture
def mine(learner: User) -> Program:
    return planner(learner)


@pytest.fixture
def school(db: None) -> Program:
    """The program of an integrator, who manages learners."""
    return planner(integrator_create("school"))


@pytest.fixture
def office(staff: User) -> Program:
    return planner(staff)


# What is told


def test_a_plan_is_told_whole_and_found_at_its_address(mine: Program) -> None:
    made = mine.post(PLANS, {"task": f"  {PARIS}\n"})
    assert made.status == 201
    assert made.headers["Location"] == f"http://testserver/api/v1/plans/{made.json['id']}/"
    plan = mine.get(made.headers["Location"]).json
    assert plan == made.json
    assert (plan["task"], plan["task_type"], plan["language"]) == (PARIS, "hotel_booking", "en")
    assert (plan["source"], plan["outcome"], plan["evaluated_at"], plan["cost_microcents"]) == (
        *("template", None),
        *(None, 0),
    )
    assert "User has: Confirmed hotel reservation" in plan["desired_result"]["user_has"]
    assert [step["order"] for step in plan["steps"]] == list(range(1, len(plan["steps"]) + 1))
    assert plan["steps"][0]["description"].startswith("Search hotels in Paris")
    assert any(one["measurable"] and one["parse"] for one in plan["success_criteria"])
    assert plan["influenced_by_experience"] is False


def test_each_criterion_comes_back_with_what_was_understood_of_it(mine: Program) -> None:
    given = ["calidad del hotel: como mínimo 7", "It feels like home"]
    read, unread = planned(mine, criteria=given)["success_criteria"]
    assert [read["text"], unread["text"]] == given
    assert (read["normal"], read["measurable"], read["source"]) == ("calidad >= 7", True, "given")
    assert (read["parse"]["field"], read["parse"]["operator"], read["parse"]["value"]) == ("calidad", ">=", 7)
    assert (unread["normal"], unread["measurable"], unread["verifiable"], unread["parse"]) == (
        *(given[1], False),
        *(False, None),
    )


def test_it_says_what_shaped_it(mine: Program, learner: User) -> None:
    episode_store(learner, "User rejected cheap hotel (quality < 7)", "hotel_booking", "failure")
    episode_store(learner, "User prefers quality over price", "hotel_booking", "success")
    preference_set(user=learner, text="needs wheelchair access")
    change = Adjustment(operation=AdjustmentOperation.CHANGE, setting="priority", value="quality", previous="price")
    adjustments_set(user=learner, reflection_id="r1", task_type="hotel_booking", adjustments=[change])
    plan = planned(mine)
    assert plan["influenced_by_experience"] is True
    assert plan["past_learnings"] == ["quality > price"]
    assert plan["preferences"] == ["needs wheelchair access"]
    assert plan["applied_adjustments"] == ["r1: priority=quality"]
    assert (plan["config"]["priority"], plan["constraints"]) == ("quality", ["quality >= 7"])
    assert {one["source"] for one in plan["success_criteria"]} >= {"template", "experience"}


def test_a_plan_from_the_cache_says_which_and_what_was_adjusted(mine: Program) -> None:
    first, second = planned(mine), planned(mine, "Book hotel in Paris for 2 nights")
    assert (first["source"], second["source"], second["cached_from"]) == ("template", "cache", first["id"])
    assert any("2 nights" in note for note in second["cache_adjustments"])
    assert 0.85 <= second["similarity"] <= 1


def test_a_plan_speaks_the_language_of_its_task(learner: User) -> None:
    plan = planned(Program(learner, scopes=PLANNING), "Reservar hotel en Sevilla para 2 noches")
    assert plan["language"] == "es"
    assert plan["steps"][0]["description"].startswith("Buscar hoteles en Sevilla")


def test_the_type_of_the_task_may_be_said(mine: Program) -> None:
    assert planned(mine, "Something for Ana", task_type="gift")["task_type"] == "gift"
    assert planned(mine, "Something for Ana", task_type="not_known_here")["task_type"] == "not_known_here"


# Finding one


def test_they_come_in_pages_the_latest_first(mine: Program) -> None:
    made = [planned(mine, f"Book hotel in {city}")["id"] for city in ("Paris", "London", "Rome", "Lima", "Oslo")]
    assert listed(mine) == made[::-1]


def test_each_filter_narrows_the_list_and_all_together(school: Program) -> None:
    first = planned(school, learner="7")
    cached = planned(school, "Book hotel in Paris for 2 nights", learner="7")
    flight = planned(school, "Book flight to Rome on Dec 15", learner="8")
    own = planned(school, "Book flight to Lima on Dec 15")
    for plan, outcome in ((first, PlanOutcome.SUCCESS), (flight, PlanOutcome.FAILURE), (own, PlanOutcome.UNKNOWN)):
        plan_outcome_set(plan_id=uuid.UUID(plan["id"]), outcome=outcome)

    def found(**query: str) -> list[str]:
        return listed(school, **query)

    assert found(task_type="hotel_booking") == found(learner="7") == [cached["id"], first["id"]]
    assert found(task_type="flight_booking", learner="8") == found(outcome="failure") == [flight["id"]]
    assert found(source="cache") == [cached["id"]]
    assert found(source="template") == [own["id"], flight["id"], first["id"]]
    assert found(outcome="unknown") == [own["id"]]
    assert found(source="model") == found(learner="7", outcome="failure") == found(task_type="nothing") == []
    item = school.get(f"{PLANS}?outcome=success").json["items"][0]
    assert item["evaluated_at"] is not None
    assert item == {name: first[name] for name in item} | {"outcome": "success", "evaluated_at": item["evaluated_at"]}


def test_plans_of_lesson_sessions_are_among_them(learner: User, make_lesson: LessonMaker) -> None:
    make_lesson()
    program = Program(learner, scopes=(*LEARNING, *PLANNING))
    walk = program.start("light")
    [plan] = program.get(f"{PLANS}?task_type=lesson").json["items"]
    assert (plan["task"], plan["id"]) == ("Light", walk.now["plan"])


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("task_type=Hotel", "/task_type"),
        ("source=heaven", "/source"),
        ("outcome=", "/outcome"),
        ("learner=%20x", "/learner"),
        ("limit=201", "/limit"),
        ("task=hotel", "/task"),
    ],
)
def test_a_filter_that_does_not_fit_is_refused_where_it_stands(mine: Program, query: str, pointer: str) -> None:
    answer = mine.get(f"{PLANS}?{query}")
    assert refusal(answer) == (422, "invalid-request")
    assert list(answer.places()) == [pointer]


# Who sees which


def test_what_is_not_ones_own_does_not_exist(mine: Program, stranger: User, school: Program) -> None:
    plan = planned(mine)
    for other in (planner(stranger), school):
        assert listed(other) == []
        there, nowhere = (other.get(f"{PLANS}{key}/") for key in (plan["id"], uuid.uuid4()))
        assert refusal(there) == refusal(nowhere) == (404, "not-found")
        assert there.json["detail"] == nowhere.json["detail"]


def test_a_program_plans_for_the_learners_whom_it_manages(school: Program, mine: Program) -> None:
    plan = planned(school, learner="learner-7")
    row = Plan.objects.get(pk=plan["id"])
    assert row.user is not None
    assert (row.user.pseudonym, row.owner) == ("learner-7", str(row.user.pk))
    assert listed(school) == [plan["id"]]
    assert listed(planner(integrator_create("other school"))) == []
    refused = mine.post(PLANS, {"task": PARIS, "learner": "learner-7"})
    assert refusal(refused) == (403, "learners-not-managed")


def test_of_an_erased_learner_nothing_is_left(school: Program) -> None:
    plan = planned(school, learner="7")
    pupil = Plan.objects.get().user
    assert pupil is not None
    learner_erase(user=pupil)
    assert listed(school) == []
    assert school.get(f"{PLANS}{plan['id']}/").status == 404
    assert listed(school, learner="7") == []


def test_a_guest_takes_their_plans_along(learner: User, mine: Program) -> None:
    guest = guest_create()
    body = json.dumps({"task": PARIS})
    made = browser(guest).post(f"/api/v1/{PLANS}", body, content_type="application/json")
    assert made.status_code == 201
    assert [item["id"] for item in browser(guest).get(f"/api/v1/{PLANS}").json()["items"]] == [made.json()["id"]]
    guest_absorb(guest=guest, account=learner)
    assert listed(mine) == [made.json()["id"]]


def test_staff_see_all_in_a_browser_after_their_second_factor(
    office: Program, mine: Program, staff: User, settings: LazySettings
) -> None:
    theirs, own = planned(mine)["id"], planned(office)["id"]
    nobodys = str(PlanningLayer().create_plan(PARIS, "user_123").id)
    assert listed(office) == [nobodys, own, theirs]
    assert office.get(f"{PLANS}{nobodys}/").status == 200
    page = browser(staff)

    def seen() -> list[str]:
        return [item["id"] for item in page.get(f"/api/v1/{PLANS}").json()["items"]]

    assert seen() == [nobodys, own, theirs]
    settings.STAFF_WITHOUT_SECOND_FACTOR = ""
    assert seen() == [own]
    assert page.get(f"/api/v1/{PLANS}{theirs}/").status_code == 404


@pytest.mark.parametrize("scope", PLANNING)
def test_reading_and_writing_are_scopes_of_their_own(learner: User, scope: Scope) -> None:
    program = Program(learner, scopes=(scope,))
    reads, writes = program.get(PLANS), program.post(PLANS, {"task": PARIS})
    assert (reads.status, writes.status) == ((200, 403) if scope == Scope.PLANS_READ else (403, 201))


# Sent twice


def test_sent_twice_it_is_one_plan(mine: Program) -> None:
    body = {"task": PARIS}
    first, again = (mine.post(PLANS, body, idempotency_key="a") for _ in range(2))
    assert (first.status, again.status, again.json) == (201, 201, first.json)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert refusal(mine.post(PLANS, {"task": "Book hotel in Rome"}, idempotency_key="a")) == (
        *(422,),
        "idempotency-key-reused",
    )
    assert mine.post(PLANS, body, idempotency_key="b").json["id"] != first.json["id"]
    assert Plan.objects.count() == 2


def test_when_the_first_answer_was_lost_it_is_one_plan_too(mine: Program, learner: User) -> None:
    body = {"task": PARIS, "criteria": HOTEL}
    first = mine.post(PLANS, body, idempotency_key="a")
    request = IdempotentRequest.objects.get()
    known = {"owner": request.owner, "key": "a", "fingerprint": request.fingerprint}
    request.delete()
    request_claim(**known)  # as a process does that dies before it answers
    assert refusal(mine.post(PLANS, body, idempotency_key="a")) == (409, "request-still-running")
    IdempotentRequest.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    again = mine.post(PLANS, body, idempotency_key="a")
    assert (again.status, again.json) == (201, first.json)
    assert Plan.objects.count() == 1


def test_a_key_that_comes_again_long_after_is_no_old_plan_for_another_task(mine: Program) -> None:
    first = mine.post(PLANS, {"task": PARIS}, idempotency_key="a")
    IdempotentRequest.objects.all().delete()  # after a day
    other = mine.post(PLANS, {"task": "Book flight to Rome on Dec 15"}, idempotency_key="a")
    assert (other.status, other.json["task_type"]) == (201, "flight_booking")
    assert other.json["id"] != first.json["id"]


def test_keys_of_two_people_have_nothing_to_do_with_each_other(mine: Program, stranger: User) -> None:
    made = [program.post(PLANS, {"task": PARIS}, idempotency_key="a") for program in (mine, planner(stranger))]
    assert made[0].json["id"] != made[1].json["id"]


# What is refused


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/task"),
        ({"task": ""}, "/task"),
        ({"task": " \t "}, "/task"),
        ({"task": "?! _ ¡…"}, "/task"),
        ({"task": "a bell \x07"}, "/task"),
        ({"task": "x" * 2_001}, "/task"),
        ({"task": "\ufb2c" * 1_000}, "/task"),  # three characters each, once they are normal
        ({"task": ["Book"]}, "/task"),
        ({"task": PARIS, "task_type": "Hotel booking"}, "/task_type"),
        ({"task": PARIS, "task_type": ""}, "/task_type"),
        ({"task": PARIS, "learner": " 7"}, "/learner"),
        ({"task": PARIS, "criteria": []}, "/criteria"),
        ({"task": PARIS, "criteria": ["price <= 200", " "]}, "/criteria/1"),
        ({"task": PARIS, "criteria": ["x" * 501]}, "/criteria/0"),
        ({"task": PARIS, "criteria": ["price <= 200"] * (CRITERIA_AT_MOST + 1)}, "/criteria"),
        ({"task": PARIS, "user_id": 7}, "/user_id"),
        ({"task": PARIS, "timeout_ms": 1}, "/timeout_ms"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_where_it_stands(learner: User, body: dict[str, Any], pointer: str) -> None:
    answer = Program(learner, scopes=PLANNING, language="es").post(PLANS, body)
    assert refusal(answer) == (422, "invalid-request")
    assert list(answer.places()) == [pointer]
    assert "tarea" not in answer.text, "problems are in English"
    assert not Plan.objects.exists()


def test_criteria_of_which_none_can_be_measured_are_refused(mine: Program) -> None:
    answer = mine.post(PLANS, {"task": PARIS, "criteria": ["It feels like home", "Everybody is happy, more or less"]})
    assert refusal(answer) == (422, "plan-refused")
    assert answer.places() == {"/criteria": "must have at least one that can be measured"}
    assert not Plan.objects.exists()


def test_as_many_criteria_as_there_may_be_leave_no_room_for_learned_ones(mine: Program, learner: User) -> None:
    preference_set(user=learner, text="needs wheelchair access")
    episode_store(learner, "User rejected cheap hotel (quality < 7)", "hotel_booking", "failure")
    criteria = [f"price <= {number}" for number in range(CRITERIA_AT_MOST)]
    assert [one["text"] for one in planned(mine, criteria=criteria)["success_criteria"]] == criteria


def test_hostile_text_is_planned_as_text(mine: Program) -> None:
    task = "Book <script>alert(1)</script> hotel in Paris'; DROP TABLE planning_plan; -- %s {x} \u202e"
    plan = planned(mine, task, criteria=["<b>price</b> <= 200", "price <= 200", "' OR 1=1 --"])
    assert plan["task"] == task
    assert mine.get(f"{PLANS}{plan['id']}/").json == plan


@pytest.mark.django_db(transaction=True)
def test_a_day_that_is_spent_is_refused_before_anything_is_asked(learner: User, provider: Provider) -> None:
    now, mine = datetime.now(UTC), planner(learner)
    Account.objects.create(
        scope=Account.Scope.USER_DAY,
        key=f"{learner.pk}:{now:%Y-%m-%d}",
        limit=500_000_000,
        spent=500_000_000,
        spent_thinker=500_000_000,
        escalations_limit=0,
    )
    answer = mine.post(PLANS, {"task": PARIS}, idempotency_key="a")
    assert refusal(answer) == (429, "daily-budget-exceeded")
    assert answer.json["detail"] == "Would exceed daily budget: $5.01 > $5.00"
    left = (now.replace(hour=0, minute=0, second=0) + timedelta(days=1) - now).total_seconds()
    assert abs(int(answer.headers["Retry-After"]) - left) < 60
    assert provider.calls == []
    assert not Plan.objects.exists()
    Account.objects.update(limit=1_000_000_000)
    assert mine.post(PLANS, {"task": PARIS}, idempotency_key="a").status == 201


@pytest.mark.django_db(transaction=True)
def test_a_month_that_is_spent_is_another_refusal(learner: User, provider: Provider) -> None:
    mine = planner(learner)
    month = {"scope": Account.Scope.AGENT_MONTH, "key": f"planner:{timezone.now():%Y-%m}"}
    Account.objects.create(**month, limit=0, escalations_limit=0)
    answer = mine.post(PLANS, {"task": PARIS})
    assert refusal(answer) == (402, "budget-exceeded")
    assert "monthly budget" in answer.json["detail"]
    assert provider.calls == []


@pytest.mark.django_db(transaction=True)
def test_a_model_that_is_followed_is_paid_by_the_person(learner: User, provider: Provider) -> None:
    descriptions = ["Search hotels in Paris", "Compare the three best", "Book the chosen hotel"]
    steps = [{"description": one, "dependencies": []} for one in descriptions]
    provider.always(says(json.dumps({"steps": steps, "success_criteria": ["Hotel has wifi"]})))
    plan = planned(planner(learner))
    assert (plan["source"], plan["fallback"]) == ("model", None)
    assert plan["model"] == provider.calls[0].body["model"]
    assert [step["description"] for step in plan["steps"]] == descriptions
    assert plan["cost_microcents"] == Hold.objects.get(user_id=learner.pk).cost


@pytest.mark.django_db(transaction=True)
def test_a_plan_that_takes_too_long_leaves_nothing_and_may_be_asked_for_again(
    learner: User, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, body = planner(learner), {"task": PARIS}
    with monkeypatch.context() as patch:
        hurry(patch, "create_plan")
        provider.always(hangs())
        late = mine.post(PLANS, body, idempotency_key="a")
    assert refusal(late) == (504, "operation-timed-out")
    assert late.json["detail"] == "create_plan exceeded 150ms"
    assert not Plan.objects.exists()
    provider.release()
    provider.always(says("no"))
    assert mine.post(PLANS, body, idempotency_key="a").status == 201


# Few statements


def test_a_list_is_one_statement_and_a_plan_three(
    mine: Program, office: Program, django_assert_num_queries: Queries
) -> None:
    made = [planned(mine, f"Book hotel in {city}") for city in ("Paris", "London", "Rome")]
    for program in (mine, office):
        with django_assert_num_queries(WHO + 1):
            assert len(program.get(PLANS).json["items"]) == 3
        with django_assert_num_queries(WHO + 3):  # the plan, its steps, its criteria
            program.get(f"{PLANS}{made[0]['id']}/")


def test_queries_of_making_one(mine: Program, django_assert_num_queries: Queries) -> None:
    planned(mine, "Book flight to Rome on Dec 15")  # what a process reads once
    # First how many plans this minute. 3. what the cache nominates; 4. episodes; 5. preferences; 6. to 8. how long that
    # took; 9. adjustments; 10. to 12. how long the steps took; 13. SAVEPOINT; 14. the person stays; 15. the plan; 16.
    # its steps; 17. its criteria; 18. the chain's head, if there were one; 19. the chain; 20. its head, locked; 21. the
    # event and the head; 22. the cache, locked; 23. the entry that is replaced; 24. the entry; 25. those that have
    # expired; 26. RELEASE; 27. to 29. how long it all took; 30. the plan as it is shown; 31. its steps; 32. its
    # criteria
    with django_assert_num_queries(WHO + 31):
        plan = planned(mine)
    # 3. what the cache nominates; 4. to 9. as above; 10. to 12. the plan that serves; 13. its hit; 14. to 22. the
    # plan and its event; 23. to 25. how long; 26. to 28. the plan as it is shown
    with django_assert_num_queries(WHO + 28):
        assert planned(mine, "Book hotel in Paris for 2 nights")["cached_from"] == plan["id"]


def test_the_types_of_tasks_have_names_that_the_api_takes() -> None:
    assert {"hotel_booking", "lesson", "general"} <= set(task_types())
    for name in {*task_types()} - {*GIVEN_ONLY}:
        PlanBody(task=PARIS, task_type=name)
