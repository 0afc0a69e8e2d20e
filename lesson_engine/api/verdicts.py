"""Verdicts for staff: which wait for a look, what staff say of them, how far grader and staff agree, and an export."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from django.http import Http404, HttpResponse, HttpResponseBase
from rest_framework.request import Request

from accounts.models import Scope
from core.api import ApiView, Page, operation
from core.idempotency import idempotent
from core.paging import PlacedPages
from core.streaming import BlockStream, JsonLinesRenderer
from lesson_engine import reviewed
from lesson_engine.api.acting import user_of
from lesson_engine.api.conditional import answer_unless_known
from lesson_engine.api.verdict_examples import AGREEMENT, REVIEWED, VERDICT, VERDICT_REVIEWED
from lesson_engine.api.verdict_values import agreement_report, review_outcome, verdict_detail, verdict_item
from lesson_engine.api_contracts import (
    AgreementReport,
    ReviewBody,
    ReviewedFilters,
    ReviewOutcome,
    VerdictDetail,
    VerdictFilters,
    VerdictItem,
    VerdictsQuery,
)
from lesson_engine.errors import ActionNotPossible, ReviewedMeanwhile, StaleSession, TurnStillRunning
from lesson_engine.models import Session, Turn, VerdictReview
from lesson_engine.reviewed import VerdictFilter
from lesson_engine.services.reviewing import verdict_review
from lesson_engine.workbench.exports import labelled_export
from lesson_engine.workbench.queue import Show, queue_of, turn_shown

TAG = "Verdicts"
_READ: Final = {"GET": Scope.GRADING_READ}


class VerdictsView(ApiView):
    """Verdicts by page."""

    required_scopes = _READ

    @operation(
        id="verdict_list",
        summary="List verdicts",
        tag=TAG,
        response=Page[VerdictItem],
        query=VerdictsQuery,
        example={"items": [VERDICT], "next": None},
    )
    def get(self, request: Request) -> HttpResponse:
        """Judged answers in the learners' own words. First those that nobody of the staff has looked at and of which
        the grader was unsure, then the rest of those that wait; the newest first in each half.

        With `state=reviewed` those that staff looked at, the latest review first. Reviews that come in meanwhile move
        nothing: each verdict that still waits comes once. Answers whose words were erased, picked choices and questions
        that were withdrawn do not wait.
        """
        query = self.query(VerdictsQuery)
        if query.state == "reviewed":
            return self.page(query, reviewed.verdicts_reviewed(_filter(query)), _of_review, ordering="-id")
        pages = PlacedPages(query, partial(_queue, query.state, _filter(query)))
        rows = pages.rows_here(request)
        return pages.get_paginated_response([verdict_item(turn).model_dump(mode="json") for turn in rows])


class VerdictView(ApiView):
    """One verdict."""

    required_scopes = _READ

    @operation(
        id="verdict_read",
        summary="Read a verdict with its reviews",
        tag=TAG,
        response=VerdictDetail,
        conditional=True,
        example=VERDICT_REVIEWED,
    )
    def get(self, request: Request, verdict_id: int) -> HttpResponse:
        """An answer, what the grader made of it and why, and everything that staff said of it, the latest first."""
        turn = _turn(verdict_id)
        return answer_unless_known(self, verdict_detail(turn, reviewed.reviews_of(turn)))


class ReviewsView(ApiView):
    """Reviews of one verdict."""

    required_scopes = {"POST": Scope.GRADING_WRITE}

    @operation(
        id="verdict_review",
        summary="Confirm or overrule a verdict",
        tag=TAG,
        request=ReviewBody,
        response=ReviewOutcome,
        status=(201, 200),
        problems=(ReviewedMeanwhile.code, ActionNotPossible.code, TurnStillRunning.code),
        request_example={"result": "ACCEPT", "note": "Oxygen is what the author means by air.", "seen": None},
        example=REVIEWED,
    )
    @idempotent
    def post(self, request: Request, verdict_id: int) -> HttpResponse:
        """Say what the answer is worth: the grader's own result confirms the verdict, another one overrules it.

        The question is scored anew by all that its answers are worth now, and so is the session's result, whether it is
        finished or not; its learner is told, and stays where they are. 200 when the review that counts says the same
        already: nothing is added then. To be sure not to overrule somebody whom you have not read, send `seen`.
        """
        body = self.read(ReviewBody)
        turn = _turn(verdict_id)
        before = VerdictReview.objects.filter(turn=turn, current=True).first()
        seen = (body.seen or 0) if body.tells_seen else None
        try:
            review = verdict_review(
                turn=turn, result=body.result, by=user_of(request), note=body.note, seen=seen, drawn=body.drawn
            )
        except StaleSession as error:  # whoever reviews has named no version; what helps is to send it again
            raise TurnStillRunning(error.message) from error
        session = Session.objects.get(pk=turn.session_id)
        return self.answer(review_outcome(review, session), status=200 if review == before else 201)


class AgreementView(ApiView):
    """How far grader and staff agree."""

    required_scopes = _READ

    @operation(
        id="verdict_agreement",
        summary="Read the agreement between grader and staff",
        tag=TAG,
        response=AgreementReport,
        query=ReviewedFilters,
        conditional=True,
        example=AGREEMENT,
    )
    def get(self, request: Request) -> HttpResponse:
        """By version of the grader, and for each question; doubtful and sure verdicts apart. Of each answer the review
        that counts is counted, also when the learner's words were erased since.
        """
        wanted = _filter(self.query(ReviewedFilters))
        report = agreement_report(reviewed.agreement_by_grader(wanted), reviewed.agreement(wanted))
        return answer_unless_known(self, report)


class LabelledLinesView(ApiView):
    """Reviewed verdicts as labelled rows."""

    required_scopes = _READ
    renderer_classes = (JsonLinesRenderer,)
    http_method_names = ["get"]  # HEAD would be an export nobody gets

    @operation(
        id="verdict_export",
        summary="Export reviewed verdicts as labelled JSON Lines",
        tag=TAG,
        response=str,
        media_type=JsonLinesRenderer.media_type,
        query=ReviewedFilters,
        headers={"Content-Disposition": "A name for the file."},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """What staff said of answers, to train and measure graders on: one JSON object a line, the oldest review first.

        A line has the question, the author's answers, the learner's words and the label, and what the grader had said;
        never who wrote it or who looked. Erased words are left out. A verdict that is reviewed again during the export
        may come twice; the later line counts. Each export is itself an event, `telemetry.exported` in the chain
        `exports`, with your user id and the filters.
        """
        query = self.query(ReviewedFilters)
        said = query.model_dump(mode="json", exclude_none=True)
        blocks = labelled_export(by=user_of(request), wanted=_filter(query), said=said)
        headers = {"Content-Disposition": 'attachment; filename="labelled.jsonl"'}
        return BlockStream(blocks, content_type=JsonLinesRenderer.media_type, headers=headers)


def _filter(query: VerdictFilters) -> VerdictFilter:
    drawn = query.drawn if isinstance(query, ReviewedFilters) else None
    return VerdictFilter(
        lesson=query.lesson,
        ask_code=query.ask,
        grader=query.grader,
        result=query.result if isinstance(query, VerdictsQuery) else None,
        drawn=None if drawn is None else drawn == "true",
    )


def _queue(show: Show, wanted: VerdictFilter, place: str, limit: int) -> tuple[Sequence[Turn], str]:
    """A page of what waits, and the place of the one after."""
    places = queue_of(show, wanted, after=place, limit=limit + 1)
    here = places[:limit]
    return [one.turn for one in here], here[-1].after if len(places) > limit else ""


def _of_review(review: VerdictReview) -> VerdictItem:
    return verdict_item(review.turn, review)


def _turn(verdict_id: int) -> Turn:
    turn = turn_shown(verdict_id)
    if turn is None:
        raise Http404("There is no such verdict.")
    return turn
