"""Reflections for programs: read, reviewed by staff, and measured."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpResponse
from django.utils.translation import override
from rest_framework.request import Request

from accounts.api.sender import sender_of, staff_asks
from accounts.models import Scope
from core.api.base import ApiView, InvalidRequest, Page, operation
from core.api.idempotency import idempotent, key_of
from core.models import LeasedWork
from evaluation.models import Evaluation
from planning.selectors import plans_seen_by
from reflection.api.contracts import (
    WORDS,
    QualityQuery,
    QualityReport,
    ReflectionDetail,
    ReflectionItem,
    ReflectionReviewBody,
    ReflectionsQuery,
)
from reflection.api.examples import EXAMPLE, ITEM_EXAMPLE, QUALITY_EXAMPLE, REVIEWED_EXAMPLE
from reflection.api.values import quality_report, reflection_detail, reflection_item
from reflection.board.figures import quality_figures
from reflection.errors import ReflectionPending, ReviewRefused
from reflection.models import Reflection, ReflectionReview, Review
from reflection.selectors import ATTEMPTS
from reflection.services import reflection_approve, reflection_edit, reflection_reject, review_is_latest

TAG = "Reflections"
QUALITY_DAYS = timedelta(days=30)
_DECIDE: dict[str, Callable[..., Reflection]] = {
    "approve": reflection_approve,
    "reject": reflection_reject,
    "edit": reflection_edit,
}
_REVIEWS = Prefetch("reviews", queryset=ReflectionReview.objects.select_related("by", "attempt"))


class EvaluationReflectionView(ApiView):
    required_scopes = {"GET": Scope.PLANS_READ}

    @operation(
        id="evaluation_reflection",
        summary="Read the reflection on an evaluation",
        tag=TAG,
        response=ReflectionDetail,
        problems=(ReflectionPending.code,),
        example=EXAMPLE,
    )
    def get(self, request: Request, evaluation_id: UUID) -> HttpResponse:
        """What was learned from a failure, with every attempt at it.

        A failure is reflected on in the background, moments after its evaluation: until then 404 with the code
        `reflection-pending` and with `Retry-After`. Any other 404 means that there is no such evaluation, that nothing
        failed in it, or that nobody could reflect on it.
        """
        plans = plans_seen_by(sender_of(request), is_staff=staff_asks(request))
        evaluations = Evaluation.objects.filter(pk=evaluation_id, plan__in=plans)
        ids = evaluations.values_list("reflection", "pending_reflection__state").first()
        if ids is None:
            raise Http404("There is no such evaluation, or it is not yours.")
        reflection_id, pending = ids
        if reflection_id is None and pending == LeasedWork.State.RUNNING:
            raise ReflectionPending("This failure waits to be reflected on.")
        if reflection_id is None:
            raise Http404("There is no reflection on this evaluation, and none is on its way.")
        return self.answer(_detail(request, reflection_id))


class ReflectionsView(ApiView):
    required_scopes = {"GET": Scope.PLANS_READ}

    @operation(
        id="reflection_list",
        summary="List reflections",
        tag=TAG,
        response=Page[ReflectionItem],
        query=ReflectionsQuery,
        example={"items": [ITEM_EXAMPLE], "next": None},
    )
    def get(self, request: Request) -> HttpResponse:
        """Reflections on your own plans and on those of the learners whom you manage, the latest first. Staff see all;
        from a browser they do after their second factor.

        What waits for staff is `decision=accepted_with_warnings&review=none`.
        """
        query = self.query(ReflectionsQuery)
        return self.page(query, _visible(request).filter(**_filters(query)), reflection_item, ordering="-created_at")


class ReflectionView(ApiView):
    required_scopes = {"GET": Scope.PLANS_READ}

    @operation(id="reflection_read", summary="Read a reflection", tag=TAG, response=ReflectionDetail, example=EXAMPLE)
    def get(self, request: Request, reflection_id: UUID) -> HttpResponse:
        """A reflection with every attempt: what the gate said of it, what each adjustment would change or why it
        cannot, and the figures of its patterns. Who reviewed it, and why, is told to staff alone.
        """
        return self.answer(_detail(request, reflection_id))


class ReflectionReviewsView(ApiView):
    required_scopes = {"POST": Scope.REFLECTIONS_REVIEW}

    @operation(
        id="reflection_review",
        summary="Approve, reject or edit a reflection",
        tag=TAG,
        request=ReflectionReviewBody,
        response=ReflectionDetail,
        status=201,
        problems=(ReviewRefused.code,),
        request_example={"action": "approve", "reason": "Short, but the cause is right.", "seen": 3},
        example=REVIEWED_EXAMPLE,
    )
    @idempotent
    def post(self, request: Request, reflection_id: UUID) -> HttpResponse:
        """Put a reflection in force, or take it out of force, whatever the gate said; or write it anew.

        In force it is remembered and its adjustments shape the learner's next plans; out of force both end. What you
        write is judged by the gate too, for the record, and kept as an attempt of yours. The reason is kept for good.
        409 when it is in force or rejected already, or when somebody came first and you sent `seen`.
        """
        body = self.read(ReflectionReviewBody)
        _require_words(body)
        if not _visible(request).filter(pk=reflection_id).exists():
            raise _no_reflection()
        values = {"reflection_id": reflection_id, "by": sender_of(request), "reason": body.reason, **_words(body)}
        # With a key it may be sent again after its process died: after the review, and before it answered.
        if key_of(request) is None or not review_is_latest(action=body.action, **values):
            with override("en"):  # refusals end in logs; stored texts are as workers write them
                _DECIDE[body.action](seen=body.seen, **values)
        return self.answer(_detail(request, reflection_id), status=201)


class ReflectionQualityView(ApiView):
    required_scopes = {"GET": Scope.METRICS_READ}

    @operation(
        id="reflection_quality",
        summary="Read how good reflections are",
        tag=TAG,
        response=QualityReport,
        query=QualityQuery,
        example=QUALITY_EXAMPLE,
    )
    def get(self, request: Request) -> HttpResponse:
        """The collected metrics with their targets, for the time you name or the last thirty days.

        Final reflections count, each as the gate decided on it; what staff wrote later changes nothing. Nobody's name
        or words are in it.
        """
        query = self.query(QualityQuery)
        since, until = _range(query)
        return self.answer(quality_report(since, until, quality_figures(since, until)))


def _visible(request: Request) -> QuerySet[Reflection]:
    """The reflections that the sender may see, as `reflection_item` needs them, without results of up to 256 KB."""
    rows = Reflection.objects.filter(
        evaluation__plan__in=plans_seen_by(sender_of(request), is_staff=staff_asks(request)), kept__isnull=False
    )
    return rows.select_related("kept", "evaluation__plan").defer("evaluation__execution_result")


def _filters(query: ReflectionsQuery) -> dict[str, Any]:
    values = {
        "decision": query.decision,
        "review": Review.NONE if query.review == "none" else query.review,
        "in_force": None if query.in_force is None else query.in_force == "true",
        "task_type": query.task_type,
        "evaluation__plan__user__pseudonym": query.learner,
        "created_at__gte": query.since,
        "created_at__lt": query.until,
    }
    return {name: value for name, value in values.items() if value is not None}


def _detail(request: Request, reflection_id: UUID) -> ReflectionDetail:
    """404 for one that the sender may not see, whether it exists or not."""
    to_staff = staff_asks(request)
    rows = _visible(request).prefetch_related(*((ATTEMPTS, _REVIEWS) if to_staff else (ATTEMPTS,)))
    row = rows.filter(pk=reflection_id).first()
    if row is None:
        raise _no_reflection()
    return reflection_detail(row, to_staff=to_staff)


def _require_words(body: ReflectionReviewBody) -> None:
    """The words come with `edit`, all of them, and with nothing else. Raises `InvalidRequest`."""
    edits, names = body.action == "edit", body.model_fields_set
    fault = "Field required" if edits else "Comes with edit alone"
    places = [(f"/{name}", fault) for name in WORDS if (name in names) != edits]
    places += [(f"/{name}", "Must not be null") for name in WORDS if edits and name in names and body[name] is None]
    if places:
        raise InvalidRequest("The body does not fit this address.", places)


def _words(body: ReflectionReviewBody) -> dict[str, Any]:
    """The words of an edit; empty for another action."""
    if body.action != "edit":
        return {}
    return {
        "analysis": body.analysis or "",
        "learning": body.learning or "",
        "adjustments": body.strategy_adjustments or (),
        "patterns": body.patterns_identified or (),
    }


def _range(query: QualityQuery) -> tuple[datetime, datetime]:
    """The span of a query. Raises `InvalidRequest` for one that ends before it begins."""
    now = datetime.now(UTC)
    until = query.until or max(now, query.since or now)
    since = query.since or max(until, datetime.min.replace(tzinfo=UTC) + QUALITY_DAYS) - QUALITY_DAYS
    if since > until:
        raise InvalidRequest("The query string does not fit this address.", [("/until", "must not lie before since")])
    return since, until


def _no_reflection() -> Http404:
    return Http404("There is no such reflection, or it is not yours.")
