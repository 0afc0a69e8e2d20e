"""What to look at again: which questions, why, and what is told of their answers."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client

from lesson_engine.contracts import Lesson as LessonContract
from lesson_engine.models import Course, Lesson, QuestionReport
from lesson_engine.outcomes.results import review_of
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import AskRecord, PlayerState
from lesson_engine.services.lessons import lesson_retire
from tests.conftest import LessonMaker, ask, lesson_data, number
from tests.each import each
from tests.lesson_engine.courses.conftest import described, finish, look, reviewed
from tests.lesson_engine.learn.conftest import MakePerson
from tests.lesson_engine.learn.pages import Person

Queries = Callable[[int], AbstractContextManager[Any]]
WHO = 2  # the browser's session; its user
SUGAR = "Plants use light to make sugar from water and carbon dioxide."


@each(
    ("record", "listed"),
    [
        (AskRecord(outcome="shown", attempts=3), True),
        (AskRecord(outcome="skipped", attempts=2), True),
        (AskRecord(outcome="reported"), True),
        (AskRecord(outcome="mastered", attempts=3), True),
        (AskRecord(outcome="mastered", attempts=2), False),
        (AskRecord(outcome="open", attempts=3), True),
        (AskRecord(outcome="open", attempts=2), False),
        (AskRecord(), False),
        (AskRecord(outcome="voided", attempts=3), False),
    ],
)
def test_which_questions_are_worth_another_look(record: AskRecord, listed: bool) -> None:
    outline = Outline(LessonContract.model_validate(lesson_data(ask())))
    code = next(iter(outline.asks))
    assert [review.ask.code for review in review_of(outline, PlayerState(asks={code: record}))] == [code] * listed


def test_a_running_lesson_lists_what_is_closed_and_nothing_that_lies_ahead(course: Course, person: MakePerson) -> None:
    one = person(at="air")
    one.go_to_question()
    while one.page.phase != "closed":
        one.dont_know()
    assert reviewed(look(one, "/review/")) == {
        "air": [f"What do plants need light for? (ASK_001) The answer was shown. {SUGAR}"]
    }


def test_the_answer_of_an_open_question_is_nowhere_in_the_page(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson(policy={"attempts": 5})
    one = person(at="light")
    one.go_to_question()
    for _ in range(3):
        one.dont_know()
    main = look(one, "/review/")
    assert reviewed(main) == {"light": ["What do plants need light for? (ASK_001) Still open after 3 attempts."]}
    assert "sugar" not in one.client.get("/review/").content.decode()
    assert not main.find("details")


def test_each_reason_is_told(course: Course, person: MakePerson) -> None:
    one = person(at="air")
    one.go_to_question()
    one.dont_know()
    one.dont_know()
    one.skip()
    one.go_on()
    one.answer("5")
    one.answer("7")
    one.answer("6")
    one.go_on()
    reasons = reviewed(look(one, "/review/"))["air"]
    assert [reason.removesuffix(SUGAR).strip() for reason in reasons] == [
        "What do plants need light for? (ASK_001) You skipped it.",
        "How many molecules? It took 3 attempts. 6",
    ]


def test_only_the_latest_session_of_a_lesson_counts(course: Course, person: MakePerson) -> None:
    one = person()
    finish(one, "air")
    assert len(reviewed(look(one, "/review/"))["air"]) == 2
    one.start("air")
    assert reviewed(look(one, "/review/")) == {}
    finish(one, "light")
    assert list(reviewed(look(one, "/review/"))) == ["light"]


def test_the_page_of_a_course_lists_its_own_lessons_in_their_order(course: Course, person: MakePerson) -> None:
    one = person()
    for slug in ("light", "water"):
        finish(one, slug)
    assert list(reviewed(look(one))) == ["water", "light"]
    assert list(reviewed(look(one, "/review/"))) == ["water", "light"]  # the latest first
    finish(one, "light")
    assert list(reviewed(look(one, "/review/"))) == ["light", "water"]


def test_a_retired_lesson_is_reviewed_all_the_same(course: Course, person: MakePerson) -> None:
    one = person()
    finish(one, "air")
    lesson_retire(lesson=Lesson.objects.get(slug="air"))
    main = look(one, "/review/")
    assert list(reviewed(main)) == ["air"]
    assert main.one(class_="review-go").one("a").attrs["href"] == one.address


def test_what_staff_decided_on_a_report_is_told(course: Course, person: MakePerson) -> None:
    one = person(at="air")
    one.go_to_question()
    one.send(one.page.form_of(id_="report"), kind="unclear")
    assert "You reported it. Plants use" in reviewed(look(one, "/review/"))["air"][0]
    report = QuestionReport.objects.get()
    report.state, report.resolved_at = QuestionReport.State.DISMISSED, report.reported_at
    report.save()
    assert "Somebody looked at it, and it stays as it is." in reviewed(look(one, "/review/"))["air"][0]


def test_who_is_not_known_is_told_what_will_be_here(client: Client, course: Course) -> None:
    main = look(Person(client), "/review/")
    assert "Once you have begun a lesson" in main.text()
    assert main.find("a", href="/account/sign-in/?next=/review/")
    assert not reviewed(main)


def test_a_guest_is_offered_to_keep_it(client: Client, course: Course) -> None:
    one = Person(client)
    finish(one, "air")
    main = look(one, "/review/")
    assert list(reviewed(main)) == ["air"]
    assert main.find("a", href="/account/sign-up/?next=/review/")


def test_a_learner_without_trouble_is_told_so(course: Course, person: MakePerson) -> None:
    one = person(at="air")
    assert "Nothing so far" in look(one, "/review/").text()


@pytest.mark.parametrize("lessons", [3, 6])
def test_the_number_of_queries_does_not_grow_with_lessons(
    make_lesson: LessonMaker, person: MakePerson, django_assert_num_queries: Queries, lessons: int
) -> None:
    one = person()
    for at in range(lessons):
        make_lesson(ask(), number(), meta=described(f"light-{at}"))
        finish(one, f"light-{at}")
    with django_assert_num_queries(0):
        Client().get("/review/")
    with django_assert_num_queries(WHO + 1):  # the sessions with their states
        one.client.get("/review/")
    make_lesson(ask(), number(), meta=described("reported"))
    one.start("reported")
    one.go_to_question()
    one.send(one.page.form_of(id_="report"), kind="unclear")
    with django_assert_num_queries(WHO + 2):  # and what staff decided
        one.client.get("/review/")
