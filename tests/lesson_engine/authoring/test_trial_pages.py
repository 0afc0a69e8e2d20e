"""How the questions of a version would fare, in the browser: on the version's pages, and beside the preview."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from lesson_engine.authoring import trials
from lesson_engine.authoring.trials import trial_of
from lesson_engine.models import LessonVersion
from tests.conftest import ask, number
from tests.lesson_engine.authoring.conftest import MakeDraft
from tests.lesson_engine.authoring.test_preview import jump, player
from tests.lesson_engine.learn.pages import Page

GOOD = ["Plants make sugar.", "plants make sugar", "PLANTS make sugar"]
WRONG = "They <b>eat</b> the light."


def tried(code: str, accepted: list[str], *groups: list[str], **wrong: list[str]) -> dict[str, Any]:
    answer = {"kind": "open", "accepted": accepted, "keyword_groups": groups}
    misconceptions = [{"code": name, "examples": texts, "feedback": "No."} for name, texts in wrong.items()]
    return ask(code, answer=answer, misconceptions=misconceptions)


def trial_url(version: LessonVersion, code: str = "") -> str:
    name, args = ("question_trial", [version.pk, code]) if code else ("trial", [version.pk])
    return reverse(f"admin:lesson_engine_lessonversion_{name}", args=args)


def page_of(desk: Client, address: str, **query: str) -> Page:
    response = desk.get(address, query)
    assert response.status_code == 200, address
    return Page(response)


def shown(page: Page) -> list[str]:
    return [section.one("h2").text() for section in page.tree.find("section", class_="fared")]


def test_a_question_shows_its_warnings_and_every_text_that_was_tried(make_draft: MakeDraft, desk: Client) -> None:
    version = make_draft(tried("A", [*GOOD, "It is glucose."], ["sugar"], eats=[WRONG, WRONG.upper()]))
    page = page_of(desk, trial_url(version, "A"))
    assert "An accepted answer has no word of the group “sugar”: “It is glucose”." in page.words
    assert "Add “glucose” to the group “sugar”" in page.words
    rows = [row.text() for row in page.tree.one("table", class_="trial-table").find("tr")[1:]]
    assert any(row.startswith(f"{WRONG} example of a misconception, left out: eats Wrong Wrong") for row in rows)
    assert any("accepted answer in capitals Right Right" in row for row in rows)
    assert "<b>eat</b>" not in page.html
    assert "open" in page.tree.one("details", class_="trial-tries").attrs


@pytest.fixture
def all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy this machine is."""
    monkeypatch.setattr(trials, "SECONDS", 600)


@pytest.mark.usefixtures("all_the_time")
def test_a_version_shows_the_questions_with_the_strongest_warnings_first(make_draft: MakeDraft, desk: Client) -> None:
    eats = {"eats": ["They eat light", "they eat light"]}
    version = make_draft(
        tried("FINE", GOOD, **eats),
        tried("FEW", GOOD[:1], **eats),
        number("NUMBER"),
        tried("UNMET", [*GOOD, "It is glucose."], ["sugar"], **eats),
        tried("ALONE", GOOD),
        tried("GROUP", GOOD, ["plants"], **eats),
    )
    page = page_of(desk, trial_url(version))
    assert shown(page) == ["UNMET", "GROUP", "FEW", "ALONE", "FINE"]
    assert "NUMBER" not in page.words
    assert page.tree.find("section", class_="fared")[-1].one(class_="trial-good").text() == "No warnings."
    assert "were not tried" not in page.words


def test_a_page_begins_no_question_after_its_time_and_says_so(
    make_draft: MakeDraft, desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "SECONDS", 0)
    version = make_draft(tried("A", GOOD[:1]), number(), tried("B", GOOD[:1]))
    first = page_of(desk, trial_url(version))
    assert shown(first) == ["A"]
    assert "These are the questions 1 to 1 of 2; the others were not tried." in first.words
    (link,) = [a for a in first.tree.find("a") if a.text() == "Try the next ones"]
    second = page_of(desk, f"{trial_url(version)}{link.attrs['href']}")
    assert shown(second) == ["B"]
    assert "Try the first ones" in second.words
    for nonsense in ("-1", "999", "x", "9" * 50, "²"):
        assert shown(page_of(desk, trial_url(version), **{"from": nonsense})) == ["A"]


@pytest.mark.usefixtures("all_the_time")
def test_a_page_has_so_many_questions_and_no_more(
    make_draft: MakeDraft, desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "TRIED_AT_ONCE", 2)
    version = make_draft(*(tried(code, GOOD[:1]) for code in ("A", "B", "C")))
    assert shown(page_of(desk, trial_url(version))) == ["A", "B"]
    assert shown(page_of(desk, trial_url(version), **{"from": "2"})) == ["C"]


def test_the_version_links_to_the_trial_of_what_is_answered_in_words(make_draft: MakeDraft, desk: Client) -> None:
    version = make_draft(ask("WORDS"), number("NUMBER"))
    page = page_of(desk, reverse("admin:lesson_engine_lessonversion_change", args=[version.pk]))
    links = {a.attrs["href"] for a in page.tree.find("a") if a.text().startswith("How it would fare")}
    assert links == {trial_url(version), trial_url(version, "WORDS")}
    for code in ("NUMBER", "NOWHERE"):
        assert desk.get(trial_url(version, code)).status_code == 404
    only_numbers = page_of(desk, trial_url(make_draft(number())))
    assert "No question of this version is answered in words of one's own." in only_numbers.words


def test_the_preview_shows_how_its_question_would_fare(make_draft: MakeDraft, desk: Client) -> None:
    version = make_draft(tried("A", GOOD), number("B"))
    author = player(desk, version, htmx=True)
    assert "How it would fare" not in author.page.words  # a reading
    asked = jump(author, 1)
    (link,) = [a for a in asked.tree.find("a") if a.text() == "How it would fare"]
    assert link.attrs["href"] == link.attrs["hx-get"] == trial_url(version, "A")
    assert asked.tree.find(id=link.attrs["hx-target"].removeprefix("#"))
    part = desk.get(link.attrs["hx-get"], headers={"HX-Request": "true"})
    assert b"<html" not in part.content
    assert shown(Page(part)) == ["A"]
    assert "HX-Request" in part["Vary"]
    assert "How it would fare" not in jump(author, 2).words  # a number


def test_questions_that_are_tried_again_are_not_graded_again(make_draft: MakeDraft, desk: Client) -> None:
    version = make_draft(tried("A", GOOD))
    page_of(desk, trial_url(version))
    before = trial_of.cache_info().misses
    page_of(desk, trial_url(version, "A"))
    assert trial_of.cache_info().misses == before


@pytest.mark.parametrize(("language", "words"), [("en", "accepted answer in capitals"), ("es", "en mayúsculas")])
def test_a_page_follows_its_reader_and_the_texts_the_lesson(
    make_draft: MakeDraft, desk: Client, language: str, words: str
) -> None:
    version = make_draft(tried("A", GOOD))
    desk.get(trial_url(version, "A"))  # the trial is known already
    page = Page(desk.get(trial_url(version, "A"), headers={"accept-language": language}))
    assert words in page.words
    cell = page.tree.one("table", class_="trial-table").find("td")[0]
    assert cell.attrs["lang"] == "en"
