"""Reads of planning."""

import uuid

from django.db.models import QuerySet

from accounts.models import Role, User
from accounts.selectors import users_seen_by
from planning.contracts import Plan, Step, SuccessCriterion
from planning.errors import PlanNotFound
from planning.grammar import CriterionParse
from planning.models import Plan as PlanRow


def plans_seen_by(user: User) -> QuerySet[PlanRow]:
    """A user's own plans and those of the learners whom they manage; staff see all. Still a query."""
    if user.role == Role.STAFF:
        return PlanRow.objects.all()
    return PlanRow.objects.filter(user__in=users_seen_by(user))


def plan_read(plan_id: uuid.UUID) -> Plan:
    """The plan with this id, whole. Three queries. Raises `PlanNotFound`."""
    row = PlanRow.objects.prefetch_related("steps", "criteria").filter(pk=plan_id).first()
    if row is None:
        raise PlanNotFound(f"There is no plan {plan_id}.")
    return plan_of(row)


def plan_of(row: PlanRow) -> Plan:
    """The value that a row and its steps and criteria hold; prefetch `steps` and `criteria` for several."""
    return Plan(
        id=row.pk,
        user_id=row.owner,
        task=row.task,
        desired_result=row.desired_result,
        steps=[
            Step(
                order=step.order,
                description=step.description,
                expected_output=step.expected_output,
                dependencies=step.dependencies,
            )
            for step in row.steps.all()
        ],
        success_criteria=[
            SuccessCriterion(
                text=criterion.text,
                measurable=criterion.measurable,
                verifiable=criterion.verifiable,
                source=criterion.source,
                parse=CriterionParse(**criterion.parse) if criterion.parse else None,
            )
            for criterion in row.criteria.all()
        ],
        config=row.config,
        constraints=row.constraints,
        metadata=row.metadata,
    )
