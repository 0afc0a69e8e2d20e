"""What is read is everything up to the horizon, once: roll-ups, and what came since."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.db import connection

from telemetry.models import Event, RollUpMark
from telemetry.panels import Filters, Measure, Periods, number, text, want
from telemetry.rollups import figures
from telemetry.selectors import figures_read, measure_read
from telemetry.services import rollups_advance
from tests.telemetry.board.conftest import DAY, EVER, Count, Record, at, counted, days_after, record_events

THINGS = Measure(name="things", events=("tested.thing",), label=text("kind"), amount=number("size"))


@pytest.fixture(autouse=True)
def _things(count: Count) -> None:
    count(THINGS)


@pytest.fixture(params=["live", "rolled up", "half and half"])
def three_events(request: pytest.FixtureRequest, record: Record) -> None:
    """In two courses, two modes and on two days, not counted yet, or all, or some."""
    record("tested.thing", {"kind": "p", "size": 1.5}, course="a", mode="adaptive", now=at(DAY, 0))
    record(
        "tested.thing", {"kind": "q", "size": 2}, course="b", mode="", now=datetime(2026, 3, 10, 23, 59, 59, tzinfo=UTC)
    )
    if request.param == "half and half":
        rollups_advance()
    record("tested.thing", {"kind": "p", "size": 4}, course="a", mode="", now=at(days_after(DAY, 1), 0))
    if request.param == "rolled up":
        rollups_advance()


@pytest.mark.usefixtures("three_events")
class TestWhateverIsRolledUp:
    def test_axes(self) -> None:
        assert counted("things") == {(): 3}
        assert counted("things", "label") == {"p": 2, "q": 1}
        assert counted("things", "course") == {"a": 2, "b": 1}
        assert counted("things", "day") == {DAY: 2, days_after(DAY, 1): 1}
        assert counted("things", "course", "label") == {("a", "p"): 2, ("b", "q"): 1}

    def test_filters(self) -> None:
        assert counted("things", courses=("a",)) == {(): 2}
        assert counted("things", mode="adaptive") == {(): 1}
        assert counted("things", courses=("b", "nowhere"), mode="adaptive") == {}
        assert counted("things", courses=("a", "b")) == {(): 3}
        assert counted("things", since=DAY, until=DAY) == {(): 2}
        assert counted("things", since=days_after(DAY, 1)) == {(): 1}
        assert counted("things", until=days_after(DAY, -1)) == {}

    def test_amounts(self) -> None:
        totals = {cell.label: cell.total for cell in measure_read("things", "label", filters=EVER)}
        assert totals == {"p": 5.5, "q": 2.0}

    def test_several_wants_at_once(self, django_assert_num_queries: Any) -> None:
        wants = [want("things"), want("things", "day"), want("things", "label")]
        figures_read(wants, EVER)
        with django_assert_num_queries(2):  # where the horizon is; everything
            found = figures_read(wants, EVER)
        assert [cell.count for cell in found.of("things")] == [3]
        assert found.counts("things") == {"p": 2, "q": 1}
        assert found.behind == 0


def test_what_is_far_behind_is_told_as_far_as_it_is(
    record: Record, count: Count, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "LIVE_IDS", 5)
    record("tested.thing", *[{"kind": "p"}] * 4)
    rollups_advance()
    count(Measure(name="new", events=("tested.thing",)))
    record("tested.thing", *[{"kind": "p"}] * 4)
    found = figures_read([want("things"), want("new")], EVER)
    assert [cell.count for cell in found.of("things")] == [8]
    assert found.of("new") == ()
    assert found.behind == 8
    rollups_advance()
    found = figures_read([want("things"), want("new")], EVER)
    assert [cell.count for cell in found.of("new")] == [8]
    assert found.behind == 0


def test_a_mark_beyond_the_horizon_is_no_harm(record: Record) -> None:
    record("tested.thing", {"kind": "p"})
    rollups_advance()
    RollUpMark.objects.update(upto=10**9)
    assert counted("things") == {(): 1}


def test_what_was_not_wanted_is_not_there() -> None:
    found = figures_read([], EVER)
    with pytest.raises(KeyError):
        found.of("things")
    with pytest.raises(KeyError):
        figures_read([want("nobody_knows")], EVER)


@pytest.mark.django_db(transaction=True)
def test_while_others_write_and_roll_up_nothing_is_counted_twice_or_lost() -> None:
    done = threading.Event()

    def write() -> None:
        for number_ in range(60):
            record_events("tested.thing", *[{"kind": "p"}] * 3, chain=f"{number_ % 3}")
        done.set()

    def roll_up() -> None:
        while not done.is_set():
            rollups_advance(chunk=4)

    def in_own_connection(work: Any) -> None:
        try:
            work()
        finally:
            connection.close()

    seen = []
    with ThreadPoolExecutor(2) as pool:
        works = [pool.submit(in_own_connection, work) for work in (write, roll_up)]
        while not done.is_set():
            seen.append((counted("things").get((), 0), Event.objects.count()))
        for work in works:
            work.result(timeout=60)
    assert [total for total, _ in seen] == sorted(total for total, _ in seen)
    assert all(total <= there for total, there in seen)
    assert len({total for total, _ in seen}) > 2
    assert counted("things") == {(): 180}
    rollups_advance()
    assert counted("things") == {(): 180}


@pytest.mark.parametrize(
    ("since", "until", "unit", "starts"),
    [
        (date(2026, 3, 1), date(2026, 3, 3), "day", ["2026-03-01", "2026-03-02", "2026-03-03"]),
        (date(2026, 1, 1), date(2026, 4, 30), "week", ["2025-12-29", "2026-01-05"]),
        (date(2023, 1, 15), date(2026, 1, 31), "month", ["2023-01-01", "2023-02-01"]),
    ],
)
def test_longer_times_are_cut_into_longer_periods(since: date, until: date, unit: str, starts: list[str]) -> None:
    periods = Periods(Filters(since=since, until=until))
    assert periods.unit == unit
    assert [day.isoformat() for day in periods.starts[: len(starts)]] == starts
    assert len(periods.starts) < 110
    assert all(periods.start_of(day) in periods.starts for day in (since, until))
