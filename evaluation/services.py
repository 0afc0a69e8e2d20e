"""Writes of evaluation: what came of a plan, once, and the work that a failure leaves."""

import uuid
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from evaluation.contracts import Evaluation
from evaluation.experience import experience_store
from evaluation.models import CriterionCheck, PendingReflection
from evaluation.models import Evaluation as EvaluationRow
from evaluation.selectors import evaluation_of
from evaluation.signals import reflection_wanted
from planning.contracts import PlanOutcome
from planning.services import plan_outcome_set, tell
from telemetry.contracts import EventName


def outcome_of(evaluation: Evaluation) -> PlanOutcome:
    """Failed only where a criterion was seen to fail; unknown where nothing could be checked."""
    if evaluation.success:
        return PlanOutcome.SUCCESS
    return PlanOutcome.FAILURE if evaluation.verified else PlanOutcome.UNKNOWN


def evaluation_store(
    *,
    plan_id: uuid.UUID,
    evaluation: Evaluation,
    execution_result: Any,
    key: str = "",
    experience: str = "",
    check: Callable[[], None] | None = None,
    now: datetime | None = None,
) -> Evaluation:
    """Store an evaluation of a stored plan, and return it with its ids; `execution_result` is JSON.

    A failed one leaves a pending reflection in the same transaction. `key` names the event it is of: the second
    evaluation of the same event is not stored, the first is returned. `experience` is what a success is remembered as
    (see `evaluation.experience`), empty for nothing. `check` is asked before the transaction ends;
    when it raises, nothing is stored.
    """
    moment = now or timezone.now()
    if key and (there := _stored(plan_id, key)) is not None:
        return there
    try:
        with transaction.atomic():
            stored = _store(plan_id, evaluation, execution_result, key, moment)
            if experience and stored.success:
                assert stored.id is not None
                experience_store(plan_id=plan_id, evaluation_id=stored.id, content=experience)
            if check is not None:
                check()
            return stored
    except IntegrityError:
        there = _stored(plan_id, key) if key else None
        if there is None:
            raise
        return there


def _stored(plan_id: uuid.UUID, key: str) -> Evaluation | None:
    row = EvaluationRow.objects.prefetch_related("checks").filter(plan_id=plan_id, key=key).first()
    return evaluation_of(row) if row else None


def _store(plan_id: uuid.UUID, evaluation: Evaluation, result: Any, key: str, now: datetime) -> Evaluation:
    row = EvaluationRow.objects.create(
        plan_id=plan_id,
        key=key,
        execution_result=result,
        success=evaluation.success,
        verified=evaluation.verified,
        errors=evaluation.errors,
        warnings=evaluation.warnings,
        relevancy_score=evaluation.relevancy_score,
        relevance=evaluation.relevance.model_dump() if evaluation.relevance else None,
        completeness_score=evaluation.completeness_score,
        cost=evaluation.cost_microcents,
        created_at=now,
    )
    CriterionCheck.objects.bulk_create(
        CriterionCheck(
            evaluation=row,
            position=position,
            criterion=check.criterion[:500],
            source=check.source[:500],
            met=check.met,
            actual=check.actual,
            expected=(check.expected or "")[:500],
            explanation=check.explanation,
            error=check.error or "",
            reason=check.reason or "",
            path=(check.path or "")[:500],
            checked_by=check.checked_by,
            votes=check.votes.model_dump() if check.votes else None,
        )
        for position, check in enumerate(evaluation.criteria_met, 1)
    )
    outcome = outcome_of(evaluation)
    plan_outcome_set(plan_id=plan_id, outcome=outcome, now=now)
    if outcome == PlanOutcome.FAILURE:
        pending = PendingReflection.objects.create(evaluation=row, lease_until=now, takes=0, created_at=now)
        transaction.on_commit(partial(reflection_wanted.send_robust, PendingReflection, pending_id=pending.pk))
    tell(plan_id, EventName.PLAN_EVALUATED, _told(row.pk, evaluation, outcome), now)
    return evaluation.model_copy(update={"id": row.pk, "plan_id": plan_id})


def _told(evaluation_id: uuid.UUID, evaluation: Evaluation, outcome: PlanOutcome) -> dict[str, Any]:
    """For the audit trail, without a word of the result."""
    met = [check.met for check in evaluation.criteria_met]
    return {
        "evaluation": str(evaluation_id),
        "outcome": outcome.value,
        "met": met.count(True),
        "notMet": met.count(False),
        "unknown": met.count(None),
        "relevancy": round(evaluation.relevancy_score, 3),
        "completeness": round(evaluation.completeness_score, 3),
        "costMicrocents": evaluation.cost_microcents,
        "reflectionPending": outcome == PlanOutcome.FAILURE,
    }
