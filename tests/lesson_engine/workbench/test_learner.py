"""What learners see once somebody looked at an answer of theirs again: at the question, at the end, and in review."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from lesson_engine.models import LessonVersion, Session
from tests.lesson_engine.learn.conftest import person  # noqa: F401 - a fixture
from tests.lesson_engine.learn.pages import Person
from tests.lesson_engine.workbench.conftest import RIGHT, WRONG, finished, review

MakePerson = Callable[..., Person]


@pytest.fixture(params=[False, True], ids=["plain", "htmx"])
def one(request: pytest.FixtureRequest, light: LessonVersion, person: MakePerson) -> Person:  # noqa: F811
    """Somebody before the first question."""
    somebody = person(at="light", htmx=request.param)
    somebody.go_to_question()
    return somebody


def the_session() -> Session:
    return Session.objects.select_related("lesson").get()


def test_whoever_stands_at_the_question_may_go_on(one: Person, staff: User) -> None:
    one.answer(WRONG)
    review(the_session(), "ACCEPT", staff)
    one.look()
    assert one.page.phase == "closed"
    notice = one.page.tree.one("section", class_="notice")
    assert notice.one(id="verdict").text() == "Your teacher looked at your answer again and accepted it."
    assert "good" in notice.attrs["class"]
    assert not notice.find(class_="expected")
    one.go_on()
    one.answer("6")
    one.go_on()
    assert "You answered 2 of 2 questions yourself" in one.page.words
    assert "Your teacher looked at your answer to one question again" in one.page.words
    assert "Nothing: every question was answered without much trouble." in one.page.words


def test_a_page_from_before_still_acts_or_says_what_came(one: Person, staff: User) -> None:
    one.answer("")
    form = one.page.tree.one("form", id="answer-form")
    review(the_session(), "REJECT", staff)
    one.send(form, answer=WRONG)  # still open: it is judged
    assert "moved on" not in one.page.words
    form = one.page.tree.one("form", id="answer-form")
    review(the_session(), "ACCEPT", staff, at=1)
    one.send(form, answer=RIGHT)
    assert "moved on" in one.page.words
    assert RIGHT in one.page.words
    assert "accepted it" in one.page.words


def test_an_answer_that_was_not_right_after_all_is_nobodys_fault(one: Person, staff: User) -> None:
    one.answer(RIGHT)
    review(the_session(), "PARTIAL", staff)
    one.look()
    notice = one.page.tree.one("section", class_="notice")
    assert notice.one(id="verdict").text() == "Your teacher looked at your answer again."
    assert "That was our slip, not yours." in notice.text()
    assert RIGHT in notice.one(class_="expected").text()
    one.go_on()
    one.answer("6")
    one.go_on()
    assert "You answered 1 of 2 questions yourself" in one.page.words
    assert "Your teacher looked at your answer again: it was not quite right." in one.page.words


def test_a_result_that_was_shown_before_is_another_one_now(one: Person, staff: User) -> None:
    while one.page.phase == "asking":
        one.answer(WRONG)
    one.go_on()
    one.answer("6")
    one.go_on()
    assert "You answered 1 of 2 questions yourself" in one.page.words
    review(the_session(), "ACCEPT", staff, at=2)
    one.look()
    assert "You answered 2 of 2 questions yourself" in one.page.words
    assert "accepted it. It took 3 attempts." in one.page.words
    review(the_session(), "REJECT", staff, at=2)
    one.look()
    assert "You answered 1 of 2 questions yourself" in one.page.words
    assert "Your teacher" not in one.page.words


def test_the_page_of_what_to_review_says_why(
    light: LessonVersion, start: Callable[..., Session], learner: User, staff: User, client: Client
) -> None:
    done = finished(start(light, user=learner))
    client.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    assert "Nothing so far" in client.get("/review/").content.decode()
    review(done, "REJECT", staff)
    page = client.get("/review/").content.decode()
    assert "Your teacher looked at your answer again: it was not quite right." in page


def test_attempts_that_are_counted_anew_are_said(one: Person, staff: User) -> None:
    one.answer("")
    assert "Attempt 1 of 3" in one.page.words
    review(the_session(), "REJECT", staff)
    one.look()
    assert "Attempt 2 of 3" in one.page.words
    assert "Your attempts were counted again." in one.page.words
    assert one.page.phase == "asking"


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_api_tells_the_same(
    light: LessonVersion,
    start: Callable[..., Session],
    learner: User,
    staff: User,
    client: Client,
    language: str,
) -> None:
    done = finished(start(light, user=learner))
    client.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    review(done, "PARTIAL", staff)
    told = client.get(f"/api/v1/sessions/{done.pk}/", headers={"accept-language": language}).json()
    results = told["results"]
    assert (results["mastered"], results["missed"], results["reviewed"]) == (1, 1, 1)
    assert [(item["outcome"], item["reviewed"]) for item in results["review"]] == [("missed", True)]
    turns = client.get(f"/api/v1/sessions/{done.pk}/turns/").json()["items"]
    assert [turn["kind"] for turn in turns][-1] == "review"


def test_the_api_tells_it_at_the_question(asking: Session, staff: User, client: Client) -> None:
    client.force_login(asking.user, backend="django.contrib.auth.backends.ModelBackend")
    address = f"/api/v1/sessions/{asking.pk}/"
    client.post(
        f"{address}answers/",
        {"version": asking.version, "text": WRONG},
        content_type="application/json",
        headers={"idempotency-key": "first"},
    )
    review(asking, "ACCEPT", staff)
    told = client.get(address).json()
    last = told["last_turn"]
    assert (told["phase"], told["actions"][0]) == ("closed", "continue")
    assert (last["outcome"], last["reviewed"], last["verdict"], last["explanation"]) == ("mastered", True, None, [])
