"""One address, two renderings: the whole page, and the player alone for htmx."""

import pytest

from tests.conftest import LessonMaker
from tests.lesson_engine.learn.conftest import MakePerson
from tests.lesson_engine.learn.hooks import check_hooks
from tests.lesson_engine.learn.pages import Node, Page, Person, comparable

PART = {"HX-Request": "true"}


def player(page: Page) -> Node:
    return page.tree.one(id="player")


def check_both(one: Person) -> None:
    """The part is the page's player, and nothing else."""
    whole, part = (Page(one.client.get(one.address, headers=headers)) for headers in ({}, PART))
    assert whole.tree.find("html")
    assert not part.tree.find("html")
    assert [node.attrs.get("id") for node in part.tree.parts if isinstance(node, Node)] == ["player"]
    assert player(whole).text() == player(part).text()
    assert comparable(part.html).strip() in comparable(whole.html)
    for page in (whole, part):
        check_hooks(page)


def test_every_kind_of_page_has_both_renderings(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson()
    one = person(at="light")
    seen = set()
    check_both(one)
    seen.add(one.page.phase)
    one.go_to_question()
    check_both(one)
    seen.add(one.page.phase)
    one.hint()
    check_both(one)
    one.answer("They need it to sleep")
    check_both(one)
    one.dont_know()
    one.skip()
    check_both(one)
    seen.add(one.page.phase)
    one.walk(lambda somebody: somebody.dont_know())
    check_both(one)
    assert seen == {"reading", "asking", "closed"}


def test_a_page_restored_from_history_comes_whole(at_light: Person) -> None:
    response = at_light.client.get(at_light.address, headers={**PART, "HX-History-Restore-Request": "true"})
    assert "<html" in response.content.decode()


@pytest.mark.parametrize("act", ["go_on", "answer", "hint", "dont_know", "skip", "mode"])
def test_an_action_shows_the_same_with_and_without_htmx(make_lesson: LessonMaker, person: MakePerson, act: str) -> None:
    make_lesson()
    pages = []
    for htmx in (False, True):
        one = person(at="light", htmx=htmx)
        if act != "go_on":
            one.go_to_question()
        if act == "skip":
            one.dont_know()
            one.dont_know()
        arguments = {"answer": ["They need it to sleep"], "mode": ["adaptive"]}.get(act, [])
        page = getattr(one, act)(*arguments)
        pages.append(page)
        check_hooks(page)
        one.walk(lambda somebody: somebody.dont_know())
    whole, part = pages
    assert whole.tree.find("html")
    assert not part.tree.find("html")
    assert player(whole).text() == player(part).text()


def test_without_htmx_an_action_redirects_so_that_a_reload_repeats_nothing(at_light: Person) -> None:
    form = at_light.page.tree.one("form", id="answer-form")
    data = {"answer": "x", "version": "1", "key": "k", "form": "text"}
    response = at_light.client.post(form.attrs["action"], data)
    assert (response.status_code, response["Location"]) == (302, at_light.address)
