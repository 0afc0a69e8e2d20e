"""What a learner's page and their program say of an answer, before and after the question is closed."""

from typing import Any

import pytest

from accounts.models import User
from lesson_engine.models import Session
from lesson_engine.services.questions import question_void
from lesson_engine.services.words import words_erase
from lesson_engine.tasks import rescore_voids
from tests.api.sessions import Program
from tests.conftest import LessonMaker, ask
from tests.lesson_engine.learn.conftest import MakePerson
from tests.lesson_engine.learn.pages import Page, Person

LEAVES: dict[str, Any] = ask(
    question="What do plants **take in**, and **where**?",
    answer={
        "kind": "open",
        "accepted": ["They take in water through the roots and light through the leaves."],
        "keyword_groups": [["water", "H2O"], ["leaves", "leaf"]],
    },
)
HALF = "Plants take in WATER"
pytestmark = pytest.mark.usefixtures("wrong_network")
MISSING = "Read the question once more: it also asks about “where”."
NAMED = "This idea belongs in the answer: “leaves”."


def lines(page: Page) -> list[str]:
    return [line.text().replace("“ ", "“").replace(" ”", "”") for line in page.tree.one(class_="lines").find("li")]


@pytest.fixture
def at_leaves(make_lesson: LessonMaker, person: MakePerson) -> Person:
    make_lesson(LEAVES)
    one = person(at="light")
    one.go_to_question()
    return one


def test_who_is_not_sure_says_what_was_not_found_once_it_is_compared_and_not_before(
    at_leaves: Person, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("unsure_network")  # in place of the other one
    assert lines(at_leaves.answer(HALF)) == [MISSING]
    assert "leaves" not in at_leaves.page.words
    compared = at_leaves.answer(HALF)
    assert compared.phase == "comparing"
    assert "I could not find this idea in your words: “leaves”." in lines(compared)


def test_an_open_question_says_what_is_missing_of_it_and_a_closed_one_which_idea(at_leaves: Person) -> None:
    assert MISSING in lines(at_leaves.answer(HALF))
    assert "leaves" not in at_leaves.page.words
    at_leaves.answer(HALF)
    last = at_leaves.answer(HALF)
    assert last.phase == "closed"
    assert NAMED in lines(last)
    assert last.tree.one(class_="own-words").text() == f"Your answer: {HALF}"
    assert NAMED in lines(at_leaves.look()), "the same when the page is loaded anew"


@pytest.mark.parametrize("close", ["skip", "dont_know", "report"])
def test_what_was_tried_last_is_explained_when_the_question_closes_otherwise(at_leaves: Person, close: str) -> None:
    at_leaves.answer(HALF)
    at_leaves.dont_know()
    if close == "report":
        form = at_leaves.page.tree.one("form", id="report-form")
        at_leaves.send(form, kind="unclear")
    else:
        getattr(at_leaves, close)()
    assert at_leaves.page.phase == "closed"
    assert NAMED in lines(at_leaves.page)
    assert at_leaves.page.tree.one(class_="own-words").text() == f"Your answer: {HALF}"


def test_who_never_tried_hears_no_explanation(at_leaves: Person) -> None:
    at_leaves.dont_know()
    at_leaves.answer("?!")
    at_leaves.dont_know()
    at_leaves.skip()
    assert not at_leaves.page.tree.find(class_="lines")
    assert not at_leaves.page.tree.find(class_="own-words")


def test_words_that_were_erased_are_in_no_explanation(at_leaves: Person, learner: User) -> None:
    at_leaves.answer(HALF)
    at_leaves.answer(HALF)
    at_leaves.skip()
    words_erase(user_id=learner.pk)
    assert "WATER" not in at_leaves.look().html
    assert not at_leaves.page.tree.find(class_="lines")


def test_a_quoted_answer_acts_nowhere(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson(ask(answer={"kind": "list", "items": [["light"], ["water"]]}))
    for htmx in (False, True):
        one = person(at="light", htmx=htmx)
        one.go_to_question()
        page = one.answer("light, <img src=x onerror=alert(1)> {own} <b hx-get=/ hx-trigger=load>")
        quote = page.tree.one(class_="lines").find("bdi")
        assert any("<img src=x onerror=alert(1)>" in one.text() for one in quote)
        assert not page.tree.find("img", src="x")
        assert not [node for node in page.tree.find("b") if "hx-get" in node.attrs]


def test_quotes_are_in_the_language_of_the_lesson(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson(ask(answer={"kind": "list", "items": [["light"], ["water"]]}))
    one = person(at="light")
    one.go_to_question()
    (quote,) = one.answer("light, soil").tree.one(class_="lines").find("bdi")
    assert (quote.text(), quote.attrs["lang"]) == ("soil", "en")


def test_a_program_hears_the_same_without_the_learners_words(make_lesson: LessonMaker, learner: User) -> None:
    make_lesson(LEAVES)
    walk = Program(learner).start("light")
    walk.go_to_question()
    told = walk.act("answers", text=HALF)["last_turn"]["explanation"]
    assert MISSING in told
    assert answers_explained(walk.program, walk.path) == [told]
    walk.act("answers", text="light and leaves, zanahorias")
    closed = walk.act("skip")["last_turn"]["explanation"]
    assert any("water" in line for line in closed)
    assert walk.look()["last_turn"]["explanation"] == closed
    first, second = answers_explained(walk.program, walk.path)
    assert NAMED in first, "the question is closed: also what was said of the first answer is told in full"
    assert second == closed
    assert "zanahorias" not in walk.program.get(f"{walk.path}turns/").text


def answers_explained(program: Program, path: str) -> list[list[str]]:
    turns = program.get(f"{path}turns/").json["items"]
    assert not any(turn["explanation"] for turn in turns if turn["kind"] != "answer")
    return [turn["explanation"] for turn in turns if turn["kind"] == "answer"]


def test_a_question_that_was_withdrawn_stays_a_secret(make_lesson: LessonMaker, learner: User, staff: User) -> None:
    version = make_lesson(LEAVES)
    walk = Program(learner).start("light")
    walk.go_to_question()
    walk.act("answers", text=HALF)
    question_void(version=version, ask_code="ASK_001", by=staff, reason="Unclear.")
    rescore_voids()
    assert walk.look()["phase"] == "closed"
    (told,) = answers_explained(walk.program, walk.path)
    assert MISSING in told
    assert not any("leaves" in line for line in told)


def test_doubt_is_said_kindly(at_leaves: Person) -> None:
    for _ in range(3):
        at_leaves.answer(HALF)
    session = Session.objects.get()
    session.state["notice"]["verdict"] |= {"doubtful": True, "provenance": None}  # from before doubts were asked about
    session.save()
    (doubt,) = at_leaves.look().tree.find(class_="line-doubt")
    assert doubt.text() == "I am not sure about this one; a teacher may look at it again."
    assert not doubt.find("a")
    assert not doubt.find("button")
