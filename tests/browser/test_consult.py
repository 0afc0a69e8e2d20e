"""From a question to its plan and its checked audit entry, in a real browser, in both languages."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.languages import in_both_languages
from tests.browser.learner import Learner
from tests.browser.look import faults_of, overflow
from tests.browser.server import PASSWORD, Server
from tests.browser.test_hostile_text import ENDLESS, HOSTILE
from tests.browser.test_pages import REFUSED, sign_in

QUESTIONS = {
    "es": "¿Es buen momento para solicitar excedencia en CGI?",
    "en": "Is this a good time to ask my company for unpaid leave?",
}
UNREACHABLE = "ERR_INTERNET_DISCONNECTED"
CONFLICT = "status of 409"


def at_consult(visit: Visit, language: str = "en", **options: object) -> Page:
    """A guest who came by the link at the head of the home page."""
    page = visit(language, reduced_motion="reduce", **options).page  # type: ignore[arg-type]
    page.locator(".top-link").click()
    expect(page.locator("#message")).to_be_visible()
    return page


def plan(page: Page) -> Locator:
    return page.locator("#plan")


def ask(page: Page, message: str) -> None:
    """Ask, and wait for the plan of this question."""
    before = plan(page).get_attribute("data-plan") if plan(page).count() else ""
    page.locator("#message").fill(message)
    page.locator(".ask .primary").click()
    expect(plan(page)).not_to_have_attribute("data-plan", before or "none")


@pytest.mark.parametrize(
    ("language", "phone"),
    [
        ("es", True),
        ("en", False),
        pytest.param("en", True, marks=pytest.mark.hard),
        pytest.param("es", False, marks=pytest.mark.hard),
    ],
)
def test_from_a_question_to_its_verified_audit_entry(visit: Visit, language: str, phone: bool) -> None:
    page = at_consult(visit, language, phone=phone)
    expect(page.locator("#message" if not phone else "body")).to_be_focused()
    assert not faults_of(page)
    page.evaluate("window.stayed = true")
    ask(page, QUESTIONS[language])
    expect(page.locator("#plan-title")).to_be_focused()
    expect(page.locator("#announcer")).to_have_text(str(plan(page).get_attribute("data-announce")))
    assert page.evaluate("window.stayed"), "without reloading"
    expect(plan(page).locator(".plan-words")).to_have_text(QUESTIONS[language])
    expect(plan(page).locator(".plan-first")).to_have_attribute("data-domain", "transition")
    expect(plan(page).locator(".plan-why")).to_contain_text("excedencia" if language == "es" else "leave")
    plan(page).locator("#record summary").click()
    plan(page).locator("#record button").click()
    expect(plan(page).locator("[data-checked=good]")).to_be_visible()
    expect(plan(page).locator("#record summary")).to_be_focused()
    assert not faults_of(page)
    plan(page).locator(".plan-link a").click()
    expect(page.locator("h1")).to_have_attribute("id", "plan-title")
    assert not faults_of(page)


def test_one_click_corrects_and_leaves_alone_what_is_being_typed(visit: Visit) -> None:
    page = at_consult(visit)
    ask(page, QUESTIONS["en"])
    page.locator("#message").fill("and what about")
    page.locator(".correct button[value=tax]").click()
    expect(plan(page).locator(".plan-first")).to_have_attribute("data-domain", "tax")
    expect(page.locator("#message")).to_have_value("and what about")
    expect(plan(page).locator(".plan-readings li")).to_have_count(2)
    assert not faults_of(page)
    plan(page).locator(".plan-note a").click()
    expect(plan(page).locator(".plan-first")).to_have_attribute("data-domain", "transition")
    expect(page.locator(".correct")).to_have_count(0)
    plan(page).locator(".plan-note a").click()
    page.locator(".correct button[value=brand]").click()
    expect(plan(page).locator(".plan-readings li")).to_have_count(3)
    expect(page).to_have_url(re.compile(str(plan(page).get_attribute("data-plan"))))


@pytest.mark.hard
def test_a_correction_that_fails_is_what_the_reader_is_led_to(visit: Visit, server: Server) -> None:
    page = at_consult(visit, expects=(CONFLICT,))
    ask(page, QUESTIONS["en"])
    page.locator("#message").fill("and what about")
    server.python(
        "from routing.models import QueryPlan; from routing.services import plan_correct; "
        "row = QueryPlan.objects.latest('created_at'); "
        "plan_correct(plan_id=row.pk, domain='tax', by=row.question.user)"
    )
    page.locator(".correct button[value=brand]").click()
    expect(plan(page).locator("[role=alert][data-problem=correction-refused]")).to_be_focused()
    expect(page.locator("#announcer")).to_have_text("This plan cannot be corrected so.")
    expect(page.locator("#message")).to_have_value("and what about")
    assert not faults_of(page)


@pytest.mark.hard
def test_a_correction_is_announced_though_the_last_question_was_refused(visit: Visit) -> None:
    page = at_consult(visit, expects=(REFUSED,))
    ask(page, QUESTIONS["en"])
    page.locator("#ask-hint option").nth(1).evaluate("option => { option.value = 'finance' }")
    page.locator("#ask-hint").select_option("finance")
    page.locator("#message").fill("kept")
    page.locator(".ask .primary").click()
    expect(page.locator("[data-problem]")).to_be_focused()
    page.locator(".correct button[value=tax]").click()
    expect(page.locator("#plan-title")).to_be_focused()
    expect(page.locator("#announcer")).to_have_text(str(plan(page).get_attribute("data-announce")))


@pytest.mark.hard
def test_a_double_click_is_one_question(visit: Visit) -> None:
    page = at_consult(visit)
    ask(page, "first")
    page.locator("#message").fill("How much is a square metre near the port?")
    page.locator(".ask .primary").dblclick()
    expect(plan(page).locator(".plan-words")).to_have_text("How much is a square metre near the port?")
    page.reload()
    expect(page.locator(".asked-words")).to_have_count(1)


@in_both_languages("en")
def test_all_of_it_works_without_scripts(visit: Visit, language: str) -> None:
    page = at_consult(visit, language, java_script_enabled=False)
    page.locator(".example").first.click()
    expect(plan(page)).to_be_visible()
    page.locator("#message").fill(QUESTIONS[language])
    page.locator("#ask-mode").select_option("fast")
    page.locator("#message").press("Tab")
    page.locator(".ask .primary").dblclick()
    expect(plan(page).locator(".plan-words")).to_have_text(QUESTIONS[language])
    expect(page.locator(".asked-words")).to_have_count(1)
    expect(plan(page).locator("[data-mode=fast]")).to_be_visible()
    page.locator(".correct button[value=growth]").click()
    expect(plan(page).locator(".plan-first")).to_have_attribute("data-domain", "growth")
    plan(page).locator("#record summary").click()
    plan(page).locator("#record button").click()
    expect(plan(page).locator("[data-checked=good]")).to_be_visible()


@pytest.mark.hard
def test_a_guest_who_has_just_asked_can_change_the_language_and_sign_in(visit: Visit) -> None:
    page = at_consult(visit)
    ask(page, QUESTIONS["en"])
    page.locator(".language button[value=es]").click()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(plan(page).locator(".plan-words")).to_have_text(QUESTIONS["en"])
    page.locator(".top-tools a.button").click()
    page.locator("[name=username]").fill("demo")
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main form button").click()
    expect(plan(page).locator(".plan-words")).to_have_text(QUESTIONS["en"])


@pytest.mark.hard
def test_what_was_typed_stays_when_the_question_is_refused_or_nobody_answers(visit: Visit) -> None:
    page = at_consult(visit, expects=(REFUSED, UNREACHABLE, "htmx:sendError", "htmx:afterRequest"))
    page.locator("#ask-hint option").nth(1).evaluate("option => { option.value = 'finance' }")
    page.locator("#ask-hint").select_option("finance")
    page.locator("#message").fill("kept")
    page.locator(".ask .primary").click()
    expect(page.locator("[data-problem]")).to_be_focused()
    expect(page.locator("#message")).to_have_value("kept")
    assert not faults_of(page)
    page.context.set_offline(True)
    page.locator(".ask .primary").click()
    expect(page.locator("#lost")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#message")).to_have_value("kept")
    page.locator("#message").press("Control+Enter")
    expect(plan(page)).to_be_visible()


@pytest.mark.hard
def test_whoever_asks_too_much_is_told_when_to_ask_again_and_keeps_what_was_typed(visit: Visit, server: Server) -> None:
    page = at_consult(visit, expects=("status of 429", "Error Code 429"))
    full = "INSERT INTO core_ratewindow VALUES ('ask:127.0.0.1', now(), 1000000) ON CONFLICT (key) DO UPDATE SET"
    server.change(f"{full} started_at = now(), count = 1000000")
    page.locator("#message").fill("kept")
    page.locator(".ask .primary").click()
    expect(page.locator("#lost")).to_contain_text(re.compile(r"Try again in \d+ seconds?\."))
    expect(page.locator("#message")).to_have_value("kept")
    server.change("DELETE FROM core_ratewindow WHERE key = 'ask:127.0.0.1'")
    page.locator("#message").press("Control+Enter")
    expect(plan(page)).to_be_visible()


@pytest.mark.hard
def test_hostile_and_endless_questions_are_text_and_stay_in_shape(visit: Visit) -> None:
    guest = visit(reduced_motion="reduce")
    page = guest.page
    page.goto("/consult/")
    for text in (*HOSTILE, "a" * 5_000, ENDLESS, "\n" * 300 + "x"):
        ask(page, text)
        kept = plan(page).locator(".plan-words").last
        assert str(kept.text_content()).strip() == text.strip()
        assert not overflow(page), text[:40]
    assert_harmless(guest)
    page.locator(".asked-words").last.click()
    expect(plan(page).locator(".plan-words")).to_have_text(HOSTILE[0])
    assert_harmless(guest)


def assert_harmless(guest: Learner) -> None:
    assert not [request for request in guest.watch.requests if "stolen" in request]
    for made in ('#consult [hx-get*="stolen"]', "#consult img", "#consult script", 'a[href^="javascript"]'):
        expect(guest.page.locator(made)).to_have_count(0)


@pytest.mark.hard
def test_older_questions_come_by_one_click(visit: Visit, server: Server) -> None:
    visitor = visit(reduced_motion="reduce")
    sign_in(visitor, "demo")
    expect(visitor.page.locator(".menu summary")).to_have_text("demo")
    server.python(
        "from accounts.models import User; from routing.services import question_ask; "
        "user = User.objects.get(username='demo'); "
        "[question_ask(user=user, message=f'older {number}') for number in range(23)]"
    )
    page = visitor.page
    page.goto("/consult/")
    expect(page.locator(".asked-row")).to_have_count(20)
    page.locator(".asked-more a").click()
    expect(page.locator(".asked-row").nth(21)).to_be_visible()
    expect(page.locator(".asked-words").nth(20)).to_be_focused()
    assert not faults_of(page)
