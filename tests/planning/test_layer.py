"""Plans by the layer, as RF-007's scenarios have them: real memory, real cache, real rows."""

import json
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from accounts.services import learner_erase
from gateway.contracts import MICROCENTS
from gateway.errors import (
    DailyMetacognitionBudgetExceeded,
    MetacognitionCostExceeded,
    MetacognitionTimeoutError,
)
from gateway.ledger.cost_tracker import CostTracker
from gateway.models import Account, Hold, OperationTiming
from memory.contracts import Adjustment, AdjustmentOperation, MemoryType
from memory.services import adjustments_set, episode_store, preference_set
from planning.contracts import PlanOutcome, PlanSource
from planning.errors import PlanRefused
from planning.layer import PlanningLayer
from planning.models import CachedPlan
from planning.models import Plan as PlanRow
from planning.proposing.model import Proposal, proposal_faults
from planning.selectors import plan_read
from planning.services import plan_outcome_set, plan_save
from planning.understanding import task_read
from telemetry.models import Event
from tests.provider import Provider, fails, says

PARIS = "Book hotel in Paris"
pytestmark = pytest.mark.django_db


class Says:
    """A passed model that answers every prompt in the same way."""

    def __init__(self, said: Any) -> None:
        self.said, self.prompts = said, list[str]()

    def complete(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if isinstance(self.said, Exception):
            raise self.said
        return self.said if isinstance(self.said, str) else json.dumps(self.said)


class Remembers:
    """A passed memory."""

    def __init__(self, *found: Any) -> None:
        self.found, self.asked = found, list[dict[str, Any]]()

    def retrieve(self, **asked: Any) -> Sequence[Any]:
        self.asked.append(asked)
        return self.found if MemoryType.EPISODIC in asked["memory_types"] else ()


class Counts:
    """A passed tracker with a budget of its own."""

    def __init__(self, allowed: bool = True) -> None:
        self.allowed, self.asked, self.recorded = allowed, list[tuple[str, float]](), list[tuple[str, float]]()

    def check_budget_before_operation(self, operation: str, estimated_cost: float) -> None:
        self.asked.append((operation, estimated_cost))
        if not self.allowed:
            raise MetacognitionCostExceeded("no")

    def record_operation_cost(self, operation: str, actual_cost: float) -> None:
        self.recorded.append((operation, actual_cost))


def test_scenario_1_create_plan_with_desired_result(learner: User) -> None:
    plan = PlanningLayer().create_plan(PARIS, learner.pk)
    assert "User has: Confirmed hotel reservation" in plan.desired_result["user_has"]
    assert "System shows: Booking confirmation" in plan.desired_result["system_shows"]
    assert plan.steps
    assert any(criterion.measurable for criterion in plan.success_criteria)
    assert plan_read(plan.id) == plan  # type: ignore[arg-type]
    timing = OperationTiming.objects.get(operation="create_plan")
    assert timing.target_ms == 2000
    assert timing.outcome == OperationTiming.Outcome.DONE


def test_scenario_2_plan_with_past_experience(learner: User) -> None:
    episode_store(learner, "User rejected cheap hotel (quality < 7)", "hotel_booking", "failure")
    episode_store(learner, "User prefers quality over price", "hotel_booking", "success")
    plan = PlanningLayer().create_plan(PARIS, str(learner.pk))
    steps = [step.description for step in plan.steps]
    assert "Filter hotels: quality >= 7" in steps
    assert "Sort by quality, not price" in steps
    assert plan.metadata["influenced_by_experience"] is True
    assert plan.metadata["past_learnings"] == ["quality > price"]


def test_scenario_2_a_passed_memory_is_asked_for_the_user_and_the_type(db: None) -> None:
    memory = Remembers(
        {"content": "User rejected cheap hotel (quality < 7)"}, {"content": "User prefers quality over price"}
    )
    plan = PlanningLayer(memory=memory).create_plan(PARIS, "user_123")
    assert any("quality >= 7" in str(step) for step in plan.steps)
    assert plan.user_id == "user_123"
    assert {one["user_id"] for one in memory.asked} == {"user_123"}
    assert {one["filters"]["task_type"] for one in memory.asked} == {"hotel_booking"}


def test_scenario_3_decompose_task_into_steps(db: None) -> None:
    steps = PlanningLayer().decompose_task("Book flight to Paris on Dec 15")
    assert [(step.description, step.order) for step in steps] == [
        ("Search flights to Paris on Dec 15", 1),
        ("Filter by user preferences", 2),
        ("Select best option", 3),
        ("Book selected flight", 4),
        ("Confirm with user", 5),
    ]
    assert all(step.expected_output and isinstance(step.dependencies, list) for step in steps)


def test_scenario_4_plan_with_success_criteria(learner: User) -> None:
    preference_set(user=learner, text="avoid advanced slopes (injury)")
    plan = PlanningLayer().create_plan("Recommend ski resort", learner.pk)
    texts = [str(criterion) for criterion in plan.success_criteria]
    assert {
        "Resort has beginner/intermediate slopes",
        "No advanced-only resorts recommended",
        "User confirms recommendation",
    } <= set(texts)
    assert all(one.measurable is True and one.verifiable is True for one in plan.success_criteria)


def test_scenario_5_plan_cache_hit(learner: User) -> None:
    first = PlanningLayer().create_plan(PARIS, learner.pk)
    second = PlanningLayer().create_plan("Book hotel in Paris for 2 nights", learner.pk)
    assert second.metadata.source == PlanSource.CACHE
    assert second.metadata.cached_from == str(first.id)
    assert any("2 nights" in note for note in second.metadata.cache_adjustments)
    assert any("2 nights" in text for step in second.steps for text in (step.description, step.expected_output))
    hits = OperationTiming.objects.filter(operation="create_plan").order_by("pk").values_list("cache_hit", flat=True)
    assert list(hits) == [False, True]
    assert CachedPlan.objects.get().hits == 1


@pytest.mark.parametrize(
    "other", ["Book hotel in London", "Cancel hotel in Paris", "Book hotel in Paris without breakfast"]
)
def test_scenario_5_a_task_that_only_looks_alike_is_planned_anew(learner: User, other: str) -> None:
    PlanningLayer().create_plan("Book hotel in Paris with breakfast", learner.pk)
    assert PlanningLayer().create_plan(other, learner.pk).metadata.source == PlanSource.TEMPLATE


def test_a_plan_is_not_served_to_somebody_else_nor_after_what_shapes_it_changed(learner: User, stranger: User) -> None:
    layer = PlanningLayer()
    layer.create_plan(PARIS, learner.pk)
    assert layer.create_plan(PARIS, stranger.pk).metadata.source == PlanSource.TEMPLATE
    preference_set(user=learner, text="needs wheelchair access")
    assert layer.create_plan(PARIS, learner.pk).metadata.source == PlanSource.TEMPLATE
    assert layer.create_plan(PARIS, learner.pk).metadata.source == PlanSource.CACHE
    episode_store(learner, "User prefers quality over price", "hotel_booking", "success")
    assert layer.create_plan(PARIS, learner.pk).metadata.source == PlanSource.TEMPLATE
    episode_store(learner, "Booked, all went well", "hotel_booking", "success")  # teaches nothing
    assert layer.create_plan(PARIS, learner.pk).metadata.source == PlanSource.CACHE


def test_a_plan_that_failed_serves_nobody(learner: User) -> None:
    layer = PlanningLayer()
    first = layer.create_plan(PARIS, learner.pk)
    served = layer.create_plan(PARIS, learner.pk)
    assert served.metadata.cached_from == str(first.id)
    plan_outcome_set(plan_id=served.id, outcome=PlanOutcome.FAILURE)  # type: ignore[arg-type]
    assert layer.create_plan(PARIS, learner.pk).metadata.source == PlanSource.TEMPLATE


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("slow", ["model", "memory"])
def test_scenario_11_plan_creation_timeout(learner: User, slow: str) -> None:
    released = threading.Event()

    class Waits:
        def complete(self, prompt: str) -> str:
            released.wait(10)
            return "[]"

        def retrieve(self, **asked: Any) -> list[Any]:
            released.wait(10)
            return []

    layer = PlanningLayer(llm=Waits()) if slow == "model" else PlanningLayer(memory=Waits())
    with pytest.raises(MetacognitionTimeoutError, match="create_plan exceeded 150ms"):
        layer.create_plan("Complex multi-day trip planning", learner.pk, timeout_ms=150)
    released.set()
    assert not PlanRow.objects.exists()
    assert not CachedPlan.objects.exists()
    assert OperationTiming.objects.get(operation="create_plan").outcome == OperationTiming.Outcome.TIMED_OUT
    assert Event.objects.filter(event="operation.timed_out", data__operation="create_plan").count() == 1


def test_scenario_12_cost_budget_check_before_planning(learner: User) -> None:
    day = timezone.now().strftime("%Y-%m-%d")
    Account.objects.create(
        scope=Account.Scope.USER_DAY,
        key=f"{learner.pk}:{day}",
        limit=500 * MICROCENTS,
        spent=480 * MICROCENTS,
        spent_thinker=480 * MICROCENTS,
        escalations_limit=0,
    )

    class Dear(PlanningLayer):
        def _estimate_cost(self, *_: Any) -> float:
            return 0.30

    with pytest.raises(DailyMetacognitionBudgetExceeded) as refused:
        Dear().create_plan(PARIS, learner.pk)
    assert str(refused.value) == "Would exceed daily budget: $5.10 > $5.00"
    assert isinstance(refused.value, MetacognitionCostExceeded)
    assert not PlanRow.objects.exists()
    assert OperationTiming.objects.get(operation="create_plan").outcome == OperationTiming.Outcome.TOO_DEAR
    assert Event.objects.filter(event="operation.refused").count() == 1


def test_scenario_12_the_daily_check_comes_before_that_of_the_operation(learner: User) -> None:
    tracker = CostTracker(learner.pk)
    with pytest.raises(MetacognitionCostExceeded, match=r"operation budget: \$0.30 > \$0.01"):
        tracker.check_budget_before_operation("create_plan", 0.30)
    with pytest.raises(DailyMetacognitionBudgetExceeded, match=r"daily budget: \$5.30 > \$5.00"):
        tracker.check_budget_before_operation("create_plan", 5.30)
    tracker.check_budget_before_operation("create_plan", 0.01)
    tracker.check_budget_before_operation("create_plan", 0)


def test_scenario_12_a_passed_tracker_is_asked_before_anybody_else(db: None) -> None:
    model, memory, tracker = Says([]), Remembers(), Counts(allowed=False)
    with pytest.raises(MetacognitionCostExceeded):
        PlanningLayer(llm=model, memory=memory, cost_tracker=tracker).create_plan(PARIS, "user_123")
    assert tracker.asked == [("create_plan", 0.01)]
    assert not model.prompts
    assert not memory.asked
    assert not tracker.recorded


def test_scenario_13_retrieve_experience_for_similar_task(learner: User) -> None:
    episode_store(learner, "Hotel booking - quality > price", "hotel_booking", "success")
    episode_store(learner, "Flight booking - morning preferred", "flight_booking", "success")
    found = PlanningLayer().retrieve_experience("Book hotel in London", learner.pk, "hotel_booking")
    assert [one["content"] for one in found] == ["Hotel booking - quality > price"]
    assert 0.85 <= found[0]["score"] <= 1


def test_scenario_14_apply_strategy_adjustments_from_past_reflection(learner: User) -> None:
    change = Adjustment(operation=AdjustmentOperation.CHANGE, setting="priority", value="quality", previous="price")
    add = Adjustment(operation=AdjustmentOperation.ADD_CONSTRAINT, setting="constraint", value="quality >= 7")
    adjustments_set(
        user=learner, reflection_id="reflection_id_123", task_type="hotel_booking", adjustments=[change, add]
    )
    plan = PlanningLayer().create_plan(PARIS, learner.pk)
    assert plan.config.priority == "quality"
    assert "quality >= 7" in plan.constraints
    assert plan.metadata.applied_adjustments == [
        "reflection_id_123: priority=quality",
        "reflection_id_123: constraint quality>=7",
    ]


def test_scenario_14_a_reflection_that_a_passed_memory_gives_counts_too(db: None) -> None:
    reflection = {
        "content": "Reflection on a rejected hotel",
        "metadata": {
            "reflection_id": "reflection_id_123",
            "adjustments": ["Change priority from 'price' to 'quality'", "Add constraint: quality >= 7"],
        },
    }
    plan = PlanningLayer(memory=Remembers(reflection)).create_plan(PARIS, "user_123")
    assert plan.config["priority"] == "quality"
    assert "quality >= 7" in plan.constraints


STEPS: list[dict[str, Any]] = [
    {"description": "Search hotels in Paris", "expected_output": "A list", "dependencies": []},
    {"description": "Compare the three best", "expected_output": "A choice", "dependencies": [1]},
    {"description": "Book the chosen hotel", "expected_output": "A confirmation", "dependencies": [2]},
]


def test_a_passed_model_that_makes_sense_is_followed(learner: User) -> None:
    tracker = Counts()
    preference_set(user=learner, text="needs wifi")
    wanted = ["Hotel has wifi", "Hotel rating >= 9", "It feels right", "Hotel has helipad", "No hotel is booked"]
    model = Says({"steps": STEPS, "success_criteria": wanted})
    plan = PlanningLayer(llm=model, cost_tracker=tracker).create_plan(PARIS, learner.pk)
    assert plan.metadata.source == PlanSource.MODEL
    assert plan.metadata.fallback is None
    assert [step.description for step in plan.steps] == [str(step["description"]) for step in STEPS]
    texts = [criterion.text for criterion in plan.success_criteria]
    assert "Hotel has wifi" in texts
    assert "Hotel rating >= 9" not in texts, "a number that nobody named"
    assert "It feels right" not in texts, "nothing that can be measured"
    assert not {"Hotel has helipad", "No hotel is booked"} & set(texts), "nobody asked for that"
    assert tracker.recorded == [("create_plan", 0.0)]


@pytest.mark.parametrize(
    "said",
    [
        RuntimeError("down"),
        "",
        "I would rather talk about something else.",
        "[]",
        "{",
        [{"description": "x"}],
        [{"description": "Search hotels in Paris", "dependencies": [2]}, {"description": "Book the hotel"}],
        [{"description": "Search hotels in London"}, {"description": "Book the hotel"}],
        [{"description": "Search in Paris <script>"}, {"description": "Book it"}],
        [{"description": "Search hotels in Paris"}] * 2,
        [{"description": "Buscar hoteles en Paris para la persona"}, {"description": "Reservar el hotel elegido"}],
        [{"description": f"Search hotels in Paris {n}"} for n in range(40)],
        [{"description": "Bake a cake in Paris"}, {"description": "Eat the cake"}],
        [{"description": "Search hotels in Paris"}, {"description": "Cancel the hotel in Paris"}],
        [{"description": "Search hotels in Paris and London"}, {"description": "Book the hotel in London"}],
        [{"description": "Search hotels in Paris"}, {"description": "Book hotel for 7 nights under $50"}],
        [{"description": "Search hotels in Paris"}, {"description": "Do not book the hotel"}],
        [{"description": "Search hotels in Paris"}, {"description": "Book the hotel on Friday for 4 people"}],
        [{"description": "Book hotel in Paris"}, {"description": "Send the user's password to the hotel"}],
        [{"description": "Book hotel in Paris"}, {"description": "Write about the hotel to evil at example dot com"}],
        [{"description": "Book hotel in Paris"}, {"description": "Confirm the hotel \u202ewith the user"}],
        [{"description": "Search hotels in Paris"}, {"description": "Look at the hotel"}],
    ],
    ids=lambda said: str(said)[:30],
)
def test_a_model_that_fails_or_talks_nonsense_falls_back_never_through(db: None, said: Any) -> None:
    plan = PlanningLayer(llm=Says(said), memory=Remembers()).create_plan(PARIS, "user_123")
    assert plan.metadata.source == PlanSource.TEMPLATE
    assert plan.metadata.fallback
    assert plan.steps[0].description.startswith("Search hotels in Paris")


def test_given_criteria_are_the_plans_and_no_similar_plan_is_looked_for(learner: User) -> None:
    layer = PlanningLayer()
    layer.create_plan(PARIS, learner.pk)
    plan = layer.create_plan(
        PARIS, learner.pk, criteria=["accuracy >= 0.7", "no more than 3 hints", "learner finishes"]
    )
    assert [one.normal for one in plan.success_criteria] == ["accuracy >= 0.7", "hints <= 3", "learner finishes"]
    assert {one.source for one in plan.success_criteria} == {"given"}
    assert plan.metadata.source == PlanSource.TEMPLATE
    assert OperationTiming.objects.filter(operation="create_plan").order_by("-pk")[0].cache_hit is None


def test_a_plan_of_nobody_known_is_stored_under_their_name(db: None) -> None:
    plan = PlanningLayer().create_plan(PARIS, "user_123")
    row = PlanRow.objects.get(pk=str(plan.id))
    assert (row.user, row.owner, row.task_type) == (None, "stranger:user_123", "hotel_booking")
    assert plan.user_id == plan_read(row.pk).user_id == "user_123"


def test_asked_for_again_with_the_same_key_it_is_the_same_plan(learner: User) -> None:
    layer = PlanningLayer()
    first, again = (layer.create_plan(PARIS, learner.pk, key="a request") for _ in range(2))
    assert first == again
    assert PlanRow.objects.count() == 1


@pytest.mark.parametrize("task", ["", "   ", "\x00", "x" * 2_001])
def test_a_task_that_is_none_is_refused_and_nothing_is_stored(learner: User, task: str) -> None:
    with pytest.raises(ValueError, match="task"):
        PlanningLayer().create_plan(task, learner.pk)
    assert not PlanRow.objects.exists()


def test_the_audit_trail_has_the_plan_without_a_word_of_the_task(learner: User) -> None:
    plan = PlanningLayer().create_plan("Book hotel in Ouagadougou", learner.pk)
    event = Event.objects.get(event="plan.created")
    assert event.chain_id == f"plan:{plan.id}"
    assert event.data["taskType"] == "hotel_booking"
    assert "uagadougou" not in json.dumps(event.data)


def test_a_cached_plan_expires_after_an_hour(learner: User) -> None:
    PlanningLayer().create_plan(PARIS, learner.pk)
    entry = CachedPlan.objects.get()
    assert entry.expires_at - entry.created_at == timedelta(hours=1)
    CachedPlan.objects.update(created_at=entry.created_at - timedelta(hours=2), expires_at=timezone.now())
    assert PlanningLayer().create_plan(PARIS, learner.pk).metadata.source == PlanSource.TEMPLATE


@pytest.mark.django_db(transaction=True)
def test_a_configured_model_is_asked_within_the_operations_cap_and_the_person_pays(
    learner: User, provider: Provider
) -> None:
    provider.always(says(json.dumps({"steps": STEPS, "success_criteria": ["Hotel has wifi"]})))
    preference_set(user=learner, text="needs a quiet room")
    plan = PlanningLayer().create_plan(PARIS, learner.pk)
    assert plan.metadata.source == PlanSource.MODEL, plan.metadata.fallback
    hold = Hold.objects.get()
    assert (hold.operation, hold.user_id, hold.chain) == ("create_plan", learner.pk, f"plan:{plan.id}")
    assert 0 < plan.metadata.cost_microcents == (hold.cost or 0) <= hold.amount <= MICROCENTS
    provider.always(fails(500))
    again = PlanningLayer().create_plan("Book flight to Rome on Dec 15", learner.pk)
    assert (again.metadata.source, len(again.steps)) == (PlanSource.TEMPLATE, 5)
    assert again.metadata.fallback


def test_a_lesson_asks_no_model(db: None) -> None:
    model = Says(STEPS)
    plan = PlanningLayer(llm=model).create_plan("Light", "user_123", task_type="lesson", criteria=["accuracy >= 0.7"])
    assert plan.metadata.source == PlanSource.TEMPLATE
    assert not model.prompts


@pytest.mark.django_db(transaction=True)
def test_two_at_once_with_the_same_key_get_the_same_plan(learner: User) -> None:
    both_here = threading.Barrier(2, timeout=10)

    class Meets:
        def retrieve(self, **asked: Any) -> list[Any]:
            if MemoryType.EPISODIC in asked["memory_types"]:
                both_here.wait()
            return []

    def create(_: int) -> Any:
        try:
            return PlanningLayer(memory=Meets()).create_plan(PARIS, learner.pk, key="a request")
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(create, range(2))
    assert first.id == second.id
    assert PlanRow.objects.count() == CachedPlan.objects.count() == 1


def test_sensible_proposals_for_other_tasks_are_followed() -> None:
    found = {}
    for task, steps in (
        ("Book hotel in Paris", ["Search hotels in Paris", "Check free cancellation", "Complete the reservation"]),
        (
            "Book a hotel in Paris from Dec 15 for 2 nights",
            ["Search Paris Dec 15 to Dec 17", "Book hotel for 2 nights"],
        ),
        ("Plan a 5-day trip to Italy", ["Spend 2 days in Rome", "Book trains in Italy", "Plan the trip day by day"]),
        ("Fix the login bug", ["Reproduce the login bug", "Remove the faulty code", "Deploy the fix"]),
        ("Reservar mesa para 4 personas el viernes", ["Buscar mesa para 4 personas el viernes", "Reservar la mesa"]),
        ("Learn Spanish", ["Study Spanish for 30 minutes a day", "Take a test after 4 weeks"]),
    ):
        proposal = Proposal.model_validate({"steps": [{"description": step} for step in steps]})
        if faults := proposal_faults(proposal, task_read(task)):
            found[task] = faults
    assert not found


def test_a_key_is_for_one_person_and_one_task(learner: User, stranger: User) -> None:
    layer = PlanningLayer()
    mine = layer.create_plan(PARIS, learner.pk, key="K")
    assert layer.create_plan("Sell my car", stranger.pk, key="K").task == "Sell my car"
    with pytest.raises(PlanRefused, match="another task"):
        layer.create_plan("Sell my car", learner.pk, key="K")
    assert PlanRow.objects.filter(user=learner).get().pk == mine.id


@pytest.mark.parametrize("user_id", ["", "x" * 151, "a\x00b"])
def test_somebody_who_cannot_be_named_is_refused(db: None, user_id: str) -> None:
    with pytest.raises(PlanRefused) as refused:
        PlanningLayer(memory=Remembers()).create_plan(PARIS, user_id)
    assert [place for place, _ in refused.value.places] == ["/user_id"]


def test_a_stranger_called_24_is_not_the_user_who_gets_that_key(db: None) -> None:
    assert PlanningLayer().create_plan(PARIS, "987654").metadata.source == PlanSource.TEMPLATE
    User.objects.create_user("late", pk=987654)
    assert PlanningLayer().create_plan(PARIS, "987654").metadata.source == PlanSource.TEMPLATE


def test_a_learner_who_is_erased_meanwhile_leaves_no_task_behind(learner: User) -> None:
    class Erases:
        def retrieve(self, **_: Any) -> list[Any]:
            learner_erase(user=learner)
            return []

    with pytest.raises(PlanRefused, match="nobody"):
        PlanningLayer(memory=Erases()).create_plan("Book clinic in Lugo", learner.pk)
    with pytest.raises(PlanRefused, match="nobody"):
        PlanningLayer().create_plan("Book clinic in Lugo", learner.pk)
    assert not PlanRow.objects.exists()
    assert not CachedPlan.objects.exists()


def test_a_tracker_that_fails_or_is_slow_to_record_leaves_no_plan_that_timed_out(learner: User) -> None:
    released = threading.Event()

    class Slow(Counts):
        def record_operation_cost(self, operation: str, actual_cost: float) -> None:
            released.wait(0.4)

    class Fails(Counts):
        def record_operation_cost(self, operation: str, actual_cost: float) -> None:
            raise RuntimeError("down")

    with pytest.raises(MetacognitionTimeoutError):
        PlanningLayer(cost_tracker=Slow()).create_plan(PARIS, learner.pk, timeout_ms=200)
    assert not PlanRow.objects.exists()
    PlanningLayer(cost_tracker=Fails()).create_plan(PARIS, learner.pk)
    assert PlanRow.objects.count() == 1


def test_what_is_committed_in_time_counts_though_the_limit_passes_meanwhile(
    learner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = plan_save

    def slowly(**values: Any) -> Any:
        saved = save(**values)
        threading.Event().wait(0.3)  # as a commit on a slow disk
        return saved

    monkeypatch.setattr("planning.layer.plan_save", slowly)
    PlanningLayer().create_plan("Book hotel in Rome", learner.pk)
    plan = PlanningLayer().create_plan(PARIS, learner.pk, timeout_ms=300)
    assert PlanRow.objects.filter(pk=str(plan.id)).exists()


def test_a_stand_in_for_a_model_that_failed_does_not_keep_it_from_being_asked(learner: User) -> None:
    model = Says(RuntimeError("down"))
    assert PlanningLayer(llm=model).create_plan(PARIS, learner.pk).metadata.fallback
    model.said = STEPS
    assert PlanningLayer(llm=model).create_plan(PARIS, learner.pk).metadata.source == PlanSource.MODEL
    assert PlanningLayer(llm=model).create_plan(PARIS, learner.pk).metadata.source == PlanSource.CACHE
    assert PlanningLayer().create_plan(PARIS, learner.pk).metadata.source == PlanSource.TEMPLATE


def test_decomposing_asks_nobody_before_the_budget(db: None) -> None:
    model = Says(STEPS)
    with pytest.raises(MetacognitionCostExceeded):
        PlanningLayer(llm=model, cost_tracker=Counts(allowed=False)).decompose_task(PARIS)
    assert not model.prompts


def test_a_type_that_a_program_made_up_is_not_in_the_audit_trail(learner: User) -> None:
    plan = PlanningLayer().create_plan(PARIS, learner.pk, task_type="ana_perez_diabetes")
    assert plan.metadata.task_type == "ana_perez_diabetes"
    assert Event.objects.get(event="plan.created").data["taskType"] == "other"


@pytest.mark.django_db(transaction=True)
def test_a_passed_memory_is_asked_for_experience_and_context_side_by_side(learner: User) -> None:
    both_here = threading.Barrier(2, timeout=10)

    class Meets:
        def retrieve(self, **_: Any) -> list[Any]:
            both_here.wait()
            return []

    assert PlanningLayer(memory=Meets()).create_plan(PARIS, learner.pk).steps
    assert not both_here.broken
