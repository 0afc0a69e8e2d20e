"""The dashboard of money in a real browser: drawn, in light and dark, on a phone, and without scripts."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.desk import assert_accessible, enter
from tests.browser.server import Server

URL = "/admin/dashboard/money/"
# Twenty calls in a session that somebody began, four of them dear, and a few runs: through the ledger, as a model's
# answers would.
_SPEND = """
from datetime import timedelta
from django.utils import timezone
from gateway.contracts import Outcome, Tier
from lesson_engine.models import Session
from tests.gateway.calls import call, ended, in_session, timed
session, now = Session.objects.latest("started_at"), timezone.now() - timedelta(minutes=1)
payer = in_session(str(session.pk), user_id=session.user_id)
for _ in range(16):
    call(payer, 0.5, now=now)
for _ in range(4):
    call(payer, 2.5, Tier.THINKER, now=now)
call(payer, 75, now=now)
ended(Outcome.TIMED_OUT, payer, 1, now=now)
timed("create_plan", 900, 1200, 2400, now=now)
"""


@pytest.fixture
def spent(visit: Visit, server: Server, is_first: bool) -> None:
    """A lesson that asked models, until little money was left."""
    if is_first:
        visit().start()
        server.python(_SPEND)


@pytest.mark.hard
def test_before_anything_happened_each_panel_says_so_in_a_sentence(visit: Visit) -> None:
    page = enter(visit())
    page.goto(f"{URL}?since=2020-01-01&until=2020-01-31")
    expect(page.locator(".panel-empty")).to_have_count(6)
    assert_accessible(page)


@pytest.mark.hard
@pytest.mark.usefixtures("spent")
def test_charts_are_drawn_in_the_colours_of_the_theme(visit: Visit) -> None:
    page = enter(visit(phone=False))
    page.locator("nav.staff-pages a", has_text="Money").click()
    bar = page.locator("#usage .chart .trace.bars path").first
    expect(bar).to_be_visible()
    expect(page.locator(".chart .trace.bars").first).to_be_visible()
    assert page.locator(".chart .main-svg").count() >= 6
    light = bar.evaluate("bar => getComputedStyle(bar).fill")
    page.emulate_media(color_scheme="dark")
    expect(bar).not_to_have_css("fill", light)


@pytest.mark.usefixtures("spent")
@pytest.mark.hard
@pytest.mark.parametrize("language", ["en", "es"])
def test_on_a_phone_everything_is_within_reach(visit: Visit, language: str) -> None:
    page = enter(visit(language))
    page.goto(URL)
    expect(page.locator("#usage .chart .trace.bars path").first).to_be_visible()
    assert_accessible(page)
    page.locator("#latency summary").click()
    expect(page.locator("#latency table")).to_be_visible()


@pytest.mark.hard
@pytest.mark.usefixtures("spent")
def test_an_alert_and_a_session_lead_to_the_timeline(visit: Visit) -> None:
    page = enter(visit(phone=False))
    page.goto(URL)
    page.locator(".alerts li", has_text="less than 20 %").first.get_by_role("link", name="timeline").click()
    expect_timeline(page)
    page.goto(URL)
    page.locator("#costliest summary").click()
    page.locator("#costliest tbody a").first.click()
    expect_timeline(page)


def expect_timeline(page: Page) -> None:
    page.wait_for_url("**/admin/lesson_engine/session/**")
    expect(page.locator("#content")).to_be_visible()


@pytest.mark.hard
@pytest.mark.usefixtures("spent")
def test_without_scripts_the_numbers_are_there(visit: Visit) -> None:
    page = enter(visit(phone=False, java_script_enabled=False))
    page.goto(URL)
    expect(page.locator("#usage table")).to_be_visible()
    expect(page.locator("#usage .chart")).to_be_hidden()
