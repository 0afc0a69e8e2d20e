"""The same session twice at once, and the same answer twice."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.learner import ANSWERS, Learner
from tests.browser.server import Server

TYPED = "Porque sin plantas no"


def second_tab(learner: Learner) -> Learner:
    tab = Learner(learner.watch.context.new_page(), learner.watch)
    tab.page.goto(learner.page.url)
    return tab


def test_a_stale_tab_gets_the_fresh_state_and_keeps_what_was_typed(learner: Learner) -> None:
    learner.read_to_question()
    tab = second_tab(learner)
    learner.act(learner.page.locator("#hint").click)
    tab.field.fill(TYPED)
    with tab.page.expect_response("**/answers/") as answered:
        tab.send()
    assert answered.value.status == 200
    expect(tab.page.locator(".notice")).to_be_focused()
    expect(tab.page.locator(".hints li")).to_have_count(1)
    expect(tab.field).to_have_value(TYPED)
    expect(tab.page.locator(".attempt")).to_have_text("Attempt 1 of 3")
    tab.page.reload()
    expect(tab.field).to_have_value(TYPED)


@pytest.mark.hard
def test_a_tab_left_behind_on_a_question_catches_up_and_shows_what_was_typed(learner: Learner) -> None:
    learner.read_to_question()
    tab = second_tab(learner)
    learner.answer_right()
    tab.field.fill(TYPED)
    tab.send()
    assert tab.phase == "closed"
    expect(tab.page.locator(".own-words").filter(has_text=TYPED)).to_be_visible()
    expect(tab.page.locator("#continue")).to_be_visible()


@pytest.mark.hard
def test_a_tab_left_behind_on_a_reading_catches_up(learner: Learner) -> None:
    tab = second_tab(learner)
    learner.go_on()
    learner.go_on()
    tab.go_on()
    assert tab.step == learner.step
    expect(tab.page.locator(".notice")).to_be_focused()


@pytest.mark.hard
@pytest.mark.parametrize("scripts", [True, False])
def test_a_double_click_makes_one_attempt(visit: Visit, server: Server, scripts: bool) -> None:
    guest = visit(java_script_enabled=scripts)
    guest.start()
    while guest.page.locator("#continue").count():
        step = guest.step
        guest.page.locator("#continue").click()
        expect(guest.page.locator(f'[data-step]:not([data-step="{step}"])')).to_be_visible()
    guest.fill(ANSWERS[guest.code]["wrong"][0])
    guest.form.get_by_role("button").dblclick()
    expect(guest.page.locator(".attempt")).to_have_text("Attempt 2 of 3")
    session = guest.page.url.rstrip("/").split("/")[-1]
    turns = "SELECT count(*) FROM lesson_engine_turn WHERE session_id = %s AND kind = 'answer'"
    assert server.rows(turns, session) == [(1,)]
