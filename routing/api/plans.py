"""The consult for programs: questions asked, read as query plans, and corrected."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
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
from core.limits.actions import ASK
from routing.api.contracts import (
    QueryPlanBody,
    QueryPlanCorrectionBody,
    QueryPlanDetail,
    QueryPlanItem,
    QueryPlansQuery,
)
from routing.api.examples import CORRECTION_EXAMPLE, EXAMPLE, ITEM_EXAMPLE, MESSAGE
from routing.api.values import query_plan_detail, query_plan_item, with_detail, with_item
from routing.errors import AuditWriteFailed, ConsultFailed, CorrectionRefused
from routing.models import QueryPlan
from routing.selectors import plans_of
from routing.services import plan_correct, question_ask

TAG = "Consult"


class QueryPlansView(ApiView):
    required_scopes = {"GET": Scope.QUERY_PLANS_READ, "POST": Scope.QUERY_PLANS_WRITE}

    @operation(
        id="query_plan_list",
        summary="List query plans",
        tag=TAG,
        response=Page[QueryPlanItem],
        query=QueryPlansQuery,
        example={"items": [ITEM_EXAMPLE], "next": None},
    )
    def get(self, request: Request) -> HttpResponse:
        """The plans of what you asked and of what the learners whom you manage asked, the latest first. Staff see all;
        from a browser they do after their second factor.

        What is unclear is `confidence=low` or `flag=needs-clarification`; what was understood wrongly,
        `corrected=true`.
        """
        query = self.query(QueryPlansQuery)
        rows = with_item(_visible(request).filter(**_filters(query)))
        return self.page(query, rows, query_plan_item, ordering="-created_at")

    @operation(
        id="query_plan_create",
        summary="Ask a question",
        tag=TAG,
        request=QueryPlanBody,
        response=QueryPlanDetail,
        status=201,
        problems=(LearnersNotManaged.code, PseudonymRefused.code, ConsultFailed.code, AuditWriteFailed.code),
        headers={"Location": "Address of the query plan."},
        request_example={"message": MESSAGE},
        example=EXAMPLE,
    )
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Ask, and read how the question was understood: domains, mode, confidence, flags, and why, in the language of
        the question.

        Any message gives a plan, an empty one too; what is unclear or about something else has low confidence and the
        flag `needs-clarification`. Only the character NUL is refused, as everywhere in this API. `plan` is the contract
        QueryPlan v1, whose JSON Schema is `/schemas/query-plan/1/schema.json`. It works without a model. An audit entry
        is written with the plan, or no plan is given: 503 `audit-write-failed`. When the question could not be read,
        503 `consult-failed`, that is on record too. Both say in `Retry-After` when to send the same again.
        """
        action_allow(request, ASK)
        body = self.read(QueryPlanBody)
        sender = sender_of(request)
        person = sender if body.learner is None else learner_of(integrator=sender, pseudonym=body.learner)
        made = question_ask(
            user=person,
            message=body.message,
            domain_hint=body.domain_hint,
            mode=body.mode,
            request_key=action_key(request),
        )
        return _created(self, request, made)


class QueryPlanView(ApiView):
    required_scopes = {"GET": Scope.QUERY_PLANS_READ}

    @operation(id="query_plan_read", summary="Read a query plan", tag=TAG, response=QueryPlanDetail, example=EXAMPLE)
    def get(self, request: Request, query_plan_id: UUID) -> HttpResponse:
        """The plan with its question, what decided, what made it, and its audit entry. It never changes: a correction
        is another plan, which this one names.

        `plan` is the contract QueryPlan v1, whose JSON Schema is `/schemas/query-plan/1/schema.json`. The question's
        words are null once whoever asked is erased.
        """
        return self.answer(_detail(request, query_plan_id))


class QueryPlanCorrectionsView(ApiView):
    required_scopes = {"POST": Scope.QUERY_PLANS_WRITE}

    @operation(
        id="query_plan_correct",
        summary="Correct the domain of a query plan",
        tag=TAG,
        request=QueryPlanCorrectionBody,
        response=QueryPlanDetail,
        status=201,
        problems=(CorrectionRefused.code, ConsultFailed.code, AuditWriteFailed.code),
        headers={"Location": "Address of the new query plan."},
        request_example={"domain": "tax"},
        example=CORRECTION_EXAMPLE,
    )
    @idempotent
    def post(self, request: Request, query_plan_id: UUID) -> HttpResponse:
        """Say which domain the question is about. That makes a new plan, linked to this one, which stays as it is, and
        an example that staff may teach the router with.

        Your own questions and those of the learners whom you manage. To the same domain again gives the plan that is
        there. 409 when the plan was corrected to another domain already (correct the latest one), for the domain `lab`,
        and once the question is erased.
        """
        action_allow(request, ASK)
        body = self.read(QueryPlanCorrectionBody)
        # Own questions for staff too: answers kept for a repeated request are erased with the user who asked for them.
        if not plans_of(sender_of(request)).filter(pk=query_plan_id).exists():
            raise _no_query_plan()
        made = plan_correct(plan_id=query_plan_id, domain=body.domain, by=sender_of(request))
        return _created(self, request, made)


def _visible(request: Request) -> QuerySet[QueryPlan]:
    """All for staff, in a browser after their second factor; for others those of `plans_of`."""
    return QueryPlan.objects.all() if staff_asks(request) else plans_of(sender_of(request))


def _filters(query: QueryPlansQuery) -> dict[str, Any]:
    values = {
        "confidence": query.confidence,
        "domains__contains": query.domain and [query.domain],
        "flags__contains": query.flag and [query.flag],
        "mode": query.mode,
        "corrected_by__isnull": None if query.corrected is None else query.corrected == "false",
        "question__user__pseudonym": query.learner,
        "created_at__gte": query.since,
        "created_at__lt": query.until,
    }
    return {name: value for name, value in values.items() if value is not None}


def _detail(request: Request, query_plan_id: UUID) -> QueryPlanDetail:
    """404 for one that the sender may not see, whether it exists or not."""
    row = with_detail(_visible(request)).filter(pk=query_plan_id).first()
    if row is None:
        raise _no_query_plan()
    return query_plan_detail(row)


def _created(view: ApiView, request: Request, made: QueryPlan) -> HttpResponse:
    headers = {"Location": request.build_absolute_uri(reverse("api:query_plan", args=[made.pk]))}
    return view.answer(_detail(request, made.pk), status=201, headers=headers)


def _no_query_plan() -> Http404:
    return Http404("There is no such query plan, or it is not yours.")
