"""The pages about the API: to read for everybody and without faults, and to try out."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.languages import in_both_languages
from tests.browser.look import faults_of, overflow

READ = ("/problems/", "/problems/stale-session/")
LONG = "/api/docs/"


@pytest.mark.parametrize("path", [*READ, pytest.param(LONG, marks=pytest.mark.hard)])
@in_both_languages("en")
def test_pages_to_read_have_no_faults(visit: Visit, language: str, path: str) -> None:
    visitor = visit(language, reduced_motion="reduce")
    visitor.page.goto(path)
    assert not faults_of(visitor.page), path
    expect(visitor.page.locator("html")).to_have_attribute("lang", language)


def test_the_description_opens_its_details_without_scripts(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    visitor.page.goto("/api/docs/#session_start")
    operation = visitor.page.locator("#session_start")
    expect(operation.locator("pre").first).to_contain_text('"$API/api/v1/sessions/"')
    operation.locator("summary").last.click()
    operation.get_by_text("idempotency-key-reused").click()
    expect(visitor.page).to_have_url(f"{visitor.page.url.split('/problems/')[0]}/problems/idempotency-key-reused/")


@pytest.mark.hard
def test_the_console_lists_every_operation_and_tries_one(visit: Visit) -> None:
    visitor = visit(phone=False, expects=("status of 401",))
    visitor.page.goto("/api/docs/console/")
    operations = visitor.page.locator(".opblock")
    expect(operations.first).to_be_visible()
    assert operations.count() > 10
    visitor.page.locator("#operations-Lessons-lesson_list .opblock-summary-control").click()
    visitor.page.locator("#operations-Lessons-lesson_list button.execute").click()
    expect(visitor.page.locator("#operations-Lessons-lesson_list .live-responses-table")).to_contain_text(
        "not-authenticated"
    )
    assert not overflow(visitor.page)
