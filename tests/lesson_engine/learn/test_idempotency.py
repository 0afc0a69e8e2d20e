"""The same click twice counts once; a click on a page that is too old counts not at all."""

from collections.abc import Callable
from functools import partial

import pytest

from lesson_engine.models import LearnerText, Session, Turn
from lesson_engine.services.turns import state_of
from telemetry.chains.verification import chains_verify
from telemetry.selectors import events_of
from tests.conftest import RIGHT, WRONG, LessonMaker
from tests.lesson_engine.learn.conftest import MakePerson
from tests.lesson_engine.learn.pages import Page, Person, comparable, fields_of
from tests.lesson_engine.services.threads import at_once

PART = {"HX-Request": "true"}


def counted() -> tuple[int, int]:
    """Attempts at the first question, and turns."""
    session = Session.objects.get()
    return state_of(session).record("ASK_001").attempts, Turn.objects.count()


def body(one: Person, answer: str = WRONG) -> dict[str, str]:
    return {**fields_of(one.page.tree.one("form", id="answer-form")), "answer": answer}


@pytest.mark.parametrize("headers", [{}, PART])
def test_the_same_answer_with_the_same_key_counts_once_and_shows_the_same(
    at_light: Person, headers: dict[str, str]
) -> None:
    data, address = body(at_light), f"{at_light.address}answers/"
    first, second = (at_light.client.post(address, data, headers=headers, follow=True) for _ in range(2))
    assert counted() == (1, 2)  # reading on was the other turn
    assert comparable(first.content.decode()) == comparable(second.content.decode())
    assert LearnerText.objects.count() == 1


@pytest.mark.parametrize("action", ["continue", "hint", "skip"])
def test_other_actions_with_the_same_key_count_once_too(
    make_lesson: LessonMaker, person: MakePerson, action: str
) -> None:
    make_lesson()
    one = person(at="light")
    if action != "continue":
        one.go_to_question()
    if action == "skip":
        one.dont_know()
        one.dont_know()
    data = fields_of(one.page.form_of(id_=action))
    pages = [one.client.post(f"{one.address}{action}/", data, headers=PART).content.decode() for _ in range(3)]
    assert Session.objects.get().version == int(data["version"]) + 1
    assert {comparable(page) for page in pages} == {comparable(pages[0])}
    assert "moved on" not in pages[-1]


@pytest.mark.django_db(transaction=True)
def test_the_same_answer_eight_times_at_once_counts_once_and_all_see_the_same(
    make_lesson: LessonMaker, person: MakePerson
) -> None:
    make_lesson()
    people = [person(at="light", htmx=True) for _ in range(8)]
    people[0].go_to_question()
    data, address = body(people[0]), f"{people[0].address}answers/"

    def send(one: Person) -> Page:
        return Page(one.client.post(address, data, headers=PART))

    pages = at_once([lambda one=one: send(one) for one in people])  # type: ignore[misc]
    assert counted() == (1, 2)
    assert {page.status for page in pages} == {200}
    assert len({comparable(page.html) for page in pages}) == 1
    assert not Turn.objects.filter(state=Turn.State.RUNNING).exists()
    session = Session.objects.get()
    assert events_of(str(session.pk)).filter(event="evaluation.result").count() == 1
    assert {check.fault for check in chains_verify()} == {None}


@pytest.mark.django_db(transaction=True)
def test_different_clicks_at_once_count_one_and_refuse_the_others(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson()
    people = [person(at="light", htmx=True) for _ in range(6)]
    people[0].go_to_question()
    for one in people:
        one.look()
    version = Session.objects.get().version
    works: list[Callable[[], Page]] = [partial(one.answer, WRONG) for one in people[:3]]
    works += [one.hint for one in people[3:]]
    pages = at_once(works)
    assert Session.objects.get().version == version + 1
    assert sum("moved on" in page.words for page in pages) == 5
    assert {check.fault for check in chains_verify()} == {None}


def test_a_key_with_another_answer_is_refused(at_light: Person) -> None:
    data, address = body(at_light), f"{at_light.address}answers/"
    at_light.client.post(address, data)
    page = Page(at_light.client.post(address, {**data, "answer": "To make sugar"}))
    assert (page.status, counted()) == (200, (1, 2))
    assert "moved on" in page.words
    assert page.typed == "To make sugar"


def test_a_key_of_an_answer_is_refused_for_another_action(at_light: Person) -> None:
    data = body(at_light)
    at_light.client.post(f"{at_light.address}answers/", data)
    for action in ("hint", "skip", "continue", "mode"):
        version = Session.objects.get().version
        more = {"version": str(version), "mode": "adaptive"}
        response = at_light.client.post(f"{at_light.address}{action}/", {**data, **more})
        assert response.status_code == 200, action
        assert Session.objects.get().version == version, action
    assert counted() == (1, 2)
    assert Session.objects.get().mode == "deterministic"


@pytest.mark.parametrize("htmx", [False, True])
def test_the_older_of_two_tabs_gets_the_fresh_state_and_keeps_what_was_typed(
    at_light: Person, person: MakePerson, htmx: bool
) -> None:
    old = person(at="light", htmx=htmx)
    at_light.answer(WRONG)
    page = old.answer("Something <i>else</i> that took long to write")
    assert counted() == (1, 2)
    assert "moved on" in page.words
    assert page.typed == "Something <i>else</i> that took long to write"
    assert page.attempt == "Attempt 2 of 3"
    assert old.answer(RIGHT).phase == "closed"


def test_what_was_typed_is_kept_in_sight_when_there_is_no_field_any_more(at_light: Person, person: MakePerson) -> None:
    old = person(at="light")
    at_light.answer("Plants use light to make sugar from water and carbon dioxide.")
    page = old.answer("My own long thought")
    assert page.phase == "closed"
    assert page.tree.one("blockquote", class_="own-words").text() == "My own long thought"


def test_a_tab_left_behind_at_the_end_gets_the_result(at_light: Person, person: MakePerson) -> None:
    old = person(at="light")
    at_light.walk(lambda somebody: somebody.dont_know())
    assert old.answer("late").finished
    for action in ("continue", "hint", "skip", "mode"):
        last = {"version": Session.objects.get().version, "key": action, "mode": "adaptive"}
        assert Page(old.client.post(f"{old.address}{action}/", last, follow=True)).finished


@pytest.mark.parametrize(
    "version", ["", "-1", "x", "1e3", "9" * 400, "1.0", " 1", "\u0661", "\0", "0", "2", "2147483648"]
)
def test_a_version_that_cannot_be_read_is_a_page_too_old(at_light: Person, version: str) -> None:
    page = at_light.answer("kept", version=version)
    assert counted() == (0, 1)
    assert "moved on" in page.words
    assert page.typed == "kept"


@pytest.mark.parametrize("key", ["", " ", "x" * 10_000, "\0", "a\0b", "🌱", "'; --", "\u202e"])
def test_any_key_will_do(at_light: Person, key: str) -> None:
    page = at_light.answer(WRONG, key=key)
    assert counted() == (1, 2)
    assert page.attempt == "Attempt 2 of 3"


def test_a_form_without_version_and_key_counts_nothing(at_light: Person) -> None:
    page = Page(at_light.client.post(f"{at_light.address}answers/", {"answer": "kept"}))
    assert (page.typed, counted()) == ("kept", (0, 1))
