"""Comparing on the learner's page: with and without htmx, after a reload, and in the author's preview."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from lesson_engine.authoring.preview import preview_begin, preview_sealed
from lesson_engine.contracts import TopicDeviation
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LessonVersion, Session
from lesson_engine.player import machine
from lesson_engine.services.courses import course_set
from lesson_engine.services.turns import state_of
from tests.conftest import LessonMaker, ask
from tests.lesson_engine.authoring.test_preview import address
from tests.lesson_engine.comparing.conftest import ODD
from tests.lesson_engine.courses.conftest import look, standing
from tests.lesson_engine.learn.conftest import MakePerson
from tests.lesson_engine.learn.hooks import check_hooks
from tests.lesson_engine.learn.pages import Node, Page, Person
from tests.lesson_engine.player.walks import unsure
from tests.lesson_engine.unsure import make_unsure
from tests.lesson_engine.workbench.conftest import RIGHT, WRONG

Queries = Callable[[int], AbstractContextManager[Any]]


@pytest.fixture(params=[False, True], ids=["plain", "htmx"])
def one(request: pytest.FixtureRequest, light: LessonVersion, person: MakePerson) -> Person:
    """Somebody before the first question."""
    somebody = person(at="light", htmx=request.param)
    somebody.go_to_question()
    return somebody


def the_session() -> Session:
    return Session.objects.select_related("lesson").get()


def not_understood(one: Person, text: str = ODD) -> Page:
    """The page after an answer of which the grader is not sure."""
    one.answer(text)
    make_unsure(the_session())
    return one.look()


def compare(one: Person) -> Page:
    return one.send(one.page.form_of(id_="compare"))


def say(one: Person, word: str) -> Page:
    return one.send(one.page.tree.one("form", id="own-word"), said=word)


def columns(page: Page) -> list[str]:
    return [side.text() for side in page.tree.one(class_="compare").find("section")]


def headline(page: Page) -> str:
    return page.tree.one(id="verdict").text()


def test_the_first_time_the_question_stays_open_with_the_text_in_it(one: Person) -> None:
    page = not_understood(one)
    assert (headline(page), page.phase, page.typed) == ("I'm not sure I understood you.", "asking", ODD)
    assert "This answer cost you no attempt." in page.words
    assert page.attempt == "Attempt 1 of 3"
    assert page.tree.one("button", id="compare").text() == "Compare with the answer"
    assert RIGHT not in page.words


def test_comparing_shows_both_answers_and_asks(one: Person) -> None:
    not_understood(one)
    page = compare(one)
    assert (page.phase, headline(page)) == ("comparing", "Compare your answer with this one.")
    assert columns(page) == [f"Your answer {ODD}", f"The author's answer {RIGHT}"]
    form = page.tree.one("form", id="own-word")
    assert form.one("legend").text() == "Is that what you meant?"
    assert [button.text() for button in form.find("button")] == ["Yes, that's it", "Partly", "No"]
    assert page.words.count(RIGHT) == 1
    assert not page.has("answer-form")
    assert page.tree.one(id="continue").text() == "No", "a client that only goes on is never stuck"
    check_hooks(page)


def test_the_second_time_the_answers_are_compared_at_once(one: Person) -> None:
    not_understood(one, "Well, food")
    page = not_understood(one)
    assert page.phase == "comparing"
    assert columns(page)[0] == f"Your answer {ODD}"


def test_a_yes_closes_as_right(one: Person) -> None:
    not_understood(one)
    compare(one)
    page = say(one, "yes")
    assert (page.phase, headline(page)) == ("closed", "Good. I count it as right.")
    assert page.tree.one(class_="own-words").text() == f"Your answer: {ODD}"
    assert one.look().tree.one(class_="own-words").text() == f"Your answer: {ODD}", "the same when it is loaded anew"
    one.go_on()
    one.answer("6")
    page = one.go_on()
    assert "You answered 2 of 2 questions yourself." in page.words
    assert "One of them counts because you said so when you compared; your teacher may look at it." in page.words
    assert page.tree.one(class_="chart-value").text() == "2 of 2 1 of them by your own word"
    assert "You answered 2 of 2, 1 of them by your own word: 100 %." in page.words


def test_the_page_of_a_course_tells_own_words_apart(one: Person) -> None:
    not_understood(one)
    compare(one)
    say(one, "yes")
    one.go_on()
    one.answer("6")
    one.go_on()
    course_set(slug="plants", title="Plants", language="en", summary="One.", lessons=["light"])
    assert standing(look(one)) == {"light": "finished: Finished 2 of 2 questions answered 1 of them by your own word"}


@pytest.mark.parametrize(
    ("word", "said"), [("partly", "Part of it was there."), ("no", "Take a moment with this answer.")]
)
def test_honesty_is_thanked_and_the_answer_stays_in_sight(one: Person, word: str, said: str) -> None:
    not_understood(one)
    compare(one)
    page = say(one, word)
    assert headline(page) == f"Thanks for being honest. {said}"
    assert RIGHT in page.tree.one("section", class_="notice").one(class_="expected").text()
    one.go_on()
    one.answer("6")
    page = one.go_on()
    assert "You compared your answer with this one." in page.words
    assert "counts because you said so" not in page.words
    assert "own word" not in page.words


def test_a_comparison_survives_a_reload_another_mode_and_an_old_tab(one: Person, person: MakePerson) -> None:
    not_understood(one)
    old = person(at="light")
    compare(one)
    shown = columns(one.page)
    assert columns(one.look()) == shown
    assert columns(one.mode("adaptive")) == shown
    assert columns(one.look()) == shown
    late = old.answer("Something else")
    assert "moved on" in late.words
    assert "Something else" in late.words
    assert columns(late) == shown


def test_what_is_no_word_is_none(one: Person) -> None:
    not_understood(one)
    compare(one)
    page = say(one, "certainly")
    assert page.phase == "comparing"
    assert state_of(the_session()).record("ASK_001").own_word is None


def test_whoever_compares_may_still_report(one: Person) -> None:
    not_understood(one)
    compare(one)
    page = one.send(one.page.tree.one("form", id="report-form"), kind="unclear")
    assert page.phase == "closed"
    assert state_of(the_session()).record("ASK_001").outcome == "reported"


def test_what_was_said_stays_with_a_hint_under_it_and_after_a_reload(one: Person) -> None:
    one.answer(WRONG)
    said, lines = headline(one.page), one.page.tree.one("section", class_="notice").text()
    for page in (one.hint(), one.look(), one.mode("adaptive"), one.look()):
        assert headline(page) == said
        assert page.tree.one("section", class_="notice").text() == lines
        assert page.tree.one("section", class_="hints").find("li")
        assert page.typed == WRONG


def test_the_hint_is_what_is_read_first(one: Person) -> None:
    one.answer(WRONG)
    page = one.hint()
    (focused,) = [node for node in page.tree.nodes if "data-focus" in node.attrs]
    assert focused.tag == "li"


def test_a_hint_keeps_the_way_to_compare(one: Person) -> None:
    not_understood(one)
    one.hint()
    assert columns(compare(one))[0] == f"Your answer {ODD}"


def test_choices_are_compared_in_their_words(make_lesson: LessonMaker, person: MakePerson) -> None:
    choices = [{"code": "a", "text": "Sugar", "correct": True}, {"code": "b", "text": "Salt"}]
    make_lesson(ask(answer={"kind": "choice", "choices": choices}))
    one = person(at="light")
    one.go_to_question()
    one.answer("b")
    make_unsure(the_session())
    one.look()
    assert columns(compare(one)) == ["Your answer Salt", "The author's answer Sugar"]


def test_what_was_written_acts_nowhere(one: Person) -> None:
    not_understood(one, "<img src=x onerror=alert(1)>")
    page = compare(one)
    assert not page.tree.find("img", src="x")
    assert "<img src=x onerror=alert(1)>" in columns(page)[0]


def test_pages_of_a_comparison_take_one_query_for_the_answer(one: Person, django_assert_num_queries: Queries) -> None:
    not_understood(one)
    compare(one)
    # 1.-2. the browser's session and its user; 3. the lesson's session; 4. an answer that is still judged;
    # 5. the answer; 6. the budget
    with django_assert_num_queries(6):
        one.look()


class Author(Person):
    """An author at a preview whose state was made here."""

    def show(self, sealed: str) -> Page:
        form = Node("form", {"action": f"{self.address}mode/"})
        return self.send(form, state=sealed, version="0", key="k", mode="deterministic")


def test_the_preview_walks_the_same_states(light: LessonVersion, desk: Client, staff: User) -> None:
    outline = outline_of(light.pk)
    begun = preview_begin(outline, version_id=light.pk, author_id=staff.pk)
    asking = machine.proceed(outline, begun.state)
    state = machine.record_verdict(outline, asking, unsure(), TopicDeviation.ON_TOPIC)
    author = Author(desk)
    author.address = address(light)
    page = author.show(preview_sealed(begun.model_copy(update={"state": state, "answered": (ODD,)})))
    assert page.phase == "asking"
    assert columns(compare(author)) == [f"Your answer {ODD}", f"The author's answer {RIGHT}"]
    assert headline(say(author, "yes")) == "Good. I count it as right."
    assert not Session.objects.exists()
