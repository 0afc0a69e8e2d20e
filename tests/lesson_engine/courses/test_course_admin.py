"""Courses in the admin: staff make them and put their lessons in order."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Role, User
from lesson_engine.models import Course, Lesson
from tests.lesson_engine.learn.pages import parse

LIST, ADD = "/admin/lesson_engine/course/", "/admin/lesson_engine/course/add/"


@pytest.fixture(params=["superuser", "staff"])
def desk(request: pytest.FixtureRequest, staff: User, client: Client) -> Client:
    """A browser of each kind of person who may enter the admin."""
    clerk = User.objects.create_user("otto", password="x", role=Role.STAFF, is_staff=True)
    user = staff if request.param == "superuser" else clerk
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def form(course: Course | None, *rows: tuple[Any, str, bool], **changes: str) -> dict[str, Any]:
    """What the form would send: each row a number, a lesson's slug, and whether it is ticked for deletion."""
    places = list(course.places.order_by("position")) if course else []
    data: dict[str, Any] = {"title": "Plants", "slug": "plants", "language": "en", "summary": "All.", **changes}
    data |= {"places-TOTAL_FORMS": len(rows), "places-INITIAL_FORMS": len(places)}
    for at, (position, slug, deleted) in enumerate(rows):
        data[f"places-{at}-position"] = position
        data[f"places-{at}-lesson"] = Lesson.objects.get(slug=slug).pk if slug else ""
        if at < len(places):
            data |= {f"places-{at}-id": places[at].pk, f"places-{at}-course": places[at].course_id}
        if deleted:
            data[f"places-{at}-DELETE"] = "on"
    return data


def order(slug: str = "plants") -> list[tuple[int, str]]:
    places = Course.objects.get(slug=slug).places.order_by("position")
    return list(places.values_list("position", "lesson__slug"))


def change(course: Course) -> str:
    return reverse("admin:lesson_engine_course_change", args=[course.pk])


def test_a_course_is_made_with_its_lessons_in_the_order_of_their_numbers(course: Course, desk: Client) -> None:
    rows = ((20, "air", False), (10, "water", False), ("", "light", False), ("", "", False))
    response = desk.post(ADD, form(None, *rows, slug="garden", title="Garden"))
    assert response.status_code == 302, response.content.decode()[-3000:]
    assert order("garden") == [(1, "water"), (2, "air"), (3, "light")]


def test_lessons_change_places(course: Course, desk: Client) -> None:
    rows = ((3, "water", False), (2, "air", False), (1, "light", False))
    assert desk.post(change(course), form(course, *rows)).status_code == 302
    assert order() == [(1, "light"), (2, "air"), (3, "water")]


def test_a_lesson_is_taken_out_and_another_comes_in(course: Course, desk: Client) -> None:
    Lesson.objects.create(slug="soil")
    rows = ((1, "water", False), (2, "air", True), (3, "light", False), (2, "soil", False))
    assert desk.post(change(course), form(course, *rows, summary="Other.")).status_code == 302
    assert order() == [(1, "water"), (2, "soil"), (3, "light")]
    assert Course.objects.get().summary == "Other."


def test_a_lesson_named_twice_is_told_and_nothing_changes(course: Course, desk: Client) -> None:
    rows = ((1, "water", False), (2, "air", False), (3, "light", False), (4, "air", False))
    response = desk.post(change(course), form(course, *rows, title="Other"))
    assert response.status_code == 200
    assert "A lesson stands in the course twice: air" in response.content.decode()
    assert (Course.objects.get().title, len(order())) == ("Plants", 3)


def test_a_course_can_be_deleted_and_its_lessons_stay(course: Course, desk: Client) -> None:
    desk.post(reverse("admin:lesson_engine_course_delete", args=[course.pk]), {"post": "yes"})
    assert not Course.objects.exists()
    assert Lesson.objects.count() == 3


def test_the_list_says_how_many_lessons_are_on_offer_and_leads_to_the_page(course: Course, desk: Client) -> None:
    Lesson.objects.filter(slug="air").update(current=None)
    page = parse(desk.get(LIST).content.decode())
    assert page.one(class_="field-path").text() == "3, of which 2 on offer"
    assert page.find("a", href="/courses/plants/")


def test_nobody_else_gets_in(course: Course, learner: User, client: Client) -> None:
    client.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    for url in (LIST, ADD, change(course)):
        assert client.get(url).status_code in (302, 403)
    client.post(change(course), form(course, (1, "air", False)))
    assert len(order()) == 3


def test_the_form_does_not_ask_for_the_lessons_once_a_row(
    course: Course, staff: User, client: Client, django_assert_num_queries: Any
) -> None:
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    client.get(change(course))
    # the browser's session; its user; the course; its lessons; all lessons to choose from, for each of the three times
    # that Django builds the form's class
    with django_assert_num_queries(7):
        client.get(change(course))
