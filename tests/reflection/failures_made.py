"""Failures as values: plans by the templates, results held against them by the rules. No rows."""

from collections.abc import Sequence
from typing import Any

from evaluation.checking.check import criterion_check, evaluation_of
from evaluation.relevance import relevance_of, relevance_weighed
from planning.contracts import Plan, PlanConfig, PlanMetadata, SuccessCriterion
from planning.templates import steps_of
from planning.understanding import task_read
from reflection.contracts.failure import Failure

PARIS = "Book hotel in Paris"
CRITERIA = ("Hotel quality >= 7", "Price within budget ($200)", "User confirms")
CHEAP = {
    "hotel_selected": {"name": "Budget Inn", "quality": 5, "price": 80},
    "user_feedback": "rejected - too low quality",
}


def failure_made(
    task: str = PARIS,
    criteria: Sequence[str] = CRITERIA,
    result: Any = None,
    *,
    priority: str | None = None,
    constraints: Sequence[str] = (),
    **more: Any,
) -> Failure:
    """A failure, by default of a cheap hotel. `more` are fields of `Failure`."""
    reading, found = task_read(task), CHEAP if result is None else result
    plan = Plan(
        task=task,
        steps=steps_of(reading),
        success_criteria=[SuccessCriterion(text=text) for text in criteria],
        config=PlanConfig(priority=priority),
        constraints=list(constraints),
        metadata=PlanMetadata(task_type=reading.task_type, language=reading.language),
    )
    checks = [criterion_check(one, found) for one in plan.success_criteria]
    relevance = relevance_weighed(relevance_of(task, found), checks)
    return Failure(plan=plan, evaluation=evaluation_of(checks, relevance), result=found, **more)
