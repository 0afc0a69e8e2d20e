"""The home page: courses first, what is under way above them, then every lesson."""

import pytest
from django.test import Client

from lesson_engine.models import Course, Lesson
from lesson_engine.services.courses import course_set
from lesson_engine.services.lessons import lesson_retire
from tests.conftest import LessonMaker
from tests.lesson_engine.courses.conftest import described, finish, look
from tests.lesson_engine.learn.conftest import MakePerson
from tests.lesson_engine.learn.pages import Node, Person, parse


def resumes(main: Node) -> list[str]:
    return [node.attrs["href"] for node in main.find("a") if "data-resume" in node.attrs]


def cards(main: Node, kind: str) -> list[str]:
    return [node.attrs[f"data-{kind}"] for node in main.find("a") if f"data-{kind}" in node.attrs]


def test_courses_come_before_lessons(course: Course, client: Client) -> None:
    main = look(Person(client), "/")
    kinds = ["course" if "data-course" in node.attrs else "lesson" for node in main.find("a", class_="card")]
    assert kinds.pop() == "lesson"  # the way to the consult, which stands behind them
    assert kinds == ["course", "lesson", "lesson", "lesson"]
    assert not resumes(main)
    assert not main.find("a", href="/review/")


def test_a_card_says_how_much_of_the_course_is_done(course: Course, person: MakePerson) -> None:
    one = person()
    card = "3 lessons · EN"
    assert look(one, "/").one("a", data_course="plants").one(class_="card-facts").text() == card
    finish(one, "air")
    shown = look(one, "/").one("a", data_course="plants").one(class_="card-facts").text()
    assert shown == f"{card} 1 of 3 finished"
    for slug in ("water", "light"):
        finish(one, slug)
    assert look(one, "/").one("a", data_course="plants").one(class_="card-facts").text() == f"{card} Finished"


def test_what_is_under_way_can_be_resumed_the_latest_first(course: Course, person: MakePerson) -> None:
    one = person()
    addresses: list[str] = []
    for slug in ("air", "water"):
        one.start(slug)
        addresses.insert(0, one.address)
    finish(one, "light")
    main = look(one, "/")
    assert resumes(main) == addresses
    assert main.find("a", href="/review/")


def test_a_lesson_that_was_retired_on_the_way_can_still_be_resumed(course: Course, person: MakePerson) -> None:
    one = person(at="air")
    lesson_retire(lesson=Lesson.objects.get(slug="air"))
    main = look(one, "/")
    assert resumes(main) == [one.address]
    assert cards(main, "lesson") == ["light", "water"]


def test_a_course_without_a_lesson_on_offer_is_not_listed(course: Course, client: Client) -> None:
    for slug in ("air", "water", "light"):
        lesson_retire(lesson=Lesson.objects.get(slug=slug))
    assert cards(look(Person(client), "/"), "course") == []


@pytest.mark.parametrize(
    ("language", "first"), [("en", ("plants", "light")), ("es", ("plantas", "luz")), ("fr", ("plants", "light"))]
)
def test_what_is_in_the_readers_language_comes_first(
    make_lesson: LessonMaker, client: Client, language: str, first: tuple[str, str]
) -> None:
    for slug, code in (("luz", "es"), ("light", "en")):
        make_lesson(meta=described(slug, code))
    course_set(slug="plantas", title="Plantas", language="es", summary="Todas.", lessons=["luz"])
    course_set(slug="plants", title="Plants", language="en", summary="All.", lessons=["light"])
    main = parse(client.get("/", headers={"Accept-Language": language}).content.decode()).one("main")
    assert (cards(main, "course")[0], cards(main, "lesson")[0]) == first
