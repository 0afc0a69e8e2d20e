"""A session's plan as the learner sees it: goals before and at the start, what came of them at the end."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation

from evaluation.models import Evaluation, PendingReflection
from gateway.errors import MetacognitionTimeoutError
from lesson_engine.errors import LessonRefused
from lesson_engine.models import LessonVersion, Session, SessionPlan
from lesson_engine.outcomes.goals import goal_fault, goal_words
from lesson_engine.services.goals import goals_claim, goals_evaluate
from lesson_engine.tasks import evaluate_goals
from memory.models import Episode
from planning.contracts import SuccessCriterion
from planning.layer import PlanningLayer
from planning.models import CachedPlan, Plan
from tests.conftest import lesson_data
from tests.lesson_engine.learn.conftest import MakePerson
from tests.lesson_engine.learn.pages import Person

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


def test_a_worker_takes_what_no_other_has_taken_and_a_session_is_evaluated_once(
    make_lesson: LessonMaker, person: MakePerson
) -> None:
    make_lesson()
    person(at="light").walk(answer_rightly)
    mine, theirs = goals_claim(limit=5), goals_claim(limit=5)
    assert (len(mine), theirs) == (1, [])
    assert [goals_evaluate(mine[0]).id for _ in range(2)] == [Evaluation.objects.get().pk] * 2
    SessionPlan.objects.update(due_at=timezone.now())
    assert goals_claim(limit=5) == []


def test_a_result_that_changes_leaves_neither_work_nor_memory_of_what_it_was(
    make_lesson: LessonMaker, person: MakePerson
) -> None:
    make_lesson()
    person(at="light").walk(answer_rightly)
    evaluate_goals()
    session = Session.objects.get()
    state = {**session.state, "asks": {code: {"outcome": "missed", "attempts": 1} for code in RIGHT}}
    for version, changed in ((session.version + 1, state), (session.version + 2, session.state)):
        Session.objects.update(state=changed, version=version)
        SessionPlan.objects.update(due_at=timezone.now(), evaluation=None)
        evaluate_goals()
        failed = changed is state
        assert Episode.objects.count() == (0 if failed else 1)
        assert PendingReflection.objects.filter(state="running").count() == (1 if failed else 0)


def test_a_lesson_whose_title_says_nothing_has_a_plan_all_the_same(
    make_lesson: LessonMaker, person: MakePerson
) -> None:
    make_lesson(meta={**lesson_data()["meta"], "title": "📐"})
    person(at="light")
    assert SessionPlan.objects.get().plan.task == "light"


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
        (["accuracy >= 120%"], "never be reached"),
        (["accuracy > 1"], "never be reached"),
        (["accuracy >= 70"], "never be reached"),
        (["answered >= 99"], "never be reached"),
        (["answered > 2"], "never be reached"),
        (["hints <= -1"], "never be reached"),
        (["no more than 50% hints"], "no goal"),
        (["hints <= 3 km"], "no goal"),
        (["accuracy between 0.6 and 0.9"], "no goal"),
        (["accuracy <= 0.5"], "no goal"),
        (["hints != 2"], "no goal"),
        (["learner likes it"], "not told"),
    ],
)
def test_a_lesson_whose_goals_cannot_be_measured_is_refused(
    make_lesson: LessonMaker, criteria: list[str], said: str
) -> None:
    with pytest.raises(LessonRefused) as refused:
        make_lesson(policy={"success_criteria": criteria})
    faults = [fault for fault in refused.value.faults if fault.path.startswith("policy.success_criteria")]
    assert said in " ".join(fault.message for fault in faults)


GOALS = {
    "answered >= 1.5": ("Answer at least 2 questions yourself.", "Responde por tu cuenta al menos 2 preguntas."),
    "answered > 1": ("Answer at least 2 questions yourself.", "Responde por tu cuenta al menos 2 preguntas."),
    "accuracy > 0.7": (
        "Answer more than 70 % of the questions yourself.", "Responde por tu cuenta más del 70 % de las preguntas.",
    ),
    "accuracy >= 0.755": (
        "Answer at least 76 % of the questions yourself.", "Responde por tu cuenta al menos el 76 % de las preguntas.",
    ),
    "accuracy == 100%": (
        "Answer at least 100 % of the questions yourself.",
        "Responde por tu cuenta al menos el 100 % de las preguntas.",
    ),
    "hints < 2.5": ("Use no more than 2 hints.", "Usa como máximo 2 pistas."),
    "no hints": ("Use no hints.", "No uses pistas."),
    "hints == 0": ("Use no hints.", "No uses pistas."),
    "skipped == 0": ("Skip no question.", "No saltes ninguna pregunta."),
    "shown < 1": ("See the answer to no question.", "No veas la respuesta de ninguna pregunta."),
}  # fmt: skip


def test_every_goal_that_is_accepted_is_told_as_it_is_held_in_both_languages() -> None:
    wrong = []
    for text, told in GOALS.items():
        fault = goal_fault(text, questions=2)
        for language, words in zip(("en", "es"), told, strict=True):
            with translation.override(language):
                said = goal_words(SuccessCriterion(text=text))
            if fault or said != words:
                wrong.append(f"{text}: {fault or said}")
    assert not wrong, "\n".join(wrong)


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
