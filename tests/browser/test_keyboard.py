"""Without a mouse and without looking: keys, focus, announcements."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.learner import ANSWERS, Learner


def tab_to(page: Page, selector: str, limit: int = 40) -> None:
    """Press Tab until the element has the focus."""
    for _ in range(limit):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"Tab does not reach {selector}")


def test_a_question_from_start_to_end_with_keys_alone(visit: Visit) -> None:
    guest = visit(phone=False)
    page = guest.page
    tab_to(page, "[data-lesson=fotosintesis]")
    page.keyboard.press("Enter")
    expect(page.locator("#start")).to_be_visible()
    tab_to(page, "#start")
    page.keyboard.press("Enter")
    expect(page.locator("#continue")).to_be_visible()
    while guest.phase == "reading":
        tab_to(page, "#continue")
        guest.act(lambda: page.keyboard.press("Space"))
    tab_to(page, "#answer")
    page.keyboard.type("no sé")
    tab_to(page, "#answer-form button")
    guest.act(lambda: page.keyboard.press("Enter"))
    expect(page.locator(".notice")).to_be_focused()
    tab_to(page, "#hint")
    guest.act(lambda: page.keyboard.press("Enter"))
    expect(page.locator(".hints li").last).to_be_focused()
    tab_to(page, "#answer")
    page.keyboard.press("Control+A")
    page.keyboard.type(str(ANSWERS[guest.code]["right"][0]))
    guest.act(lambda: page.keyboard.press("Control+Enter"))
    expect(page.locator(".notice.good")).to_be_focused()
    tab_to(page, ".why summary")
    page.keyboard.press("Enter")
    expect(page.locator(".why-facts")).to_be_visible()
    tab_to(page, "#continue")
    guest.act(lambda: page.keyboard.press("Enter"))
    assert guest.phase == "asking"
    tab_to(page, "[type=checkbox]")
    page.keyboard.press("Space")
    tab_to(page, "#answer-form button")
    guest.act(lambda: page.keyboard.press("Enter"))
    expect(page.locator(".notice")).to_be_focused()


def test_the_skip_link_comes_first_and_leads_to_the_content(learner: Learner) -> None:
    page = learner.page
    page.reload()
    page.keyboard.press("Tab")
    expect(page.locator(".skip-link")).to_be_focused()
    expect(page.locator(".skip-link")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_verdicts_are_announced(learner: Learner) -> None:
    learner.read_to_question()
    learner.answer("no sé")
    announcer = learner.page.locator("#announcer")
    expect(announcer).to_have_attribute("aria-live", "polite")
    expect(announcer).to_have_text(learner.headline.inner_text())
    learner.answer_right()
    expect(announcer).to_have_text(learner.headline.inner_text())


@pytest.mark.hard
def test_switching_the_mode_leaves_the_focus_on_the_switch_and_is_announced(learner: Learner) -> None:
    learner.page.locator("#mode").focus()
    learner.set_mode("adaptive")
    expect(learner.page.locator("#mode")).to_be_focused()
    expect(learner.page.locator("#announcer")).to_have_text(learner.page.locator(".mode-note").inner_text())


def test_a_new_step_begins_at_its_top_with_the_focus_on_its_title(learner: Learner) -> None:
    learner.go_on()
    expect(learner.page.locator(".step-title")).to_be_focused()
    learner.page.wait_for_function("() => scrollY === 0")


@pytest.mark.hard
def test_reduced_motion_moves_nothing(visit: Visit) -> None:
    guest = visit(reduced_motion="reduce")
    guest.start()
    moving = (
        "() => [...document.querySelectorAll('*')].filter(e => getComputedStyle(e).transitionDuration !== '0s').length"
    )
    assert guest.page.evaluate(moving) == 0
    guest.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    guest.go_on()
    expect(guest.page.locator(".step-title")).to_be_focused()
    assert guest.page.evaluate("scrollY") == 0
