"""Writes of evaluation: what came of a plan, once, and the work that a failure leaves."""

import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from evaluation.contracts import CriterionResult, Evaluation
from evaluation.errors import PlanReserved, ResultRefused
from evaluation.models import KEY_LENGTH, CriterionCheck, PendingReflection
from evaluation.models import Evaluation as EvaluationRow
from evaluation.selectors import evaluation_of
from evaluation.services.experience import experience_store, experience_withdraw
from evaluation.signals import evaluations_superseded, reflection_wanted
from planning.contracts import PlanOutcome
from planning.models import Plan
from planning.services import plan_hold, plan_outcome_set, tell
from planning.understanding import GIVEN_ONLY
from telemetry.contracts import EventName

LEASE = timedelta(seconds=60)
"""Of a pending reflection: longer than reflecting may take (RT-009: 10 s)."""


def outcome_of(evaluation: Evaluation) -> PlanOutcome:
    """Failed only where a criterion was seen to fail; unknown where nothing could be checked."""
    if evaluation.success:
        return PlanOutcome.SUCCESS
    return PlanOutcome.FAILURE if evaluation.verified else PlanOutcome.UNKNOWN


def evaluator_require(*, plan: Plan, by: str) -> None:
    """Raise `PlanReserved` where the plan is one app's alone to evaluate, and not that of `by`.

    A plan of a type that an app alone gives is so too where it does not say whose: a server of the release before made
    it while this one began.
    """
    if plan.evaluated_by not in ("", by) or (plan.task_type in GIVEN_ONLY and not by):
        raise PlanReserved("What comes of this plan is found out by Andamio itself.")


def evaluation_store(
    *,
    plan_id: uuid.UUID,
    evaluation: Evaluation,
    execution_result: Any,
    key: str = "",
    latest: bool = False,
    by: str = "",
    experience: str = "",
    check: Callable[[], None] | None = None,
    now: datetime | None = None,
) -> Evaluation:
    """Store an evaluation of a stored plan, and return it with its ids; `execution_result` is JSON.

    A failed one leaves a pending reflection in the same transaction. `key` names the event it is of: the second
    evaluation of the same event is not stored, the first is returned. `latest`: earlier evaluations of the plan leave
    neither work nor memory. Raises `PlanReserved` where the plan is to be evaluated by another app than `by`, empty for
    none. `experience` is what a success is remembered as
    (see `evaluation.services.experience`), empty for nothing. `check` is asked before the transaction ends;
    when it raises, nothing is stored.
    """
    if len(key) > KEY_LENGTH or "\x00" in key:
        raise ResultRefused(f"A key has at most {KEY_LENGTH} characters, and no NUL.")
    moment = now or timezone.now()
    with transaction.atomic():
        plan = plan_hold(plan_id=plan_id)  # of two at once the later one finds what the first has stored
        evaluator_require(plan=plan, by=by)
        if key and (earlier := _stored(plan_id, key)) is not None:
            return earlier
        if latest:
            _earlier_close(plan_id)
        stored = _store(plan_id, evaluation, execution_result, key, moment)
        if experience and stored.success:
            assert stored.id is not None
            experience_store(plan=plan, evaluation_id=stored.id, content=experience)
        if check is not None:
            check()
        return stored


def _earlier_close(plan_id: uuid.UUID) -> None:
    """What an earlier result of this plan left behind is of no use: the result is another one now."""
    open_work = PendingReflection.objects.filter(evaluation__plan=plan_id, state=PendingReflection.State.RUNNING)
    open_work.update(state=PendingReflection.State.DONE, lease_until=None)
    successes = EvaluationRow.objects.filter(plan=plan_id, success=True, plan__user__isnull=False)
    for evaluation_id, user_id in successes.values_list("pk", "plan__user_id"):
        experience_withdraw(user_id=user_id, evaluation_id=evaluation_id)
    evaluations_superseded.send(EvaluationRow, plan_id=plan_id)


def _stored(plan_id: uuid.UUID, key: str) -> Evaluation | None:
    row = EvaluationRow.objects.prefetch_related("checks").filter(plan_id=plan_id, key=key).first()
    return evaluation_of(row) if row else None


def _store(plan_id: uuid.UUID, evaluation: Evaluation, result: Any, key: str, now: datetime) -> Evaluation:
    row = EvaluationRow.objects.create(
        plan_id=plan_id,
        key=key,
        execution_result=result,
        verified=evaluation.verified,
        cost=evaluation.cost_microcents,
        created_at=now,
        **evaluation.model_dump(exclude={"criteria_met", "id", "plan_id", "cost_microcents"}),
    )
    CriterionCheck.objects.bulk_create(
        CriterionCheck(evaluation=row, position=position, **_columns(check))
        for position, check in enumerate(evaluation.criteria_met, 1)
    )
    outcome = outcome_of(evaluation)
    plan_outcome_set(plan_id=plan_id, outcome=outcome, now=now)
    if outcome == PlanOutcome.FAILURE:
        pending = PendingReflection.objects.create(evaluation=row, lease_until=now, takes=0, created_at=now)
        transaction.on_commit(partial(reflection_wanted.send_robust, PendingReflection, pending_id=pending.pk))
    tell(plan_id, EventName.PLAN_EVALUATED, _event_data(row.pk, evaluation, outcome), now)
    return evaluation.model_copy(update={"id": row.pk, "plan_id": plan_id})


def _columns(check: CriterionResult) -> dict[str, Any]:
    columns = check.model_dump()
    columns |= {name: columns[name] or "" for name in ("expected", "error", "reason", "path")}
    return columns | {name: columns[name][:500] for name in ("criterion", "source", "expected", "path")}


def reflections_claim(*, limit: int, now: datetime | None = None) -> list[PendingReflection]:
    """Failures without a worker, the longest waiting first, for this worker alone until the lease ends.

    Each take is counted, so that one at which workers die is known.
    """
    moment = now or timezone.now()
    with transaction.atomic():
        due = PendingReflection.objects.filter(state=PendingReflection.State.RUNNING, lease_until__lte=moment)
        claimed = list(due.order_by("lease_until", "pk").select_for_update(skip_locked=True)[:limit])
        for pending in claimed:
            pending.takes, pending.lease_until = pending.takes + 1, moment + LEASE
        PendingReflection.objects.bulk_update(claimed, ["takes", "lease_until"])
    return claimed


def reflection_postpone(*, pending_id: int, until: datetime) -> None:
    """Put it off until then; the take that led to this does not count."""
    pending = PendingReflection.objects.filter(pk=pending_id, state=PendingReflection.State.RUNNING, takes__gt=0)
    pending.update(lease_until=until, takes=F("takes") - 1)


def reflection_close(*, evaluation_id: uuid.UUID) -> bool:
    """The failure has been reflected on, or never will be; whether it was open. Needs the caller's transaction, which
    holds its row from then on.
    """
    pending = PendingReflection.objects.filter(evaluation=evaluation_id, state=PendingReflection.State.RUNNING)
    return bool(pending.update(state=PendingReflection.State.DONE, lease_until=None))


def _event_data(evaluation_id: uuid.UUID, evaluation: Evaluation, outcome: PlanOutcome) -> dict[str, Any]:
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
