"""A page from before: what was sent from it is kept, and never lands where it does not belong."""

from django.test import Client

from accounts.models import User
from lesson_engine.models import Lesson, Session, Turn
from lesson_engine.services import turns
from lesson_engine.services.sessions import session_start
from lesson_engine.services.turns import state_of
from tests.conftest import WRONG, LessonMaker, ask
from tests.lesson_engine.learn.conftest import MakePerson
from tests.lesson_engine.learn.pages import Page, Person, fields_of
from tests.lesson_engine.services.conftest import asking, start, turn_begun  # noqa: F401 - fixtures

CHOICES = {
    "kind": "choice",
    "choices": [{"code": "a", "text": "A sunny window", "correct": True}, {"code": "b", "text": "A dark cellar"}],
}


def late(one: Person, answer: str) -> Page:
    """Answer from the page as it is, after another tab went on to the next question."""
    data = {**fields_of(one.page.form_of(id_="answer-form")), "answer": answer}
    for _ in range(3):
        one.dont_know()
    one.go_on()
    return Page(one.client.post(f"{one.address}answers/", data, headers={"HX-Request": "true"}))


def test_words_for_another_question_are_quoted_and_not_put_into_its_field(
    make_lesson: LessonMaker, person: MakePerson
) -> None:
    make_lesson(ask("first"), ask("second"))
    one = person(at="light")
    one.go_to_question("first")
    page = late(one, "because of the bees")
    assert page.typed == ""
    assert "because of the bees" in page.words
    assert state_of(Session.objects.get()).record("second").attempts == 0


def test_a_choice_of_another_question_is_quoted_in_words(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson(ask("first", answer=CHOICES), ask("second"))
    one = person(at="light")
    one.go_to_question("first")
    page = late(one, "b")
    assert "You had written: A dark cellar" in " ".join(page.words.split())
    assert page.typed == ""


def test_a_form_from_before_signing_in_shows_the_lesson_with_what_was_typed(
    make_lesson: LessonMaker, learner: User
) -> None:
    make_lesson()
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    session = session_start(user=learner, lesson=Lesson.objects.get())
    turns.session_continue(session=session, version=0, key="on")
    data = {"version": "1", "key": "k", "ask": "ASK_001", "answer": "sugar, I think", "csrfmiddlewaretoken": "old" * 10}
    address = f"/sessions/{session.pk}/answers/"
    own = browser.post(address, data, headers={"Sec-Fetch-Site": "same-origin", "HX-Request": "true"})
    assert own.status_code == 200
    page = Page(own)
    assert page.typed == "sugar, I think"
    assert "before you signed in" in page.words
    foreign = browser.post(address, data, headers={"Sec-Fetch-Site": "cross-site"})
    assert foreign.status_code == 403
    assert "sugar" not in foreign.content.decode()
    assert not Turn.objects.filter(kind="answer").exists()


def test_every_form_of_a_page_has_a_key_of_its_own(at_light: Person) -> None:
    at_light.go_to_question()
    keys = [node.attrs["value"] for node in at_light.page.tree.find("input", name="key")]
    assert len(keys) >= 4
    assert len(set(keys)) == len(keys)


def test_two_long_keys_that_begin_alike_are_two(at_light: Person) -> None:
    at_light.go_to_question()
    at_light.answer(WRONG, key="k" * 100 + "1")
    page = at_light.answer(WRONG.upper(), key="k" * 100 + "2")
    assert page.attempt.startswith("Attempt 3")
