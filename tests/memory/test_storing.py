"""What is remembered: checked, once for each event, within quotas that no two writers exceed. Source: RT-009."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from gateway.errors import MetacognitionStorageQuotaExceeded
from memory.errors import MemoryRefused
from memory.models import BYTES_AT_MOST, EPISODES_AT_MOST, Episode, Preference, StrategyAdjustment
from memory.services import (
    PREFERENCES_AT_MOST,
    episode_store,
    episodes_forget,
    memories_purge,
    preference_set,
    preference_withdraw,
)
from telemetry.models import Event
from tests.lesson_engine.services.threads import at_once
from tests.memory.conftest import fill, room, rooms_are_true, stored

Queries = Callable[[int], AbstractContextManager[Any]]


def store(user: User, **changes: Any) -> Episode:
    values = {"content": "Booked a hotel", "task_type": "hotel_booking", "outcome": "success", **changes}
    return episode_store(user, **values)


def refusals() -> list[dict[str, Any]]:
    return list(
        Event.objects.filter(chain_id="memory", event="quota.exceeded").order_by("seq").values_list("data", flat=True)
    )


def test_bytes_are_those_of_content_metadata_and_vector(learner: User) -> None:
    one = store(learner, content="Añadió: pequeño", metadata={"ñ": [1, "é"]})
    assert one.bytes == len("Añadió: pequeño".encode()) + len('{"ñ":[1,"é"]}'.encode()) + 1024
    assert room(learner) == (1, one.bytes)


def test_the_same_event_is_stored_once_and_equal_texts_as_often_as_they_happen(learner: User, stranger: User) -> None:
    first = store(learner, source="plan:1")
    again = store(learner, content="Something else", outcome="failure", source="plan:1")
    assert (again.pk, again.content) == (first.pk, "Booked a hotel")
    assert room(learner) == (1, first.bytes)
    assert store(stranger, source="plan:1").pk != first.pk
    store(learner)
    store(learner)
    assert room(learner) == stored(learner) == (3, 3 * first.bytes)


def test_few_statements(learner: User, django_assert_num_queries: Queries) -> None:
    store(learner, source="1")
    with django_assert_num_queries(7):  # the event; SAVEPOINT; the user; the room; the event; the episode; RELEASE
        store(learner, source="2")
    with django_assert_num_queries(1):
        store(learner, source="2")
    with django_assert_num_queries(5):
        store(learner)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"content": " \n"}, "content is empty"),
        ({"content": "x" * 8_001}, "8001 characters, more than 8000"),
        ({"content": "a\0b"}, "NUL"),
        ({"content": "a\ud800"}, "surrogate"),
        ({"content": None}, "no text"),
        ({"task_type": "Hotel booking"}, "such as hotel_booking"),
        ({"task_type": "hotel\n"}, "such as hotel_booking"),
        ({"task_type": "h" * 61}, "at most 60"),
        ({"outcome": "good"}, "success, failure, unknown"),
        ({"metadata": []}, "no JSON object"),
        ({"metadata": {"a": float("nan")}}, "number that JSON does not have"),
        ({"metadata": {"a": 10**5000}}, "number that JSON does not have"),
        ({"metadata": {1: "a"}}, "key that is no text"),
        ({"metadata": {"a": {"b\0": 1}}}, "none that can be stored"),
        ({"metadata": {"a": ["\0"]}}, "NUL"),
        ({"metadata": {"a": {1, 2}}}, "set, which is no JSON"),
        ({"metadata": {"a": "é" * 8_192}}, "more than 16384"),
        ({"metadata": {"a": [0] * 20_000}}, "more than 16384"),
        ({"source": "s" * 121}, "more than 120"),
        ({"source": "\0"}, "NUL"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(learner: User, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(MemoryRefused, match=words):
        store(learner, **changes)
    assert not Episode.objects.exists()
    assert room(learner) == (0, 0)


def test_metadata_that_nests_without_end_is_refused(learner: User) -> None:
    ring: dict[str, Any] = {}
    ring["again"] = ring
    with pytest.raises(MemoryRefused, match="deeper than 20"):
        store(learner, metadata=ring)
    whole = {"a": {"b": [1, -0.5, True, None, "é'\\u0000"]}, "big": 10**100}
    assert Episode.objects.get(pk=store(learner, metadata=whole).pk).metadata == whole


def test_nobody_is_remembered_for_who_is_not_there(learner: User) -> None:
    gone = User.objects.create_user("gone")
    User.objects.filter(pk=gone.pk).update(erased_at=timezone.now(), is_active=False)
    for nobody in (gone, gone.pk, 10**9, 10**30, 0, -1, True, "ana"):
        with pytest.raises(MemoryRefused, match="nobody"):
            episode_store(nobody, "x", "", "success")  # type: ignore[arg-type]
    assert store(learner.pk).user_id == learner.pk  # type: ignore[arg-type]


def test_over_the_number_of_episodes_nothing_is_stored_and_it_is_on_record(learner: User) -> None:
    fill(learner, EPISODES_AT_MOST - 1)
    kept = store(learner, source="last")
    with pytest.raises(MetacognitionStorageQuotaExceeded, match="5000 of 5000 episodes"):
        store(learner, source="one more")
    assert store(learner, source="last").pk == kept.pk
    assert stored(learner)[0] == 5_000
    assert rooms_are_true(learner)
    assert refusals() == [{"quota": "episodes", "used": 5_000, "limit": 5_000, "user": learner.pk}]
    assert episodes_forget(user=learner, ids=[kept.pk]) == 1
    store(learner)


def test_over_the_bytes_nothing_is_stored(learner: User) -> None:
    fill(learner, 10, size=BYTES_AT_MOST // 10)
    used = room(learner)[1]
    with pytest.raises(MetacognitionStorageQuotaExceeded, match=rf"{used} of 52428800 bytes, and this takes 10\d\d"):
        store(learner)
    assert [told["quota"] for told in refusals()] == ["bytes"]
    assert room(learner) == stored(learner) == (10, used)


def test_what_has_expired_makes_room(learner: User) -> None:
    fill(learner, EPISODES_AT_MOST - 2)
    fill(learner, 2, age=timedelta(days=91))
    store(learner)
    assert room(learner) == stored(learner)
    assert room(learner)[0] == EPISODES_AT_MOST - 1


@pytest.mark.django_db(transaction=True)
def test_two_writers_at_once_take_the_last_place_once(learner: User) -> None:
    fill(learner, EPISODES_AT_MOST - 2)
    store(learner, source="known")

    def write(number: int) -> bool:
        try:
            store(learner, source=f"event:{number // 2}")
        except MetacognitionStorageQuotaExceeded:
            return False
        return True

    outcomes = at_once([partial(write, number) for number in range(4)])
    assert sum(outcomes) in (1, 2), "two for the same event both get it"
    assert Episode.objects.filter(source__startswith="event:").count() == 1
    assert room(learner) == stored(learner)
    assert room(learner)[0] == EPISODES_AT_MOST
    assert len(refusals()) == 4 - sum(outcomes)


def test_forgetting_gives_the_room_back(learner: User, stranger: User) -> None:
    for user, count in ((learner, 3), (stranger, 2)):
        fill(user, count)
    ids = [Episode.objects.filter(user=user).values_list("pk", flat=True)[0] for user in (learner, stranger)]
    assert episodes_forget(user=learner, ids=ids) == 1
    assert room(learner) == (2, 2_000)
    assert episodes_forget(user=learner) == 2
    assert episodes_forget(user=learner) == 0
    assert rooms_are_true(learner, stranger)
    assert stored(stranger)[0] == 2


def test_the_purge_deletes_what_has_expired_in_batches_and_keeps_the_rooms_true(learner: User, stranger: User) -> None:
    fill(learner, 1_100, age=timedelta(days=90))
    fill(learner, 5)
    fill(stranger, 1_050, age=timedelta(days=100))
    old = timezone.now() - timedelta(days=91)
    adjustment = {"operation": "set", "setting": "priority", "value": "quality", "created_at": old}
    for number, days in ((1, 90), (2, 92)):
        StrategyAdjustment.objects.create(
            user=learner, reflection_id=str(number), expires_at=old + timedelta(days=days), **adjustment
        )
    assert memories_purge() == 2_151
    assert memories_purge() == 0
    assert (room(learner), room(stranger)) == ((5, 5_000), (0, 0))
    assert rooms_are_true(learner, stranger)
    assert StrategyAdjustment.objects.get().reflection_id == "2"


def test_a_preference_is_kept_once_until_it_is_withdrawn(learner: User, stranger: User) -> None:
    first = preference_set(user=learner, text=" avoid advanced slopes (injury) ", task_type="ski_trip")
    assert preference_set(user=learner, text="avoid advanced slopes (injury)", task_type="ski_trip").pk == first.pk
    assert preference_set(user=learner, text="avoid advanced slopes (injury)").pk != first.pk
    assert not preference_withdraw(user=stranger, preference_id=first.pk)
    assert preference_withdraw(user=learner, preference_id=first.pk)
    assert not preference_withdraw(user=learner, preference_id=first.pk)
    for text in ("", "x" * 501, "\0"):
        with pytest.raises(MemoryRefused):
            preference_set(user=learner, text=text)


def test_preferences_are_not_without_number(learner: User) -> None:
    Preference.objects.bulk_create(Preference(user=learner, text=f"{n}") for n in range(PREFERENCES_AT_MOST))
    assert preference_set(user=learner, text="0").text == "0"
    with pytest.raises(MetacognitionStorageQuotaExceeded, match="200 of 200 preferences"):
        preference_set(user=learner, text="one more")
    assert [told["quota"] for told in refusals()] == ["preferences"]
