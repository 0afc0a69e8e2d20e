"""Reads of planning."""

import uuid

from django.db.models import QuerySet

from accounts.models import User
from accounts.selectors import users_seen_by
from planning.contracts import Plan, Step, SuccessCriterion
from planning.errors import PlanNotFound
from planning.models import Plan as PlanRow
from planning.templates import task_types

__all__ = (
    "name_planned_for",
    "plan_of",
    "plan_read",
    "plan_there",
    "plans_of",
    "plans_seen_by",
    "task_types",
    "user_planned_for",
)

STRANGER, OWNER_LENGTH = "stranger:", 150
"""Before what a program calls somebody who is nobody known here: "24" is not the user who gets this key later."""


def plans_of(user: User) -> QuerySet[PlanRow]:
    """A user's own plans and those of the learners whom they manage. Still a query."""
    return PlanRow.objects.filter(user__in=users_seen_by(user))


def plans_seen_by(user: User, *, is_staff: bool) -> QuerySet[PlanRow]:
    """All plans for staff, for others those of `plans_of`. Still a query."""
    return PlanRow.objects.all() if is_staff else plans_of(user)


def plan_read(plan_id: uuid.UUID) -> Plan:
    """The plan with this id, whole. Three queries. Raises `PlanNotFound`."""
    plan = plan_there(plan_id)
    if plan is None:
        raise PlanNotFound(f"There is no plan {plan_id}.")
    return plan


def plan_there(plan_id: uuid.UUID) -> Plan | None:
    """The same; None where there is none."""
    row = PlanRow.objects.prefetch_related("steps", "criteria").filter(pk=plan_id).first()
    return plan_of(row) if row else None


def name_planned_for(row: PlanRow) -> str:
    """What whoever a plan is for is called: a user's name, else what a program calls them. Needs the user."""
    return row.user.get_username() if row.user else row.owner.removeprefix(STRANGER)


def user_planned_for(plan_id: uuid.UUID) -> User | None:
    """Whom a stored plan is for; None where that is nobody known here, or there is no such plan."""
    return User.objects.filter(plans=plan_id).first()


def plan_of(row: PlanRow) -> Plan:
    """The value that a row and its steps and criteria hold; prefetch `steps` and `criteria` for several."""
    return Plan.from_object(
        row,
        user_id=row.owner.removeprefix(STRANGER),
        steps=[Step.from_object(step) for step in row.steps.all()],
        success_criteria=[SuccessCriterion.from_object(criterion) for criterion in row.criteria.all()],
    )
