"""Staff find a learner's dead end from the dashboard and read it like a conversation, in both languages."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.desk import assert_accessible, enter
from tests.browser.languages import in_both_languages
from tests.browser.server import Server

# Each language has its own, by which its session is known.
WRONG = {"en": "Porque no habría sombra y haría mucho calor", "es": "Nos quedaríamos sin madera para construir"}


@pytest.mark.hard
@in_both_languages("en")
def test_staff_find_a_dead_end_from_the_dashboard(visit: Visit, server: Server, language: str) -> None:
    learner = visit(language, reduced_motion="reduce")
    learner.start()
    learner.read_to_question()
    code = learner.code
    while learner.phase == "asking" and learner.code == code:
        learner.answer(WRONG[language])
    session = str(learner.page.locator("#player").get_attribute("data-session"))

    staff = visit(language, phone=False)
    page = enter(staff)
    page.goto("/admin/dashboard/?course=fotosintesis")
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    assert_accessible(page)

    # From the question where attempts ran out to the sessions in which that happened, and to this one.
    panel = page.locator("section.panel").filter(has=page.locator("a[href*='dead_ends=yes']"))
    panel.locator("summary").click()
    panel.get_by_role("row").filter(has_text=code).get_by_role("link").click()
    expect(page.locator("#changelist")).to_be_visible()
    assert "dead_ends=yes" in page.url
    page.locator(f"a[href*='{session}']").first.click()
    turn = page.locator("article.turn-answer").filter(has_text=WRONG[language]).last
    expect(turn).to_be_visible()
    assert_accessible(page)
