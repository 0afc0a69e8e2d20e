"""A session's plan as the learner sees it: goals before and at the start, what came of them at the end."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from evaluation.models import Evaluation, PendingReflection
from gateway.errors import MetacognitionTimeoutError
from lesson_engine.errors import LessonRefused
from lesson_engine.models import LessonVersion, Session, SessionPlan
from lesson_engine.selectors import goals_waiting
from lesson_engine.services.goals import goals_evaluate
from lesson_engine.tasks import evaluate_goals
from memory.models import Episode
from planning.layer import PlanningLayer
from planning.models import CachedPlan, Plan
from tests.web.conftest import MakePerson
from tests.web.pages import Person

LessonMaker = Callable[..., LessonVersion]
RIGHT = {"ASK_001": "Plants use light to make sugar from water and carbon dioxide.", "ASK_002": "6"}


def answer_rightly(one: Person) -> None:
    assert one.page.ask
    one.answer(RIGHT[one.page.ask])


def test_goals_are_told_in_plain_words_before_and_at_the_start(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson()
    goals = [
        "Answer at least 70 % of the questions yourself.",
        "Use no more than 3 hints.",
        "Reach the end of the lesson.",
    ]
    offer = Client().get("/lessons/light/").content.decode()
    one = person(at="light")
    for goal in goals:
        assert goal in offer
        assert goal in one.page.words
    one.go_to_question()
    assert goals[0] not in one.page.words


def test_a_session_has_a_plan_from_its_lessons_policy(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson(policy={"success_criteria": ["accuracy >= 80%", "skipped <= 1"]})
    person(at="light")
    plan = SessionPlan.objects.get().plan
    assert (plan.task, plan.task_type, plan.source) == ("Light", "lesson", "template")
    assert [criterion.text for criterion in plan.criteria.all()] == ["accuracy >= 80%", "skipped <= 1"]
    assert {criterion.source for criterion in plan.criteria.all()} == {"given"}
    assert not CachedPlan.objects.exists(), "the similarity cache is not asked"


def test_resuming_makes_no_second_plan(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson()
    person(at="light")
    person(at="light")
    assert Plan.objects.count() == SessionPlan.objects.count() == 1


def test_goals_reached_are_told_at_the_end_and_the_success_is_remembered(
    make_lesson: LessonMaker, person: MakePerson
) -> None:
    make_lesson()
    one = person(at="light")
    one.walk(answer_rightly)
    before = one.look().words
    evaluate_goals()
    after = one.look().words
    for words in (before, after):
        assert "You answered 2 of 2: 100 %." in words
        assert words.count("Reached.") == 3
        assert "Not reached this time." not in words
    evaluation = Evaluation.objects.get()
    assert (evaluation.success, evaluation.completeness_score) == (True, 1.0)
    assert SessionPlan.objects.get().evaluation == evaluation
    assert not PendingReflection.objects.exists()
    assert Episode.objects.get().task_type == "lesson"


def test_goals_missed_are_told_kindly_and_leave_one_reflection(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson()
    one = person(at="light")
    one.walk(Person.dont_know)
    words = one.look().words
    assert "You answered 0 of 2: 0 %." in words
    assert "Not reached this time." in words
    for _ in range(2):
        evaluate_goals()
    assert Evaluation.objects.get().errors
    assert PendingReflection.objects.count() == 1
    assert one.look().words == words


def test_two_workers_at_once_evaluate_a_session_once(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson()
    person(at="light").walk(answer_rightly)
    goals = goals_waiting(limit=5)
    assert [goals_evaluate(goals[0]).id for _ in range(2)] == [Evaluation.objects.get().pk] * 2
    assert goals_waiting(limit=5) == []


def test_in_spanish_goals_are_spanish(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson()
    one = person(language="es")
    one.start("light")
    assert "Usa como máximo 3 pistas." in one.page.words
    one.walk(answer_rightly)
    assert "Respondiste 2 de 2: 100 %." in one.page.words


@pytest.mark.parametrize(
    ("criteria", "said"),
    [
        (["It is fun"], "cannot be measured"),
        (["price <= 200"], "has no 'price'"),
        ([], "at least 1"),
    ],
)
def test_a_lesson_whose_goals_cannot_be_measured_is_refused(
    make_lesson: LessonMaker, criteria: list[str], said: str
) -> None:
    with pytest.raises(LessonRefused) as refused:
        make_lesson(policy={"success_criteria": criteria})
    faults = [fault for fault in refused.value.faults if fault.path.startswith("policy.success_criteria")]
    assert said in " ".join(fault.message for fault in faults)


def test_a_session_begins_though_no_plan_can_be_made(
    make_lesson: LessonMaker, person: MakePerson, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise MetacognitionTimeoutError("create_plan exceeded 5000ms")

    make_lesson()
    monkeypatch.setattr(PlanningLayer, "create_plan", fails)
    one = person(at="light")
    one.walk(answer_rightly)
    assert Session.objects.get().status == Session.Status.FINISHED
    assert "Your goals" not in one.page.words
