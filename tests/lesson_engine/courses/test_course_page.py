"""A course as its reader stands in it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from lesson_engine.models import Course, Lesson, Session
from lesson_engine.services.courses import course_set
from lesson_engine.services.lessons import lesson_retire
from lesson_engine.services.questions import question_void
from lesson_engine.services.rescoring import void_work
from tests.conftest import LessonMaker, ask, number
from tests.lesson_engine.courses.conftest import described, finish, look, reviewed, standing
from tests.lesson_engine.learn.conftest import MakePerson
from tests.lesson_engine.learn.pages import Node, Person

Queries = Callable[[int], AbstractContextManager[Any]]
WHO = 2  # the browser's session; its user


def retire(slug: str) -> None:
    lesson_retire(lesson=Lesson.objects.get(slug=slug))


def button(main: Node) -> Node:
    return main.one(id="resume")


def leads_to(main: Node) -> str:
    """Where the one button leads: the address of a session, or the lesson that it starts."""
    node = button(main)
    if node.tag == "a":
        return node.attrs["href"]
    assert node.parent is not None
    return node.parent.attrs["action"]


def test_somebody_unknown_sees_the_path_and_can_start_at_once(course: Course, client: Client) -> None:
    main = look(Person(client))
    assert standing(main) == dict.fromkeys(("water", "air", "light"), "new: Not begun 2 questions")
    assert (button(main).text(), leads_to(main)) == ("Start the course", "/lessons/water/start/")
    assert not main.find(id="review")
    client.post(leads_to(main))
    session = Session.objects.get()
    assert (session.lesson.slug, session.user.is_guest) == ("water", True)
    assert leads_to(look(Person(client))) == f"/sessions/{session.pk}/"


def test_each_lesson_says_how_far_its_reader_is(course: Course, person: MakePerson) -> None:
    one = person()
    finish(one, "water", "6")
    one.start("light").ask  # noqa: B018 - begun
    one.go_on()
    shown = standing(look(one))
    assert shown == {
        "water": "finished: Finished 1 of 2 questions answered",
        "air": "new: Not begun 2 questions",
        "light": "under_way: Under way, 33 % done",
    }


def test_the_button_resumes_the_lesson_used_last(course: Course, person: MakePerson) -> None:
    one = person()
    one.start("water")
    one.start("light")
    main = look(one)
    assert (button(main).text(), leads_to(main)) == ("Continue where you left off", one.address)


def test_after_a_finished_lesson_the_button_leads_to_the_next(course: Course, person: MakePerson) -> None:
    one = person()
    finish(one, "air")
    main = look(one)
    assert (button(main).text(), leads_to(main)) == ("Go on with the next lesson", "/lessons/light/start/")
    finish(one, "light")
    assert leads_to(look(one)) == "/lessons/water/start/"  # from the top again


def test_at_the_end_there_is_no_button_but_a_word(course: Course, person: MakePerson) -> None:
    one = person()
    for slug in ("water", "air", "light"):
        finish(one, slug)
    main = look(one)
    assert not main.find(id="resume")
    assert "You have finished every lesson of this course." in main.text()
    assert "3 of 3 lessons finished" in main.text()


def test_a_retired_lesson_is_left_out_but_its_result_stays_within_reach(course: Course, person: MakePerson) -> None:
    one = person()
    finish(one, "water")
    retire("water")
    retire("light")
    main = look(one)
    assert list(standing(main)) == ["air"]
    past = {
        node.attrs["data-past"]: node.one(class_="stop-title").attrs["href"]
        for node in main.find("li")
        if "data-past" in node.attrs
    }
    assert past == {"water": one.address}
    assert list(reviewed(main)) == ["water"]
    assert one.client.get(one.address).status_code == 200


def test_a_course_whose_lessons_are_all_retired_says_so(course: Course, client: Client) -> None:
    for slug in ("water", "air", "light"):
        retire(slug)
    main = look(Person(client))
    assert "None of its lessons is on offer at the moment." in main.text()
    assert not main.find("button")


def test_what_was_withdrawn_counts_nowhere(course: Course, person: MakePerson, staff: User) -> None:
    one = person()
    finish(one, "water", "6")
    version = Lesson.objects.get(slug="water").current
    assert version is not None
    for void in question_void(version=version, ask_code="ASK_001", by=staff, reason="Wrong."):
        void_work(void=void)
    main = look(one)
    assert standing(main)["water"] == "finished: Finished 1 of 1 question answered"
    assert reviewed(main) == {}


def test_another_learner_sees_nothing_of_it(course: Course, person: MakePerson, stranger: User) -> None:
    finish(person(), "water")
    other = Client()
    other.force_login(stranger, backend="django.contrib.auth.backends.ModelBackend")
    main = look(Person(other))
    assert set(standing(main).values()) == {"new: Not begun 2 questions"}
    assert reviewed(main) == {}


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/courses/nowhere/", "/courses/a%00b/"])
def test_an_unknown_course_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_the_page_only_reads(course: Course, client: Client) -> None:
    assert client.post("/courses/plants/").status_code == 405
    assert client.head("/courses/plants/").status_code == 200
    assert client.get("/courses/plants/")["Cache-Control"].count("no-store")


def test_titles_are_text(make_lesson: LessonMaker, client: Client) -> None:
    make_lesson(meta={**described("light"), "title": "<img src=x onerror=alert(1)>"})
    course_set(slug="plants", title="<script>x</script>", language="en", summary="<b>y</b>", lessons=["light"])
    html = client.get("/courses/plants/").content.decode()
    assert "<script>x" not in html
    assert "<img src=x" not in html
    assert "<b>y" not in html


@pytest.mark.parametrize("lessons", [3, 6])
def test_the_number_of_queries_does_not_grow_with_lessons(
    make_lesson: LessonMaker, person: MakePerson, django_assert_num_queries: Queries, lessons: int
) -> None:
    slugs = [f"light-{number}" for number in range(lessons)]
    one = person()
    for slug in slugs:
        make_lesson(ask(), number(), meta=described(slug))
        finish(one, slug)
    course_set(slug="plants", title="Plants", language="en", summary="All.", lessons=slugs)
    with django_assert_num_queries(2):  # the course; its lessons
        Client().get("/courses/plants/")
    with django_assert_num_queries(WHO + 3):  # the course; its lessons; the sessions with their states
        one.client.get("/courses/plants/")
