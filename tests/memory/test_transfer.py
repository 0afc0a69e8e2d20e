"""What was remembered goes with a guest who signs in, and goes for good with a learner who is erased."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from accounts.services import guest_absorb, guest_create, learner_erase
from memory.contracts import Adjustment, AdjustmentOperation
from memory.errors import MemoryRefused
from memory.models import BYTES_AT_MOST, EPISODES_AT_MOST, Episode, MemoryRoom, Preference, StrategyAdjustment
from memory.selectors import adjustments_of, preferences_of
from memory.services import adjustments_set, episode_store, preference_set
from tests.lesson_engine.services.threads import at_once
from tests.memory.conftest import fill, room, rooms_are_true, stored

WORDS = "pomegranate"


def remember(user: User, **changes: Any) -> None:
    episode_store(user, f"Bought {WORDS} juice", "shopping", "success", {"what": WORDS}, source="order:1")
    preference_set(user=user, text=f"no {WORDS}")
    filter_ = Adjustment(operation=AdjustmentOperation.FILTER, setting="constraint", value=f"no {WORDS}")
    adjustments_set(user=user, reflection_id="r1", task_type="", adjustments=[filter_])


def test_a_guests_memories_become_the_accounts(learner: User, stranger: User) -> None:
    guest = guest_create()
    remember(guest)
    fill(guest, 2, prefix="theirs:")
    fill(guest, 1, age=timedelta(days=91))
    episode_store(learner, "The same order", "shopping", "failure", source="order:1")
    preference_set(user=learner, text=f"no {WORDS}")
    fill(stranger, 1)
    guest_absorb(guest=guest, account=learner)
    assert not User.objects.filter(pk=guest.pk).exists()
    assert Episode.objects.filter(user=learner).count() == 3
    assert Episode.objects.get(user=learner, source="order:1").content == "The same order"
    assert [memory.content for memory in preferences_of(learner.pk)] == [f"no {WORDS}"]
    assert len(adjustments_of(learner.pk)) == 1
    assert MemoryRoom.objects.count() == 2
    assert rooms_are_true(learner, stranger)


def test_of_too_many_the_oldest_of_either_go(learner: User) -> None:
    guest = guest_create()
    fill(learner, 3_000, age=timedelta(days=10), prefix="account:")
    fill(guest, 2_500, age=timedelta(days=5), prefix="guest:")
    guest_absorb(guest=guest, account=learner)
    assert room(learner) == stored(learner)
    assert room(learner)[0] == EPISODES_AT_MOST
    kept = set(Episode.objects.values_list("source", flat=True))
    assert kept == {f"guest:{n}" for n in range(2_500)} | {f"account:{n}" for n in range(500, 3_000)}


def test_of_too_much_the_oldest_go(learner: User) -> None:
    guest = guest_create()
    fill(learner, 3, size=BYTES_AT_MOST // 4, prefix="account:")
    fill(guest, 3, size=BYTES_AT_MOST // 4, age=timedelta(days=5), prefix="guest:")
    guest_absorb(guest=guest, account=learner)
    assert room(learner) == stored(learner) == (4, BYTES_AT_MOST // 4 * 4)
    assert Episode.objects.filter(source__startswith="guest:").get().source == "guest:2"


def test_a_guest_who_has_nothing_costs_little(learner: User, django_assert_max_num_queries: Any) -> None:
    guest = guest_create()
    with django_assert_max_num_queries(44) as asked:
        guest_absorb(guest=guest, account=learner)
    assert not MemoryRoom.objects.exists()
    about = [query["sql"] for query in asked.captured_queries if "memory_" in query["sql"]]
    # Episodes, preferences, adjustments: there are none.
    assert len([sql for sql in about if not sql.startswith("DELETE")]) == 3


def test_nothing_is_left_of_an_erased_learner(learner: User, stranger: User) -> None:
    remember(learner)
    fill(stranger, 1)
    assert learner_erase(user=learner)
    for model in (Episode, Preference, StrategyAdjustment, MemoryRoom):
        assert not model._default_manager.filter(user_id=learner.pk).exists()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(
                f'SELECT count(*) FROM "{table}" t WHERE lower(row_to_json(t)::text) LIKE %s', [f"%{WORDS}%"]
            )
            assert cursor.fetchone() == (0,), table
    assert rooms_are_true(stranger)


@pytest.mark.django_db(transaction=True)
def test_what_comes_while_they_are_erased_is_not_kept(learner: User) -> None:
    def write() -> None:
        try:
            for number in range(3):
                episode_store(learner, f"{WORDS} {number}", "", "success")
        except MemoryRefused:
            pass

    at_once([write, write, lambda: learner_erase(user=learner)])
    assert not Episode.objects.exists()
    assert not MemoryRoom.objects.exists()
