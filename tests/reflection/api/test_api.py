"""Reflections for programs: what was learned, who sees it, and how good it is."""

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from accounts.models import Scope, User
from accounts.services import learner_erase
from evaluation.models import PendingReflection
from evaluation.services import reflection_close
from lesson_engine.models import SessionPlan
from lesson_engine.services.goals import goals_evaluate
from planning.models import Plan
from reflection.board.contracts import REQUIRED_QUALITY_METRICS, CollectedMetric
from reflection.models import Attempt, Reflection, ReflectionReview
from tests.api.sessions import LEARNING, Json, Program, integrator_create
from tests.conftest import ask, lesson_make
from tests.planning.api_plans import HOTEL, WHO, browser, evaluated, listed, planned, planner, refusal
from tests.reflection.api_rows import (
    APPROVE,
    EDIT,
    METRICS,
    PATTERN,
    QUALITY,
    REFLECTIONS,
    SHALLOW,
    failed,
    kept,
    reflect_all,
    reviewer,
    reviews,
)

Queries = Callable[[int], AbstractContextManager[Any]]


@pytest.fixture
def mine(learner: User) -> Program:
    return planner(learner)


@pytest.fixture
def office(staff: User) -> Program:
    """A program of somebody who reviews."""
    return reviewer(staff)


# What is told


@pytest.mark.django_db
def test_a_failure_is_not_reflected_on_yet_and_then_it_is(mine: Program) -> None:
    told = failed(mine)
    there = f"evaluations/{told['id']}/reflection/"
    waiting = mine.get(there)
    assert refusal(waiting) == (404, "reflection-pending")
    assert int(waiting.headers["Retry-After"]) > 0
    reflect_all()
    found = mine.get(there)
    assert found.status == 200, found.text
    assert mine.get(f"{REFLECTIONS}{found.json['id']}/").json == found.json
    listed_one = mine.get(REFLECTIONS).json["items"][0]
    assert listed_one == {name: found.json[name] for name in listed_one}
    assert (found.json["evaluation_id"], found.json["plan_id"]) == (told["id"], told["plan_id"])
    row = Reflection.objects.select_related("kept").get()
    assert row.kept is not None
    assert found.json["analysis"] == row.kept.analysis
    assert found.json["attempts"][found.json["attempt"] - 1]["learning"] == found.json["learning"]
    assert mine.get(f"evaluations/{told['id']}/").json["reflection_pending"] is False


@pytest.mark.django_db
def test_where_nothing_is_to_be_learned_there_is_no_reflection(mine: Program) -> None:
    plan = planned(mine, criteria=HOTEL)
    good = evaluated(mine, plan, {"hotel": {"quality": 8, "price": 150}, "user_feedback": "confirmed"})
    given_up = failed(mine)
    reflection_close(evaluation_id=uuid.UUID(given_up["id"]))
    for told in (good, given_up):
        answer = mine.get(f"evaluations/{told['id']}/reflection/")
        assert refusal(answer) == (404, "not-found")
        assert "Retry-After" not in answer.headers


@pytest.mark.django_db
def test_every_attempt_is_told_with_what_it_would_change_and_why_it_cannot(mine: Program) -> None:
    row = kept(failed(mine), attempts=2)
    told = mine.get(f"{REFLECTIONS}{row.pk}/").json
    assert (told["attempt"], [one["number"] for one in told["attempts"]]) == (2, [1, 2])
    assert (told["decision"], told["review"], told["in_force"]) == ("accepted_with_warnings", None, False)
    assert (told["violations"], told["quality_score"]) == ([SHALLOW], 0.79)
    assert told["metrics"] == {**METRICS, "pattern_validity": None, "relevance_score": None}
    attempt = told["attempts"][1]
    assert attempt["violations"] == [{"metric": "depth_score", "text": SHALLOW}]
    first, second, third = attempt["adjustments"]
    assert first["change"] == {
        "operation": "add_constraint",
        "setting": "constraint",
        "value": "quality >= 7",
        "previous": None,
        "relative": False,
    }
    assert first["fault"] is None
    assert second["fault"] == "There is no setting mood."
    assert (third["change"], third["text"]) == (None, "Do better")
    assert "none of the known forms" in third["fault"]
    figures = attempt["patterns"][0]
    assert (figures["support"], figures["contrary"], figures["total"], figures["state"]) == (4, 1, 5, "provisional")
    assert told["strategy_adjustments"] == ["Add constraint: quality >= 7", "Set mood = 3", "Do better"]
    assert told["patterns_identified"] == [PATTERN.text]


@pytest.mark.django_db
def test_the_list_has_the_latest_first_and_each_filter_must_hold(office: Program) -> None:
    school = planner(integrator_create("school"))
    day = datetime(2026, 1, 1, tzinfo=UTC)
    paris, rome, flight, learner_7 = (
        kept(failed(school), created_at=day),
        kept(failed(school, "Book hotel in Rome"), "accepted", in_force=True, created_at=day + timedelta(days=1)),
        kept(failed(school, "Book flight to Oslo"), "rejected", created_at=day + timedelta(days=2)),
        kept(
            failed(school, learner="7"),
            review="approved",
            reviewed_at=day,
            in_force=True,
            created_at=day + timedelta(days=3),
        ),
    )
    every = [learner_7, flight, rome, paris]
    cases: list[tuple[dict[str, str], list[Reflection]]] = [
        ({}, every),
        ({"decision": "accepted_with_warnings", "review": "none"}, [paris]),
        ({"decision": "accepted_with_warnings"}, [learner_7, paris]),
        ({"decision": "rejected"}, [flight]),
        ({"review": "approved"}, [learner_7]),
        ({"review": "rejected"}, []),
        ({"in_force": "true"}, [learner_7, rome]),
        ({"in_force": "false"}, [flight, paris]),
        ({"task_type": flight.task_type}, [one for one in every if one.task_type == flight.task_type]),
        ({"task_type": "gardening"}, []),
        ({"learner": "7"}, [learner_7]),
        ({"learner": "8"}, []),
        ({"since": "2026-01-02T00:00:00Z", "until": "2026-01-04T00:00:00Z"}, [flight, rome]),
        ({"since": "2026-01-04T00:00:00Z"}, [learner_7]),
        ({"until": "0001-01-01T00:00:00Z"}, []),
        ({"until": "9999-12-31T23:59:59Z"}, every),
    ]
    for program in (school, office):
        for query, expected in cases:
            assert listed(program, REFLECTIONS, **query) == [str(row.pk) for row in expected], query


# Who sees which


@pytest.mark.django_db
def test_what_is_not_ones_own_does_not_exist(mine: Program, stranger: User) -> None:
    row = kept(failed(mine))
    waiting = failed(mine)
    nowhere = uuid.uuid4()
    for other in (planner(stranger), planner(integrator_create())):
        assert other.get(REFLECTIONS).json["items"] == []
        for path, unknown in (
            (f"{REFLECTIONS}{row.pk}/", f"{REFLECTIONS}{nowhere}/"),
            (f"evaluations/{row.evaluation_id}/reflection/", f"evaluations/{nowhere}/reflection/"),
            (f"evaluations/{waiting['id']}/reflection/", f"evaluations/{nowhere}/reflection/"),
        ):
            there, not_there = other.get(path), other.get(unknown)
            assert refusal(there) == refusal(not_there) == (404, "not-found")
            assert there.json["detail"] == not_there.json["detail"]


@pytest.mark.django_db
def test_a_program_sees_those_of_its_learners_until_they_are_forgotten() -> None:
    school, other = planner(integrator_create("school")), planner(integrator_create("other"))
    row = kept(failed(school, learner="7"))
    assert listed(school, REFLECTIONS) == [str(row.pk)]
    assert other.get(f"{REFLECTIONS}{row.pk}/").status == 404
    pupil = Plan.objects.get().user
    assert pupil is not None
    learner_erase(user=pupil)
    assert school.get(f"{REFLECTIONS}{row.pk}/").status == 404
    assert not Attempt.objects.exists()


@pytest.mark.django_db
def test_staff_see_all_in_a_browser_after_their_second_factor(
    mine: Program, office: Program, staff: User, settings: LazySettings
) -> None:
    row, page = kept(failed(mine)), browser(staff)
    paths = (f"{REFLECTIONS}{row.pk}/", f"evaluations/{row.evaluation_id}/reflection/")
    assert [office.get(path).status for path in paths] == [200, 200]
    assert [page.get(f"/api/v1/{path}").status_code for path in paths] == [200, 200]
    settings.STAFF_WITHOUT_SECOND_FACTOR = ""
    assert [page.get(f"/api/v1/{path}").status_code for path in paths] == [404, 404]
    assert page.get(f"/api/v1/{QUALITY}").status_code == 403
    assert page.post(f"/api/v1/{reviews(row)}", APPROVE, content_type="application/json").status_code == 403
    assert not ReflectionReview.objects.exists()


@pytest.mark.django_db
def test_a_reflection_on_a_lesson_tells_no_expected_answer_and_no_learners_words(learner: User) -> None:
    lesson_make(
        ask(answer={"kind": "open", "accepted": ["Secretly chlorophyll."]}),
        ask("ASK_002", answer={"kind": "numeric", "value": 918273645}),
    )
    program = Program(learner, scopes=(*LEARNING, Scope.PLANS_READ))
    walk = program.start("light")
    walk.to_the_end(lambda one: one.act("answers", text="My aunt Petronila eats light"))
    goals_evaluate(SessionPlan.objects.get())
    reflect_all()
    told = program.get(f"{REFLECTIONS}{program.get(REFLECTIONS).json['items'][0]['id']}/").text
    assert "accuracy" in told
    for secret in ("chlorophyll", "918273645", "Petronila"):
        assert secret not in told


# What is refused


@pytest.mark.django_db
def test_a_query_string_that_does_not_fit_is_refused_where_it_stands(office: Program) -> None:
    cases = {
        f"{REFLECTIONS}?decision=perfect": ["/decision"],
        f"{REFLECTIONS}?review=": ["/review"],
        f"{REFLECTIONS}?in_force=yes": ["/in_force"],
        f"{REFLECTIONS}?task_type=Hotel": ["/task_type"],
        f"{REFLECTIONS}?learner=%00": ["/learner"],
        f"{REFLECTIONS}?since=2026-01-01": ["/since"],
        f"{REFLECTIONS}?until=1767225600": ["/until"],
        f"{REFLECTIONS}?limit=0&sort=id": ["/limit", "/sort"],
        f"{QUALITY}?since=today&days=3": ["/since", "/days"],
        f"{QUALITY}?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z": ["/until"],
        f"{REFLECTIONS}{uuid.uuid4()}/?limit=1": ["/limit"],
    }
    found = {path: office.get(path) for path in cases}
    assert {path: answer.status for path, answer in found.items()} == dict.fromkeys(cases, 422)
    assert {path: list(answer.places()) for path, answer in found.items()} == cases
    assert refusal(office.get(f"{REFLECTIONS}?cursor=abc")) == (404, "cursor-unknown")
    assert refusal(office.get(f"{REFLECTIONS}1/")) == (404, "not-found")


# How good they are


@pytest.mark.django_db
def test_the_quality_of_reflections_is_told_by_the_documented_names(mine: Program, office: Program) -> None:
    def told(query: str = "") -> tuple[Json, dict[str, Json]]:
        answer = office.get(f"{QUALITY}{query}")
        assert answer.status == 200, answer.text
        return answer.json, {one["name"]: one for one in answer.json["metrics"]}

    report, metrics = told()
    assert list(metrics) == [*REQUIRED_QUALITY_METRICS, CollectedMetric.REJECTION_RATE]
    assert (report["reflections"], {one["value"] for one in metrics.values()}) == (0, {None})
    for decision in ("accepted_with_warnings", "rejected"):
        kept(failed(mine), decision)
    kept(failed(mine), created_at=timezone.now() - timedelta(days=40))
    report, metrics = told()
    assert report["reflections"] == 2
    depth = metrics["metacognition.reflection.depth_score_avg"]
    assert (depth["value"], depth["target"], depth["alert"]) == (pytest.approx(0.53), 0.7, 0.5)
    assert (depth["better"], depth["standing"], depth["samples"]) == ("more", "missed", 2)
    rejected = metrics[CollectedMetric.REJECTION_RATE]
    assert (rejected["value"], rejected["better"], rejected["standing"]) == (0.5, "less", "alert")
    counted = metrics["metacognition.reflection.rejected_count"]
    assert (counted["value"], counted["target"], counted["standing"]) == (1, None, None)
    assert told("?since=2020-01-01T00:00:00Z")[0]["reflections"] == 3
    for empty in ("until=0001-01-01T00:00:00Z", "since=9999-12-31T23:59:59Z", "until=0001-01-05T00:00:00%2B23:59"):
        assert told(f"?{empty}")[0]["reflections"] == 0


# Few statements


@pytest.mark.django_db
def test_queries_do_not_grow_with_reflections_and_attempts(
    mine: Program, office: Program, django_assert_num_queries: Queries
) -> None:
    rows = [kept(failed(mine), attempts=3) for _ in range(3)]
    office.post(reviews(rows[0]), EDIT)
    for program, of_staff in ((mine, 0), (office, 1)):
        with django_assert_num_queries(WHO + 1):
            assert len(program.get(REFLECTIONS).json["items"]) == 3
        with django_assert_num_queries(WHO + 2 + of_staff):  # it; its attempts; its reviews
            assert len(program.get(f"{REFLECTIONS}{rows[0].pk}/").json["attempts"]) == 4
        with django_assert_num_queries(WHO + 3 + of_staff):  # the evaluation before
            program.get(f"evaluations/{rows[0].evaluation_id}/reflection/")
    with django_assert_num_queries(WHO + 1):
        office.get(QUALITY)
    PendingReflection.objects.update(state="running", lease_until=timezone.now())
    waiting = failed(mine)
    with django_assert_num_queries(WHO + 1):
        assert mine.get(f"evaluations/{waiting['id']}/reflection/").status == 404
