"""Staff give a session more money and a model another price: at a desk and on a phone, in both languages."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.desk import assert_accessible, enter
from tests.browser.server import Server

LISTS = ("account", "hold", "hold/?unverified__exact=1", "entry", "price", "breaker", "alert", "operationtiming")


@pytest.mark.parametrize(("language", "phone"), [pytest.param("en", False, marks=pytest.mark.hard), ("es", True)])
def test_staff_change_a_limit_and_a_price(visit: Visit, server: Server, language: str, phone: bool) -> None:
    guest = visit()
    guest.start()
    session = guest.page.locator("#player").get_attribute("data-session")
    page = enter(visit(language, phone=phone, expects=("422",)))
    page.goto(f"/admin/gateway/account/?q={session}")
    page.locator("#result_list .field-key a").click()
    assert_accessible(page)
    page.locator(".author-tools .button").click()
    assert_accessible(page)
    page.locator("[name=limit]").fill("-1")
    page.locator("[name=reason]").fill("She works at two lessons.")
    page.locator(".decide button").click()
    expect(page.locator(".errorlist")).to_be_visible()
    assert_accessible(page)
    page.locator("[name=limit]").fill("120.5" if language == "en" else "120,5")
    page.locator(".decide button").click()
    expect(page.locator(".messagelist .success")).to_be_visible()
    expect(page.locator(".money-table .words").first).to_contain_text("She works at two lessons.")
    query = "SELECT \"limit\" FROM gateway_account WHERE scope = 'session' AND key = %s"
    assert server.rows(query, session) == [(120_500_000,)]

    page.goto("/admin/gateway/price/set/?tier=cheap&model=gpt-4o-mini")
    assert_accessible(page)
    # Each run of this test finds the price that the one before has set.
    before = page.locator("[name=output]").input_value().replace(",", ".")
    page.locator("[name=output]").fill(f"{float(before) + 0.0001:.4f}".replace(".", "." if language == "en" else ","))
    page.locator("[name=reason]").fill("As of March.")
    page.locator(".decide button").click()
    expect(page.locator(".messagelist .success")).to_be_visible()


@pytest.mark.hard
def test_every_list_fits_a_phone(visit: Visit) -> None:
    page = enter(visit())
    for name in LISTS:
        page.goto(f"/admin/gateway/{name}" if "?" in name else f"/admin/gateway/{name}/")
        expect(page.locator("#changelist")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), name
