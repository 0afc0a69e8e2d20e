"""The board of the quality of reflections in a real browser: with its targets, on a phone, and without scripts."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.desk import assert_accessible, enter
from tests.browser.server import Server

URL = "/admin/dashboard/reflections/"
# Four weeks with one reflection a day, but for two days, and a day on which they were poor enough for alerts.
_REFLECT = """
from datetime import timedelta
from django.utils import timezone
from accounts.models import User
from reflection.board.alerts import quality_alerts_raise
from tests.reflection.reflections_made import pattern, plan_make, reflections_make, tried
plan, now = plan_make(User.objects.get(username="staff")), timezone.now()
for days in (*range(1, 12), *range(14, 28)):
    quality = 0.7 + days % 4 / 10
    reflections_make(plan, [tried(quality, patterns=[pattern(8, 10)])] * (1 + days % 3), at=now - timedelta(days=days))
reflections_make(plan, *[[tried(0.45, "rejected", metrics={"depth_score": 0.3})]] * 20, at=now)
quality_alerts_raise(now=timezone.now())
"""


@pytest.fixture
def reflected(server: Server, is_first: bool) -> None:
    if is_first:
        server.python(_REFLECT)


@pytest.mark.hard
def test_before_anything_happened_each_panel_says_so_in_a_sentence(visit: Visit) -> None:
    page = enter(visit())
    page.goto(f"{URL}?since=2020-01-01&until=2020-01-31")
    expect(page.locator(".panel-empty")).to_have_count(10)
    assert_accessible(page)


@pytest.mark.hard
@pytest.mark.usefixtures("reflected")
def test_targets_are_drawn_and_named_in_the_colours_of_the_theme(visit: Visit) -> None:
    page = enter(visit(phone=False))
    page.locator("nav.staff-pages a", has_text="Reflections").click()
    line, marks = page.locator("#quality .chart .js-line").first, page.locator("#quality .chart .shapelayer path")
    expect(line).to_be_visible()
    expect(page.locator("#quality .chart .annotation")).to_have_text(["Targetover 0.8", "Alertunder 0.6"])
    dashes = [mark.evaluate("mark => getComputedStyle(mark).strokeDasharray") for mark in marks.all()]
    assert len(set(dashes)) == len(dashes) == 2, dashes
    light = marks.first.evaluate("mark => getComputedStyle(mark).stroke")
    page.emulate_media(color_scheme="dark")
    expect(marks.first).not_to_have_css("stroke", light)
    page.locator(".alerts li", has_text="depth under 0.5").first.get_by_role("link").click()
    page.get_by_role("link", name="Quality of reflections").click()
    expect(page.locator("#depth .chart .js-line").first).to_be_visible()


@pytest.mark.usefixtures("reflected")
@pytest.mark.hard
@pytest.mark.parametrize("language", ["en", "es"])
def test_on_a_phone_everything_is_within_reach(visit: Visit, language: str) -> None:
    page = enter(visit(language))
    page.goto(URL)
    expect(page.locator("#quality .chart .js-line").first).to_be_visible()
    expect(page.locator(".chart .main-svg").first).to_be_visible()
    assert_accessible(page)
    page.locator("#rejection summary").click()
    expect(page.locator("#rejection table")).to_be_visible()


@pytest.mark.hard
@pytest.mark.usefixtures("reflected")
def test_without_scripts_the_numbers_are_there(visit: Visit) -> None:
    page = enter(visit(phone=False, java_script_enabled=False))
    page.goto(URL)
    expect(page.locator("#quality table")).to_be_visible()
    expect(page.locator("#quality .chart")).to_be_hidden()
