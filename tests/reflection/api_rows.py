"""Reflections that programs read and review, made as the gate of some day may have left them."""

from typing import Any

from django.utils import timezone

from accounts.models import Scope, User
from evaluation.models import Evaluation
from evaluation.services import reflection_close, reflections_claim
from reflection.contracts import PatternFound
from reflection.loop.pending import pending_reflect
from reflection.models import Attempt, Reflection
from reflection.quality.adjustments import adjustments_read
from tests.api.sessions import Json, Program
from tests.planning.api_plans import HOTEL, evaluated, planned

BAD: Json = {"hotel_selected": {"quality": 5, "price": 80}, "user_feedback": "rejected - too simple"}
REFLECTIONS, QUALITY = "reflections/", "reflections/quality/"
REVIEWING = (Scope.PLANS_READ, Scope.PLANS_WRITE, Scope.REFLECTIONS_REVIEW, Scope.METRICS_READ)
METRICS = {"completeness": 1.0, "depth_score": 0.53, "actionability_score": 0.8, "novelty_score": 1.0}
SHALLOW = "Shallow reflection: depth=0.53 < 0.7. Need root cause analysis, not just symptoms."
PATTERN = PatternFound(
    text="When price comes first, quality falls short",
    domain="hotel_booking",
    condition=("priority=price",),
    outcome="fails:quality >= 7",
    support=4,
    contrary=1,
    total=5,
    confidence=0.8,
    lower_bound=0.38,
    episodes=("12", "9"),
)
EDIT: Json = {
    "action": "edit",
    "reason": "The cause was not named.",
    "analysis": "Hotels were sorted by price, so the budget-first strategy conflicted with the quality that is wanted.",
    "learning": "For hotels quality comes before the price: search with quality >= 8 from the very first step.",
    "strategy_adjustments": ["Add constraint: quality >= 8"],
    "patterns_identified": [PATTERN.text],
}
APPROVE: Json = {"action": "approve", "reason": "Short, but the cause is right."}
REJECT: Json = {"action": "reject", "reason": "It blames the learner."}


def reviewer(staff: User) -> Program:
    program = Program(staff, scopes=REVIEWING)
    program.get(f"{REFLECTIONS}?limit=1")
    return program


def failed(program: Program, task: str = "Book hotel in Paris", **more: Any) -> Json:
    """An evaluation that failed."""
    return evaluated(program, planned(program, task, criteria=HOTEL, **more), BAD)


def reflect_all() -> None:
    """As the worker does it."""
    for pending in reflections_claim(limit=100):
        pending_reflect(pending)


def kept(evaluation: Json, decision: str = "accepted_with_warnings", attempts: int = 1, **values: Any) -> Reflection:
    """A reflection on this evaluation as the gate of the day may have left it, whatever that says of our own."""
    plan = Evaluation.objects.get(pk=evaluation["id"]).plan
    made = values.pop("created_at", timezone.now())
    row = Reflection.objects.create(
        evaluation_id=evaluation["id"],
        task_type=plan.task_type,
        language=plan.language,
        decision=decision,
        created_at=made,
        **values,
    )
    for number in range(1, attempts + 1):
        row.kept = Attempt.objects.create(
            reflection=row,
            number=number,
            author="facts",
            analysis=f"The wrong hotel was selected: quality 5, and 7 or more had been wanted. Attempt {number}.",
            learning="For hotels quality comes before the price, and both are searched for from the start.",
            patterns=[PATTERN.model_dump(mode="json")],
            adjustments=[
                one.model_dump(mode="json")
                for one in adjustments_read(["Add constraint: quality >= 7", "Set mood = 3", "Do better"])
            ],
            decision=decision,
            is_valid=decision == "accepted",
            quality_score=0.79,
            metrics=METRICS,
            violations=[{"metric": "depth_score", "text": SHALLOW}],
            created_at=made,
        )
    row.save(update_fields=["kept"])
    reflection_close(evaluation_id=row.evaluation_id)
    return row


def reviews(row: Reflection) -> str:
    return f"{REFLECTIONS}{row.pk}/reviews/"
