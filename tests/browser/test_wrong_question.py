"""Saying that a question is wrong: on a phone, with keys alone, without scripts; and what comes of it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.learner import Learner
from tests.browser.look import faults_of
from tests.browser.server import PASSWORD, Server
from tests.browser.test_keyboard import tab_to
from tests.browser.test_without_scripts import open_plain

THANKS = "Thank you. Your report has been sent."


def test_an_open_and_a_closed_question_on_a_phone(learner: Learner) -> None:
    learner.read_to_question()
    page = learner.page
    page.locator(".report summary").click()
    assert faults_of(page) == []
    page.get_by_label("I cannot tell what is asked").check()
    page.get_by_label("More about it, if you like").fill("Which ones?")
    learner.act(page.locator("#report").click)
    expect(learner.headline).to_have_text(THANKS)
    expect(page.locator(".notice .expected")).to_be_visible()
    expect(page.locator("#announcer")).to_have_text(THANKS)
    expect(page.locator(".report")).to_have_count(0)
    assert faults_of(page) == []
    learner.go_on()
    while learner.phase != "asking":
        learner.go_on()
    learner.answer_right()
    page.locator(".report summary").click()
    assert faults_of(page) == []
    page.get_by_label("Something else").check()
    learner.act(page.locator("#report").click)
    expect(learner.headline).to_have_text(THANKS)
    learner.go_on()


@pytest.mark.hard
def test_with_keys_alone(visit: Visit) -> None:
    guest = visit(phone=False)
    guest.start()
    guest.read_to_question()
    page = guest.page
    tab_to(page, ".report summary")
    page.keyboard.press("Enter")
    tab_to(page, "[name=kind]")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("My answer was right and was not accepted")).to_be_checked()
    tab_to(page, "#report-comment")
    page.keyboard.type("It says so.")
    tab_to(page, "#report")
    guest.act(lambda: page.keyboard.press("Enter"))
    expect(page.locator(".notice")).to_be_focused()
    expect(guest.headline).to_have_text(THANKS)


RESCORE = """
import config.celery_app
from lesson_engine.tasks import rescore_voids
rescore_voids()
"""


@pytest.fixture
def asked_again(server: Server) -> Iterator[None]:
    """Other tests of this server want the question back."""
    yield
    server.change("DELETE FROM lesson_engine_questionvoid")


@pytest.mark.hard
def test_without_scripts_and_until_it_is_withdrawn(visit: Visit, server: Server, asked_again: None) -> None:
    guest = open_plain(visit)
    guest.read_to_question()
    code = guest.code
    guest.page.locator(".report summary").click()
    guest.page.get_by_label("The expected answer is wrong").check()
    guest.act(guest.page.locator("#report").click)
    expect(guest.headline).to_have_text(THANKS)
    staff = visit(phone=False).page
    staff.goto("/admin/lesson_engine/questionreport/")
    staff.get_by_label("Username").fill("staff")
    staff.get_by_label("Password").fill(PASSWORD)
    staff.locator("main form button.primary").click()
    staff.locator("#result_list th a", has_text=code).first.click()
    expect(staff.get_by_text("The expected answer is wrong", exact=True)).to_be_visible()
    staff.get_by_role("link", name="Withdraw the question for everybody…").click()
    staff.get_by_label("Reason").fill("It leaves out the water.")
    staff.get_by_role("button", name="Withdraw for everybody").click()
    expect(staff.get_by_text("The question is withdrawn.")).to_be_visible()
    server.python(RESCORE)
    guest.page.reload()
    expect(guest.headline).to_have_text("This question was withdrawn.")
    guest.go_on()
    expect(guest.page.locator("[data-step]")).to_be_visible()
