"""The page as staff see it, with and without scripts."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import plotly
import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from lesson_engine.models import Course, CourseLesson, LessonVersion, Session
from telemetry.board.forms import FiltersForm, usual_filters
from telemetry.board.pages import board_of
from telemetry.board.static_files import PlotlyFinder
from telemetry.chains.verification import chains_verify
from telemetry.models import Chain
from telemetry.services import chains_mark_verified, rollups_advance
from tests.conftest import LessonMaker, lesson_data
from tests.lesson_engine.admin.conftest import Walk
from tests.lesson_engine.learn.pages import Node, Page
from tests.routing.rows import failure_row
from tests.telemetry.board.conftest import Record
from tests.telemetry.conftest import Append, Tamper

URL = "/admin/dashboard/"
PLOTLY_POLICY = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"


@pytest.fixture
def lost(learner: User, make_lesson: LessonMaker) -> Session:
    """A session in which attempts ran out."""
    return Walk(learner, make_lesson()).go_on().for_turns(40, text="bananas").session


def page_of(client: Client, url: str = URL, **query: Any) -> Page:
    page = Page(client.get(url, query))
    assert page.status == 200
    return page


def figures(page: Page) -> dict[str, Any]:
    blocks = page.tree.find("script", type="application/json")
    return {node.attrs["id"]: json.loads("".join(map(str, node.parts))) for node in blocks}


def table_of(page: Page, panel: str) -> list[list[str]]:
    rows = page.tree.one("section", id=panel).one("tbody").find("tr")
    return [[cell.text() for cell in row.nodes if cell.tag in ("th", "td")] for row in rows]


def links_of(node: Node) -> Iterator[str]:
    return (link.attrs["href"] for link in node.find("a"))


def test_it_is_for_staff_alone(client: Client, learner: User) -> None:
    assert client.get(URL).status_code == 302
    client.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(URL, follow=True).status_code == 403
    assert client.post(URL).status_code in (302, 403)


def test_staff_find_it_from_every_page_of_the_admin(desk: Client) -> None:
    for name in ("admin:index", "admin:telemetry_event_changelist", "telemetry:exports"):
        assert URL in links_of(page_of(desk, reverse(name)).tree)


def test_before_anything_happened_it_says_so(desk: Client) -> None:
    page = page_of(desk)
    assert "No lesson was started or finished in these days." in page.words
    assert "No audit chain yet: nothing was recorded." in page.words
    assert figures(page) == {}


def test_the_chart_and_the_table_have_the_same_numbers(desk: Client, lost: Session) -> None:
    page = page_of(desk)
    drawn = figures(page)
    started, finished = drawn["figure-sessions"]["data"]
    today = str(timezone.now().date())
    bars = {day: counts for day, *counts in zip(started["x"], started["y"], finished["y"], strict=True) if any(counts)}
    assert bars == {today: [1, 1]}
    assert [row[1:] for row in table_of(page, "sessions")] == [["1", "1"]]
    [ends] = drawn["figure-dead-ends"]["data"]
    assert [[name.partition(" ")[0], str(times)] for name, times in zip(ends["y"], ends["x"], strict=True)] == [
        [row[0], row[2]] for row in table_of(page, "dead-ends")
    ]
    for code in ("verdicts", "deviations", "steps"):
        assert table_of(page, code)
        assert drawn[f"figure-{code}"]["data"]


def test_without_scripts_the_tables_are_open_and_no_chart_is_announced(desk: Client, lost: Session) -> None:
    page = page_of(desk)
    assert page.tree.find("details", class_="chart-numbers")
    assert all("open" in details.attrs for details in page.tree.find("details", class_="chart-numbers"))
    for chart in page.tree.find(class_="chart"):
        assert "hidden" in chart.attrs
        assert chart.attrs["role"] == "img"
        assert chart.attrs["aria-label"]


def test_staff_follow_a_dead_end_to_the_learners_session(
    desk: Client, lost: Session, stranger: User, make_lesson: LessonMaker
) -> None:
    fine = Walk(stranger, make_lesson()).go_on().session
    section = page_of(desk).tree.one("section", id="dead-ends")
    for url in links_of(section):
        listed = list(desk.get(url).context["cl"].result_list)
        assert lost in listed
        assert fine not in listed


def test_the_big_numbers_lead_to_what_they_count(desk: Client, lost: Session) -> None:
    Session.objects.update(doubtful=1)
    tiles = page_of(desk).tree.one("dl", class_="tiles")
    for url in links_of(tiles):
        assert list(desk.get(url).context["cl"].result_list) == [lost]
    assert any("dead_ends=yes" in url for url in links_of(tiles))


def test_filters_narrow_everything(desk: Client, lost: Session, learner: User, make_lesson: LessonMaker) -> None:
    other = make_lesson(meta={**lesson_data()["meta"], "slug": "dark", "title": "Dark"})
    Walk(learner, other).go_on()
    course = Course.objects.create(slug="both", title="Both", language="en", summary="x")
    for place, lesson in enumerate((lost.lesson, other.lesson)):
        CourseLesson.objects.create(course=course, lesson=lesson, position=place)

    def started(**query: str) -> str:
        return page_of(desk, **query).tree.one("dl", class_="tiles").find("dd", class_="tile-value")[0].text()

    tomorrow = str(timezone.now().date() + timedelta(days=1))
    assert started() == "2"
    assert started(course="light") == started(course="dark") == "1"
    assert started(course="course:both") == "2"
    assert started(course="light", mode="adaptive") == "0"
    assert started(mode="deterministic") == "2"
    assert started(since=tomorrow, until=tomorrow) == "0"
    assert "1.1 Reading" in page_of(desk, course="light").words
    links = list(links_of(page_of(desk, course="course:both").tree.one("dl", class_="tiles")))
    assert links
    assert all("course=both" in url for url in links)


def test_the_usual_days_are_the_last_thirty(desk: Client) -> None:
    form = FiltersForm({})
    assert form.is_valid()
    assert form.filters == usual_filters()
    assert (form.filters.until - form.filters.since).days == 29
    assert form.filters.until == datetime.now(UTC).date()


@pytest.mark.parametrize(
    "query",
    [
        {"since": "yesterday"},
        {"until": "0000-00-00"},
        {"since": "2026-02-02", "until": "2026-01-01"},
        {"since": "0001-01-01", "until": "2026-01-01"},
        {"until": "9999-12-31"},
        {"course": "nowhere"},
        {"course": "a\x00b"},
        {"course": "' OR 1=1 --", "mode": "%(mode)s"},
        {"mode": "x" * 5000},
    ],
)
def test_wrong_filters_are_told_and_the_usual_figures_shown(desk: Client, lost: Session, query: dict[str, str]) -> None:
    page = page_of(desk, **query)
    assert page.tree.find(class_="filter-error")
    assert "the figures are those of the last thirty days" in page.words
    assert page.tree.one("dl", class_="tiles").find("dd", class_="tile-value")[0].text() == "1"


@pytest.mark.parametrize(
    "query", [{"since": "0001-01-01", "until": "0001-01-02"}, {"since": "2999-12-30", "until": "2999-12-31"}]
)
def test_days_at_the_ends_of_time_are_only_empty(desk: Client, lost: Session, query: dict[str, str]) -> None:
    page = page_of(desk, **query)
    assert not page.tree.find(class_="filter-error")
    assert figures(page) == {}


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


def test_hostile_names_stay_text(desk: Client, record: Record, learner: User, make_lesson: LessonMaker) -> None:
    make_lesson(meta={**lesson_data()["meta"], "title": HOSTILE})
    now = {"now": timezone.now(), "course": HOSTILE[:100]}
    answer = {"rule": HOSTILE, "result": "ACCEPT", "deviation": HOSTILE, "attempts": 1}
    record("evaluation.result", answer, **now)
    record("advancement.reject", {"askCode": HOSTILE, "closed": True, "outcome": "shown"}, **now)
    record("step.shown", {"leftStep": HOSTILE, "leftType": HOSTILE, "leftSeconds": 3}, **now)
    record("adaptation.planned", {"op": HOSTILE}, **now)
    page = page_of(desk)
    assert HOSTILE not in page.html
    assert "<img src=x" not in page.html
    assert page.words.count("alert(1)") > 3
    assert figures(page)["figure-dead-ends"]["data"][0]["y"][0].startswith(HOSTILE)


def test_only_this_page_may_style_by_attribute_and_no_page_runs_inline_scripts(desk: Client, lost: Session) -> None:
    policy = desk.get(URL).headers["Content-Security-Policy"]
    assert f"style-src 'self' {PLOTLY_POLICY};" in policy + ";"
    assert "style-src-attr 'unsafe-inline'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy.replace("style-src-attr 'unsafe-inline'", "")
    for other in ("/admin/", "/admin/exports/", "/"):
        assert "unsafe" not in desk.get(other).headers["Content-Security-Policy"]
    scripts = page_of(desk).tree.find("script")
    assert all("src" in script.attrs or script.attrs["type"] == "application/json" for script in scripts)


def test_plotlys_script_is_served_from_its_package_and_nothing_beside_it() -> None:
    path = finders.find("plotly.min.js")
    assert path == str(Path(plotly.__file__).parent / "package_data" / "plotly.min.js")
    assert [name for name, _ in PlotlyFinder().list([])] == ["plotly.min.js"]
    assert not finders.find("widgetbundle.js")


def test_the_page_keeps_plotly_from_the_style_that_its_policy_refuses(desk: Client) -> None:
    """After an upgrade of plotly this may need another id: the browser's console says so."""
    [style] = page_of(desk).tree.find("style")
    path = finders.find("plotly.min.js")
    assert isinstance(path, str)
    assert f'document.getElementById("{style.attrs["id"]}")' in Path(path).read_text()
    assert not style.text()


def test_broken_chains_come_first_and_loudly(desk: Client, append: Append, tamper: Tamper) -> None:
    append("lesson:light", 2)
    append("whole", 2)
    tamper("UPDATE telemetry_event SET level = 'error' WHERE chain_id = 'lesson:light' AND seq = 2")
    assert "2 chains are new or have grown since and await the hourly check." in page_of(desk).words
    chains_mark_verified(checks=list(chains_verify()))
    page = page_of(desk)
    alert = page.tree.one(role="alert")
    assert "1 audit chain is broken" in alert.text()
    assert page.html.index("audit-broken") < page.html.index('class="filters"')
    for url in links_of(alert):
        assert "lesson:light" in Page(desk.get(url)).words


def test_a_broken_chain_of_the_consult_is_told_beside_those_of_events(
    desk: Client, learner: User, append: Append, tamper: Tamper
) -> None:
    append("whole", 2)
    chain = failure_row(learner).chain_id
    assert "2 chains are new or have grown since and await the hourly check." in page_of(desk).words
    tamper("UPDATE routing_auditentry SET subject = 'somebody else'")
    chains_mark_verified(checks=list(chains_verify()))
    alert = page_of(desk).tree.one(role="alert").text()
    assert "1 audit chain is broken" in alert
    assert chain in alert


def test_the_last_good_check_of_all_chains_is_told(desk: Client, append: Append) -> None:
    append("one")
    append("two")
    append("new")
    chains_mark_verified(checks=list(chains_verify(["one"])), now=datetime(2026, 3, 1, 8, 5, tzinfo=UTC))
    chains_mark_verified(checks=list(chains_verify(["two"])), now=datetime(2026, 3, 2, tzinfo=UTC))
    words = page_of(desk).words
    assert "whole when it was last checked; the oldest last good check was on March 1, 2026, 8:05 a.m. (UTC)." in words
    assert "1 chain is new or has grown since and awaits the hourly check." in words


def test_what_is_not_counted_yet_is_told(desk: Client, lost: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("telemetry.rollups.figures.LIVE_IDS", 2)
    assert "Still counting" in page_of(desk).words
    rollups_advance()
    assert "Still counting" not in page_of(desk).words


def test_the_number_of_queries_does_not_grow(
    desk: Client, learner: User, stranger: User, make_lesson: LessonMaker, django_assert_num_queries: Any
) -> None:
    """The browser's session; its user; courses and lessons to choose; the horizon; the figures; the chains."""
    version = make_lesson()
    for user in (learner, stranger):
        Walk(user, version).go_on().for_turns(40, text="bananas")
        rollups_advance()
        desk.get(URL)
        with django_assert_num_queries(7):
            desk.get(URL)
    Chain.objects.update(broken_at=1)
    with django_assert_num_queries(8):  # which are broken
        desk.get(URL)


def test_numbers_are_written_as_the_reader_writes_them(desk: Client, record: Record) -> None:
    record("evaluation.result", *[{"rule": "exact", "result": "ACCEPT"}] * 1234, now=timezone.now())
    assert "1,234" in page_of(desk).words
    spanish = Page(desk.get(URL, headers={"Accept-Language": "es"}))
    assert "1\xa0234" in spanish.html
    assert spanish.tree.one(class_="board").attrs["data-separators"] == ",\xa0"


def test_over_years_there_are_months(desk: Client, lost: Session) -> None:
    page = page_of(desk, since=f"{timezone.now().year - 4}-01-01")
    months = figures(page)["figure-sessions"]["data"][0]["x"]
    assert len(months) > 48
    assert all(month.endswith("-01") for month in months)


def test_the_board_of_the_demo_lesson(learner: User, photosynthesis: LessonVersion) -> None:
    Walk(learner, photosynthesis).for_turns(120)
    filters = usual_filters().model_copy(update={"course": "fotosintesis", "courses": ("fotosintesis",)})
    assert all(
        one.view for one in board_of(filters).panels if one.panel.code not in ("operations", "watch", "own-words")
    )
