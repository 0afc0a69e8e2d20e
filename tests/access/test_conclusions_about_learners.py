"""What Andamio concludes of a learner is written by Andamio alone."""

import importlib

import pytest
from django.db import connection

from accounts.models import Role, User
from evaluation.models import Evaluation, PendingReflection
from lesson_engine.models import SessionPlan
from lesson_engine.services.goals import goals_evaluate
from memory.models import Episode
from planning.models import Plan
from tests.api.sessions import LEARNING, Program, integrator_create
from tests.conftest import lesson_make
from tests.planning.api_plans import PLANNING, PLANS, planned, planner, refusal

TRIUMPH = {"execution_result": {"finished": True, "questions": 2, "accuracy": 1.0, "answered": 2, "hints": 0}}
FAILURE = {"execution_result": {"finished": False, "questions": 2, "accuracy": 0.0, "answered": 0, "hints": 9}}


@pytest.mark.django_db
@pytest.mark.parametrize("who", Role.values)
def test_nobody_tells_the_plan_of_a_session_how_the_lesson_went(who: str, learner: User, staff: User) -> None:
    lesson_make()
    sender = {Role.LEARNER: learner, Role.STAFF: staff}.get(Role(who)) or integrator_create()
    program = Program(sender, scopes=(*LEARNING, *PLANNING))
    if who == Role.INTEGRATOR:
        program.start("light", learner="learner-7")
    else:
        Program(learner).start("light")
    goals = SessionPlan.objects.get()
    address = f"{PLANS}{goals.plan_id}/evaluations/"
    for told in (TRIUMPH, FAILURE):
        answer = program.post(address, told)
        assert refusal(answer) == (409, "plan-reserved")
    assert not Evaluation.objects.exists()
    assert not PendingReflection.objects.exists()
    assert not Episode.objects.exists()
    assert Plan.objects.get(pk=goals.plan_id).outcome == ""
    goals_evaluate(goals)
    assert [item["success"] for item in program.get(address).json["items"]] == [False]


@pytest.mark.django_db
def test_a_plan_asked_for_cannot_pass_for_that_of_a_lesson(learner: User) -> None:
    answer = planner(learner).post(PLANS, {"task": "Ohm's law", "task_type": "lesson", "criteria": ["accuracy >= 0.7"]})
    assert refusal(answer) == (422, "invalid-request")
    assert [*answer.places()] == ["/task_type"]
    assert not Plan.objects.exists()


@pytest.mark.django_db
def test_a_plan_of_a_session_that_does_not_say_whose_it_is_stays_the_sessions(learner: User) -> None:
    """As a server of the release before makes it while this one begins."""
    lesson_make()
    program = Program(learner, scopes=(*LEARNING, *PLANNING))
    program.start("light")
    goals = SessionPlan.objects.get()
    Plan.objects.update(evaluated_by="")
    address = f"{PLANS}{goals.plan_id}/evaluations/"
    assert refusal(program.post(address, TRIUMPH)) == (409, "plan-reserved")
    goals_evaluate(goals)
    assert [item["success"] for item in program.get(address).json["items"]] == [False]


@pytest.mark.django_db
def test_plans_of_sessions_from_before_are_marked(learner: User) -> None:
    lesson_make()
    Program(learner).start("light")
    own = planned(planner(learner))
    Plan.objects.update(evaluated_by="")
    marking = importlib.import_module("lesson_engine.migrations.0009_plans_of_sessions").MARK
    with connection.cursor() as cursor:
        cursor.execute(marking)
    assert Plan.objects.get(pk=own["id"]).evaluated_by == ""
    assert SessionPlan.objects.get().plan.evaluated_by == "lesson_engine"
