"""Staff at the administration, and what of it belongs to Django rather than to us."""

from typing import Any

from django.conf import settings
from playwright.sync_api import Page, expect

from tests.browser.learner import Learner
from tests.browser.look import faults_of
from tests.browser.server import PASSWORD

_sessions: dict[tuple[str, str], list[Any]] = {}
"""The cookies of who signed in at a server, by its address and their name."""


def enter(visitor: Learner, name: str = "staff") -> Page:
    """Stand at the start of the administration, signed in; by the form only the first time at a server."""
    context, place = visitor.page.context, (visitor.address, name)
    context.add_cookies(_sessions.get(place, []))
    visitor.page.goto("/admin/")
    if visitor.page.locator("[name=password]").count():
        _sign_in(visitor, name)
        _sessions[place] = [cookie for cookie in context.cookies() if cookie["name"] == settings.SESSION_COOKIE_NAME]
    expect(visitor.page.locator("#content")).to_be_visible()
    return visitor.page


def _sign_in(visitor: Learner, name: str) -> None:
    visitor.page.locator("[name=username]").fill(name)
    visitor.page.locator("[name=password]").fill(PASSWORD)
    visitor.page.locator("main form button").click()
    expect(visitor.page.locator("#content")).to_be_visible()


def assert_accessible(page: Page) -> None:
    """Nothing that axe finds in our part of the page, in light and in dark, and nothing cut off on a narrow screen."""
    found = faults_of(page)
    assert not found, "\n".join([page.url, *found])
