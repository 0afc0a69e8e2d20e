"""What the dashboard tells of plans: how they were made and what came of them."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from evaluation.layer import EvaluationLayer
from planning.layer import PlanningLayer
from telemetry.services import rollups_advance
from tests.conftest import LessonMaker
from tests.lesson_engine.admin.conftest import Walk
from tests.lesson_engine.learn.pages import Page
from tests.telemetry.board.conftest import record_events

URL = "/admin/dashboard/"
PANELS = ("plans", "plan-outcomes")


@pytest.fixture(params=[False, True], ids=["live", "rolled up"])
def worked(request: pytest.FixtureRequest, learner: User) -> None:
    """Three plans, one of them from the cache, and four results."""
    layer, evaluator = PlanningLayer(), EvaluationLayer()
    hotel = layer.create_plan("Book hotel in Paris", learner)
    layer.create_plan("Book hotel in Paris for 2 nights", learner)
    flight = layer.create_plan("Book flight to Rome on Dec 15", learner, criteria=["quality >= 7"])
    evaluator.evaluate_result(hotel, {"user_feedback": "rejected"})
    for result in ({"quality": 8}, {"quality": 9}, {}):
        evaluator.evaluate_result(flight, result)
    if request.param:
        rollups_advance()


def page_of(desk: Client, **query: Any) -> Page:
    page = Page(desk.get(URL, query))
    assert page.status == 200
    return page


def table_of(page: Page, panel: str) -> list[list[str]]:
    rows = page.tree.one("section", id=panel).one("tbody").find("tr")
    return [[cell.text() for cell in row.nodes if cell.tag in ("th", "td")] for row in rows]


def drawn(page: Page, panel: str) -> dict[str, list[Any]]:
    block = page.tree.one("script", id=f"figure-{panel}")
    found = json.loads("".join(map(str, block.parts)))["data"]
    return {one["name"]: one["x"] if panel == "plans" else one["y"] for one in found}


def test_before_any_plan_both_say_so_behind_the_panels_of_lessons(desk: Client) -> None:
    page = page_of(desk)
    assert "No plan was made in these days." in page.words
    assert "No result was evaluated in these days." in page.words
    codes = [panel.attrs["id"] for panel in page.tree.find("section", class_="panel") if "id" in panel.attrs]
    # What the layer above tells comes last.
    assert tuple(codes[-5:]) == (*PANELS, "reflections", "queries", "query-trouble")
    assert codes[0] == "sessions"


def test_plans_are_told_by_type_and_where_they_come_from(desk: Client, worked: None) -> None:
    page = page_of(desk)
    assert "3 plans, 33 % of them from the cache." in page.words
    assert table_of(page, "plans") == [["hotel_booking", "1", "1", "0", "2"], ["flight_booking", "0", "1", "0", "1"]]
    assert drawn(page, "plans") == {"cache": [1, 0], "template": [1, 1], "model": [0, 0]}


def test_what_came_of_them_is_told_by_day(desk: Client, worked: None) -> None:
    page = page_of(desk)
    said = "50 % of 4 results reached what was planned. 1 plan was kept from serving others."
    assert said in page.words
    [row] = table_of(page, "plan-outcomes")
    assert row[1:] == ["2", "1", "1"]
    assert {name: sum(counts) for name, counts in drawn(page, "plan-outcomes").items()} == {
        "success": 2,
        "failure": 1,
        "unknown": 1,
    }


def test_where_a_lesson_or_a_mode_is_chosen_they_are_left_out(
    desk: Client, worked: None, learner: User, make_lesson: LessonMaker
) -> None:
    Walk(learner, make_lesson())
    for query in ({"course": "light"}, {"mode": "deterministic"}):
        page = page_of(desk, **query)
        assert not [panel for panel in PANELS if page.has(panel)]


def test_many_types_make_no_endless_chart_and_hostile_ones_stay_text(desk: Client) -> None:
    names = [*(f"type_{number}" for number in range(40)), "<script>alert(1)</script>|x"]
    told = [{"taskType": name, "source": "template"} for name in names]
    record_events("plan.created", *told, chain="plan:x", now=timezone.now())
    record_events("plan.evaluated", {"outcome": "<b>?</b>"}, chain="plan:x", now=timezone.now())
    page = page_of(desk)
    assert len(table_of(page, "plans")) == 41
    assert [len(counts) for counts in drawn(page, "plans").values()] == [15] * 3
    assert "<script>alert" not in page.html
