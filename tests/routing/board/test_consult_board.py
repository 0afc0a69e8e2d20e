"""The board of the consult, its figures, and what the dashboard tells."""

import json
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from routing.board.figures import ConsultFigures, consult_figures
from routing.models import AuditChain, LabelledExample, QueryPlan
from routing.services import plan_correct
from telemetry.services import rollups_advance
from tests.lesson_engine.learn.pages import Page
from tests.routing.admin_made import EXCEDENCIA, PRICES, asked, corrected, failed
from tests.routing.plan_rows import plan_row
from tests.telemetry.board.conftest import record_events

URL = "/admin/dashboard/consult/"
PANELS = ("confidence", "domains", "sure", "flags", "corrected", "reliability", "made", "errors")


@pytest.fixture
def desk(client: Client, staff: User) -> Client:
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    return client


def page_of(desk: Client, url: str = URL, **query: Any) -> Page:
    page = Page(desk.get(url, query))
    assert page.status == 200
    return page


def today(unit: str = "day") -> ConsultFigures:
    since = datetime.combine(timezone.now().date(), time(), UTC)
    return consult_figures(since, since + timedelta(days=1), unit=unit)


def rows_of(page: Page, panel: str) -> list[list[str]]:
    rows = page.tree.one("section", id=panel).one("tbody").find("tr")
    return [[cell.text() for cell in row.nodes if cell.tag in ("th", "td")] for row in rows]


def tiles_of(page: Page) -> dict[str, str]:
    tiles = page.tree.find("div", class_="tile")
    return {tile.one("dt").text(): tile.one("dd", class_="tile-value").text() for tile in tiles}


def charts(page: Page) -> dict[str, Any]:
    blocks = page.tree.find("script", type="application/json")
    return {node.attrs["id"].removeprefix("figure-"): json.loads("".join(map(str, node.parts))) for node in blocks}


@pytest.fixture
def made(learner: User) -> None:
    """Three prices corrected, twice to growth and once to tax; one clear question, one unclear, one that failed."""
    for domain in ("growth", "growth", "tax"):
        corrected(learner, domain)
    asked(learner, EXCEDENCIA)
    asked(learner, "qwx zzt")
    failed(learner)


# The figures


def test_corrections_are_counted_by_what_was_asked_and_not_as_plans_of_their_own(made: None) -> None:
    found = today()
    assert found.together == (5, 3)
    assert found.confusion == {("market", "growth"): 2, ("market", "tax"): 1}
    assert found.by_flag["needs-clarification"] == 1
    assert found.of_domain("market").corrected == 3
    assert found.of_domain("transition") == (1, 0)
    assert (found.failed, found.waiting) == (1, 3)
    assert sum(one.tally.plans for one in found.deciles) == 5
    assert [(one.phase, one.tally) for one in found.made] == [(2, (5, 3))]


def test_the_last_word_counts_and_back_again_is_no_correction(learner: User) -> None:
    wrong, right = corrected(learner, "growth")
    third = plan_correct(plan_id=right.pk, domain="tax", by=learner)
    assert today().confusion == {("market", "tax"): 1}
    plan_correct(plan_id=third.pk, domain=wrong.domains[0], by=learner)
    found = today()
    assert (found.together, found.confusion) == ((1, 0), {})


def test_periods_are_days_in_utc_weeks_or_months(learner: User) -> None:
    for day in (date(2026, 3, 8), date(2026, 3, 9), date(2026, 4, 1)):
        plan_row(learner, "tax", when=datetime.combine(day, time(23, 59, 59), UTC))
    since, until = datetime(2026, 3, 8, tzinfo=UTC), datetime(2026, 4, 2, tzinfo=UTC)
    starts = {
        unit: sorted({start for start, _key in consult_figures(since, until, unit=unit).by_confidence})
        for unit in ("day", "week", "month")
    }
    assert starts["day"] == [date(2026, 3, 8), date(2026, 3, 9), date(2026, 4, 1)]
    assert starts["week"] == [date(2026, 3, 2), date(2026, 3, 9), date(2026, 3, 30)]
    assert starts["month"] == [date(2026, 3, 1), date(2026, 4, 1)]
    assert consult_figures(since, until - timedelta(seconds=1) - timedelta(days=1)).together.plans == 2
    with pytest.raises(ValueError, match="fortnight"):
        consult_figures(since, until, unit="fortnight")


def test_tenths_of_probability_hold_their_plans(learner: User) -> None:
    for _ in range(2):
        plan_row(learner, "tax")  # 0.9
    [decile] = today().deciles
    assert (decile.number, decile.mean, decile.tally) == (9, 0.9, (2, 0))


def test_of_nothing_there_is_nothing(db: None) -> None:
    found = today()
    assert (found.together, found.deciles, found.made, found.failed) == ((0, 0), (), (), 0)


# The page


def test_before_anything_was_asked_each_panel_says_so(desk: Client) -> None:
    page = page_of(desk)
    assert charts(page) == {}
    for panel in (*PANELS, "confusion"):
        assert page.tree.one("section", id=panel).one("p", class_="panel-empty").text().endswith(".")
    assert tiles_of(page)["Questions understood"] == "0"
    assert tiles_of(page)["High confidence"] == "–"


def test_tiles_panels_and_confusion_say_what_was_counted(desk: Client, made: None) -> None:
    page = page_of(desk)
    tiles = tiles_of(page)
    assert tiles["Questions understood"] == "5"
    assert tiles["Corrected"] == "60 %"
    assert tiles["Needed clarification"] == "20 %"
    assert tiles["Could not be read"] == "1"
    assert tiles["Corrections to review"] == "3"
    assert tiles["Broken audit chains"] == "0"
    AuditChain.objects.update(broken_at=1)
    assert tiles_of(page_of(desk))["Broken audit chains"] == "1"
    assert set(charts(page)) == set(PANELS)
    [day] = rows_of(page, "confidence")
    assert sum(map(int, day[1:])) == 5
    assert rows_of(page, "sure")[0][:3] == ["market", str(3 + (len(rows_of(page, "sure")) < 3)), "3"]
    assert ["Needs clarification", "1", "20 %"] in rows_of(page, "flags")
    assert rows_of(page, "corrected")[0][1:] == ["5", "3", "60 %"]
    assert rows_of(page, "made")[0][1:] == ["5", "3", "60 %"]
    assert rows_of(page, "errors")[0][1:] == ["1"]
    assert rows_of(page, "confusion") == [
        ["market", "–", "1", "2", "3"],
        ["tax", "0", "–", "0", "0"],
        ["growth", "0", "0", "–", "0"],
        ["Together", "0", "1", "2", "3"],
    ]
    tones = [cell.attrs["class"] for cell in page.tree.one("section", id="confusion").find("tr")[1].find("td")]
    assert tones == ["same", "tone-2", "tone-3", "together"]


def test_reliability_does_not_claim_that_what_nobody_corrected_is_right(desk: Client, made: None) -> None:
    page = page_of(desk)
    assert "Not corrected does not mean right" in page.tree.one("section", id="reliability").text()
    rows = rows_of(page, "reliability")
    assert sum(int(row[1]) for row in rows) == 5
    assert [trace["name"] for trace in charts(page)["reliability"]["data"]] == ["Probability, mean", "Not corrected"]


def test_the_days_of_the_filter_count(desk: Client, made: None) -> None:
    before = str(timezone.now().date() - timedelta(days=9))
    page = page_of(desk, since=before, until=before)
    assert tiles_of(page)["Questions understood"] == "0"
    assert tiles_of(page)["Corrections to review"] == "3", "they wait whenever they came"
    assert page_of(desk, since="yesterday").tree.find(class_="filter-error")
    assert tiles_of(page_of(desk, since=f"{timezone.now().year - 4}-01-01"))["Questions understood"] == "5"


def test_staff_find_it_from_every_page_and_all_of_its_links_lead_somewhere(desk: Client, made: None) -> None:
    assert URL in page_of(desk, "/admin/").html
    assert URL in page_of(desk, "/admin/dashboard/").html
    links = {node.attrs["href"] for node in page_of(desk).tree.one(class_="board").find("a")}
    assert {link: code for link in links if (code := desk.get(link).status_code) != 200} == {}


def test_it_is_read_in_spanish_and_needs_no_inline_script(desk: Client, made: None) -> None:
    response = desk.get(URL, headers={"Accept-Language": "es"})
    assert response.status_code == 200
    policy = response.headers["Content-Security-Policy"]
    assert "unsafe" not in policy.replace("style-src-attr 'unsafe-inline'", "")


def test_the_number_of_queries_does_not_grow(desk: Client, learner: User, django_assert_num_queries: Any) -> None:
    """The browser's session; its user; the plans; errors and what waits."""
    for _ in range(2):
        corrected(learner, message=PRICES)
        desk.get(URL)
        with django_assert_num_queries(4):
            desk.get(URL)


def test_only_what_was_asked_is_read_of_examples(learner: User) -> None:
    """An example that is gone, as after a clean-up by hand, takes no plan with it."""
    wrong, _right = corrected(learner)
    LabelledExample.objects.all().delete()
    assert today().together == (1, 0)
    assert QueryPlan.objects.filter(corrects=wrong).exists()


# The dashboard of everything


@pytest.mark.parametrize("rolled_up", [False, True])
def test_the_dashboard_tells_what_was_understood_and_what_was_not(desk: Client, rolled_up: bool) -> None:
    assert "Nobody asked the consult anything in these days." in page_of(desk, "/admin/dashboard/").words
    plans = [{"confidence": one} for one in ("high", "high", "low")]
    record_events(
        "query.planned", *plans, {"confidence": 7}, {}, chain="query:1", course="", mode="", now=timezone.now()
    )
    record_events("query.corrected", {"confidence": "high"}, chain="query:1", course="", mode="", now=timezone.now())
    record_events("query.failed", {}, {}, chain="query:2", course="", mode="", now=timezone.now())
    if rolled_up:
        rollups_advance()
    page = page_of(desk, "/admin/dashboard/")
    assert rows_of(page, "queries")[0][1:] == ["2", "0", "1"]
    assert rows_of(page, "query-trouble")[0][1:] == ["1", "2"]
    assert "67 % of 3 questions were understood with a high confidence." in page.words
