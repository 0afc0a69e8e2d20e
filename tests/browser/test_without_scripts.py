"""With scripts switched off everything is plain links and forms."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.learner import Learner


class Plain(Learner):
    """A learner whose every turn is a new page."""

    def act(self, action: Callable[[], Any]) -> None:
        with self.page.expect_navigation():
            action()


def open_plain(visit: Visit) -> Plain:
    guest = visit(java_script_enabled=False, reduced_motion="reduce")
    plain = Plain(guest.page, guest.watch)
    plain.start()
    return plain


@pytest.mark.hard
def test_the_whole_lesson_works_without_scripts(visit: Visit) -> None:
    guest = open_plain(visit)
    guest.read_to_question()
    question = guest.code
    guest.act(guest.page.locator("#hint").click)
    expect(guest.page.locator(".hints li")).to_have_count(1)
    guest.page.locator("#mode").select_option("adaptive")
    guest.act(guest.page.locator(".mode button").click)
    expect(guest.page.locator(".mode-note")).to_be_visible()
    guest.answer_unsure()
    expect(guest.headline).to_be_visible()
    assert guest.code == question
    while guest.phase != "finished":
        if guest.phase == "asking":
            guest.answer_right()
        else:
            guest.go_on()
    expect(guest.page.locator("#budget [role=progressbar]")).to_have_attribute("aria-valuenow", "100")


def test_the_page_of_a_stale_form_can_be_left_by_its_links(visit: Visit) -> None:
    guest = open_plain(visit)
    guest.read_to_question()
    other = Plain(guest.watch.context.new_page(), guest.watch)
    other.page.goto(guest.page.url)
    other.act(other.page.locator("#hint").click)
    guest.answer("Porque sin plantas no hay comida")
    expect(guest.field).to_have_value("Porque sin plantas no hay comida")
    guest.page.locator(".language button[value=es]").click()
    expect(guest.page.locator("html")).to_have_attribute("lang", "es")
    assert guest.phase == "asking"
