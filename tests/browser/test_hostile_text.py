"""What learners write and are called is shown as they wrote it, and does nothing."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.learner import Learner
from tests.browser.look import overflow
from tests.browser.server import PASSWORD, Server
from tests.browser.test_pages import REFUSED, sign_in

HOSTILE = (
    "<img src=/stolen onerror=\"fetch('/stolen')\">",
    '"><b hx-get="/stolen" hx-trigger="load">bold</b>',
    "</textarea><script src=/stolen></script>",
    "{{7*7}} {% now 'Y' %} ${7*7}",
    "[x](javascript:fetch('/stolen')) ![x](/stolen) $\\href{/stolen}{x}$",
)
ENDLESS = "\u202eשלום🙂\u200d🚀" * 400  # 4,000 characters as browsers count them


def give_up_with(learner: Learner, text: str) -> None:
    """Answer with it until the question is closed; each time what was written stays in the field as it was, or stands
    beside the author's answer.
    """
    question = learner.code
    while learner.phase == "comparing" or (learner.phase == "asking" and learner.code == question):
        if learner.phase == "comparing":
            expect(learner.page.locator(".own-words")).to_contain_text(text)
            assert_harmless(learner)
            learner.say("no")
            continue
        learner.answer(text)
        if learner.phase == "asking":
            expect(learner.field).to_have_value(text)


def assert_harmless(learner: Learner) -> None:
    assert not [request for request in learner.watch.requests if "stolen" in request]
    for made in ('#player [hx-get*="stolen"]', "#player img", "#player script", 'a[href^="javascript"]', ".top b"):
        expect(learner.page.locator(made)).to_have_count(0)


@pytest.fixture
def learner(visit: Visit) -> Learner:
    """A guest before whom nothing moves: what is looked at is what was written."""
    guest = visit(reduced_motion="reduce")
    guest.start()
    return guest


@pytest.mark.parametrize("text", [HOSTILE[0], *[pytest.param(text, marks=pytest.mark.hard) for text in HOSTILE[1:]]])
def test_a_hostile_answer_is_shown_as_text(learner: Learner, text: str) -> None:
    learner.read_to_question()
    give_up_with(learner, text)
    assert learner.phase == "closed"
    expect(learner.page.locator(".own-words")).to_contain_text(text)
    assert_harmless(learner)
    learner.page.reload()
    expect(learner.page.locator(".own-words")).to_contain_text(text)
    assert_harmless(learner)


@pytest.mark.hard
def test_an_endless_answer_keeps_the_page_in_shape(learner: Learner) -> None:
    learner.read_to_question()
    give_up_with(learner, ENDLESS)
    assert not overflow(learner.page)
    expect(learner.page.locator("#continue")).to_be_visible()


def test_a_hostile_name_is_refused_and_shown_as_text(visit: Visit) -> None:
    visitor = visit(expects=(REFUSED,))
    visitor.page.goto("/account/sign-up/")
    for name in HOSTILE:
        visitor.page.locator("[name=username]").fill(name)
        for field in ("password1", "password2"):
            visitor.page.locator(f"[name={field}]").fill(PASSWORD)
        visitor.page.locator("main form button").click()
        expect(visitor.page.locator("[name=username]")).to_have_attribute("aria-invalid", "true")
        expect(visitor.page.locator("[name=username]")).to_have_value(name)
        assert_harmless(visitor)


@pytest.mark.hard
def test_a_hostile_name_from_elsewhere_is_shown_as_text(visit: Visit, server: Server) -> None:
    visitor = visit()
    sign_in(visitor, "demo")
    expect(visitor.page.locator(".menu summary")).to_have_text("demo")
    rename = "UPDATE accounts_user SET username = %s WHERE username = %s"
    server.change(rename, HOSTILE[1], "demo")
    try:
        visitor.page.reload()
        expect(visitor.page.locator(".menu summary")).to_have_text(HOSTILE[1])
        assert not overflow(visitor.page)
        visitor.start()
        assert_harmless(visitor)
    finally:
        server.change(rename, "demo", HOSTILE[1])
