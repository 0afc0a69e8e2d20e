"""An author publishes a new version while a learner is in the old one: nobody is disturbed, in both languages."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.desk import assert_accessible, enter
from tests.browser.languages import in_both_languages
from tests.browser.server import Server
from tests.conftest import DEMO_LESSON

TITLE = "Fotosíntesis, edición nueva"
WORDS = {
    "en": {"store": "Store as a draft", "play": "Play as a learner", "publish": "Publish", "check": "Only check"},
    "es": {
        "store": "Guardar en borrador",
        "play": "Recorrerla como estudiante",
        "publish": "Publicar",
        "check": "Solo comprobar",
    },
}


def new_edition(mark: str) -> str:
    """The demo lesson under another title and with another first question."""
    lesson = json.loads(DEMO_LESSON.read_text())
    lesson["meta"]["title"] = f"{TITLE} ({mark})"
    first = next(step for step in lesson["moments"][0]["steps"] if step["type"] == "ASK")
    first["question"] += f" Edición {mark}."
    return json.dumps(lesson, ensure_ascii=False, indent=1)


@pytest.fixture
def as_it_was(server: Server) -> Iterator[None]:
    """The published version, for the tests that come after: they share the server."""
    yield
    back = "UPDATE lesson_engine_lesson SET current_id = (SELECT id FROM lesson_engine_lessonversion v "
    back += "WHERE v.lesson_id = lesson_engine_lesson.id AND number = 1) WHERE slug = %s"
    server.change(back, "fotosintesis")


def paste(page: Page, text: str) -> None:
    """All at once: typing a whole lesson takes a browser longer than anyone waits."""
    page.locator("#text").evaluate(
        "(area, text) => { area.value = text; area.dispatchEvent(new Event('input', {bubbles: true})) }", text
    )


@pytest.mark.hard
@in_both_languages("es")
def test_an_author_publishes_while_a_learner_is_in_the_old_version(
    visit: Visit, as_it_was: None, language: str
) -> None:
    words = WORDS[language]
    learner = visit(language, reduced_motion="reduce")
    learner.start()
    learner.read_to_question()
    question = learner.page.locator("#question").inner_text()

    author = visit(language, phone=False, expects=("status of 422",))
    page = enter(author)
    page.goto("/admin/lesson_engine/lessonversion/upload/")
    assert_accessible(page)

    # A slip first: the fault is shown beside the piece of JSON, and nothing is stored.
    paste(page, new_edition(language).replace('"kind": "numeric"', '"kind": "numeral"', 1))
    page.get_by_role("button", name=words["store"]).click()
    expect(page.get_by_text("numeral").first).to_be_visible()
    assert_accessible(page)

    paste(page, new_edition(language))
    page.get_by_role("button", name=words["check"]).click()
    expect(page.get_by_role("status").first).to_be_visible()
    paste(page, new_edition(language))
    page.get_by_role("button", name=words["store"]).click()
    expect(page.locator(".state-draft")).to_be_visible()
    assert_accessible(page)
    version = page.url

    # Played as a learner would, through the first question.
    page.get_by_role("link", name=words["play"]).click()
    expect(page.locator(".preview")).to_be_visible()
    assert_accessible(page)
    while page.locator("#continue").count():
        before = page.locator("[data-step]").get_attribute("data-step")
        page.locator("#continue").click()
        expect(page.locator(f'[data-step]:not([data-step="{before}"])')).to_be_visible()
    expect(page.locator("#question")).to_contain_text(f"Edición {language}")

    page.goto(version)
    page.get_by_role("link", name=words["publish"]).click()
    assert_accessible(page)
    page.get_by_role("button", name=words["publish"], exact=True).click()
    expect(page.locator(".state-current")).to_be_visible()

    # The learner goes on in the version they began with.
    learner.page.reload()
    expect(learner.page.locator("#question")).to_have_text(question)
    code = learner.code
    learner.answer_right()
    assert learner.phase == "closed"
    learner.go_on()
    assert (learner.phase, learner.code) != ("asking", code)

    # Whoever begins now gets the new one.
    newcomer = visit(language, reduced_motion="reduce")
    newcomer.start()
    expect(newcomer.page).to_have_title(f"{TITLE} ({language}) · Andamio")
    newcomer.read_to_question()
    expect(newcomer.page.locator("#question")).to_contain_text(f"Edición {language}")
