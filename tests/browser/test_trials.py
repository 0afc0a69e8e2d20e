"""An author sees how a question would fare: on the version's page, and beside the preview without losing the place."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.desk import assert_accessible, enter
from tests.browser.languages import in_both_languages

WORDS = {
    "en": {"trial": "How it would fare", "play": "Play as a learner"},
    "es": {"trial": "Cómo le iría", "play": "Recorrerla como estudiante"},
}


@pytest.mark.hard
@in_both_languages("es")
def test_an_author_sees_how_questions_would_fare(visit: Visit, language: str) -> None:
    words = WORDS[language]
    page = enter(visit(language, phone=False))
    page.goto("/admin/lesson_engine/lessonversion/")
    page.locator("#result_list th a").last.click()
    version = page.url

    page.set_default_timeout(60_000)  # tens of grades a page, and all other tests of this machine beside them
    page.locator(".author-tools").get_by_role("link", name=words["trial"]).click()
    expect(page.locator("section.fared").first).to_be_visible()
    assert_accessible(page)
    page.go_back()
    page.locator(".overview").get_by_role("link", name=words["trial"]).first.click()
    expect(page.locator(".trial-table").first).to_be_visible()
    assert_accessible(page)

    page.goto(version)
    page.get_by_role("link", name=words["play"]).click()
    while page.locator("#continue").count():
        before = page.locator("[data-step]").get_attribute("data-step")
        page.locator("#continue").click()
        expect(page.locator(f'[data-step]:not([data-step="{before}"])')).to_be_visible()
    place = page.locator("[data-step]").get_attribute("data-step")
    link = page.locator(".preview").get_by_role("link", name=words["trial"])
    link.click()
    expect(page.locator("#trial section.fared")).to_be_visible()
    expect(link).to_be_focused()
    assert page.locator("[data-step]").get_attribute("data-step") == place
    page.locator("#trial summary").click()
    expect(page.locator("#trial .trial-table")).to_be_visible()
    assert_accessible(page)
