"""Plans for programs."""

from uuid import UUID

from django.http import Http404, HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from accounts.api.sender import action_key, sender_of, staff_asks
from accounts.errors import LearnersNotManaged, PseudonymRefused
from accounts.models import Scope
from accounts.services import learner_of
from core.api.base import ApiView, Page, operation
from core.api.idempotency import idempotent
from core.api.throttling import action_allow
from core.limits.actions import PLAN
from gateway.errors import (
    DailyMetacognitionBudgetExceeded,
    MetacognitionCostExceeded,
    MetacognitionTimeoutError,
)
from planning.api.contracts import EXAMPLE, ITEM_EXAMPLE, PlanBody, PlanDetail, PlanItem, PlansQuery
from planning.api.values import plan_detail, plan_item
from planning.errors import PlanRefused
from planning.layer import PlanningLayer
from planning.models import Plan
from planning.selectors import plans_seen_by

TAG = "Plans"


class PlansView(ApiView):
    """The sender's plans and those of the learners whom they manage."""

    required_scopes = {"GET": Scope.PLANS_READ, "POST": Scope.PLANS_WRITE}

    @operation(
        id="plan_list",
        summary="List plans",
        tag=TAG,
        response=Page[PlanItem],
        query=PlansQuery,
        example={"items": [ITEM_EXAMPLE], "next": None},
    )
    def get(self, request: Request) -> HttpResponse:
        """Your own plans and those of the learners whom you manage, those of lesson sessions among them, the latest
        first. Staff see all; from a browser they do after their second factor.
        """
        query = self.query(PlansQuery)
        given = {"task_type": query.task_type, "source": query.source, "outcome": query.outcome}
        given["user__pseudonym"] = query.learner
        plans = plans_seen_by(sender_of(request), is_staff=staff_asks(request)).filter(
            **{name: value for name, value in given.items() if value is not None}
        )
        return self.page(query, plans, plan_item, ordering="-created_at")

    @operation(
        id="plan_create",
        summary="Make a plan",
        tag=TAG,
        request=PlanBody,
        response=PlanDetail,
        status=201,
        problems=(
            PlanRefused.code,
            LearnersNotManaged.code,
            PseudonymRefused.code,
            MetacognitionCostExceeded.code,
            DailyMetacognitionBudgetExceeded.code,
            MetacognitionTimeoutError.code,
        ),
        headers={"Location": "Address of the plan."},
        request_example={"task": "Book hotel in Paris", "learner": "learner-7"},
        example=EXAMPLE,
    )
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Plan a task: what is wanted, the steps, and criteria by which one can tell that it is done.

        What the person went through in similar tasks, what they prefer and what was adjusted for them shape the plan,
        and the answer says so. A similar task of the last hour may be served from the cache, adjusted to this one. It
        works without a model; where one is configured the person's day pays for it, and the plan says whether it was
        followed. 422 when none of the criteria that you give can be measured.
        """
        action_allow(request, PLAN)
        body = self.read(PlanBody)
        sender = sender_of(request)
        person = sender if body.learner is None else learner_of(integrator=sender, pseudonym=body.learner)
        try:
            plan = PlanningLayer().create_plan(
                body.task, person, task_type=body.task_type, criteria=body.criteria, key=action_key(request)
            )
        except PlanRefused as error:
            sent = [(pointer.replace("/success_criteria", "/criteria", 1), fault) for pointer, fault in error.places]
            raise PlanRefused(error.message, sent) from error
        row = Plan.objects.prefetch_related("steps", "criteria").get(pk=str(plan.id))
        headers = {"Location": request.build_absolute_uri(reverse("api:plan", args=[row.pk]))}
        return self.answer(plan_detail(row), status=201, headers=headers)


class PlanView(ApiView):
    """One plan."""

    required_scopes = {"GET": Scope.PLANS_READ}

    @operation(id="plan_read", summary="Read a plan", tag=TAG, response=PlanDetail, example=EXAMPLE)
    def get(self, request: Request, plan_id: UUID) -> HttpResponse:
        """A plan with its steps and criteria, where each comes from, and how its last evaluation ended."""
        plan = (
            plans_seen_by(sender_of(request), is_staff=staff_asks(request))
            .prefetch_related("steps", "criteria")
            .filter(pk=plan_id)
            .first()
        )
        if plan is None:
            raise Http404("There is no such plan, or it is not yours.")
        return self.answer(plan_detail(plan))
