"""The dashboard in a real browser: drawn, in the theme's colours, on a phone, and without scripts."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.desk import assert_accessible, enter
from tests.browser.languages import in_both_languages

URL = "/admin/dashboard/"


@pytest.fixture
def walked(visit: Visit, is_first: bool) -> None:
    """Somebody who read and answered, so that there is something to see."""
    if not is_first:
        return
    learner = visit(reduced_motion="reduce")
    learner.start()
    learner.read_to_question()
    learner.answer("Porque las plantas comen tierra.")


def chart(page: Page, panel: str) -> Locator:
    return page.locator(f"#{panel} .chart")


def today(page: Page) -> Locator:
    """The bar of the sessions that were started today."""
    return chart(page, "sessions").locator(".trace.bars").first.locator("path").last


@pytest.mark.usefixtures("walked")
def test_charts_are_drawn_and_take_the_colours_of_the_theme(visit: Visit) -> None:
    page = enter(visit(phone=False))
    page.goto(URL)
    expect(today(page)).to_be_visible()
    expect(page.locator("#sessions table")).to_be_hidden()
    light = today(page).evaluate("bar => getComputedStyle(bar).fill")
    page.emulate_media(color_scheme="dark")
    expect(today(page)).not_to_have_css("fill", light)
    page.emulate_media(color_scheme="light")
    expect(today(page)).to_have_css("fill", light)
    page.locator("#header .theme-toggle").click()  # from the system's theme to another
    page.locator("#header .theme-toggle").click()
    assert page.locator("html").get_attribute("data-theme") in ("light", "dark")


@pytest.mark.usefixtures("walked")
@in_both_languages("en")
def test_on_a_phone_everything_is_within_reach(visit: Visit, language: str) -> None:
    page = enter(visit(language))
    page.goto(URL)
    expect(today(page)).to_be_visible()
    assert_accessible(page)
    page.locator("#verdicts summary").click()
    expect(page.locator("#verdicts table")).to_be_visible()
    page.goto("/admin/exports/")
    assert_accessible(page)


@pytest.mark.hard
@pytest.mark.usefixtures("walked")
def test_filters_are_chosen_and_stay_chosen(visit: Visit) -> None:
    page = enter(visit(phone=False))
    page.goto(URL)
    page.locator("#id_course").select_option("fotosintesis")
    page.locator("#id_mode").select_option("adaptive")
    page.locator(".filters button").click()
    expect(page.locator("#id_course")).to_have_value("fotosintesis")
    expect(page.locator("#id_mode")).to_have_value("adaptive")
    assert "course=fotosintesis&mode=adaptive" in page.url


@pytest.mark.hard
@pytest.mark.usefixtures("walked")
def test_without_scripts_the_numbers_are_there(visit: Visit) -> None:
    page = enter(visit(phone=False, java_script_enabled=False))
    page.goto(URL)
    expect(page.locator("#sessions table")).to_be_visible()
    expect(chart(page, "sessions")).to_be_hidden()


@pytest.mark.usefixtures("walked")
def test_an_export_is_downloaded_and_then_listed(visit: Visit) -> None:
    page = enter(visit(phone=False))
    page.goto("/admin/exports/")
    page.locator("#id_form").select_option("csv")
    with page.expect_download() as waiting:
        page.locator(".filters button").click()
    assert waiting.value.suggested_filename.endswith(".csv")
    assert waiting.value.path().read_text().startswith("timestamp,level,event,sessionId,seq,course,mode,data")
    page.reload()
    expect(page.locator(".board tbody tr").first).to_contain_text("csv")
