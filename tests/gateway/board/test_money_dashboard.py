"""The staff's page of money, as staff see it."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from gateway.contracts import CallReport, Outcome, Tier
from gateway.ledger import settle
from gateway.models import Alert, Hold, OperationTiming
from lesson_engine.models import Session
from lesson_engine.services.sessions import session_start
from tests.conftest import LessonMaker
from tests.gateway.calls import TIMED_OUT, call, ended, in_session, timed
from tests.gateway.ledger_helpers import answered, cents, sent
from tests.lesson_engine.learn.pages import Node, Page

URL = "/admin/dashboard/money/"
PANELS = ("usage", "cost", "failures", "costliest", "latency", "operations")
NOT_CONFIGURED = "No model was asked in these days, and none is configured"


@pytest.fixture
def session(learner: User, make_lesson: LessonMaker) -> Session:
    """A learner's session, with its account."""
    return session_start(user=learner, lesson=make_lesson().lesson)


@pytest.fixture
def spent(session: Session) -> Session:
    """A morning with every sort of call."""
    now, payer = timezone.now(), in_session(str(session.pk), user_id=session.user_id)
    OperationTiming.objects.all().delete()  # those of the session's own plan
    for _ in range(8):
        call(payer, 0.5, now=now)
    call(payer, 2, Tier.EMBED, now=now)
    call(payer, 2.5, Tier.THINKER, now=now, escalation=True)
    ended(Outcome.CUT, payer, 1, now=now)
    ended(Outcome.NOT_SENT, payer, 1, now=now)
    timed("create_plan", 100, 2500, now=now, hit=False)
    timed("evaluate_result", 2000, now=now, outcome=TIMED_OUT)
    return session


def page_of(client: Client, url: str = URL, **query: Any) -> Page:
    page = Page(client.get(url, query))
    assert page.status == 200
    return page


def rows_of(page: Page, panel: str) -> list[list[str]]:
    rows = page.tree.one("section", id=panel).one("tbody").find("tr")
    return [[cell.text() for cell in row.nodes if cell.tag in ("th", "td")] for row in rows]


def tiles_of(page: Page) -> dict[str, tuple[str, str]]:
    """Value and note of the big numbers, by their titles."""
    found = {}
    for tile in page.tree.find("div", class_="tile"):
        notes = tile.find("dd", class_="tile-note")
        found[tile.one("dt").text()] = (tile.one("dd", class_="tile-value").text(), notes[0].text() if notes else "")
    return found


def figures(page: Page) -> dict[str, Any]:
    blocks = page.tree.find("script", type="application/json")
    return {node.attrs["id"]: json.loads("".join(map(str, node.parts))) for node in blocks}


def links_of(node: Node) -> list[str]:
    return [link.attrs["href"] for link in node.find("a")]


def test_it_is_for_staff_alone(client: Client, learner: User) -> None:
    assert client.get(URL).status_code == 302
    client.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(URL, follow=True).status_code == 403


def test_staff_find_it_from_the_start_the_other_dashboard_and_every_page(desk: Client) -> None:
    for name in ("admin:index", "telemetry:dashboard", "telemetry:exports", "admin:gateway_account_changelist"):
        assert URL in links_of(page_of(desk, reverse(name)).tree)
    back = [link for link in links_of(page_of(desk, since="2026-01-01", until="2026-01-31").tree) if "?" in link]
    assert "/admin/dashboard/?since=2026-01-01&until=2026-01-31" in back


def test_the_cost_on_the_other_dashboard_leads_here(desk: Client, spent: Session) -> None:
    links = [
        link for link in links_of(page_of(desk, "/admin/dashboard/").tree.one("dl", class_="tiles")) if URL in link
    ]
    assert len(links) == 1
    assert page_of(desk, links[0]).status == 200


# Nothing there


def test_before_anything_happened_every_panel_says_so(desk: Client) -> None:
    page = page_of(desk)
    assert figures(page) == {}
    for panel in PANELS:
        said = page.tree.one("section", id=panel).one("p", class_="panel-empty").text()
        assert said.endswith(".")
        assert ("none is configured" in said) == (panel != "latency"), panel
    assert page.words.count(NOT_CONFIGURED) == 5
    assert "No alert is open." in page.words
    assert tiles_of(page)["Cost in US$"] == ("0.00", "no model was asked")
    assert tiles_of(page)["Degradation level now"][0] == "Full"
    assert {value for value, _note in tiles_of(page).values()} == {"0.00", "0", "–", "Full"}


def test_where_a_model_is_configured_nobody_says_that_none_is(desk: Client, settings: LazySettings) -> None:
    settings.MODELS_CONFIGURED = True
    page = page_of(desk)
    assert "none is configured" not in page.words
    assert page.words.count("No model was asked in these days.") == 5


# Figures


def test_the_big_numbers(desk: Client, spent: Session) -> None:
    tiles = tiles_of(page_of(desk))
    assert tiles["Cost in US$"][0] == "0.0950"
    assert tiles["Calls to models"][0] == "11"
    assert tiles["Share of the thinker"] == ("9.1 %", "the policy wants 5 % at most")
    assert tiles["US$ a session"] == ("0.0950", "mean of 1 session that asked; p95 0.0950")
    assert tiles["US$ a learner's day"] == ("0.0950", "mean of 1 day of a learner; p95 0.0950")
    assert tiles["Unverified charges"] == ("1", "US$ 0.0100 charged at worst")
    assert tiles["Escalation rate"][0] == "–"  # nobody answered anything


def test_the_unverified_charges_lead_to_their_calls(desk: Client, spent: Session) -> None:
    [url] = [link for link in links_of(page_of(desk).tree.one("dl", class_="tiles")) if "hold" in link]
    assert list(desk.get(url).context["cl"].result_list) == list(Hold.objects.filter(unverified=True))


def test_usage_stands_beside_the_policy(desk: Client, spent: Session) -> None:
    page = page_of(desk)
    assert [row[:5] for row in rows_of(page, "usage")] == [
        [f"{Tier.CHEAP.label} · cheap", "9", "81.8 %", "80 %", "0.0500"],
        [f"{Tier.EMBED.label} · embed", "1", "9.1 %", "15 %", "0.0200"],
        [f"{Tier.THINKER.label} · thinker", "1", "9.1 %", "5 %", "0.0250"],
    ]
    share, policy = figures(page)["figure-usage"]["data"]
    assert (share["x"], policy["x"]) == ([81.8, 9.1, 9.1], [80.0, 15.0, 5.0])


def test_cost_by_day_is_stacked_by_tier_and_the_same_as_its_table(desk: Client, spent: Session) -> None:
    page = page_of(desk)
    [today] = rows_of(page, "cost")
    assert today[1:] == ["0.0500", "0.0200", "0.0250", "0.0950", "11"]
    drawn = figures(page)["figure-cost"]
    assert (drawn["layout"]["barmode"], drawn["layout"]["yaxis"]["tickprefix"]) == ("stack", "US$ ")
    assert [trace["y"][-1] for trace in drawn["data"]] == [0.05, 0.02, 0.025]
    assert len(drawn["data"][0]["x"]) == 30


def test_latency_stands_beside_its_target(desk: Client, spent: Session) -> None:
    page = page_of(desk)
    assert rows_of(page, "latency") == [
        ["create_plan", "2", "100 ms", "2,500 ms", "2,500 ms", "2,000 ms", "1", "0 %", "0 %"],
        ["evaluate_result", "1", "2,000 ms", "2,000 ms", "2,000 ms", "500 ms", "1", "100 %", "–"],
    ]
    median, p95, target = figures(page)["figure-latency"]["data"]
    assert (median["x"], p95["x"], target["x"]) == ([100, 2000], [2500, 2000], [2000, 500])


def test_calls_without_an_answer_are_told_by_how_they_ended(desk: Client, spent: Session) -> None:
    assert rows_of(page_of(desk), "failures") == [
        ["Cut off", f"{Tier.CHEAP.label} · cheap", "gpt-4o-mini", "1", "0.0100"],
        ["Not sent", f"{Tier.CHEAP.label} · cheap", "gpt-4o-mini", "1", "0.00"],
    ]


def test_the_costliest_session_leads_to_its_timeline(desk: Client, spent: Session) -> None:
    section = page_of(desk).tree.one("section", id="costliest")
    [url] = links_of(section)
    assert url == reverse("admin:lesson_engine_session_change", args=[spent.pk])
    assert desk.get(url).status_code == 200


def test_days_narrow_everything(desk: Client, spent: Session) -> None:
    tomorrow = (timezone.now() + timedelta(days=1)).date().isoformat()
    page = page_of(desk, since=tomorrow, until=tomorrow)
    assert figures(page) == {}
    assert tiles_of(page)["Calls to models"][0] == "0"


@pytest.mark.parametrize("query", [{"since": "yesterday"}, {"since": "2026-02-02", "until": "2026-01-01"}])
def test_wrong_days_are_told_and_the_usual_figures_shown(desk: Client, spent: Session, query: dict[str, str]) -> None:
    page = page_of(desk, **query)
    assert page.tree.find(class_="filter-error")
    assert tiles_of(page)["Calls to models"][0] == "11"


def test_over_years_there_are_months(desk: Client, spent: Session) -> None:
    months = figures(page_of(desk, since=f"{timezone.now().year - 4}-01-01"))["figure-cost"]["data"][0]["x"]
    assert len(months) > 48
    assert all(month.endswith("-01") for month in months)


# Alerts


def test_open_alerts_come_first_with_links(desk: Client, session: Session, learner: User) -> None:
    payer = in_session(str(session.pk), user_id=learner.pk)
    call(payer, 90, now=timezone.now())
    page = page_of(desk)
    alerts = page.tree.one("section", class_="alerts")
    assert page.html.index('class="alerts"') < page.html.index('class="filters"')
    assert "less than 20 % of a session's budget is left" in alerts.text()
    links = links_of(alerts)
    alert = Alert.objects.get()
    assert reverse("admin:gateway_alert_change", args=[alert.pk]) in links
    assert reverse("admin:lesson_engine_session_change", args=[session.pk]) in links
    assert {desk.get(link).status_code for link in links} == {200}


def test_an_alert_that_staff_has_seen_is_gone(desk: Client, staff: User, session: Session) -> None:
    call(in_session(str(session.pk)), 90, now=timezone.now())
    Alert.objects.update(seen_at=timezone.now(), seen_by=staff)
    assert not page_of(desk).tree.find("section", class_="alerts")


def test_of_many_alerts_the_latest_are_shown_and_the_rest_is_a_click_away(desk: Client) -> None:
    now = timezone.now()
    kind = Alert.Kind.BREAKER_OPEN
    for number in range(20):
        raised = now - timedelta(minutes=number)
        Alert.objects.create(kind=kind, key=f"model-{number}", details={"model": f"model-{number}"}, raised_at=raised)
    alerts = page_of(desk).tree.one("section", class_="alerts")
    assert len(alerts.find("li")) == 8
    assert "model-0" in alerts.text()
    assert "model-8" not in alerts.text()
    assert "Show all, there are more" in alerts.text()


# The page


HOSTILE = "</script><script>alert(1)</script>"


def test_hostile_names_stay_text(desk: Client, spent: Session) -> None:
    Hold.objects.update(model=HOSTILE, course=HOSTILE, operation=HOSTILE)
    page = page_of(desk)
    assert HOSTILE not in page.html
    assert page.words.count("alert(1)") > 2


def test_it_may_style_by_attribute_as_the_other_dashboard_does(desk: Client, spent: Session) -> None:
    policy = desk.get(URL).headers["Content-Security-Policy"]
    assert "style-src-attr 'unsafe-inline'" in policy
    assert "unsafe" not in policy.replace("style-src-attr 'unsafe-inline'", "")


def test_without_scripts_the_tables_are_open(desk: Client, spent: Session) -> None:
    page = page_of(desk)
    assert len(page.tree.find("details", class_="chart-numbers")) == len(PANELS)
    assert all("open" in details.attrs for details in page.tree.find("details", class_="chart-numbers"))


def test_numbers_are_written_as_the_reader_writes_them(desk: Client, session: Session) -> None:
    settle(sent(in_session(str(session.pk)), cents(90), now=timezone.now()), answered(180_000), now=timezone.now())
    spanish = Page(desk.get(URL, headers={"Accept-Language": "es"}))
    assert "0,9000" in spanish.words
    assert spanish.tree.one(class_="board").attrs["data-separators"] == ",\xa0"


def test_a_call_that_is_under_way_is_shown(desk: Client) -> None:
    sent(in_session("s"), cents(5), now=timezone.now())
    settle(sent(in_session("s"), cents(5), now=timezone.now()), CallReport(outcome=Outcome.LOST), now=timezone.now())
    assert tiles_of(page_of(desk))["Calls to models"][0] == "2"


def test_the_number_of_queries_does_not_grow(
    desk: Client, spent: Session, learner: User, django_assert_num_queries: Any
) -> None:
    """The browser's session; its user; the eleven of the figures; open alerts."""
    for number in range(2):
        for key in ("a", "b", "c"):
            payer = in_session(f"{key}{number}", user_id=learner.pk)
            call(payer, 85, now=timezone.now()) if key == "a" else call(payer, 1, now=timezone.now())
        desk.get(URL)
        with django_assert_num_queries(16):
            desk.get(URL)
