"""What is found for a task: filtered before it is compared, and scored. Source: RF-007, scenario 13."""

import json
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from gateway.services import texts_embed_locally
from memory.contracts import Memory, MemoryType
from memory.errors import MemoryRefused
from memory.manager import MemoryManager
from memory.models import Episode
from memory.selectors import episodes_similar
from memory.services import episode_store, preference_set
from memory.texts.scoring import general_words
from tests.hostile.corpus import TEXTS

Queries = Callable[[int], AbstractContextManager[Any]]
LONDON = "Book hotel in London"
TOPICS = json.loads((Path(__file__).parents[1] / "data" / "memories_by_topic.json").read_text())


def contents(found: list[Memory]) -> list[str]:
    return [memory.content for memory in found]


def test_scenario_13_retrieve_experience_for_similar_task(learner: User, django_assert_num_queries: Queries) -> None:
    episode_store(learner, "Hotel booking - quality > price", "hotel_booking", "success")
    episode_store(learner, "Flight booking - morning preferred", "flight_booking", "success")
    with django_assert_num_queries(2):  # who that is; the memories
        found = MemoryManager().retrieve(
            query=LONDON,
            memory_types=[MemoryType.EPISODIC],
            user_id="ana",
            filters={"task_type": "hotel_booking"},
            top_k=5,
        )
    assert contents(found) == ["Hotel booking - quality > price"]
    assert found[0].score == pytest.approx(0.92, abs=0.01)
    assert found[0]["content"] == "Hotel booking - quality > price"


def test_the_type_is_filtered_by_before_similarity(learner: User) -> None:
    """However much alike, one of another type takes no place; one without a type does, and so does a weak one."""
    for number in range(6):
        episode_store(learner, f"{LONDON}, try {number}", "flight_booking", "success")
    episode_store(learner, "The breakfast was poor", "hotel_booking", "failure")
    episode_store(learner, "Booked a hotel in London", "", "success")
    found = episodes_similar(learner.pk, LONDON, "hotel_booking", 5)
    assert contents(found) == ["Booked a hotel in London", "The breakfast was poor"]
    assert len(episodes_similar(learner.pk, LONDON, None, 5)) == 5
    assert {memory.task_type for memory in episodes_similar(learner.pk, LONDON, "", 5)} == {"", "flight_booking"}


def test_others_memories_and_those_of_another_embedder_are_not_read(learner: User, stranger: User) -> None:
    episode_store(stranger, "Hotel booking - quality > price", "hotel_booking", "success")
    old = episode_store(learner, "Hotel booking - quality > price", "hotel_booking", "success")
    Episode.objects.filter(pk=old.pk).update(embedder="another")
    assert episodes_similar(learner.pk, LONDON, "hotel_booking", 5) == []


def test_what_expired_is_not_read_also_before_it_is_deleted(learner: User) -> None:
    stored = episode_store(learner, "Hotel booking - quality > price", "hotel_booking", "success")
    last = stored.created_at + timedelta(days=90)
    assert stored.expires_at == last
    assert episodes_similar(learner.pk, LONDON, "hotel_booking", 5, last - timedelta(seconds=1))
    assert episodes_similar(learner.pk, LONDON, "hotel_booking", 5, last) == []
    assert Episode.objects.exists()


def test_recent_ones_and_successes_come_first(learner: User) -> None:
    now = timezone.now()
    for days, outcome in ((60, "success"), (0, "failure"), (0, "unknown"), (0, "success"), (20, "success")):
        episode_store(learner, f"Hotel booking - {outcome} {days}", "hotel_booking", outcome, now=now - timedelta(days))
    found = episodes_similar(learner.pk, "", "hotel_booking", 5)
    order = ("success 0", "failure 0", "unknown 0", "success 20", "success 60")
    assert contents(found) == [f"Hotel booking - {text}" for text in order]
    assert [memory.score for memory in found] == sorted((memory.score for memory in found), reverse=True)


def test_statements_about_no_task_in_particular_hold_for_every_task(learner: User) -> None:
    general = [
        "User prefers quality over price",
        "Prefiere calidad antes que precio",
        "PREFIERE LA CALIDAD AL PRECIO.",
        "user rejected cheap options (quality < 7)",
        "El usuario quiere respuestas cortas",
    ]
    about_something = ["User prefers aisle seats", "Prefiere vuelos directos", "Fixed the login bug", "12345", "?!"]
    for content in general + about_something:
        episode_store(learner, content, "", "unknown")
    episode_store(learner, "User prefers speed over price", "flight_booking", "unknown")
    found = episodes_similar(learner.pk, "Deploy the new version of the web service", "deployment", 50)
    assert sorted(contents(found)) == sorted(general)
    assert all(0.3 < memory.score < 0.5 for memory in found)


def test_a_type_that_says_nothing_brings_nothing_together(learner: User) -> None:
    episode_store(learner, "Wrote a poem for Laura", "general", "success")
    episode_store(learner, "The bicycle was repaired in an hour", "general", "success")
    assert contents(episodes_similar(learner.pk, "Repair my bicycle", "general", 5)) == [
        "The bicycle was repaired in an hour"
    ]


def test_a_labelled_list_of_tasks_and_memories_without_types(learner: User) -> None:
    """Most that are about a task's matter are returned, and few that are not: 0.64 and 0.05 when it was written."""
    for topic in TOPICS:
        for content in topic["memories"]:
            episode_store(learner, content, "", "success", {"topic": topic["topic"]})
    total = Episode.objects.count()
    right = wrong = wanted = unwanted = 0
    for topic in TOPICS:
        for task in topic["tasks"]:
            found = episodes_similar(learner.pk, task, None, 100)
            same = sum(memory.metadata["topic"] == topic["topic"] for memory in found)
            right, wrong = right + same, wrong + len(found) - same
            wanted, unwanted = (
                wanted + len(topic["memories"]),
                unwanted + total - len(topic["memories"]),
            )
    assert right / wanted > 0.60
    assert wrong / unwanted < 0.06


def test_preferences_come_first_and_all_of_them(learner: User, django_assert_num_queries: Queries) -> None:
    preference_set(user=learner, text="avoid advanced slopes (injury)", task_type="ski_trip")
    preference_set(user=learner, text="no peanuts")
    preference_set(user=learner, text="window seat", task_type="flight_booking")
    for number in range(3):
        episode_store(learner, f"Ski trip number {number}", "ski_trip", "success")
    both = (MemoryType.SEMANTIC, "episodic")
    with django_assert_num_queries(2):
        found = MemoryManager().retrieve("Recommend ski resort", both, learner, {"task_type": "ski_trip"}, top_k=1)
    assert contents(found[:2]) == ["avoid advanced slopes (injury)", "no peanuts"]
    assert [memory.memory_type for memory in found] == ["semantic", "semantic", "episodic"]
    assert found[0].score == 1


def test_whoever_is_not_known_has_no_memories(learner: User) -> None:
    memory = MemoryManager()
    memory.add("Hotel booking - quality > price", user_id=learner.pk, task_type="hotel_booking", outcome="success")
    assert memory.retrieve(LONDON, user_id=str(learner.pk))
    for nobody in (None, 0, 10**30, "", "user_123", "\0", "\ud800", "9" * 400):
        assert memory.retrieve(LONDON, user_id=nobody) == []
        assert memory.adjustments(nobody) == []
        with pytest.raises(MemoryRefused, match="nobody"):
            memory.add("x", user_id=nobody)


def test_hostile_questions_get_an_answer_or_a_refusal_in_words(learner: User) -> None:
    memory = MemoryManager()
    memory.add("Hotel booking", user_id=learner, task_type="hotel_booking")
    for text in [*TEXTS.values(), "", " ", "\0", "\ud800", "a" * 100_000]:
        assert len(memory.retrieve(text, user_id=learner, filters={"task_type": "hotel_booking"})) == 1
        if text and text != "general":
            with pytest.raises(MemoryRefused):
                memory.retrieve(LONDON, user_id=learner, filters={"task_type": f"{text} "})
    for top_k, expected in ((0, 0), (-1, 0), (10**9, 1)):
        assert len(memory.retrieve(LONDON, user_id=learner, filters={}, top_k=top_k)) == expected
    with pytest.raises(MemoryRefused, match="filtered by place"):
        memory.retrieve(LONDON, user_id=learner, filters={"place": "London"})
    with pytest.raises(MemoryRefused, match="episodic, semantic"):
        memory.retrieve(LONDON, ["procedural"], learner)


def test_the_vector_is_of_the_content_and_of_norm_one(learner: User) -> None:
    stored = episode_store(learner, "Hotel booking - quality > price", "", "success")
    stored.refresh_from_db()
    (vector,) = texts_embed_locally([stored.content])
    assert list(stored.embedding) == pytest.approx(vector.tolist(), abs=1e-3)


def test_the_words_of_general_statements_are_words_in_lower_case_without_accents() -> None:
    assert [word for word in general_words() if not re.fullmatch("[a-z]+", word)] == []
