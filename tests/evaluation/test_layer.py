"""Evaluations by the layer, as RF-007's scenarios have them: real rows, slow judges, a real provider."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from accounts.services import learner_erase
from evaluation.checking.evaluators.values import NumericThreshold
from evaluation.contracts import Reason
from evaluation.errors import ResultRefused
from evaluation.layer import EvaluationLayer
from evaluation.models import CriterionCheck, PendingReflection
from evaluation.models import Evaluation as EvaluationRow
from evaluation.services import evaluation_store
from evaluation.services.experience import experience_store
from evaluation.signals import reflection_wanted
from gateway.errors import MetacognitionTimeoutError
from gateway.models import Hold, OperationTiming
from memory.models import EPISODES_AT_MOST, Episode, MemoryRoom
from planning.contracts import Plan
from planning.errors import PlanNotFound
from planning.experience import learnings_of
from planning.layer import PlanningLayer
from planning.models import Plan as PlanRow
from telemetry.models import Event
from tests.provider import Provider, says

HOTEL = ["Hotel quality >= 7", "Price within budget ($200)", "User confirms"]


@dataclass
class Hotel:
    quality: int
    price: int


def plan_of(*criteria: str, task: str = "Book hotel in Paris") -> Plan:
    return Plan(task=task, success_criteria=list(criteria))  # type: ignore[arg-type]


def stored(learner: User, *criteria: str) -> Plan:
    return PlanningLayer().create_plan("Book hotel in Paris", learner.pk, criteria=criteria or HOTEL)


@pytest.mark.django_db
def test_scenario_6_evaluate_result_success() -> None:
    result = {"hotel_selected": Hotel(quality=8, price=150), "user_feedback": "confirmed"}
    evaluation = EvaluationLayer().evaluate_result(plan_of(*HOTEL), result)
    assert evaluation.success is True
    assert evaluation.errors == []
    assert [(one["criterion"], one["met"], one["actual"]) for one in evaluation.criteria_met][:2] == [
        ("quality >= 7", True, 8),
        ("price <= 200", True, 150),
    ]
    assert (evaluation.criteria_met[2]["criterion"], evaluation.criteria_met[2]["met"]) == ("user confirms", True)
    assert evaluation.relevancy_score == 1.0


@pytest.mark.django_db
def test_scenario_7_evaluate_result_failure(learner: User, django_capture_on_commit_callbacks: Any) -> None:
    plan, nudged = stored(learner, "Hotel quality >= 7", "User confirms"), list[int]()

    def nudge(pending_id: int, **_: object) -> None:
        nudged.append(pending_id)

    reflection_wanted.connect(nudge)
    result = {"hotel_selected": Hotel(quality=5, price=80), "user_feedback": "rejected - too low quality"}
    with django_capture_on_commit_callbacks(execute=True):
        evaluation = EvaluationLayer().evaluate_result(plan, result)
    assert evaluation.success is False
    assert evaluation.errors == ["Quality below threshold (5 < 7)", "User rejected"]
    assert evaluation.relevancy_score < 0.5
    pending = PendingReflection.objects.get()
    assert pending.evaluation_id == evaluation.id
    assert nudged == [pending.pk]
    assert PlanRow.objects.get(pk=str(plan.id)).outcome == "failure"
    assert Event.objects.get(event="plan.evaluated").data["reflectionPending"] is True


@pytest.mark.django_db
def test_scenario_7_a_result_that_comes_twice_is_evaluated_and_reflected_on_once(learner: User) -> None:
    plan, layer = stored(learner), EvaluationLayer()
    first, again = (layer.evaluate_result(plan, {"quality": 5}, key="order-7") for _ in range(2))
    assert first == again
    assert (EvaluationRow.objects.count(), PendingReflection.objects.count()) == (1, 1)


@pytest.mark.django_db
def test_a_success_is_remembered_once_for_whom_the_plan_was_for(learner: User) -> None:
    plan, layer = stored(learner), EvaluationLayer()
    result = {"hotel_selected": Hotel(quality=8, price=150), "user_feedback": "confirmed"}
    for _ in range(2):
        layer.evaluate_result(plan, result, key="order-7")
    episode = Episode.objects.get()
    assert (episode.user, episode.outcome, episode.task_type) == (learner, "success", "hotel_booking")
    assert episode.content == "Done: Book hotel in Paris (3/3)"
    assert learnings_of(PlanningLayer().retrieve_experience("Book hotel in Paris", learner.pk)).episodes == []


@pytest.mark.django_db
def test_a_memory_that_is_full_does_not_keep_a_success_from_being_evaluated(learner: User) -> None:
    plan = stored(learner)
    MemoryRoom.objects.create(user=learner, episodes=EPISODES_AT_MOST, bytes=0)
    result = {"hotel_selected": Hotel(quality=8, price=150), "user_feedback": "confirmed"}
    assert EvaluationLayer().evaluate_result(plan, result).success
    assert not Episode.objects.exists()
    assert EvaluationRow.objects.count() == Event.objects.filter(event="quota.exceeded").count() == 1


@pytest.mark.django_db
def test_scenario_8_check_single_criterion() -> None:
    checked = EvaluationLayer().check_criterion("Hotel quality >= 7", {"hotel_quality": 8})
    assert (checked.met, checked.actual_value, checked.expected_value) == (True, 8, ">= 7")
    assert checked.explanation == "Quality 8 meets threshold of 7"
    assert OperationTiming.objects.get(operation="check_criteria").target_ms == 200


@pytest.mark.django_db
def test_scenario_9_assess_relevance_score() -> None:
    result = {"restaurant": "Le Chat Noir", "cuisine": "French", "ambiance": "romantic", "price": "$$"}
    score = EvaluationLayer().assess_relevance("Find romantic restaurant in Paris", result)
    assert 0.8 <= score <= 1.0
    assert score.score_breakdown.task_match >= 0.8
    assert score.score_breakdown.completeness == 1.0


class WaitsForAll:
    """A passed model that answers when so many ask it at once, and remembers how long each had to wait."""

    def __init__(self, askers: int) -> None:
        self.all_here, self.waits = threading.Barrier(askers, timeout=10), list[float]()

    def complete(self, prompt: str) -> str:
        began = time.monotonic()
        self.all_here.wait()
        self.waits.append(time.monotonic() - began)
        return json.dumps({"met": "yes", "actual": "quiet", "why": "It says so."})


@pytest.mark.django_db
def test_scenario_10_parallel_criteria_checking() -> None:
    wishes = [f"The place has a nice atmosphere for purpose number {n}" for n in range(5)]
    plan = plan_of("Hotel quality >= 7", *wishes)
    assert all(criterion.parse is None for criterion in plan.success_criteria[1:])
    judge = WaitsForAll(askers=15)  # three votes on each of five; one after the other, none would ever be answered
    began = time.monotonic()
    evaluation = EvaluationLayer(llm=judge).evaluate_result(plan, {"quality": 8, "notes": "quiet"})
    took = time.monotonic() - began
    assert [one.met for one in evaluation.criteria_met] == [True] * 6
    assert len(judge.waits) == 15
    assert took < sum(judge.waits) + 0.5


@pytest.mark.django_db
def test_scenario_15_evaluation_with_missing_data() -> None:
    result = {"hotel_selected": {"quality": 8}}
    evaluation = EvaluationLayer().evaluate_result(plan_of("Hotel has pool", "Hotel quality >= 7"), result)
    pool, quality = evaluation.criteria_met
    assert (pool["criterion"], pool["met"], pool["reason"]) == ("pool", None, "data_missing")
    assert (quality["met"], quality["actual"]) == (True, 8)
    assert evaluation.completeness_score == 0.5
    assert evaluation.warnings == ["Cannot verify criterion: pool (missing data)"]


@pytest.mark.django_db
def test_nothing_verifiable_is_no_success_and_no_failure(learner: User) -> None:
    plan = stored(learner)
    evaluation = EvaluationLayer().evaluate_result(plan, {})
    assert evaluation.success is False
    assert evaluation.errors == []
    assert evaluation.warnings
    assert not PendingReflection.objects.exists()
    assert PlanRow.objects.get(pk=str(plan.id)).outcome == "unknown"


def voting(*votes: str) -> Any:
    class Judge:
        def __init__(self) -> None:
            self.left = list(votes)
            self.lock = threading.Lock()

        def complete(self, prompt: str) -> str:
            with self.lock:
                said = self.left.pop()
            if said == "fails":
                raise RuntimeError("down")
            return said if said == "nonsense" else json.dumps({"met": said, "actual": "x", "why": "because"})

    return Judge()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("votes", "met", "reason"),
    [
        (("yes", "yes", "yes"), True, None),
        (("yes", "unknown", "yes"), True, None),
        (("no", "no", "fails"), False, None),
        (("yes", "yes", "no"), None, Reason.JUDGES_DISAGREE),
        (("no", "yes", "unknown"), None, Reason.JUDGES_DISAGREE),
        (("unknown", "unknown", "yes"), None, Reason.DATA_MISSING),
        (("yes", "fails", "nonsense"), None, Reason.JUDGE_FAILED),
        (("nonsense", "nonsense", "nonsense"), None, Reason.JUDGE_FAILED),
    ],
)
def test_judges_must_agree(votes: tuple[str, ...], met: bool | None, reason: Reason | None) -> None:
    checked = EvaluationLayer(llm=voting(*votes)).check_criterion("The place feels like home", {"place": "a house"})
    assert (checked.met, checked.reason, checked.checked_by) == (met, reason, "judge")


@pytest.mark.django_db
def test_without_a_judge_what_is_not_understood_is_unknown() -> None:
    checked = EvaluationLayer().check_criterion("The place feels like home", {"place": "a house"})
    assert (checked.met, checked.reason) == (None, Reason.NOT_UNDERSTOOD)


@pytest.mark.django_db(transaction=True)
def test_a_configured_model_judges_and_the_person_pays(learner: User, provider: Provider) -> None:
    plan = stored(learner, "Hotel quality >= 7", "The place feels like home")
    provider.always(says("Yes."))
    evaluation = EvaluationLayer().evaluate_result(plan, {"quality": 8, "lounge": "fireplace"})
    assert [one.met for one in evaluation.criteria_met] == [True, True]
    holds = Hold.objects.filter(operation="evaluate_result")
    assert holds.count() >= 2
    assert {hold.user_id for hold in holds} == {learner.pk}
    assert evaluation.cost_microcents == sum(hold.cost or 0 for hold in holds) > 0


@pytest.mark.django_db
def test_a_judge_that_takes_too_long_leaves_nothing(learner: User) -> None:
    plan, judge = stored(learner, "Hotel quality >= 7", "The place feels like home"), WaitsForAll(askers=4)
    with pytest.raises(MetacognitionTimeoutError, match="evaluate_result exceeded 2000ms"):
        EvaluationLayer(llm=judge).evaluate_result(plan, {"quality": 8})
    judge.all_here.abort()
    assert not EvaluationRow.objects.exists()
    assert not CriterionCheck.objects.exists()


def _cycle() -> dict[str, Any]:
    result: dict[str, Any] = {"quality": 8}
    result["itself"] = result
    return result


@pytest.mark.django_db
@pytest.mark.parametrize("make", [_cycle, lambda: {"text": "x" * 300_000}], ids=["cycle", "large"])
def test_a_result_that_cannot_be_stored_is_refused(learner: User, make: Callable[[], dict[str, Any]]) -> None:
    plan = stored(learner)
    with pytest.raises(ResultRefused):
        EvaluationLayer().evaluate_result(plan, make())
    assert not EvaluationRow.objects.exists()


@pytest.mark.django_db
def test_hostile_text_is_stored_as_text(learner: User) -> None:
    evaluation = EvaluationLayer().evaluate_result(
        stored(learner), {"quality": "\x00\ud800 NaN", "user_feedback": "<script>", "price": float("nan")}
    )
    connection.check_constraints()
    assert EvaluationRow.objects.get(pk=str(evaluation.id)).execution_result["user_feedback"] == "<script>"


@pytest.mark.django_db
def test_a_fault_of_ours_in_one_check_costs_that_check(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = NumericThreshold.outcome

    def breaks(evaluator: Any, text: str, *more: Any) -> Any:
        if "quality" in text:
            raise ZeroDivisionError
        return outcome(evaluator, text, *more)

    monkeypatch.setattr(NumericThreshold, "outcome", breaks)
    evaluation = EvaluationLayer().evaluate_result(plan_of(*HOTEL), {"price": 150, "user_feedback": "confirmed"})
    assert [(one.met, one.reason) for one in evaluation.criteria_met] == [
        (None, Reason.CHECK_FAILED),
        (True, None),
        (True, None),
    ]


@pytest.mark.django_db
def test_an_evaluation_committed_in_time_counts_though_the_limit_passes_meanwhile(
    learner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = stored(learner)

    def slowly(**values: Any) -> Any:
        done = evaluation_store(**values)
        threading.Event().wait(2.1)  # as a commit on a slow disk
        return done

    monkeypatch.setattr("evaluation.layer.evaluation_store", slowly)
    evaluation = EvaluationLayer().evaluate_result(plan, {"quality": 5})
    assert EvaluationRow.objects.get().pk == evaluation.id


@pytest.mark.django_db
def test_a_plan_that_is_gone_is_not_evaluated(learner: User) -> None:
    plan = stored(learner)
    learner_erase(user=learner)
    with pytest.raises(PlanNotFound):
        EvaluationLayer().evaluate_result(plan, {"quality": 8})
    with pytest.raises(ResultRefused):
        EvaluationLayer().evaluate_result(stored_for_nobody(), {"quality": 8}, key="x" * 121)
    assert not EvaluationRow.objects.exists()


def stored_for_nobody() -> Plan:
    return PlanningLayer().create_plan("Book hotel in Paris", criteria=HOTEL)


@pytest.mark.django_db(transaction=True)
def test_erasing_waits_for_an_evaluation_under_way_and_takes_it_along(
    learner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, begun, erased = stored(learner), threading.Event(), list[bool]()

    def meets(**values: Any) -> None:
        begun.set()
        threading.Event().wait(0.3)
        experience_store(**values)

    def erase() -> None:
        begun.wait(10)
        erased.append(learner_erase(user=learner))
        connection.close()

    monkeypatch.setattr("evaluation.services.experience_store", meets)
    eraser = threading.Thread(target=erase)
    eraser.start()
    result = {"hotel_selected": Hotel(quality=8, price=150), "user_feedback": "confirmed"}
    assert EvaluationLayer().evaluate_result(plan, result).success
    eraser.join()
    assert erased == [True]
    assert not EvaluationRow.objects.exists()
    assert not Episode.objects.exists()
