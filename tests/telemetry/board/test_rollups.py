"""Sums that are kept are those that counting anew would give."""

from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.db import DataError, connection, transaction

from telemetry.models import Event, RollUp, RollUpMark
from telemetry.panels import Measure, is_true, number, text
from telemetry.rollups.advancing import rollups_advance
from telemetry.tasks import advance_rollups
from tests.lesson_engine.services.threads import at_once
from tests.telemetry.board.conftest import DAY, Count, Record, at, counted, days_after, record_events
from tests.telemetry.writers import Writer

THINGS = Measure(name="things", events=("tested.thing",), label=text("kind"), amount=number("size"))


def sums() -> dict[tuple[Any, ...], tuple[int, float]]:
    rows = RollUp.objects.filter(measure="things")
    return {(row.day, row.course, row.mode, row.label): (row.count, row.total) for row in rows}


def mark() -> int:
    return RollUpMark.objects.get(measure="things").upto


@pytest.mark.parametrize("seed", range(4))
def test_however_it_is_cut_the_sums_are_the_same(record: Record, count: Count, seed: int) -> None:
    count(THINGS)
    random, expected = Random(seed), dict[tuple[Any, ...], tuple[int, float]]()
    for _ in range(30):
        day, course, mode = days_after(DAY, random.randrange(3)), random.choice(["a", "b"]), random.choice(["x", ""])
        data: list[dict[str, Any]] = [
            {"kind": random.choice("pqr"), "size": random.randrange(9)} for _ in range(random.randrange(1, 5))
        ]
        name = random.choice(["tested.thing", "tested.other"])
        record(name, *data, chain=f"{random.randrange(3)}", course=course, mode=mode, now=at(day))
        for one in data if name == "tested.thing" else ():
            before = expected.get((day, course, mode, one["kind"]), (0, 0.0))
            expected[day, course, mode, one["kind"]] = (before[0] + 1, before[1] + one["size"])
        if random.random() < 0.3:
            rollups_advance(chunk=random.randrange(1, 10))
    rollups_advance(chunk=random.randrange(1, 10))
    assert sums() == expected
    assert mark() == Event.objects.latest("pk").pk


def test_all_is_gone_through_once(record: Record, count: Count) -> None:
    count(THINGS)
    record("tested.thing", {"kind": "p"}, {"kind": "p"})
    assert rollups_advance() > 0
    assert rollups_advance() == 0
    assert [value for value, _ in sums().values()] == [2]


def test_a_new_measure_begins_with_the_first_event_and_catches_up(record: Record, count: Count) -> None:
    count(THINGS)
    record("tested.thing", *[{"kind": "p"}] * 5)
    rollups_advance(chunk=2)
    count(Measure(name="later", events=("tested.thing",)))
    record("tested.thing", {"kind": "q"})
    rollups_advance(chunk=2)
    assert counted("later") == {(): 6}
    assert counted("things", "label") == {"p": 5, "q": 1}
    assert len(set(RollUpMark.objects.values_list("upto", flat=True))) == 1


def test_a_measure_counted_in_another_way_is_counted_anew(record: Record, count: Count) -> None:
    count(THINGS)
    record("tested.thing", {"kind": "p", "other": "x"}, {"kind": "q", "other": "x"})
    rollups_advance()
    count(THINGS.model_copy(update={"label": text("other")}))
    assert counted("things", "label") == {"x": 2}  # before anything was rolled up again
    rollups_advance()
    assert counted("things", "label") == {"x": 2}
    assert {label for _, _, _, label in sums()} == {"x"}


def test_what_cannot_be_counted_leaves_what_was_and_is_mended_by_a_new_definition(record: Record, count: Count) -> None:
    count(THINGS.model_copy(update={"amount": "1 / (data->>'size')::int"}))
    record("tested.thing", {"size": 1}, {"size": 1}, {"size": 0})
    first = Event.objects.earliest("pk").pk
    with pytest.raises(DataError), transaction.atomic():
        rollups_advance(chunk=3)
    assert not RollUp.objects.filter(measure="things").exists()
    count(THINGS)
    rollups_advance(chunk=3)
    assert mark() == first + 2
    assert counted("things") == {(): 3}


HOSTILE: list[dict[str, Any]] = [
    {},
    {"kind": None, "size": None, "odd": None},
    {"kind": 7, "size": "many", "odd": "true"},
    {"kind": "x" * 500, "size": 10**300, "odd": 1},
    {"kind": ["a"], "size": {"a": 1}, "odd": True},
    {"kind": "</script>'\"%s;--", "size": -(10**30), "odd": [True]},
    {"kind": "\u202e=1+1\t", "size": 1e-300, "odd": {"true": True}},
]


def test_no_data_stop_the_counting(record: Record, count: Count) -> None:
    count(THINGS)
    count(Measure(name="odd", events=("tested.thing",), where=is_true("odd")))
    record("tested.thing", *HOSTILE)
    live = counted("things", "label")
    rollups_advance()
    assert sum(live.values()) == len(HOSTILE)
    assert live == counted("things", "label")
    assert "x" * 200 in live
    assert counted("odd") == {(): 1}


def test_events_of_no_measure_only_move_the_mark(record: Record, count: Count) -> None:
    count(THINGS)
    record("tested.other", *[{}] * 3)
    rollups_advance(chunk=1)
    assert sums() == {}
    assert mark() == Event.objects.latest("pk").pk


@pytest.mark.django_db(transaction=True)
def test_nothing_is_summed_up_that_an_open_transaction_could_still_precede(record: Record, count: Count) -> None:
    count(THINGS)
    record("tested.thing", {"kind": "early"})
    rollups_advance()
    with Writer("slow") as slow:
        slow.begin().append()
        record("tested.thing", {"kind": "late"})
        rollups_advance()
        assert {label for *_, label in sums()} == {"early"}
        slow.commit()
    rollups_advance()
    assert {label for *_, label in sums()} == {"early", "late"}


@pytest.mark.django_db(transaction=True)
def test_workers_at_once_count_nothing_twice(record: Record, count: Count) -> None:
    count(THINGS)
    record("tested.thing", *[{"kind": "p"}] * 60)
    gone = at_once([lambda: rollups_advance(chunk=2)] * 4)
    assert sum(gone) + rollups_advance() == mark() == Event.objects.latest("pk").pk
    assert counted("things", "label") == {"p": 60}
    assert [value for value, _ in sums().values()] == [60]


@pytest.mark.django_db(transaction=True)
def test_while_one_is_at_it_another_leaves_at_once(count: Count) -> None:
    count(THINGS)
    record_events("tested.thing")
    with Writer("worker") as worker:
        worker.begin().do(lambda: rollups_advance())
        assert rollups_advance() == 0
        assert not RollUpMark.objects.exists()  # nothing of it can be seen before it is done
        worker.commit()
    assert mark() == Event.objects.latest("pk").pk


def test_beat_sets_it_off_every_minute(record: Record, count: Count) -> None:
    count(THINGS)
    record("tested.thing")
    [entry] = [one for one in settings.CELERY_BEAT_SCHEDULE.values() if one["task"] == advance_rollups.name]
    assert entry["schedule"] == 60
    advance_rollups()
    assert not connection.needs_rollback
    assert counted("things") == {(): 1}
