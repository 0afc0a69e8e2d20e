"""The plan cache as staff see it, and taking a plan out of it."""

import html
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from planning.contracts import PlanOutcome
from planning.layer import PlanningLayer
from planning.models import CachedPlan, Plan
from planning.services import plan_outcome_set
from telemetry.models import Event
from tests.gateway.admin_pages import HOSTILE, assert_closed, assert_escaped, messages_of, text_of

CITIES = ("Paris", "London", "Rome")


@pytest.fixture
def cached(learner: User) -> dict[str, CachedPlan]:
    """Three entries: one that served, one quarantined, one expired."""
    layer = PlanningLayer()
    plans = {city: layer.create_plan(f"Book hotel in {city}", learner) for city in CITIES}
    served = layer.create_plan("Book hotel in Paris for 2 nights", learner)
    assert served.metadata.cached_from == str(plans["Paris"].id)
    plan_outcome_set(plan_id=plans["London"].id, outcome=PlanOutcome.FAILURE)  # type: ignore[arg-type]
    old = timezone.now() - timedelta(hours=2)
    CachedPlan.objects.filter(plan=plans["Rome"].id).update(created_at=old, expires_at=old + timedelta(hours=1))
    return {city: CachedPlan.objects.get(plan_id=str(plan.id)) for city, plan in plans.items()}


def listed(desk: Client, **query: str) -> list[CachedPlan]:
    response = desk.get(reverse("admin:planning_cachedplan_changelist"), query)
    assert response.status_code == 200
    return list(response.context["cl"].result_list)


def evict_url(entry: CachedPlan) -> str:
    return reverse("admin:planning_cachedplan_evict", args=[entry.pk])


def test_the_list_is_filtered_by_state(desk: Client, cached: dict[str, CachedPlan]) -> None:
    paris, london, rome = (cached[city] for city in CITIES)
    assert listed(desk) == [rome, london, paris]
    assert listed(desk, state="serves") == [paris]
    assert listed(desk, state="quarantined") == [london]
    assert listed(desk, state="expired") == [rome]
    assert listed(desk, state="x") == [rome, london, paris]
    page = text_of(desk.get(reverse("admin:planning_cachedplan_changelist")))
    for words in (
        "Book hotel in Paris may serve 1",
        "Book hotel in London quarantined 0",
        "Book hotel in Rome expired 0",
    ):
        assert words in page


def test_an_entry_leads_to_its_plan_and_says_what_of_the_task_must_agree(
    desk: Client,
    cached: dict[str, CachedPlan],
) -> None:
    response = desk.get(reverse("admin:planning_cachedplan_change", args=[cached["Paris"].pk]))
    page = response.content.decode()
    assert reverse("admin:planning_plan_change", args=[cached["Paris"].plan_id]) in page
    assert evict_url(cached["Paris"]) in page
    assert "places: paris" in text_of(response)
    assert "_save" not in page


def test_a_plan_is_taken_out_with_a_reason_on_record(
    desk: Client,
    cached: dict[str, CachedPlan],
    staff: User,
    learner: User,
) -> None:
    entry = cached["Paris"]
    asked = text_of(desk.get(evict_url(entry)))
    assert "Take this plan out of the cache?" in asked
    assert "Book hotel in Paris" in asked
    for reason in ("", "   ", "x" * 501):
        refused = desk.post(evict_url(entry), {"reason": reason})
        assert refused.status_code == 422
        assert CachedPlan.objects.filter(pk=entry.pk).exists()
    done = desk.post(evict_url(entry), {"reason": " Its price was of last year. "}, follow=True)
    assert messages_of(done) == ["The plan serves no other task any more."]
    assert not CachedPlan.objects.filter(pk=entry.pk).exists()
    assert Plan.objects.filter(pk=entry.plan_id).exists()
    event = Event.objects.get(event="plan.evicted")
    assert event.chain_id == f"plan:{entry.plan_id}"
    assert event.data == {"by": staff.pk, "reason": "Its price was of last year."}
    assert desk.get(evict_url(entry)).status_code == desk.post(evict_url(entry), {"reason": "x"}).status_code == 404
    assert PlanningLayer().create_plan("Book hotel in Paris", learner).metadata.source == "template"


def test_an_entry_that_went_while_staff_wrote_their_reason_is_told(
    desk: Client,
    cached: dict[str, CachedPlan],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("planning.admin.evict", lambda **_: False)
    done = desk.post(evict_url(cached["Paris"]), {"reason": "Old."}, follow=True)
    assert messages_of(done) == ["It had gone from the cache already."]


def test_it_is_for_staff_alone(cached: dict[str, CachedPlan], client: Client, learner: User) -> None:
    urls = [
        reverse("admin:planning_cachedplan_changelist"),
        reverse("admin:planning_cachedplan_change", args=[cached["Paris"].pk]),
        evict_url(cached["Paris"]),
    ]
    assert_closed(client, learner, urls)
    assert CachedPlan.objects.count() == 3


def test_hostile_tasks_are_text(desk: Client, learner: User) -> None:
    PlanningLayer().create_plan(f"Book hotel in Paris {HOSTILE}", learner)
    entry = CachedPlan.objects.get()
    shown = html.escape(HOSTILE[:25])
    assert shown in desk.get(reverse("admin:planning_cachedplan_changelist")).content.decode()
    assert_escaped(desk.get(evict_url(entry)))
    assert_escaped(desk.post(evict_url(entry), {"reason": HOSTILE * 20}))


def test_lists_and_pages_ask_few_questions_however_many_entries(
    desk: Client,
    cached: dict[str, CachedPlan],
    django_assert_num_queries: Any,
) -> None:
    with django_assert_num_queries(4) as asked:  # the browser's session, its user, the count, the rows
        listed(desk)
    assert "embedding" not in asked.captured_queries[-1]["sql"]
    assert "desired_result" not in asked.captured_queries[-1]["sql"]
    for page in (reverse("admin:planning_cachedplan_change", args=[cached["Paris"].pk]), evict_url(cached["Paris"])):
        with django_assert_num_queries(3):
            assert desk.get(page).status_code == 200
