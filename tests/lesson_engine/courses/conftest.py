"""Three small lessons in a course, and a learner who walks them at the page."""

from collections.abc import Callable
from typing import Any

import pytest

from lesson_engine.models import Course
from lesson_engine.services.courses import course_set
from tests.conftest import LessonMaker
from tests.lesson_engine.learn.conftest import person as person
from tests.lesson_engine.learn.pages import Node, Page, Person, parse

SLUGS = ("air", "light", "water")


def described(slug: str, language: str = "en") -> dict[str, Any]:
    return {"slug": slug, "title": slug.title(), "language": language, "summary": "Short.", "objectives": ["Know."]}


@pytest.fixture
def course(make_lesson: LessonMaker) -> Course:
    """Three lessons of two questions each, in an order that is not that of their names."""
    for slug in SLUGS:
        make_lesson(meta=described(slug))
    return course_set(slug="plants", title="Plants", language="en", summary="Three.", lessons=["water", "air", "light"])


Look = Callable[..., Node]


def look(one: Person, address: str = "/courses/plants/") -> Node:
    """The main part of a page as this person sees it."""
    response = one.client.get(address, headers={"Accept-Language": "en"})
    assert response.status_code == 200, address
    return parse(response.content.decode()).one("main")


def standing(main: Node) -> dict[str, str]:
    """How far each lesson of a course's page is, in its order."""
    return {
        node.attrs["data-lesson"]: f"{node.attrs['data-standing']}: {node.one(class_='stop-facts').text()}"
        for node in main.find("li")
        if "data-standing" in node.attrs
    }


def finish(one: Person, slug: str, answer: str = "") -> Page:
    """Take a lesson to its end: every question answered with this, or given up."""
    one.start(slug)
    return one.walk(lambda somebody: somebody.answer(answer) if answer else somebody.dont_know())


def reviewed(main: Node) -> dict[str, list[str]]:
    """What is to be reviewed, by lesson: question and reason."""
    groups = [node for node in main.nodes if "data-review" in node.attrs]
    return {
        group.attrs["data-review"]: [item.text() for item in group.one(class_="review").find("li")] for group in groups
    }
