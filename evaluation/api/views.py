"""Evaluations for programs."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from accounts.api.sender import action_key, sender_of, staff_asks
from accounts.models import Scope
from core.api.base import ApiView, Page, PageQuery, operation
from core.api.idempotency import idempotent
from core.api.throttling import action_allow
from core.limits.actions import EVALUATE
from core.models import LeasedWork
from evaluation.api.contracts import EXAMPLE, EvaluationItem, ResultBody
from evaluation.errors import PlanReserved, ResultRefused
from evaluation.layer import EvaluationLayer
from evaluation.models import Evaluation
from evaluation.selectors import evaluation_of
from evaluation.services import evaluator_require
from gateway.errors import MetacognitionTimeoutError
from planning.selectors import plan_of, plans_seen_by

TAG = "Plans"
HEAVIEST = 250
SIZE_OF_A_UNIT = 10_000
"""Characters that a criterion reads in a hundredth of a second where it takes long."""
VALUE = 20
"""What a value takes by itself, in characters."""


class EvaluationsView(ApiView):
    """What came of one plan."""

    required_scopes = {"GET": Scope.PLANS_READ, "POST": Scope.PLANS_WRITE}

    @operation(
        id="plan_evaluations",
        summary="List evaluations of a plan",
        tag=TAG,
        response=Page[EvaluationItem],
        query=PageQuery,
        example={"items": [EXAMPLE], "next": None},
    )
    def get(self, request: Request, plan_id: UUID) -> HttpResponse:
        """The evaluations of a plan, the latest first."""
        if not plans_seen_by(sender_of(request), is_staff=staff_asks(request)).filter(pk=plan_id).exists():
            raise _no_plan()
        evaluations = _whole(Evaluation.objects.filter(plan_id=plan_id))
        return self.page(self.query(PageQuery), evaluations, evaluation_item, ordering="-created_at")

    @operation(
        id="plan_evaluate",
        summary="Evaluate a result",
        tag=TAG,
        request=ResultBody,
        response=EvaluationItem,
        status=201,
        problems=(ResultRefused.code, PlanReserved.code, MetacognitionTimeoutError.code),
        headers={"Location": "Address of the evaluation."},
        request_example={
            "execution_result": {"hotel_selected": {"quality": 5, "price": 80}, "user_feedback": "too simple"}
        },
        example=EXAMPLE,
    )
    @idempotent
    def post(self, request: Request, plan_id: UUID) -> HttpResponse:
        """Hold a result against the plan's criteria, and say of each whether it is met, and what was read where.

        Nothing is guessed: what the result does not say is unknown. The plan of a lesson session is evaluated by the
        session alone. A result that failed is reflected on later, once,
        and its plan serves no other task from the cache.
        """
        body = self.read(ResultBody)
        plan = (
            plans_seen_by(sender_of(request), is_staff=staff_asks(request))
            .prefetch_related("steps", "criteria")
            .filter(pk=plan_id)
            .first()
        )
        if plan is None:
            raise _no_plan()
        evaluator_require(plan=plan, by="")  # before anything is computed; asked again where it is stored
        action_allow(request, EVALUATE, weight=weight_of(len(plan.criteria.all()), body.execution_result))
        try:
            evaluation = EvaluationLayer().evaluate_result(
                plan_of(plan), body.execution_result, key=action_key(request)
            )
        except ResultRefused as error:
            raise ResultRefused(error.message, [("/execution_result", error.message)]) from error
        row = _whole(Evaluation.objects.filter(pk=str(evaluation.id))).get()
        headers = {"Location": request.build_absolute_uri(reverse("api:evaluation", args=[row.pk]))}
        return self.answer(evaluation_item(row), status=201, headers=headers)


class EvaluationView(ApiView):
    """One evaluation."""

    required_scopes = {"GET": Scope.PLANS_READ}

    @operation(id="evaluation_read", summary="Read an evaluation", tag=TAG, response=EvaluationItem, example=EXAMPLE)
    def get(self, request: Request, evaluation_id: UUID) -> HttpResponse:
        """What came of each criterion, with the value that was read and where."""
        evaluation = _whole(
            Evaluation.objects.filter(
                pk=evaluation_id, plan__in=plans_seen_by(sender_of(request), is_staff=staff_asks(request))
            )
        ).first()
        if evaluation is None:
            raise Http404("There is no such evaluation, or it is not yours.")
        return self.answer(evaluation_item(evaluation))


def weight_of(criteria: int, result: Any) -> int:
    """What holding a result against so many criteria weighs: each is held against every value and reads every text.

    A unit is a hundredth of a second; after 2 s the operation's limit of time ends it.
    """
    return min(HEAVIEST, 1 + criteria * _size(result) // SIZE_OF_A_UNIT)


def _size(value: Any) -> int:
    """Characters of all names and texts, and for each value as many as take as long."""
    if isinstance(value, dict):
        return VALUE + sum(len(name) + _size(item) for name, item in value.items())
    if isinstance(value, list):
        return VALUE + sum(map(_size, value))
    return VALUE + (len(value) if isinstance(value, str) else 0)


def evaluation_item(row: Evaluation) -> EvaluationItem:
    """An evaluation; needs `checks` and `pending_reflection`."""
    pending = getattr(row, "pending_reflection", None)
    is_pending = pending is not None and pending.state == LeasedWork.State.RUNNING
    return EvaluationItem.from_object(evaluation_of(row), reflection_pending=is_pending, created_at=row.created_at)


def _whole(rows: QuerySet[Evaluation]) -> QuerySet[Evaluation]:
    """With what `evaluation_item` needs, and without the results themselves, of which each may have 256 KB."""
    return rows.defer("execution_result").select_related("pending_reflection").prefetch_related("checks")


def _no_plan() -> Http404:
    """For a plan that the sender may not see, whether it exists or not."""
    return Http404("There is no such plan, or it is not yours.")
