"""Every form of criterion has its check, rows say which one it was, and a check can be added."""

import json
from uuid import UUID

import pytest

from accounts.models import User
from evaluation.checking import evaluators
from evaluation.checking.check import ResultReading, criterion_check
from evaluation.checking.evaluators.base import Evaluator
from evaluation.contracts import CriterionResult, Reason
from evaluation.layer import EvaluationLayer
from evaluation.models import CriterionCheck
from planning.contracts import SuccessCriterion
from planning.layer import PlanningLayer
from tests.each import each


class WordLimit(Evaluator):
    """ "At most 5 words": how long the texts of a result are."""

    name, version = "word-limit", 3

    def applies_to(self, criterion: SuccessCriterion) -> bool:
        return criterion.text.endswith(" words")

    def evaluate(self, criterion: SuccessCriterion, result: ResultReading) -> CriterionResult:
        words = sum(len(node.value.split()) for node in result.nodes if isinstance(node.value, str))
        met = words <= int(criterion.text.split()[-2])
        text = f"{words} words"
        return CriterionResult(
            criterion=criterion.normal,
            source=criterion.text,
            met=met,
            actual=words,
            explanation=text,
            error=None if met else text,
            evaluator=self.label,
        )


def checked(text: str, result: object) -> CriterionResult:
    return criterion_check(SuccessCriterion(text=text), result)


@each(
    ("text", "label"),
    [
        ("Hotel quality >= 7", "numeric-threshold/1"),
        ("price between 100 and 200", "numeric-threshold/1"),
        ("check-in before 2026-03-15", "date-threshold/1"),
        ("status is confirmed", "equality/1"),
        ("cuisine in {french, italian}", "equality/1"),
        ("Hotel has pool", "presence/1"),
        ("No advanced-only resorts", "absence/1"),
        ("User confirms", "user-verdict/1"),
        ("It is as lovely as a summer's day, if not lovelier", ""),
    ],
)
def test_a_result_says_which_check_it_comes_from(text: str, label: str) -> None:
    assert checked(text, {"quality": 8, "price": 150}).evaluator == label


def test_labels_are_told_apart_and_fit_their_column() -> None:
    labels = [evaluator.label for evaluator in evaluators.EVALUATORS]
    assert len(set(labels)) == len(labels)
    column = CriterionCheck._meta.get_field("evaluator")
    assert all(len(label) <= (column.max_length or 0) for label in labels)


def test_a_check_is_added_by_its_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluators, "EVALUATORS", (WordLimit(), *evaluators.EVALUATORS))
    assert (checked("At most 3 words", {"a": "one two three"}).met, checked("At most 3 words", ["a b", "c d"]).met) == (
        True,
        False,
    )
    assert checked("At most 3 words", "a b c d").evaluator == "word-limit/3"
    assert checked("Hotel quality >= 7", {"quality": 8}).evaluator == "numeric-threshold/1"


def test_a_check_that_breaks_is_on_record_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluators, "EVALUATORS", (WordLimit(),))
    broken = checked("At most many words", "a b")
    assert (broken.met, broken.reason, broken.evaluator) == (None, Reason.CHECK_FAILED, "word-limit/3")


def test_a_fault_in_choosing_a_check_costs_that_check_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Faulty(WordLimit):
        def applies_to(self, criterion: SuccessCriterion) -> bool:
            raise RuntimeError("a fault of ours")

    monkeypatch.setattr(evaluators, "EVALUATORS", (Faulty(), *evaluators.EVALUATORS))
    broken = checked("Hotel quality >= 7", {"quality": 8})
    assert (broken.met, broken.reason, broken.evaluator) == (None, Reason.CHECK_FAILED, "")


@pytest.mark.django_db
def test_rows_carry_what_judged_them(learner: User) -> None:
    plan = PlanningLayer().create_plan("Book a hotel", learner.pk, criteria=["Hotel quality >= 7", "User confirms"])
    evaluation = EvaluationLayer().evaluate_result(plan, {"quality": 8, "user_feedback": "confirmed"})
    stored = CriterionCheck.objects.filter(evaluation=UUID(str(evaluation.id))).values_list("evaluator", flat=True)
    assert list(stored) == ["numeric-threshold/1", "user-verdict/1"]
    assert [check["evaluator"] for check in json.loads(evaluation.model_dump_json())["criteria_met"]] == list(stored)
