"""Staff at the administration, and what of it belongs to Django rather than to us."""

from playwright.sync_api import Page, expect

from tests.browser.learner import Learner
from tests.browser.look import faults_of
from tests.browser.server import PASSWORD


def enter(visitor: Learner, name: str = "staff") -> Page:
    """Sign in and stand at the start of the administration."""
    visitor.page.goto("/admin/")
    visitor.page.locator("[name=username]").fill(name)
    visitor.page.locator("[name=password]").fill(PASSWORD)
    visitor.page.locator("main form button").click()
    expect(visitor.page.locator("#content")).to_be_visible()
    return visitor.page


def assert_accessible(page: Page) -> None:
    """Nothing that axe finds in our part of the page, in light and in dark, and nothing cut off on a narrow screen."""
    found = faults_of(page)
    assert not found, "\n".join([page.url, *found])
