"""Entries of the plan cache: who gets which, for how long, and when they go."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from memory.contracts import ActiveAdjustment, Adjustment, AdjustmentOperation
from planning.cache import (
    circumstances_of,
    entries_purge,
    entry_hit,
    entry_store,
    evict,
    nominate,
    plan_adjusted,
    quarantine,
    relation_of,
    store,
)
from planning.contracts import DesiredResult, Plan, PlanMetadata, Step, SuccessCriterion
from planning.experience.contracts import Learnings
from planning.models import CachedPlan
from planning.models import Plan as PlanRow
from planning.services import plan_save
from planning.understanding.contracts import TaskReading
from planning.understanding.facts.reading import facts_read
from telemetry.models import Event

OWNER = "17"
SAME = "0" * 64


def read(task: str, language: str = "en", task_type: str = "hotel_booking") -> TaskReading:
    return TaskReading(task=task, language=language, task_type=task_type, facts=facts_read(task, language))


def plan(task: str = "Book hotel in Paris", **metadata: Any) -> Plan:
    return Plan(
        task=task,
        desired_result=DesiredResult(user_has=["User has: Confirmed hotel reservation"]),
        steps=[
            Step(order=1, description="Search hotels in Paris", expected_output="Hotels that fit"),
            Step(order=2, description="Compare what was found", expected_output="The best one", dependencies=[1]),
            Step(order=3, description="Book the hotel.", expected_output="A reservation", dependencies=[2]),
        ],
        success_criteria=[SuccessCriterion(text="Hotel quality >= 7"), SuccessCriterion(text="User confirms")],
        metadata=PlanMetadata(task_type="hotel_booking", **metadata),
    )


def stored(
    task: str = "Book hotel in Paris",
    *,
    owner: str = OWNER,
    circumstances: str = SAME,
    now: Any = None,
    **metadata: Any,
) -> CachedPlan:
    reading = read(task)
    entries: list[CachedPlan] = []

    def also(plan_id: uuid.UUID) -> None:
        entries.append(entry_store(plan_id=plan_id, owner=owner, reading=reading, circumstances=circumstances, now=now))

    plan_save(plan=plan(task, **metadata), user=None, owner=owner, also=also)
    return entries[0]


@pytest.mark.django_db
def test_scenario_5_plan_cache_hit_and_its_addition() -> None:
    entry = stored()
    reading = read("Book hotel in Paris for 2 nights")
    [found] = nominate(owner=OWNER, reading=reading)
    assert (found.entry_id, found.plan_id, found.circumstances) == (entry.pk, entry.plan_id, SAME)
    assert found.probability >= 0.85
    adjusted, notes = plan_adjusted(plan(), reading, found.additions)
    assert notes == ["for 2 nights"]
    assert adjusted.task == reading.task
    assert adjusted.steps[0].description == "Search hotels in Paris for 2 nights"
    assert adjusted.desired_result.user_has == ["User has: Confirmed hotel reservation for 2 nights"]
    assert [step.order for step in adjusted.steps] == [1, 2, 3]


@pytest.mark.django_db
def test_an_amount_that_is_added_becomes_a_criterion_too() -> None:
    stored()
    reading = read("Book hotel in Paris under $200")
    adjusted, notes = plan_adjusted(plan(), reading, nominate(owner=OWNER, reading=reading)[0].additions)
    assert notes == ["under $200"]
    assert "price <= 200" in [criterion.normal for criterion in adjusted.success_criteria]
    again, _notes = plan_adjusted(adjusted, reading, nominate(owner=OWNER, reading=reading)[0].additions)
    assert len(again.success_criteria) == len(adjusted.success_criteria)
    assert again.steps == adjusted.steps


def test_additions_in_spanish_and_without_a_preposition_fit_the_text_that_they_are_added_to() -> None:
    cached, new = "Busca un hotel en Madrid", "Busca un hotel barato en Madrid entre 50 y 100 euros"
    steps = [Step(order=1, description="Buscar hoteles en Madrid", expected_output="Lista de hoteles")]
    adjusted, notes = plan_adjusted(
        Plan(task=cached, steps=steps, success_criteria=[SuccessCriterion(text="Calidad >= 7")]),
        read(new, "es"),
        relation_of(cached, new, "es").additions,
    )
    assert notes == ["barato", "entre 50 y 100 euros"]
    assert adjusted.steps[0].description == "Buscar hoteles en Madrid entre 50 y 100 euros (barato)"
    assert {"Calidad >= 7", "Precio entre 50 € y 100 €"} <= {one.text for one in adjusted.success_criteria}
    assert all(one.measurable for one in adjusted.success_criteria)


@pytest.mark.django_db
def test_only_the_owners_living_entries_of_this_type_language_and_embedder_are_nominated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stored()
    reading = read("Book hotel in Paris")
    assert len(nominate(owner=OWNER, reading=reading)) == 1
    assert not nominate(owner="18", reading=reading)
    assert not nominate(owner=OWNER, reading=reading.model_copy(update={"task_type": "general"}))
    assert not nominate(owner=OWNER, reading=reading.model_copy(update={"language": "es"}))
    assert not nominate(owner=OWNER, reading=read("Book hotel in London"))
    assert not nominate(owner=OWNER, reading=reading, now=timezone.now() + timedelta(minutes=61))
    CachedPlan.objects.update(embedder="another/1")
    assert not nominate(owner=OWNER, reading=reading)


@pytest.mark.django_db
def test_a_repeated_task_replaces_its_entry_but_not_one_made_in_other_circumstances() -> None:
    first = stored()
    other = stored(circumstances="1" * 64)
    second = stored("book a hotel in paris")
    assert set(CachedPlan.objects.values_list("pk", flat=True)) == {other.pk, second.pk}
    assert PlanRow.objects.filter(pk=first.plan_id).exists()
    found = nominate(owner=OWNER, reading=read("Book hotel in Paris"))
    assert {one.circumstances for one in found} == {SAME, "1" * 64}


@pytest.mark.django_db
def test_the_oldest_go_above_the_limit_and_expired_ones_are_purged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "ENTRIES_AT_MOST", 3)
    now = timezone.now()
    entries = [
        stored(f"Book hotel in {city}", now=now + timedelta(seconds=second))
        for second, city in enumerate(("Paris", "Rome", "Lima", "Madrid", "Oslo"))
    ]
    assert list(CachedPlan.objects.order_by("pk").values_list("pk", flat=True)) == [one.pk for one in entries[2:]]
    assert entries_purge(now=now + timedelta(minutes=59)) == 0
    assert entries_purge(now=now + timedelta(minutes=60, seconds=2)) == 1
    assert entries_purge(now=now + timedelta(hours=2)) == 2


@pytest.mark.django_db
def test_a_hit_is_counted() -> None:
    entry = stored()
    entry_hit(entry.pk)
    entry_hit(entry.pk)
    entry.refresh_from_db()
    assert entry.hits == 2
    assert entry.last_hit_at is not None


@pytest.mark.django_db
def test_a_failed_plan_quarantines_its_entry_and_the_one_that_it_was_made_from() -> None:
    source = stored()
    served = plan_save(
        plan=plan("Book hotel in Paris for 2 nights", cached_from=str(source.plan_id)), user=None, owner=OWNER
    )
    assert served.id is not None
    assert quarantine(plan_id=served.id) == 1
    assert quarantine(plan_id=served.id) == 0
    assert not nominate(owner=OWNER, reading=read("Book hotel in Paris"))
    [event] = Event.objects.filter(event="plan.quarantined")
    assert event.chain_id == f"plan:{source.plan_id}"
    assert event.data == {"failed": str(served.id)}
    assert quarantine(plan_id=stored("Book hotel in Rome").plan_id) == 1
    assert quarantine(plan_id=uuid.uuid4()) == 0


@pytest.mark.django_db
def test_staff_take_an_entry_out_and_the_plan_stays(staff: User) -> None:
    entry = stored()
    assert evict(entry_id=entry.pk, by=staff, reason="It books the wrong hotel.")
    assert not evict(entry_id=entry.pk, by=staff, reason="Again.")
    assert PlanRow.objects.filter(pk=entry.plan_id).exists()
    [event] = Event.objects.filter(event="plan.evicted")
    assert event.data == {"by": staff.pk, "reason": "It books the wrong hotel."}


@pytest.mark.django_db
def test_a_lookup_takes_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for city in ("Paris", "Rome", "Lima"):
        stored(f"Book hotel in {city}")
    reading = read("Reserve a hotel in Paris for 2 nights with breakfast")
    with django_assert_num_queries(1):
        assert len(nominate(owner=OWNER, reading=reading)) == 1


@pytest.mark.django_db(transaction=True)
def test_two_that_store_the_same_task_at_once_leave_one_entry() -> None:
    def one(_number: int) -> None:
        try:
            stored()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(8)))
    assert CachedPlan.objects.count() == 1
    assert PlanRow.objects.count() == 8


@pytest.mark.django_db(transaction=True)
def test_an_entry_is_stored_with_its_plan_or_not_at_all() -> None:
    with pytest.raises(AssertionError):
        entry_store(plan_id=uuid.uuid4(), owner=OWNER, reading=read("Book hotel"), circumstances=SAME)
    with transaction.atomic():
        stored()
        transaction.set_rollback(True)
    assert not CachedPlan.objects.exists()


def test_circumstances_are_the_same_in_any_order_and_differ_with_what_shapes_a_plan() -> None:
    def active(text: str) -> ActiveAdjustment:
        change = Adjustment(operation=AdjustmentOperation.SET, setting="priority", value=text, text=text)
        return ActiveAdjustment(id=text, reflection_id=f"r-{text}", adjustment=change)

    quality, price = active("quality"), active("price")
    learned = Learnings(preferences=["quality > price"], constraints=["quality >= 7"], episodes=["1"])
    base = circumstances_of([quality, price], ["a", "b"], learned)
    assert len(base) == 64
    assert base == circumstances_of([price, quality], ["b", "a"], learned.model_copy(update={"episodes": ["2"]}))
    others = {
        circumstances_of([quality], ["a", "b"], learned),
        circumstances_of([quality, price], ["a"], learned),
        circumstances_of([quality, price], ["a", "b"], Learnings()),
    }
    assert len(others - {base}) == 3
