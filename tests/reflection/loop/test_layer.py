"""Reflecting as RF-008 and RT-010 have it: real plans, real failures, what changes afterwards."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from accounts.services import learner_erase
from evaluation.contracts import Evaluation
from evaluation.layer import EvaluationLayer
from evaluation.models import PendingReflection
from evaluation.services import reflections_claim
from gateway.errors import (
    DailyMetacognitionBudgetExceeded,
    MetacognitionCostExceeded,
    MetacognitionTimeoutError,
)
from gateway.models import Hold, OperationTiming
from memory.models import EPISODES_AT_MOST, Episode, MemoryRoom, StrategyAdjustment
from planning.contracts import Plan
from planning.layer import PlanningLayer
from reflection.causes import Cause
from reflection.causes.detect import choosing
from reflection.causes.detect.reading import Case
from reflection.contracts import ANALYSIS_AT_LEAST, LEARNING_AT_LEAST, Author, Decision
from reflection.errors import ReflectionRefused
from reflection.layer import ReflectionLayer
from reflection.loop.pending import TAKES_AT_MOST, pending_reflect
from reflection.loop.reflecting import Collaborators
from reflection.models import Attempt, Pattern
from reflection.models import Reflection as ReflectionRow
from reflection.services import reflection_reject
from reflection.tasks import reflect
from telemetry.models import Event
from tests.reflection.conftest import CHEAP, CRITERIA, GOOD, TASK, failed, reflected, succeeded


@pytest.mark.django_db
def test_a_failure_becomes_a_reflection_that_is_stored_with_what_the_gate_said(learner: User) -> None:
    plan, evaluation = failed(learner)
    reflection = ReflectionLayer().reflect_on_result(plan, evaluation, result=CHEAP)
    assert reflection.author == Author.FACTS
    assert len(reflection.analysis) >= ANALYSIS_AT_LEAST
    assert len(reflection.learning) >= LEARNING_AT_LEAST
    assert (reflection.decision, reflection.plan_id) == (Decision.ACCEPTED, plan.id)
    row = ReflectionRow.objects.get()
    assert (row.evaluation_id, row.is_first, row.in_force, row.task_type) == (
        evaluation.id,
        True,
        True,
        "hotel_booking",
    )
    attempt = Attempt.objects.get()
    assert row.kept_id == attempt.pk
    assert attempt.metrics["completeness"] == 1.0
    assert attempt.is_valid
    assert PendingReflection.objects.get().state == "done"


@pytest.mark.django_db
def test_an_accepted_reflection_is_remembered_for_90_days_with_what_was_learned(learner: User) -> None:
    row = reflected(learner)
    episode = Episode.objects.get()
    assert (episode.user, episode.outcome, episode.source) == (learner, "failure", f"evaluation:{row.evaluation_id}")
    assert row.kept is not None
    assert row.kept.learning in episode.content
    assert (episode.expires_at - episode.created_at).days == 90


@pytest.mark.django_db
def test_scenario_14_an_accepted_reflection_changes_the_next_plan_of_that_user_and_of_nobody_else(
    learner: User, staff: User
) -> None:
    before = PlanningLayer().create_plan("Book hotel in London", learner.pk)
    row = reflected(learner)
    after = PlanningLayer().create_plan("Book hotel in London", learner.pk)
    assert any(one.startswith(f"{row.pk}: ") for one in after.metadata.applied_adjustments)
    assert (after.constraints, after.config) != (before.constraints, before.config)
    assert any("quality >= 7" in one for one in (*after.constraints, *map(str, after.success_criteria)))
    other = PlanningLayer().create_plan("Book hotel in London", staff.pk)
    assert other.metadata.applied_adjustments == []


@pytest.mark.django_db
def test_scenario_14_what_was_learned_is_found_as_experience(learner: User) -> None:
    reflected(learner)
    found = PlanningLayer().retrieve_experience("Book hotel in Rome", learner.pk)
    assert [one.metadata["reflection_id"] for one in found] == [str(ReflectionRow.objects.get().pk)]


@pytest.mark.django_db
def test_a_failure_is_reflected_on_once(learner: User) -> None:
    plan, evaluation = failed(learner)
    first = ReflectionLayer().reflect_on_result(plan, evaluation, result=CHEAP)
    assert ReflectionLayer().reflect_on_result(plan, evaluation, result=CHEAP) == first
    assert ReflectionRow.objects.count() == 1
    assert reflections_claim(limit=5) == []


@pytest.mark.django_db
def test_the_cause_is_looked_for_once_and_written_of(learner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Case] = []

    def finds_nothing(case: Case) -> Iterator[Cause]:
        looks.append(case)
        yield from ()

    monkeypatch.setattr(choosing, "_FINDERS", (*choosing._FINDERS, finds_nothing))
    row = reflected(learner)
    assert row.attempts.count() == 1
    assert len(looks) == 1


@pytest.mark.django_db
def test_what_did_not_fail_is_not_reflected_on(learner: User) -> None:
    plan = PlanningLayer().create_plan(TASK, learner.pk, criteria=CRITERIA)
    for result in (GOOD, {"weather": "fine"}):
        with pytest.raises(ReflectionRefused):
            ReflectionLayer().reflect_on_result(plan, EvaluationLayer().evaluate_result(plan, result))
    assert not ReflectionRow.objects.exists()


@pytest.mark.django_db
def test_a_first_reflection_has_no_patterns_and_passes_at_0_6(learner: User) -> None:
    row = reflected(learner)
    assert row.kept is not None
    assert (row.is_first, row.kept.patterns, row.decision) == (True, [], "accepted")


@pytest.mark.django_db
def test_three_equal_failures_make_a_pattern_and_firmer_adjustments(learner: User) -> None:
    rows = [reflected(learner, task=f"Book hotel in {city}") for city in ("Paris", "Rome", "Lima")]
    kept = [row.kept for row in rows]
    assert all(one is not None for one in kept)
    patterns = kept[2].patterns if kept[2] else []
    assert patterns
    assert (patterns[0]["support"], patterns[0]["total"], patterns[0]["confidence"]) == (3, 3, 1.0)
    assert len(patterns[0]["episodes"]) >= 2
    texts = [tuple(one["text"] for one in attempt.adjustments) for attempt in kept if attempt]
    assert len(set(texts)) == 3, "what did not help is not said again"
    assert Pattern.objects.filter(user=learner, domain="hotel_booking").exists()


@pytest.mark.django_db
def test_a_stranger_is_reflected_on_and_nothing_is_remembered() -> None:
    plan, evaluation = failed("somebody-elsewhere")
    reflection = ReflectionLayer().reflect_on_result(plan, evaluation, result=CHEAP)
    row = ReflectionRow.objects.get()
    assert reflection.id == row.pk
    assert not row.in_force
    assert not Episode.objects.exists()


@pytest.mark.django_db
def test_what_is_not_stored_is_reflected_on_and_stores_nothing() -> None:
    plan = Plan(task=TASK, success_criteria=list(CRITERIA))  # type: ignore[arg-type]
    evaluation = EvaluationLayer().evaluate_result(plan, CHEAP)
    reflection = ReflectionLayer().reflect_on_result(plan, evaluation, result=CHEAP)
    assert reflection.quality is not None
    assert reflection.decision is not None
    assert not ReflectionRow.objects.exists()


@pytest.mark.django_db
def test_a_full_memory_costs_the_episode_and_not_the_reflection(learner: User) -> None:
    MemoryRoom.objects.create(user=learner, episodes=EPISODES_AT_MOST, bytes=0)
    row = reflected(learner)
    assert row.in_force
    assert not Episode.objects.exists()
    assert StrategyAdjustment.objects.exists()


@pytest.mark.django_db
def test_a_result_that_replaces_the_failed_one_takes_back_what_was_learned(learner: User) -> None:
    plan, evaluation = failed(learner)
    ReflectionLayer().reflect_on_result(plan, evaluation, result=CHEAP)
    assert EvaluationLayer().evaluate_result(plan, GOOD, latest=True).success
    row = ReflectionRow.objects.get()
    assert not row.in_force
    assert not Episode.objects.filter(outcome="failure").exists()
    assert not StrategyAdjustment.objects.filter(withdrawn_at=None).exists()


@pytest.mark.django_db
def test_a_failure_that_was_replaced_meanwhile_is_not_stored(learner: User) -> None:
    plan, evaluation = failed(learner)
    EvaluationLayer().evaluate_result(plan, GOOD, latest=True)
    with pytest.raises(ReflectionRefused):
        ReflectionLayer().reflect_on_result(plan, evaluation, result=CHEAP)
    assert not ReflectionRow.objects.exists()


class Broke:
    """A tracker of costs whose budget is spent."""

    def __init__(self, error: type[MetacognitionCostExceeded]) -> None:
        self.error = error

    def check_budget_before_operation(self, operation: str, estimated_cost: float) -> None:
        raise self.error("Would exceed daily budget: $5.10 > $5.00")

    def record_operation_cost(self, operation: str, actual_cost: float) -> None:
        raise AssertionError("nothing was done")


@pytest.mark.django_db
def test_over_the_daily_budget_nothing_is_generated_and_it_is_told(learner: User) -> None:
    plan, evaluation = failed(learner)
    layer = ReflectionLayer(cost_tracker=Broke(DailyMetacognitionBudgetExceeded))
    with pytest.raises(DailyMetacognitionBudgetExceeded):
        layer.reflect_on_result(plan, evaluation, result=CHEAP)
    assert not ReflectionRow.objects.exists()
    assert OperationTiming.objects.get(operation="reflect_on_result").outcome == "too_dear"
    assert Event.objects.filter(event="operation.refused").exists()
    assert PendingReflection.objects.get().state == "running", "it waits for better times"


class Asleep:
    """A model that does not answer before the limit."""

    def __init__(self) -> None:
        self.over = threading.Event()

    def complete(self, prompt: str) -> str:
        self.over.wait(30)
        return "{}"


@pytest.mark.django_db
def test_a_reflection_that_takes_over_10_seconds_leaves_no_row_but_its_event(
    learner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gateway.operations import registry as operations

    short = operations.operation_named("reflect_on_result")._replace(timeout_ms=300)
    monkeypatch.setitem(operations._operations, "reflect_on_result", short)
    plan, evaluation = failed(learner)
    model = Asleep()
    with pytest.raises(MetacognitionTimeoutError, match="reflect_on_result exceeded 300ms"):
        ReflectionLayer(llm=model).reflect_on_result(plan, evaluation, result=CHEAP)
    model.over.set()
    assert not ReflectionRow.objects.exists()
    assert Event.objects.filter(event="operation.timed_out").exists()


class Says:
    """A passed model that says these things in turn, the last one for ever."""

    def __init__(self, *said: str) -> None:
        self.said, self.prompts = list(said), list[str]()

    def complete(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self.said.pop(0) if len(self.said) > 1 else self.said[0]


@pytest.mark.django_db
@pytest.mark.parametrize("nonsense", ["", "I would rather not.", '{"analysis": 3', "<html>no</html>", "[]" * 10_000])
def test_a_model_that_talks_nonsense_is_not_followed_and_the_facts_speak(learner: User, nonsense: str) -> None:
    plan, evaluation = failed(learner)
    reflection = ReflectionLayer(llm=Says(nonsense)).reflect_on_result(plan, evaluation, result=CHEAP)
    row = ReflectionRow.objects.get()
    assert (reflection.author, reflection.decision) == (Author.FACTS, Decision.ACCEPTED)
    assert row.fallback
    assert not Hold.objects.exists()


@pytest.mark.django_db
def test_every_attempt_is_recorded_and_the_best_one_kept(learner: User) -> None:
    fields = {"analysis": "It failed.", "strategy_adjustments": ["Do better"], "learning": "Hm."}
    plan, evaluation = failed(learner)
    model = Says(json.dumps({**fields, "patterns_identified": []}))
    reflection = ReflectionLayer(llm=model).reflect_on_result(plan, evaluation, result=CHEAP)
    attempts = list(Attempt.objects.all())
    assert 1 < len(attempts) <= 3
    assert len(model.prompts) <= 3
    row = ReflectionRow.objects.select_related("kept").get()
    assert row.kept is not None
    assert row.kept.quality_score == max(one.quality_score for one in attempts)
    told = Event.objects.get(event="reflection.made").data
    assert (told["attempts"], told["decision"]) == (len(attempts), reflection.decision)


@pytest.mark.django_db
def test_the_audit_trail_has_no_word_of_the_learner(learner: User) -> None:
    row = reflected(learner, task="Book hotel in Samarkand for Aunt Philomena")
    told = str(Event.objects.get(event="reflection.made").data)
    assert "Samarkand" not in told
    assert "Philomena" not in told
    assert row.kept is not None
    assert row.kept.analysis[:30] not in told


@pytest.mark.django_db(transaction=True)
def test_the_worker_takes_what_waits_and_a_failure_that_kills_workers_is_given_up(learner: User) -> None:
    failed(learner)
    failed(learner, "Book hotel in Rome")
    first, second = PendingReflection.objects.order_by("pk")
    PendingReflection.objects.filter(pk=first.pk).update(takes=TAKES_AT_MOST)
    reflect()
    assert list(PendingReflection.objects.values_list("state", flat=True)) == ["done", "done"]
    assert ReflectionRow.objects.get().evaluation_id == second.evaluation_id
    assert Event.objects.get(event="reflection.abandoned").data["why"] == "takes"
    reflect()
    assert ReflectionRow.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_who_reflect_on_one_failure_at_once_store_one_reflection(learner: User) -> None:
    plan, evaluation = failed(learner)
    begun, got = threading.Barrier(2, timeout=20), list[Any]()

    def go() -> None:
        begun.wait()
        try:
            got.append(ReflectionLayer().reflect_on_result(plan, evaluation, result=CHEAP).id)
        finally:
            connection.close()

    threads = [threading.Thread(target=go) for _ in range(2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(got) == 2
    assert len(set(got)) == 1
    assert ReflectionRow.objects.count() == 1
    assert StrategyAdjustment.objects.values("reflection_id").distinct().count() == 1


@pytest.mark.django_db
def test_reflections_go_with_their_learner(learner: User) -> None:
    reflected(learner)
    succeeded(learner, "Book hotel in Rome")
    learner_erase(user=learner)
    assert not ReflectionRow.objects.exists()
    assert not Attempt.objects.exists()
    assert not Pattern.objects.exists()
    pending = PendingReflection(evaluation_id="00000000-0000-0000-0000-000000000000", takes=1)
    pending_reflect(pending)  # whoever was about to reflect finds nothing, and no error


@pytest.mark.django_db
def test_a_reflection_is_never_reflected_on(learner: User) -> None:
    reflected(learner)
    assert PendingReflection.objects.count() == 1
    reflect()
    assert (ReflectionRow.objects.count(), PendingReflection.objects.count()) == (1, 1)


@pytest.mark.django_db
def test_a_failed_task_does_not_become_a_wish_of_later_plans(learner: User) -> None:
    plan, evaluation = failed(
        learner,
        "Book a flight from Madrid to Berlin under 150 euros",
        {"flight": {"from": "Madrid", "to": "Berlin", "price": "240 EUR", "stops": 2}},
        None,
    )
    ReflectionLayer().reflect_on_result(plan, evaluation)
    later = PlanningLayer().create_plan("Book a flight from Lima to Tokyo under 1500 euros", learner.pk)
    shaped = " ".join((*later.constraints, *(one.normal for one in later.success_criteria))).casefold()
    assert "berlin" not in shaped
    assert "150 " not in shaped.replace("1500", "")


@pytest.mark.django_db
def test_what_waits_for_staff_does_not_make_what_comes_after_it_old(learner: User) -> None:
    vague = {
        "analysis": "The budget-first strategy was a flawed approach to this hotel: quality 5 fell short of 7.",
        "patterns_identified": [],
        "strategy_adjustments": ["Do better next time"],
        "learning": "Look at the quality of a hotel before its price, so that the user need not reject it.",
    }
    plan, evaluation = failed(learner)
    held = ReflectionLayer(llm=Says(json.dumps(vague))).reflect_on_result(plan, evaluation, result=CHEAP)
    assert held.decision == Decision.ACCEPTED_WITH_WARNINGS
    plan, evaluation = failed(learner, "Book hotel in Rome")
    better = {**vague, "strategy_adjustments": ["Add constraint: quality >= 7"]}
    after = ReflectionLayer(llm=Says(json.dumps(better))).reflect_on_result(plan, evaluation, result=CHEAP)
    assert after.quality is not None
    assert after.quality.metrics["novelty_score"] == 1.0
    assert after.decision == Decision.ACCEPTED


@pytest.mark.django_db
def test_what_staff_rejected_does_not_come_back_with_the_next_failure(learner: User, staff: User) -> None:
    row = reflected(learner)
    reflection_reject(reflection_id=row.pk, by=staff, reason="It blames the wrong thing.")
    again = reflected(learner, task="Book hotel in Rome")
    assert row.kept is not None
    assert again.kept is not None
    tried = {one["text"] for one in row.kept.adjustments}
    assert not tried & {one["text"] for one in again.kept.adjustments}


@pytest.mark.django_db
def test_over_budget_the_worker_waits_for_the_next_day_and_counts_no_take(
    learner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed(learner)

    broke = Broke(DailyMetacognitionBudgetExceeded)
    monkeypatch.setattr("reflection.loop.pending.Collaborators", lambda: Collaborators(cost_tracker=broke))
    reflect()
    pending = PendingReflection.objects.get()
    assert (pending.state, pending.takes) == ("running", 0)
    assert pending.lease_until is not None
    assert pending.lease_until.astimezone(UTC).hour == pending.lease_until.minute == 0
    assert pending.lease_until > timezone.now()
    assert not ReflectionRow.objects.exists()


@pytest.mark.django_db
def test_errors_alone_are_a_failure(learner: User) -> None:
    plan = Plan(task=TASK, success_criteria=list(CRITERIA))  # type: ignore[arg-type]
    evaluation = Evaluation(
        success=False,
        criteria_met=[],
        errors=["Quality below threshold (5 < 7)"],
        relevancy_score=0.4,
        completeness_score=0,
    )
    reflection = ReflectionLayer().reflect_on_result(plan, evaluation)
    assert len(reflection.analysis) >= ANALYSIS_AT_LEAST
