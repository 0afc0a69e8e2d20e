"""Writes of planning: a plan is saved once and whole, and learns later how it ended."""

import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import User
from accounts.services import person_stays
from core.services import row_insert
from planning.cache import quarantine
from planning.contracts import CRITERIA_AT_MOST, STEPS_AT_MOST, Plan, PlanOutcome
from planning.errors import PlanNotFound, PlanRefused
from planning.events import chain_of, tell
from planning.models import Criterion, Step
from planning.models import Plan as PlanRow
from planning.selectors import OWNER_LENGTH, STRANGER, task_types, user_planned_for
from telemetry.contracts import EventName

__all__ = (
    "NOBODY",
    "chain_of",
    "owner_of",
    "plan_discard",
    "plan_faults",
    "plan_hold",
    "plan_outcome_set",
    "plan_save",
    "tell",
)

NOBODY = "-"
"""The owner of plans that were asked for without saying for whom."""


def plan_faults(plan: Plan) -> list[tuple[str, str]]:
    """Why the plan is not whole: JSON pointers, each with what is wrong there. Empty for a whole one."""
    faults: list[tuple[str, str]] = []
    if not plan.steps:
        faults.append(("/steps", "must not be empty"))
    if len(plan.steps) > STEPS_AT_MOST:
        faults.append(("/steps", f"must be at most {STEPS_AT_MOST}"))
    for place, step in enumerate(plan.steps):
        if step.order != place + 1:
            faults.append((f"/steps/{place}/order", f"must be {place + 1}: steps are numbered from 1 without gaps"))
        for number, dependency in enumerate(step.dependencies):
            if not 1 <= dependency < step.order:
                faults.append((f"/steps/{place}/dependencies/{number}", "must be the order of an earlier step"))
    if len(plan.success_criteria) > CRITERIA_AT_MOST:
        faults.append(("/success_criteria", f"must be at most {CRITERIA_AT_MOST}"))
    if not any(criterion.measurable for criterion in plan.success_criteria):
        faults.append(("/success_criteria", "must have at least one that can be measured"))
    return faults


def plan_save(
    *,
    plan: Plan,
    user: User | None,
    owner: str,
    evaluated_by: str = "",
    also: Callable[[uuid.UUID], None] | None = None,
    check: Callable[[], None] | None = None,
    now: datetime | None = None,
) -> Plan:
    """Store a whole plan with its steps and criteria, and return it with its id.

    `plan.id`, where there is one, becomes the id. `evaluated_by` names the app that alone may evaluate it, empty for
    none. `also` gets the id and writes in the same transaction; `check` is asked before it ends. Raises `PlanRefused`,
    `RowThere` where the id is a plan's, and what `check` raises; then nothing is stored.
    """
    if faults := plan_faults(plan):
        raise PlanRefused("The plan is not whole.", faults)
    saved = plan.replaced(id=plan.id or uuid.uuid4(), user_id=owner.removeprefix(STRANGER))
    assert saved.id is not None
    with transaction.atomic():
        if user is not None and not person_stays(user_id=user.pk):
            raise PlanRefused("There is nobody to plan this for.", [("/user_id", "must be somebody who is here")])
        _plan_store(saved, user, owner, evaluated_by, now or timezone.now())
        if also is not None:
            also(saved.id)
        if check is not None:
            check()
    return saved


def owner_of(user: User | None, reference: object) -> str:
    """Whom a plan is for, as it is stored: a user's key; a reference to nobody known here, marked as such.

    Raises `PlanRefused` for a reference that cannot be stored.
    """
    if user is not None:
        return str(user.pk)
    if reference is None:
        return NOBODY
    owner = f"{STRANGER}{reference}"
    if owner == STRANGER or len(owner) > OWNER_LENGTH or not owner.isprintable():
        wanted = f"must have 1 to {OWNER_LENGTH - len(STRANGER)} printable characters"
        raise PlanRefused("There is nobody whom this plan could be for.", [("/user_id", wanted)])
    return owner


def plan_hold(*, plan_id: uuid.UUID) -> PlanRow:
    """Lock whom the plan is for and then the plan, as erasing does, for as long as the caller's transaction.

    Raises `PlanNotFound` when it is gone.
    """
    for _ in range(2):  # a guest who signs in meanwhile takes the plan along
        user = user_planned_for(plan_id)
        if user is None or person_stays(user_id=user.pk):
            break
    plan = PlanRow.objects.select_for_update(no_key=True).filter(pk=plan_id).first()
    if plan is None:
        raise PlanNotFound(f"There is no plan {plan_id} any more.")
    return plan


def plan_discard(*, plan_id: uuid.UUID) -> None:
    """Take back a plan that was stored too late. Its chain keeps that it was there and went."""
    with transaction.atomic():
        PlanRow.objects.filter(pk=plan_id).delete()
        tell(plan_id, EventName.PLAN_DISCARDED, {})


def _plan_store(plan: Plan, user: User | None, owner: str, evaluated_by: str, now: datetime) -> None:
    assert plan.id is not None
    metadata = plan.metadata
    row = PlanRow(
        id=plan.id,
        user=user,
        owner=owner,
        task=plan.task,
        task_type=metadata.task_type or "general",
        language=metadata.language,
        source=metadata.source,
        desired_result=plan.desired_result.model_dump(mode="json"),
        config=plan.config.model_dump(mode="json"),
        constraints=plan.constraints,
        metadata=metadata.model_dump(mode="json"),
        cost=metadata.cost_microcents,
        evaluated_by=evaluated_by,
        created_at=now,
    )
    row_insert(row)
    Step.objects.bulk_create(Step(plan=row, **step.model_dump()) for step in plan.steps)
    Criterion.objects.bulk_create(
        Criterion(plan=row, position=position, **criterion.model_dump(mode="json"))
        for position, criterion in enumerate(plan.success_criteria, 1)
    )
    tell(plan.id, EventName.PLAN_CREATED, _told(plan), now)


@transaction.atomic
def plan_outcome_set(*, plan_id: uuid.UUID, outcome: PlanOutcome, now: datetime | None = None) -> None:
    """Write down how the plan ended. One that failed serves no other task from the cache any more."""
    moment = now or timezone.now()
    PlanRow.objects.filter(pk=plan_id).update(outcome=outcome, evaluated_at=moment)
    if outcome == PlanOutcome.FAILURE:
        quarantine(plan_id=plan_id, now=moment)


def _told(plan: Plan) -> dict[str, Any]:
    """What the audit trail keeps for ever: no word of the task, only its digest."""
    metadata = plan.metadata
    return {
        "taskDigest": salted_hmac("planning.task", plan.task, algorithm="sha256").hexdigest(),
        # A type that a program made up may say more than the trail may keep for ever.
        "taskType": metadata.task_type if metadata.task_type in task_types() else "other",
        "source": metadata.source.value,
        "steps": len(plan.steps),
        "criteria": len(plan.success_criteria),
        "learnings": len(metadata.past_learnings),
        "adjustments": list(dict.fromkeys(label.split(":", 1)[0] for label in metadata.applied_adjustments)),
        "costMicrocents": metadata.cost_microcents,
    }
