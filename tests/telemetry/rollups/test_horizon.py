"""Whoever goes through the events up to the horizon meets each once, however late its transaction ends."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from django.db import connection, transaction

from telemetry.models import Event, Horizon
from telemetry.services import events_append, horizon_advance
from tests.lesson_engine.services.threads import at_once
from tests.telemetry.conftest import Append, drafts_of
from tests.telemetry.writers import Writer

pytestmark = pytest.mark.django_db(transaction=True)


def last_id() -> int:
    newest = Event.objects.order_by("-id").first()
    return newest.pk if newest else 0


def test_without_events_it_stands_at_the_beginning() -> None:
    before = last_id_drawn()
    assert horizon_advance() == horizon_advance() == before


def test_one_call_settles_all_when_nobody_writes(append: Append) -> None:
    append(count=5)
    assert horizon_advance() == last_id() > 0


def test_nothing_is_asked_twice_when_nothing_came(append: Append, django_assert_num_queries: Any) -> None:
    append(count=5)
    horizon_advance()
    with django_assert_num_queries(1):
        horizon_advance()


def test_it_stays_below_a_transaction_that_has_drawn_ids(append: Append) -> None:
    append("early")
    early = horizon_advance()
    with Writer("slow") as slow:
        slow.begin().append(3)
        append("quick", 2)  # later ids, seen first
        assert horizon_advance() == early
        assert horizon_advance() == early
        slow.commit()
        assert horizon_advance() == last_id()
    assert Event.objects.filter(pk__lte=horizon_advance()).count() == 6


def test_a_transaction_with_the_highest_number_of_all_holds_it_back_too(append: Append) -> None:
    """The snapshot's xmax is one past the last number that has ended, so it would not show this one."""
    append("early")
    early = horizon_advance()
    with Writer("last of all") as slow:
        slow.begin().append()
        assert horizon_advance() == early
        assert horizon_advance() == early
        slow.commit()
    assert horizon_advance() == last_id() > early


def test_a_number_drawn_long_before_the_id_is_no_excuse(append: Append) -> None:
    append("early")
    early = horizon_advance()
    with Writer("old") as old, Writer("new") as new:
        old.begin().do(lambda: connection.cursor().execute("SELECT pg_current_xact_id()"))
        new.begin().append()
        assert horizon_advance() == early  # a candidate is taken while only "new" is writing
        old.append()
        new.commit()
        assert horizon_advance() == early  # later than needed, never too early
        old.commit()
        assert horizon_advance() == last_id()


def test_under_steady_load_it_goes_on(append: Append) -> None:
    """There is always somebody writing, and yet what came before is settled."""
    with Writer("first") as first, Writer("second") as second:
        first.begin().append()
        horizon_advance()  # takes the candidate
        seen = last_id_drawn()
        second.begin().append()
        first.commit()
        assert horizon_advance() == seen
        first.begin().append()
        second.commit()
        assert seen < horizon_advance() < last_id_drawn()


def last_id_drawn() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM telemetry_event_id_seq")
        return int(cursor.fetchone()[0])


def test_what_is_rolled_back_leaves_only_a_gap(append: Append) -> None:
    append("early")
    early = horizon_advance()
    with Writer("undone") as undone:
        undone.begin().append(4)
        assert horizon_advance() == early
        undone.roll_back()
    assert horizon_advance() == early + 4
    assert Event.objects.count() == 1


def test_others_who_write_no_events_do_not_hold_it_back(append: Append) -> None:
    with Writer("elsewhere") as elsewhere:
        elsewhere.begin().do(lambda: connection.cursor().execute("SELECT pg_current_xact_id()"))
        append()
        assert horizon_advance() == last_id()


def test_ones_own_events_count_as_there() -> None:
    with transaction.atomic():
        events_append(chain="mine", course="c", mode="", drafts=drafts_of(2))
        assert horizon_advance() == last_id()


def test_it_does_not_wait_for_somebody_who_is_moving_it(append: Append) -> None:
    append()
    horizon_advance()
    early = last_id()
    with Writer("holder") as holder:
        holder.begin().do(lambda: Horizon.objects.select_for_update().get())
        append()
        assert horizon_advance() == early
    assert horizon_advance() == last_id() > early


def test_it_does_not_wait_for_the_very_first_one_either(append: Append) -> None:
    append()
    with Writer("first") as first:
        assert first.begin().do(horizon_advance) == last_id()
        assert horizon_advance() == 0
        first.commit()
    assert horizon_advance() == last_id()


def test_a_number_from_another_cluster_is_not_waited_for(append: Append) -> None:
    append("restored", 3)
    horizon_advance()
    settled = last_id()
    append("restored", 2)
    Horizon.objects.update(candidate=last_id(), candidate_xmax=2**50)
    with Writer("writing") as writing, Writer("next") as after:
        writing.begin().append()
        assert horizon_advance() == settled  # takes a candidate of this cluster instead
        drawn = last_id_drawn()
        after.begin().append()
        writing.commit()
        assert horizon_advance() == drawn


def test_many_at_once_find_the_same(append: Append) -> None:
    append(count=3)
    assert set(at_once([horizon_advance] * 6)) <= {0, last_id()}
    assert horizon_advance() == last_id()


@pytest.mark.parametrize("seed", range(3))
def test_a_reader_among_writers_meets_every_event_once(seed: int) -> None:
    """Writers of one to many events, some undone, all at once; a reader goes from horizon to horizon meanwhile."""
    done, random = threading.Event(), Random(seed)
    plans = [[(random.randint(1, 30), random.random() < 0.2) for _ in range(40)] for _ in range(4)]
    horizons: list[int] = []

    def write(number: int) -> None:
        for count, undone in plans[number]:
            with transaction.atomic():
                events_append(chain=f"{number}", course="c", mode="", drafts=drafts_of(count))
                transaction.set_rollback(undone)

    def read() -> list[int]:
        met: list[int] = []
        mark, last_round = 0, False
        while True:
            last_round = done.is_set()
            horizon = horizon_advance()
            met += Event.objects.filter(pk__gt=mark, pk__lte=horizon).order_by("pk").values_list("pk", flat=True)
            horizons.append(horizon)
            mark = horizon
            if last_round:
                return met

    def in_own_connection(work: Callable[..., Any], *arguments: object) -> Any:
        try:
            return work(*arguments)
        finally:
            connection.close()

    with ThreadPoolExecutor(5) as pool:
        reader = pool.submit(in_own_connection, read)
        writers = [pool.submit(in_own_connection, write, number) for number in range(4)]
        for writer in writers:
            writer.result(timeout=120)
        done.set()
        met = reader.result(timeout=120)
    assert horizons == sorted(horizons)
    assert len(set(horizons)) > 2
    assert met == list(Event.objects.order_by("pk").values_list("pk", flat=True))
