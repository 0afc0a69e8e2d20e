"""Tokens and the second factor in a real browser, in both languages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.accounts.phone import ENTER, SET_UP, Phone
from tests.browser.conftest import Visit
from tests.browser.languages import in_both_languages
from tests.browser.look import faults_of
from tests.browser.server import Server
from tests.browser.test_pages import REFUSED, sign_in

TOKENS = "/account/tokens/"


@pytest.fixture(autouse=True)
def _clean(server: Server) -> Iterator[None]:
    """Nothing of one test is there in another."""
    yield
    server.manage("reset_second_factor", "staff")
    server.change("DELETE FROM accounts_apitoken")
    server.change("DELETE FROM axes_accessattempt")


def send(page: Page) -> None:
    page.locator("main form button[type=submit]").first.click()


@in_both_languages("es")
def test_a_token_is_made_copied_and_revoked(visit: Visit, language: str) -> None:
    visitor = visit(language, expects=(REFUSED,), reduced_motion="reduce")
    sign_in(visitor, "demo")
    page = visitor.page
    page.locator(".menu summary").click()
    page.locator(f".menu-panel a[href='{TOKENS}']").click()
    assert not faults_of(page)
    page.locator("main a.primary").click()
    send(page)
    expect(page.locator(".field-error").first).to_be_visible()
    assert not faults_of(page)
    page.locator("#id_name").fill("<b>laptop</b>")
    page.locator("input[value='sessions:read']").check()
    send(page)
    shown = page.locator("#token")
    expect(shown).to_have_value(shown.input_value())
    assert shown.input_value().startswith("andamio_")
    assert not faults_of(page)
    page.locator(".go-on a").click()
    expect(page.locator(".record h2")).to_have_text("<b>laptop</b>")
    assert not faults_of(page)
    page.locator(".record a").click()
    assert not faults_of(page)
    send(page)
    expect(page.locator(".record.over")).to_be_visible()
    assert not faults_of(page)


@pytest.mark.hard
@in_both_languages("en")
def test_a_phone_is_set_up_and_asked_for(visit: Visit, language: str) -> None:
    visitor = visit(language, expects=(REFUSED,), reduced_motion="reduce")
    sign_in(visitor, "staff")
    page = visitor.page
    page.goto(SET_UP)
    expect(page.locator("img.qr")).to_be_visible()
    page.locator("summary").last.click()
    assert not faults_of(page)
    phone = Phone(page.locator("input.secret").input_value())
    page.locator("#id_code").fill(phone.code())
    send(page)
    expect(page.locator(".codes code")).to_have_count(10)
    code = page.locator(".codes code").first.inner_text()
    assert not faults_of(page)
    page.goto(ENTER)
    assert not faults_of(page)
    page.locator(".menu summary").click()
    page.locator(".menu-panel form button").click()
    sign_in(visitor, "staff")
    page.goto(f"{ENTER}?next=/admin/")
    page.locator("#id_code").fill(phone.wrong())
    send(page)
    expect(page.locator(".field-error")).to_be_visible()
    assert not faults_of(page)
    page.locator("#id_code").fill(code)
    send(page)
    expect(page.locator(".without-second-factor")).to_be_visible()


@pytest.mark.hard
def test_both_work_without_scripts(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    sign_in(visitor, "staff")
    page = visitor.page
    page.goto(f"{TOKENS}new/")
    page.locator("#id_name").fill("laptop")
    page.locator("input[value='telemetry:read']").check()
    send(page)
    expect(page.locator("#token")).to_be_visible()
    page.goto(SET_UP)
    page.locator("summary").last.click()
    phone = Phone(page.locator("input.secret").input_value())
    page.locator("#id_code").fill(phone.code())
    send(page)
    expect(page.locator(".codes code")).to_have_count(10)


@pytest.mark.parametrize("path", ["/admin/accounts/user/", "/admin/accounts/apitoken/"])
def test_only_superusers_see_people(visit: Visit, path: str) -> None:
    visitor = visit(expects=("status of 403",))
    sign_in(visitor, "staff")
    visitor.page.goto(path)
    expect(visitor.page.locator("#result_list")).to_have_count(0)
