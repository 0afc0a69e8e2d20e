"""The board of the quality of reflections as staff see it, and what the dashboard tells of them."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from gateway.models import Alert
from gateway.services import alert_raise
from planning.models import Plan
from reflection.board.contracts import REQUIRED_QUALITY_METRICS, TARGETS
from reflection.board.units import value_shown
from reflection.models import Reflection
from telemetry.services import rollups_advance
from tests.lesson_engine.learn.pages import Node, Page
from tests.reflection.reflections_made import GOOD, pattern, plan_make, reflections_make, tried
from tests.telemetry.board.conftest import record_events

URL = "/admin/dashboard/reflections/"
PANELS = (
    *("quality", "depth", "actionability", "completeness", "rejection", "gate"),
    *("validity", "invalid", "success", "attempts"),
)
QUALITY, RATE = "metacognition.reflection.quality_score_avg", "metacognition.reflection.rejection_rate"


@pytest.fixture
def plan(learner: User) -> Plan:
    return plan_make(learner)


@pytest.fixture
def made(plan: Plan) -> list[Reflection]:
    """Two days: one that was good, and today, which is poor."""
    poor = {"completeness": 0.75, "depth_score": 0.4, "actionability_score": 1.0}
    good = [[tried(0.9, patterns=[pattern(8, 10)])]] * 3
    bad = [[tried(0.4, "rejected", metrics=poor), tried(0.52, "rejected", metrics=poor)]]
    warned = [[tried(0.58, "accepted_with_warnings", metrics=GOOD)]]
    before = reflections_make(plan, *good, at=timezone.now() - timedelta(days=1))
    return before + reflections_make(plan, *bad, *warned, at=timezone.now())


def page_of(client: Client, url: str = URL, **query: Any) -> Page:
    page = Page(client.get(url, query))
    assert page.status == 200
    return page


def rows_of(page: Page, panel: str) -> list[list[str]]:
    rows = page.tree.one("section", id=panel).one("tbody").find("tr")
    return [[cell.text() for cell in row.nodes if cell.tag in ("th", "td")] for row in rows]


def tiles_of(page: Page) -> dict[str, tuple[str, str, str]]:
    """Value, note and classes of the big numbers, by their titles."""
    found = {}
    for tile in page.tree.find("div", class_="tile"):
        note, value = tile.one("dd", class_="tile-note").text(), tile.one("dd", class_="tile-value").text()
        found[tile.one("dt").text()] = (value, note, tile.attrs["class"])
    return found


def figures(page: Page) -> dict[str, Any]:
    blocks = page.tree.find("script", type="application/json")
    return {node.attrs["id"].removeprefix("figure-"): json.loads("".join(map(str, node.parts))) for node in blocks}


def summary_of(page: Page, panel: str) -> str:
    return page.tree.one("section", id=panel).one("p", class_="panel-summary").text()


def links_of(node: Node) -> list[str]:
    return [link.attrs["href"] for link in node.find("a")]


def test_it_is_for_staff_alone(client: Client, learner: User) -> None:
    assert client.get(URL).status_code == 302
    client.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(URL, follow=True).status_code == 403
    assert client.post(URL).status_code in (302, 403)


def test_staff_find_it_from_the_start_and_from_every_page(desk: Client) -> None:
    for name in ("admin:index", "telemetry:dashboard", "gateway:money", "admin:gateway_alert_changelist"):
        assert URL in links_of(page_of(desk, reverse(name)).tree)
    assert "/admin/dashboard/?since=2026-01-01&until=2026-01-31" in links_of(
        page_of(desk, since="2026-01-01", until="2026-01-31").tree
    )


def test_before_anything_was_reflected_on_each_panel_says_so(desk: Client) -> None:
    page = page_of(desk)
    assert figures(page) == {}
    for panel in PANELS:
        assert page.tree.one("section", id=panel).one("p", class_="panel-empty").text().endswith(".")
    tiles = tiles_of(page)
    assert tiles["Quality score, mean"] == ("–", "target: over 0.8", "tile")
    assert tiles["Rejection rate"] == ("–", "target: under 5 %", "tile")
    assert {row[1] for row in rows_of(page, "metrics")} == {"–"}
    assert "No alert about reflections is open." in page.words


def test_section_8_all_metrics_stand_there_by_their_documented_names(desk: Client, made: list[Reflection]) -> None:
    rows = rows_of(page_of(desk), "metrics")
    found = {row[0].split()[-1]: row[1:] for row in rows}
    assert set(found) == {*REQUIRED_QUALITY_METRICS, RATE}
    assert found[QUALITY] == ["0.76", "over 0.8", "under 0.6", "missed"]
    assert found[RATE] == ["20 %", "under 5 %", "over 15 %", "alert"]
    assert found["metacognition.reflection.completeness_avg"] == ["0.95", "over 0.9", "under 0.7", "met"]
    assert found["metacognition.improvement_loop.iterations_avg"] == ["1.20", "–", "–", ""]


def test_quality_targets_each_number_on_top_says_where_it_stands_and_not_by_colour_alone(
    desk: Client, made: list[Reflection]
) -> None:
    tiles = tiles_of(page_of(desk))
    assert len(tiles) == 1 + len(TARGETS)
    assert tiles["Reflections"][:2] == ("5", "3 patterns identified")
    assert tiles["Quality score, mean"] == ("0.76", "misses the target: over 0.8", "tile tile-partial")
    assert tiles["Completeness, mean"] == ("0.95", "meets the target: over 0.9", "tile tile-good")
    assert tiles["Rejection rate"] == ("20 %", "calls for an alert: over 15 %", "tile tile-bad")
    assert tiles["Valid in the end"] == ("60 %", "calls for an alert: under 80 %", "tile tile-bad")


def test_quality_targets_are_drawn_across_the_charts(desk: Client, made: list[Reflection]) -> None:
    drawn = figures(page_of(desk))
    marks = {code: [shape["y0"] for shape in drawn[code]["layout"].get("shapes", [])] for code in PANELS}
    assert marks == {
        "quality": [0.8, 0.6],
        "depth": [0.7, 0.5],
        "actionability": [0.8, 0.6],
        "completeness": [0.9, 0.7],
        "rejection": [5, 15],
        "gate": [],
        "validity": [0.75, 0.5],
        "invalid": [],
        "success": [95, 80],
        "attempts": [],
    }
    names = [name["text"] for name in drawn["rejection"]["layout"]["annotations"]]
    assert names == ["Target<br>under 5 %", "Alert<br>over 15 %"]


def test_charts_and_tables_say_the_same_for_each_day(desk: Client, made: list[Reflection]) -> None:
    page = page_of(desk)
    drawn = figures(page)
    mean, median, p95 = drawn["quality"]["data"]
    assert (mean["name"], median["name"], p95["name"]) == ("Mean", "Median", "p95")
    assert len(mean["x"]) == 30
    assert mean["y"] == [None] * 28 + [0.9, 0.55]
    today, yesterday = rows_of(page, "quality")
    assert today[1:] == ["0.55", "0.55", "0.58", "alert", "2"]
    assert yesterday[1:] == ["0.90", "0.90", "0.90", "met", "3"]
    assert drawn["rejection"]["data"][0]["y"][-2:] == [0, 50]
    assert [row[1:] for row in rows_of(page, "rejection")] == [["50 %", "alert", "2"], ["0 %", "met", "3"]]
    assert [trace["y"][-2:] for trace in drawn["gate"]["data"]] == [[0, 1], [0, 1]]
    assert drawn["validity"]["data"][0]["y"][-2:] == [0.8, None]
    assert [row[1] for row in rows_of(page, "attempts")] == ["1.50", "1.00"]


def test_each_panel_says_its_value_where_it_stands_and_the_latest_one(desk: Client, made: list[Reflection]) -> None:
    page = page_of(desk)
    said = summary_of(page, "quality")
    assert said.startswith("Mean: 0.76 (misses the target: over 0.8); Median: 0.90; p95: 0.90. Latest, ")
    assert said.endswith(": 0.55.")
    alone = page_of(desk, since=str(timezone.now().date()), until=str(timezone.now().date()))
    assert summary_of(alone, "quality") == "Mean: 0.55 (calls for an alert: under 0.6); Median: 0.55; p95: 0.58."
    assert "did" not in alone.tree.one("section", id="validity").text()
    assert alone.tree.one("section", id="invalid").find("p", class_="panel-empty")


def test_over_months_there_are_weeks_and_over_years_months(desk: Client, made: list[Reflection]) -> None:
    weeks = figures(page_of(desk, since=str(timezone.now().date() - timedelta(days=200))))["quality"]["data"][0]["x"]
    assert {datetime.fromisoformat(day).weekday() for day in weeks} == {0}
    page = page_of(desk, since=f"{timezone.now().year - 4}-01-01")
    months = figures(page)["quality"]["data"][0]["x"]
    assert len(months) > 48
    assert sum(int(row[-1]) for row in rows_of(page, "quality")) == 5


@pytest.mark.parametrize("query", [{"since": "yesterday"}, {"since": "2026-02-02", "until": "2026-01-01"}])
def test_wrong_days_are_told_and_the_usual_figures_shown(
    desk: Client, made: list[Reflection], query: dict[str, str]
) -> None:
    page = page_of(desk, **query)
    assert page.tree.find(class_="filter-error")
    assert tiles_of(page)["Reflections"][0] == "5"


def test_open_alerts_about_reflections_come_first(desk: Client, staff: User) -> None:
    for kind in (Alert.Kind.DEPTH_LOW, Alert.Kind.DEGRADED):
        alert_raise(kind=kind, key="2026-03-10", details={})
    page = page_of(desk)
    alerts = page.tree.one("section", class_="alerts")
    assert page.html.index('class="alerts"') < page.html.index('class="filters"')
    assert "reflections have a depth under 0.5 on average" in alerts.text()
    assert "too slow" not in alerts.text()
    assert {desk.get(link).status_code for link in links_of(alerts)} == {200}
    Alert.objects.update(seen_at=timezone.now(), seen_by=staff)
    assert not page_of(desk).tree.find("section", class_="alerts")


def test_open_alerts_stand_on_both_boards_in_one_form(desk: Client) -> None:
    alert_raise(kind=Alert.Kind.DEPTH_LOW, key="2026-03-10", details={})
    boards = [desk.get(url) for url in (URL, reverse("gateway:money"))]
    first, second = (Page(board).tree.one("section", class_="alerts") for board in boards)
    assert second.text().startswith(first.text().partition(" (UTC)")[0])


def test_a_value_beside_its_target_is_not_rounded_onto_it() -> None:
    shown = {value: value_shown(QUALITY, value) for value in (0.7996, 0.8, 0.8004, 0.83656, 0.1)}
    assert shown == {0.7996: "0.7996", 0.8: "0.80", 0.8004: "0.8004", 0.83656: "0.84", 0.1: "0.10"}
    assert [value_shown(RATE, value) for value in (0.05, 0.0501, 0.0496, 0.2, None)] == [
        *("5 %", "5.01 %", "4.96 %", "20 %", "–"),
    ]


def test_numbers_are_written_as_the_reader_writes_them(desk: Client, made: list[Reflection]) -> None:
    spanish = Page(desk.get(URL, headers={"Accept-Language": "es"}))
    assert "0,76" in spanish.words
    assert spanish.tree.one(class_="board").attrs["data-separators"] == ",\xa0"


def test_without_scripts_the_tables_are_open_and_the_policy_allows_none_inline(
    desk: Client, made: list[Reflection]
) -> None:
    response = desk.get(URL)
    page = Page(response)
    assert all("open" in details.attrs for details in page.tree.find("details", class_="chart-numbers"))
    policy = response.headers["Content-Security-Policy"]
    assert "unsafe" not in policy.replace("style-src-attr 'unsafe-inline'", "")


def test_the_number_of_queries_does_not_grow(desk: Client, plan: Plan, django_assert_num_queries: Any) -> None:
    """The browser's session; its user; figures together and by day; open alerts."""
    for _ in range(2):
        reflections_make(plan, *[[tried(), tried(author="staff")]] * 5, at=timezone.now())
        desk.get(URL)
        with django_assert_num_queries(5):
            desk.get(URL)


# The dashboard of everything


@pytest.mark.parametrize("rolled_up", [False, True])
def test_the_dashboard_tells_what_the_gate_said_by_day(desk: Client, rolled_up: bool) -> None:
    assert "Nothing was reflected on in these days." in page_of(desk, "/admin/dashboard/").words
    told = [{"decision": decision} for decision in ("accepted", "accepted", "accepted_with_warnings", "rejected")]
    record_events("reflection.made", *told, chain="plan-1", course="", mode="", now=timezone.now())
    record_events("reflection.made", {"decision": 7}, {}, chain="plan-2", course="", mode="", now=timezone.now())
    if rolled_up:
        rollups_advance()
    page = page_of(desk, "/admin/dashboard/")
    [row] = rows_of(page, "reflections")
    assert row[1:] == ["2", "1", "1"]
    assert summary_of(page, "reflections") == "50 % of 4 reflections were accepted without a warning."
