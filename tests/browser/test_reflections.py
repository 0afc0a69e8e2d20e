"""Staff judge three reflections in a browser, each with its reason: one is approved, one rejected, one written anew."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.desk import assert_accessible, enter
from tests.browser.server import Server
from tests.browser.test_keyboard import tab_to

QUEUE = "/admin/reflection/reflection/"
MAKE = """
import json, sys
from accounts.models import User
from tests.reflection.reviews_made import waiting
user = User.objects.create_user(sys.argv[1])
print(json.dumps([str(waiting(user, task=f"Book hotel in {city}").pk) for city in ("Paris", "Rome", "Lima")]))
"""
STANDS = """
SELECT r.review, r.in_force, v.reason, u.username FROM reflection_reflection r
JOIN reflection_reflectionreview v ON v.reflection_id = r.id JOIN accounts_user u ON u.id = v.by_id WHERE r.id = %s
"""
SET = """
SELECT setting, value #>> '{}' FROM memory_strategyadjustment
WHERE reflection_id LIKE %s AND withdrawn_at IS NULL ORDER BY position
"""


def at(row: str, page: str = "change") -> str:
    return f"{QUEUE}{row}/{page}/"


def stands(server: Server, row: str) -> tuple[str, bool, str, str]:
    """The review of a reflection, whether it is in force, and why and who said so."""
    [found] = server.rows(STANDS, row)
    return found[0], found[1], found[2], found[3]


def approve(page: Page, row: str) -> None:
    """With keys alone."""
    tab_to(page, f"a[href*='{row}/approve/']", limit=120)
    page.keyboard.press("Enter")
    expect(page.locator("[name=reason]")).to_be_visible()
    assert_accessible(page)
    tab_to(page, "[name=reason]", limit=120)
    page.keyboard.type("The cause is right.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")


def reject(page: Page) -> None:
    page.locator(".rf-actions a[href*='/reject/']").click()
    page.locator("[name=reason]").fill(" ")
    page.locator(".decide button").click()
    expect(page.locator(".errorlist")).to_be_visible()
    assert_accessible(page)
    page.locator("[name=reason]").fill("Quality was never the point here.")
    page.locator(".decide button").click()


def edit(page: Page) -> None:
    page.locator(".rf-actions a[href*='/edit/']").click()
    page.locator("[name=adjustments]").fill("Be nicer")
    page.locator("[name=look]").click()
    gate = page.locator("#gate")
    expect(gate).to_contain_text("Be nicer")
    expect(gate.locator(".rf-met-no").first).to_be_visible()
    assert_accessible(page)
    page.locator("[name=adjustments]").fill("Change priority from price to quality\nAdd constraint: quality >= 8")
    page.locator("[name=reason]").fill("Seven is not enough for this guest.")
    page.locator("[name=store]").click()
    expect(gate.locator("ins").filter(has_text="quality >= 8").first).to_be_visible()  # nothing is stored unseen
    page.locator("[name=store]").click()


@pytest.mark.parametrize(("language", "phone"), [pytest.param("en", False, marks=pytest.mark.hard), ("es", True)])
def test_staff_judge_three_reflections(visit: Visit, server: Server, language: str, phone: bool) -> None:
    learner = f"ana-{language}"
    first, second, third = json.loads(server.python(MAKE, learner))
    page = enter(visit(language, phone=phone, reduced_motion="reduce", expects=("status of 422",)))
    page.locator(f".to-dashboard a[href='{QUEUE}']").click()
    expect(page.locator("#result_list")).to_contain_text("Book hotel in Paris")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.goto(f"{QUEUE}?review=waiting&q={learner}")
    rows = page.locator("#result_list tbody a")
    expect(rows).to_have_text(["Book hotel in Paris", "Book hotel in Rome", "Book hotel in Lima"])
    rows.first.click()
    expect(page.locator(".rf-waits")).to_be_visible()
    assert_accessible(page)

    approve(page, first)
    expect(page.locator(".messagelist .success")).to_be_visible()
    expect(page.locator(".rf-in_force")).to_be_visible()
    assert stands(server, first) == ("approved", True, "The cause is right.", "staff")
    assert server.rows(SET, first) == [("priority", "quality")]

    page.locator(".rf-next").click()
    expect(page.locator(".rf-waits")).to_be_visible()
    page.goto(at(second))
    reject(page)
    expect(page.locator(".rf-rejected")).to_be_visible()
    assert stands(server, second) == ("rejected", False, "Quality was never the point here.", "staff")

    page.goto(at(third))
    edit(page)
    expect(page.locator(".rf-in_force")).to_be_visible()
    assert stands(server, third) == ("approved", True, "Seven is not enough for this guest.", "staff")
    assert ("constraint", "quality >= 8") in server.rows(SET, f"{third}%")
    page.locator("details.rf-attempt summary").click()
    expect(page.locator("details.rf-attempt")).to_contain_text("Be more careful")
    expect(page.locator(".rf-trail blockquote")).to_have_text("Seven is not enough for this guest.")
    assert_accessible(page)


@pytest.mark.hard
def test_two_at_one_reflection_and_without_scripts(visit: Visit, server: Server) -> None:
    row, *_ = json.loads(server.python(MAKE, "ana-two"))
    page = enter(visit(java_script_enabled=False, phone=False, expects=("status of 409",)))
    page.goto(at(row))
    page.locator(".rf-actions a[href*='/approve/']").click()
    other = enter(visit(phone=False, reduced_motion="reduce"))
    other.goto(at(row))
    edit(other)
    expect(other.locator(".rf-in_force")).to_be_visible()
    page.locator("[name=reason]").fill("I had not seen that.")
    page.locator(".decide button").click()
    expect(page.get_by_role("alert")).to_contain_text("Somebody reviewed it meanwhile")
    expect(page.locator(".rf-quote")).to_have_text("I had not seen that.")
    page.get_by_role("alert").locator("a").click()
    expect(page.locator(".rf-attempt").first).to_contain_text("quality >= 8")
