"""Reporting a question at the page, with and without scripts, and what the result says of it."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from lesson_engine.models import LessonVersion, QuestionReport, Session
from lesson_engine.services.questions import reports_dismiss
from tests.conftest import LessonMaker
from tests.lesson_engine.learn.pages import Page, Person
from tests.lesson_engine.services.questions.conftest import RIGHT, WRONG, light, work  # noqa: F401 - a fixture
from tests.lesson_engine.services.questions.test_withdrawing import withdraw

MakePerson = Callable[..., Person]


@pytest.fixture(params=[False, True], ids=["plain", "htmx"])
def one(request: pytest.FixtureRequest, light: LessonVersion, person: MakePerson) -> Person:  # noqa: F811
    """Somebody before the first question."""
    somebody = person(at="light", htmx=request.param)
    somebody.go_to_question()
    return somebody


def report(one: Person, **more: str) -> Page:
    return one.send(one.page.tree.one("form", id="report-form"), **{"kind": "unclear", **more})


def test_every_question_offers_it_and_no_reading_does(one: Person) -> None:
    summary = one.page.tree.one("details", class_="report").one("summary")
    assert summary.text() == "This question is wrong"
    radios = one.page.tree.one("form", id="report-form").find("input", type="radio", name="kind")
    assert [radio.attrs["value"] for radio in radios] == QuestionReport.Kind.values
    assert all("required" in radio.attrs for radio in radios)
    assert "open" not in one.page.tree.one("details", class_="report").attrs


def test_no_reading_offers_it(light: LessonVersion, person: MakePerson) -> None:  # noqa: F811
    assert not person(at="light").page.has("report-form")


def test_reporting_an_open_question_thanks_and_tells_what_comes_next(one: Person) -> None:
    report(one, comment="What is meant?")
    page = one.page
    assert page.phase == "closed"
    notice = page.tree.one("section", class_="notice")
    assert notice.one(id="verdict").text() == "Thank you. Your report has been sent."
    assert "no attempt" in notice.text()
    assert RIGHT in notice.one(class_="expected").text()
    assert not page.has("report-form")
    assert page.has("continue")
    assert QuestionReport.objects.get().comment == "What is meant?"


def test_reporting_a_closed_question_thanks_too(one: Person) -> None:
    one.answer(RIGHT)
    report(one, kind="my_answer_right")
    notice = one.page.tree.one("section", class_="notice")
    assert "your result stays as it is" in notice.text()
    assert not notice.find(class_="expected")
    assert not one.page.has("report-form")
    one.look()
    assert "Thank you" in one.page.words


def test_a_form_without_a_reason_is_something_else(one: Person) -> None:
    report(one, kind="")
    assert QuestionReport.objects.get().kind == "other"


def test_line_breaks_of_browsers_cost_no_characters(one: Person) -> None:
    report(one, comment="a\r\n" * 1000)
    assert QuestionReport.objects.get().comment == ("a\n" * 1000).strip()


def test_a_report_that_came_too_late_keeps_what_was_written(one: Person) -> None:
    form = one.page.tree.one("form", id="report-form")
    one.answer(WRONG)
    one.send(form, kind="unclear", comment="What is meant?")
    assert "moved on" in one.page.words
    again = one.page.tree.one("details", class_="report")
    assert "open" in again.attrs
    assert "What is meant?" in again.one("textarea").text()
    assert "checked" in again.one("input", value="unclear").attrs
    one.answer(RIGHT)
    one.go_on()
    one.send(form, kind="unclear", comment="What is meant?")
    assert "What is meant?" in one.page.tree.one("blockquote", class_="own-words").text()
    assert not QuestionReport.objects.exists()


def test_the_same_click_twice_counts_once(one: Person) -> None:
    form = one.page.tree.one("form", id="report-form")
    for _ in range(2):
        one.send(form, kind="unclear", comment="What is meant?")
        assert "Thank you" in one.page.words
    assert QuestionReport.objects.count() == 1


def test_hostile_comments_stay_text(one: Person) -> None:
    evil = '<script>alert(1)</script>" hx-get="/evil"'
    form = one.page.tree.one("form", id="report-form")
    one.answer(WRONG)
    one.send(form, kind="<b>", comment=evil)
    assert "<script>alert" not in one.page.html
    assert one.page.tree.one("details", class_="report").one("textarea").text() == evil


def test_a_strangers_session_cannot_be_reported(one: Person, stranger: User) -> None:
    client = Client()
    client.force_login(stranger, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(f"{one.address}report/", {"kind": "other", "version": "1"}).status_code == 404
    assert client.get(f"{one.address}report/").status_code == 302
    assert not QuestionReport.objects.exists()


def to_the_end(one: Person) -> Page:
    return one.walk(lambda somebody: somebody.answer("6"))


def test_the_result_says_that_it_waits_for_a_decision_and_then_what_was_decided(one: Person, staff: User) -> None:
    report(one)
    to_the_end(one)
    assert "You answered 1 of 2 questions yourself." in one.page.words
    assert "You reported one question. Until somebody has decided, it counts as not answered." in one.page.words
    assert "You reported it." in one.page.words
    reports_dismiss(reports=QuestionReport.objects.all(), by=staff, note="Fine.")
    one.look()
    assert "Until somebody has decided" not in one.page.words
    assert "Somebody looked at it, and it stays as it is." in one.page.words
    assert "Fine." not in one.page.words


def test_the_result_leaves_withdrawn_questions_out_and_says_so(one: Person, light: LessonVersion) -> None:  # noqa: F811
    report(one)
    to_the_end(one)
    withdraw(light, reason="secret reason")
    work()
    one.look()
    assert "You answered 1 of 1 question yourself." in one.page.words
    assert "One question was withdrawn because it was not right; it does not count." in one.page.words
    assert "ASK_001" not in one.page.words
    assert "secret reason" not in one.page.words


def test_whoever_stands_before_a_withdrawn_question_is_led_on(one: Person, light: LessonVersion) -> None:  # noqa: F811
    withdraw(light)
    work()
    one.look()
    notice = one.page.tree.one("section", class_="notice")
    assert notice.one(id="verdict").text() == "This question was withdrawn."
    assert not notice.find(class_="expected")
    assert not one.page.has("report-form")
    one.go_on()
    assert one.page.ask == "ASK_002"


def test_a_result_of_nothing_is_no_fault(make_lesson: LessonMaker, person: MakePerson) -> None:
    lesson = make_lesson()
    withdraw(lesson)
    withdraw(lesson, "ASK_002")
    one = person(at="light")
    one.walk(lambda somebody: somebody.dont_know())
    assert "2 questions were withdrawn because they were not right; they do not count." in one.page.words
    assert "You answered" not in one.page.words
    assert Session.objects.get().status == "finished"
