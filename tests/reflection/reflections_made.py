"""Reflections as rows, with attempts that a test chooses, many at once."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from accounts.models import User
from evaluation.models import Evaluation
from planning.layer import PlanningLayer
from planning.models import Plan
from reflection.models import Attempt, Reflection

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
GOOD = {"completeness": 1.0, "depth_score": 0.9, "actionability_score": 1.0, "relevance_score": 0.8}
PATTERN = {"text": "budget first ends badly", "condition": ["priority=price"], "outcome": "fails:quality >= 7"}


def tried(quality: float = 0.9, decision: str = "accepted", author: str = "facts", **changes: Any) -> dict[str, Any]:
    """One attempt; valid where it is accepted, unless `is_valid` says otherwise."""
    usual = {"is_valid": decision == "accepted", "metrics": GOOD, "patterns": []}
    return {**usual, "quality_score": quality, "decision": decision, "author": author, **changes}


def pattern(support: int, total: int, confidence: float | None = None, **changes: Any) -> dict[str, Any]:
    """One that was counted: its confidence is support over total unless said."""
    share = support / total if confidence is None else confidence
    return {**PATTERN, "support": support, "total": total, "confidence": share, **changes}


def plan_make(user: User) -> Plan:
    """A plan for a failure to be of."""
    made = PlanningLayer().create_plan("Book hotel in Paris", user)
    assert made.id is not None
    return Plan.objects.get(pk=made.id)


def reflections_make(
    plan: Plan, *reflections: Sequence[dict[str, Any]], at: datetime = NOON, kept: int | None = None, **changes: Any
) -> list[Reflection]:
    """A reflection on a failure of its own for each list of attempts. The last attempt counts, or number `kept`; the
    gate decided as on the last that is not staff's.
    """
    failures = [
        Evaluation(
            plan=plan,
            execution_result={},
            success=False,
            verified=1,
            relevancy_score=0,
            completeness_score=0,
            created_at=at,
        )
        for _ in reflections
    ]
    Evaluation.objects.bulk_create(failures)
    rows = [
        Reflection(
            **{
                "evaluation": failure,
                "task_type": plan.task_type,
                "language": "en",
                "decision": [one["decision"] for one in attempts if one["author"] != "staff"][-1],
                "created_at": at,
                **changes,
            }
        )
        for failure, attempts in zip(failures, reflections, strict=True)
    ]
    Reflection.objects.bulk_create(rows)
    for row, attempts in zip(rows, reflections, strict=True):
        stored = Attempt.objects.bulk_create(_attempts(row, attempts, plan, at))
        row.kept = stored[len(attempts) - 1 if kept is None else kept - 1]
    Reflection.objects.bulk_update(rows, ["kept"])
    return rows


def _attempts(row: Reflection, attempts: Sequence[dict[str, Any]], plan: Plan, at: datetime) -> list[Attempt]:
    return [
        Attempt(
            reflection=row,
            number=number,
            by_id=plan.user_id if one["author"] == "staff" else None,
            analysis="It failed because the strategy put the price first.",
            learning="Quality comes before the price.",
            created_at=at,
            **one,
        )
        for number, one in enumerate(attempts, 1)
    ]
