"""The pages around the player, for everybody and without faults, in both languages."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.languages import in_both_languages
from tests.browser.learner import Learner
from tests.browser.look import faults_of
from tests.browser.server import PASSWORD, Server

NOT_FOUND, REFUSED = "status of 404", "status of 422"
PAGES = ("/account/sign-in/", "/account/sign-up/", "/nowhere/")


def sign_in(visitor: Learner, name: str, password: str = PASSWORD) -> None:
    visitor.page.goto("/account/sign-in/")
    visitor.page.locator("[name=username]").fill(name)
    visitor.page.locator("[name=password]").fill(password)
    visitor.page.locator("main form button").click()


@in_both_languages("en")
def test_pages_for_visitors_have_no_faults(visit: Visit, language: str) -> None:
    visitor = visit(language, expects=(NOT_FOUND,), reduced_motion="reduce")
    for path in PAGES:
        visitor.page.goto(path)
        assert not faults_of(visitor.page), path
        expect(visitor.page.locator("html")).to_have_attribute("lang", language)


def test_a_refused_form_says_why_beside_the_field(visit: Visit) -> None:
    visitor = visit(expects=(REFUSED,), reduced_motion="reduce")
    visitor.page.goto("/account/sign-up/")
    visitor.page.locator("[name=username]").fill("somebody")
    visitor.page.locator("[name=password1]").fill("one horse battery")
    visitor.page.locator("[name=password2]").fill("two horse battery")
    visitor.page.locator("main form button").click()
    second = visitor.page.locator("[name=password2]")
    expect(second).to_have_attribute("aria-invalid", "true")
    described = [part for part in str(second.get_attribute("aria-describedby")).split() if part.endswith("_error")]
    expect(visitor.page.locator(f"#{described[0]}")).to_be_visible()
    assert not faults_of(visitor.page)


def test_a_wrong_password_is_said_and_the_right_one_lets_in(visit: Visit) -> None:
    visitor = visit(reduced_motion="reduce")
    sign_in(visitor, "demo", "not the password")
    expect(visitor.page.get_by_role("alert")).to_be_visible()
    assert not faults_of(visitor.page)
    sign_in(visitor, "demo")
    expect(visitor.page.locator(".menu summary")).to_have_text("demo")
    visitor.page.locator(".menu summary").click()
    assert not faults_of(visitor.page)


@pytest.mark.hard
def test_staff_read_a_session_in_the_administration(visit: Visit, learner: Learner, server: Server) -> None:
    learner.read_to_question()
    learner.answer("<b>porque sí</b>")
    staff = visit(phone=False)
    sign_in(staff, "staff")
    session = learner.page.url.rstrip("/").split("/")[-1]
    for path in ("/admin/", "/admin/lesson_engine/session/", f"/admin/lesson_engine/session/{session}/change/"):
        staff.page.goto(path)
        expect(staff.page.locator("#content, #content-main").first).to_be_visible()
    expect(staff.page.get_by_text("<b>porque sí</b>").first).to_be_attached()


def test_the_administration_asks_who_is_there(visit: Visit) -> None:
    visitor = visit(phone=False)
    visitor.page.goto("/admin/")
    expect(visitor.page.locator("#id_username")).to_be_visible()


def test_the_buttons_change_the_language_and_it_stays(visit: Visit) -> None:
    visitor = visit("en")
    heading = visitor.page.locator("h1").inner_text()
    visitor.page.locator(".language button[value=es]").click()
    expect(visitor.page.locator("html")).to_have_attribute("lang", "es")
    expect(visitor.page.locator("h1")).not_to_have_text(heading)
    visitor.start()
    expect(visitor.page.locator("html")).to_have_attribute("lang", "es")
    visitor.page.locator(".language button[value=en]").click()
    expect(visitor.page.locator("html")).to_have_attribute("lang", "en")
    expect(visitor.page.locator("[data-step]")).to_be_visible()
