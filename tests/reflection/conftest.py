"""Failures made for real: a plan, a result that falls short, and whoever reflects on it."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from accounts.models import User
from evaluation.contracts import Evaluation
from evaluation.layer import EvaluationLayer
from planning.contracts import Plan
from planning.layer import PlanningLayer
from reflection.contracts import Reflection
from reflection.layer import ReflectionLayer
from reflection.models import Reflection as ReflectionRow
from tests.lesson_engine.admin.conftest import desk  # noqa: F401 - a fixture here too

TASK = "Book hotel in Paris"
CRITERIA = ("Hotel quality >= 7", "Price within budget ($200)", "User confirms")
CHEAP = {
    "hotel_selected": {"name": "Budget Inn", "quality": 5, "price": 80},
    "user_feedback": "rejected - too low quality",
}
GOOD = {"hotel_selected": {"name": "Lutetia", "quality": 8, "price": 150}, "user_feedback": "confirmed"}

Fail = Callable[..., tuple[Plan, Evaluation]]


def failed(
    user: User | int | str | None, task: str = TASK, result: Any = None, criteria: Sequence[str] | None = CRITERIA
) -> tuple[Plan, Evaluation]:
    """A plan for the user that failed with this result, by default with a cheap hotel."""
    plan = PlanningLayer().create_plan(task, getattr(user, "pk", user), criteria=criteria)
    return plan, EvaluationLayer().evaluate_result(plan, CHEAP if result is None else result)


def succeeded(user: User, task: str = TASK) -> Evaluation:
    """A plan for the user that reached what it was to reach."""
    plan = PlanningLayer().create_plan(task, user.pk, criteria=CRITERIA)
    evaluation = EvaluationLayer().evaluate_result(plan, GOOD)
    assert evaluation.success
    return evaluation


def reflected(user: User | None, **values: Any) -> ReflectionRow:
    """A stored reflection on a failure of this user, by rules alone."""
    plan, evaluation = failed(user, **values)
    reflection = ReflectionLayer().reflect_on_result(plan, evaluation, result=values.get("result") or CHEAP)
    return row_of(reflection)


def row_of(reflection: Reflection) -> ReflectionRow:
    """Its row, with the attempt that counts."""
    return ReflectionRow.objects.select_related("kept", "evaluation__plan").get(pk=str(reflection.id))


@pytest.fixture
def fail() -> Fail:
    return failed
