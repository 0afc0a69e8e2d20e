"""Events that leave the house: which ones, in which form, and that it is written down."""

import csv
import io
import json
from typing import Any

import pytest
from django.http import StreamingHttpResponse
from django.test import Client

from accounts.models import User
from telemetry import selectors
from telemetry.chains.verification import chains_verify
from telemetry.exports.formats import cell_safe
from telemetry.models import Event
from tests.conftest import LessonMaker
from tests.lesson_engine.learn.pages import Page
from tests.telemetry.board.conftest import DAY, Record, at, days_after

URL = "/admin/exports/"
SPAN = {"since": str(DAY), "until": str(days_after(DAY, 1))}


@pytest.fixture
def events(record: Record, make_lesson: LessonMaker) -> None:
    make_lesson()
    record("tested.thing", {"n": 1}, {"n": 2}, chain="a", mode="adaptive")
    record("tested.thing", {"n": 3}, chain="b", course="dark", mode="", now=at(days_after(DAY, 1), 23))
    record("tested.thing", {"n": 4}, chain="a", now=at(days_after(DAY, 2), 0))


def export(client: Client, **given: Any) -> bytes:
    response = client.post(URL, {**SPAN, "form": "jsonl", **given})
    assert response.status_code == 200
    assert isinstance(response, StreamingHttpResponse)
    return response.getvalue()


def lines(client: Client, **given: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in export(client, **given).splitlines()]


def table(client: Client, **given: Any) -> list[list[str]]:
    return list(csv.reader(io.StringIO(export(client, form="csv", **given).decode(), newline="")))


def numbers(records: list[dict[str, Any]]) -> list[int]:
    return [one["data"]["n"] for one in records]


def test_the_lines_have_the_documented_form_and_the_filters_hold(desk: Client, events: None) -> None:
    found = lines(desk)
    assert numbers(found) == [1, 2, 3]
    assert list(found[0]) == ["timestamp", "level", "event", "sessionId", "data"]
    assert numbers(lines(desk, course="light")) == [1, 2]
    assert numbers(lines(desk, mode="adaptive")) == [1, 2]
    assert numbers(lines(desk, until=SPAN["since"])) == [1, 2]
    assert numbers(lines(desk, since=SPAN["until"])) == [3]


def test_the_table_has_the_same_events(desk: Client, events: None) -> None:
    heading, *rows = table(desk)
    assert heading == ["timestamp", "level", "event", "sessionId", "seq", "course", "mode", "data"]
    assert [json.loads(row[-1]) for row in rows] == [{"n": 1}, {"n": 2}, {"n": 3}]
    assert rows[2] == ["2026-03-11T23:00:00Z", "info", "tested.thing", "b", "1", "dark", "", '{"n":3}']


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_cell_is_calculated_by_a_spreadsheet(desk: Client, record: Record, start: str) -> None:
    name = f'{start}HYPERLINK("http://x"),\r\n"a",1'
    record("tested.thing", {"a": name}, chain=name, course=name, mode=name[:16])
    _heading, row = table(desk)
    assert row[3] == "'" + name
    assert row[5] == "'" + name
    assert row[6] == "'" + name[:16]
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) for cell in row)
    assert json.loads(row[-1]) == {"a": name}
    assert cell_safe("a=b") == "a=b"


def test_each_export_is_recorded_and_listed(desk: Client, staff: User, events: None) -> None:
    last = Event.objects.latest("pk").pk
    export(desk, course="light", form="csv")
    trace = Event.objects.get(chain="exports")
    assert trace.event == "telemetry.exported"
    filters = {**SPAN, "course": "light", "courses": ["light"], "upto": last}
    assert trace.data == {"by": staff.pk, "form": "csv", "filters": filters}
    assert [check.fault for check in chains_verify(["exports"])] == [None]
    page = Page(desk.get(URL))
    row = page.tree.one("tbody").one("tr")
    for text in (staff.username, "csv", "course: light", f"upto: {last}", "since: 2026-03-10"):
        assert text in row.text()
    assert desk.get(row.one("a").attrs["href"]).status_code == 200


def test_an_export_ends_where_the_record_was_when_it_began(desk: Client, events: None, record: Record) -> None:
    response = desk.post(URL, {**SPAN, "form": "jsonl"})
    assert isinstance(response, StreamingHttpResponse)
    record("tested.thing", {"n": 9})
    assert numbers([json.loads(line) for line in response.getvalue().splitlines()]) == [1, 2, 3]


def test_any_number_of_events_comes_in_blocks(desk: Client, record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "BLOCK_ROWS", 3)
    record("tested.thing", *[{"n": n} for n in range(10)])
    response = desk.post(URL, {**SPAN, "form": "jsonl"})
    assert isinstance(response, StreamingHttpResponse)
    blocks = [bytes(block) for block in response]
    assert len(blocks) == 4
    assert numbers([json.loads(line) for line in b"".join(blocks).splitlines()]) == list(range(10))


def test_a_file_with_a_name_is_sent_that_nobody_keeps(desk: Client, events: None) -> None:
    response = desk.post(URL, {**SPAN, "form": "csv"})
    assert response["Content-Disposition"] == 'attachment; filename="events-2026-03-10-2026-03-11.csv"'
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("given", [{"form": "exe"}, {"since": "never"}, {"course": "nowhere"}, {"until": "2020-01-01"}])
def test_a_wrong_choice_is_told_and_exports_nothing(desk: Client, events: None, given: dict[str, str]) -> None:
    page = Page(desk.post(URL, {**SPAN, "form": "jsonl", **given}))
    assert page.tree.find(class_="filter-error")
    assert not Event.objects.filter(chain="exports").exists()


def test_looking_exports_nothing_and_keeps_the_dashboards_filters(desk: Client, events: None) -> None:
    page = Page(desk.get(URL, {"course": "light", "since": "2026-03-10", "until": "2026-03-11"}))
    assert page.tree.one("input", name="since").attrs["value"] == "2026-03-10"
    assert [node.attrs["value"] for node in page.tree.find("option") if "selected" in node.attrs] == [
        "light",
        "",
        "jsonl",
    ]
    assert "Nothing was exported yet." in page.words
    link = Page(desk.get("/admin/dashboard/", {"course": "light", **SPAN})).tree.one(class_="board-foot").one("a")
    assert link.attrs["href"] == "/admin/exports/?course=light&since=2026-03-10&until=2026-03-11"


def test_it_is_for_staff_alone(client: Client, learner: User, events: None) -> None:
    assert client.post(URL, {**SPAN, "form": "jsonl"}).status_code == 302
    client.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(URL, follow=True).status_code == 403
    assert client.post(URL, {**SPAN, "form": "jsonl"}, follow=True).status_code == 403
    assert not Event.objects.filter(chain="exports").exists()


def test_a_foreign_page_cannot_set_it_off(staff: User, events: None) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    assert browser.post(URL, {**SPAN, "form": "jsonl"}).status_code == 403
    assert not Event.objects.filter(chain="exports").exists()


def test_the_list_takes_as_many_queries_for_many_as_for_one(
    desk: Client, events: None, django_assert_num_queries: Any
) -> None:
    for _ in range(2):
        for _ in range(3):
            export(desk)
        with django_assert_num_queries(6):  # session, user; lessons, courses; exports; who made them
            desk.get(URL)
