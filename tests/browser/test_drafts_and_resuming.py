"""What was typed is kept, and a session goes on exactly where it was."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.learner import Learner
from tests.browser.server import PASSWORD, Server
from tests.browser.test_pages import sign_in

HALF = "Porque sin plantas no"


def test_a_draft_survives_a_reload_and_goes_with_the_answer(learner: Learner) -> None:
    learner.read_to_question()
    learner.field.fill(HALF)
    learner.page.reload()
    expect(learner.field).to_have_value(HALF)
    learner.answer_right()
    assert learner.page.evaluate("Object.keys(localStorage).length") == 0


@pytest.mark.hard
def test_what_was_typed_survives_a_hint_and_a_change_of_mode(learner: Learner) -> None:
    learner.read_to_question()
    learner.field.fill(HALF)
    learner.act(learner.page.locator("#hint").click)
    expect(learner.field).to_have_value(HALF)
    learner.set_mode("adaptive")
    expect(learner.field).to_have_value(HALF)


@pytest.mark.hard
def test_what_was_chosen_survives_a_hint_and_a_change_of_mode(learner: Learner) -> None:
    learner.walk_to("quien_hace")
    learner.fill(["musgo", "alga"])
    learner.act(learner.page.locator("#hint").click)
    learner.set_mode("adaptive")
    assert [box.get_attribute("value") for box in learner.form.locator(":checked").all()] == ["musgo", "alga"]


def test_a_closed_tab_resumes_at_the_exact_step(learner: Learner) -> None:
    learner.read_to_question()
    learner.act(learner.page.locator("#hint").click)
    step, hint = learner.step, learner.page.locator(".hints li").inner_text()
    learner.page.close()
    again = Learner(learner.watch.context.new_page(), learner.watch)
    again.page.goto("/")
    again.start()
    assert again.step == step
    expect(again.page.locator(".hints li")).to_have_text(hint)


@pytest.mark.hard
def test_the_account_made_from_a_guest_resumes_in_another_browser(visit: Visit, learner: Learner) -> None:
    learner.walk_to("quien_hace")
    learner.page.goto("/account/sign-up/")
    learner.page.locator("[name=username]").fill("elena")
    for field in ("password1", "password2"):
        learner.page.locator(f"[name={field}]").fill(PASSWORD)
    learner.page.locator("main form button").click()
    expect(learner.page.locator(".menu summary")).to_have_text("elena")
    elsewhere = visit(phone=False)
    sign_in(elsewhere, "elena")
    elsewhere.start()
    assert elsewhere.code == "quien_hace"


@pytest.mark.hard
def test_a_guest_who_signs_in_takes_the_lesson_along(learner: Learner) -> None:
    learner.walk_to("quien_hace")
    sign_in(learner, "demo")
    expect(learner.page.locator(".menu summary")).to_have_text("demo")
    learner.start()
    assert learner.code == "quien_hace"


@pytest.mark.hard
def test_a_restart_of_the_server_is_not_noticed(learner: Learner, server: Server) -> None:
    learner.read_to_question()
    learner.field.fill(HALF)
    step = learner.step
    server.stop()
    server.start()
    learner.act(learner.page.locator("#hint").click)
    expect(learner.field).to_have_value(HALF)
    learner.page.reload()
    assert learner.step == step
    expect(learner.field).to_have_value(HALF)
