"""What staff see of memories."""

from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.urls import reverse

from accounts.models import User
from memory.contracts import Adjustment, AdjustmentOperation
from memory.models import Episode, Preference, StrategyAdjustment
from memory.services import adjustments_set, episode_store, preference_set
from memory.strategy import registry

MODELS = (Episode, Preference, StrategyAdjustment)


@pytest.fixture
def desk(staff: User, client: Client) -> Client:
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    ContentType.objects.get_for_models(*MODELS)  # a process asks for them once; counted pages come after
    return client


@pytest.fixture
def memories(learner: User, stranger: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_task_types", {"hotel_booking": None, "study": None})
    for number, user in enumerate([learner, stranger] * 3):
        outcome, kind = ("success", "hotel_booking") if number % 2 else ("failure", "")
        episode_store(user, f"Episode {number} <b>", kind, outcome, {"n": number})
        preference_set(user=user, text=f"preference {number}", task_type=kind)
        change = Adjustment(operation=AdjustmentOperation.SET, setting="priority", value=f"value {number}")
        adjustments_set(user=user, reflection_id=f"r{number}", task_type=kind, adjustments=[change])


def listed(desk: Client, model: Any, **query: str) -> str:
    response = desk.get(reverse(f"admin:memory_{model._meta.model_name}_changelist"), query)
    assert response.status_code == 200
    return response.content.decode()


def test_lists_and_pages_ask_few_questions_however_many_rows(
    memories: None, desk: Client, django_assert_num_queries: Any
) -> None:
    for model in MODELS:
        row = model._default_manager.order_by("pk").first()
        assert row is not None
        with django_assert_num_queries(4):  # the browser's session, its user, the count, the rows
            listed(desk, model)
        with django_assert_num_queries(3):
            page = desk.get(reverse(f"admin:memory_{model._meta.model_name}_change", args=[row.pk]))
        assert page.status_code == 200
        assert "_save" not in page.content.decode()


def test_filters_and_search(memories: None, desk: Client) -> None:
    def shown(model: Any = Episode, **query: str) -> set[int]:
        page, word = listed(desk, model, **query), {Episode: "Episode", Preference: "preference"}.get(model, "value")
        return {number for number in range(6) if f"{word} {number}" in page}

    everything = set(range(6))
    assert shown() == everything
    assert "<b>" not in listed(desk, Episode)
    assert shown(task_type="hotel_booking") == shown(outcome="success") == {1, 3, 5}
    assert shown(task_type="-") == shown(q="ANA") == {0, 2, 4}
    assert shown(q="episode 4") == {4}
    assert shown(q=str(Episode.objects.get(content__startswith="Episode 2").pk)) == {2}
    assert shown(q="hotel_booking") == {1, 3, 5}
    assert shown(expired="no") == everything
    assert shown(expired="yes") == shown(q="nothing like it") == set()
    assert shown(Preference, q="preference 3") == {3}
    assert shown(StrategyAdjustment, q="r5") == {5}
    assert shown(StrategyAdjustment, holds="yes") == everything
    assert shown(StrategyAdjustment, holds="no") == set()
