"""Verdicts for staff: which wait for a look, what staff say of them, how far grader and staff agree, and an export."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from django.http import Http404, HttpResponse, HttpResponseBase
from rest_framework.request import Request

from accounts.api.sender import sender_of
from accounts.models import Scope
from core.api.base import ApiView, Page, operation
from core.api.idempotency import idempotent
from core.api.paging import PlacedPages
from core.pages.streaming import BlockStream, JsonLinesRenderer
from lesson_engine.api.actions import answer_unless_known
from lesson_engine.api.contracts.requests import (
    GroupReviewBody,
    ReviewBody,
    ReviewedFilters,
    UndoBody,
    VerdictFilters,
    VerdictsQuery,
)
from lesson_engine.api.contracts.verdicts import (
    AgreementReport,
    GroupReviewed,
    ReviewOutcome,
    VerdictDetail,
    VerdictItem,
)
from lesson_engine.api.examples import AGREEMENT, GROUP_REVIEWED, REVIEWED, UNDONE, VERDICT, VERDICT_REVIEWED
from lesson_engine.api.verdict_values import group_reviewed, review_outcome, verdict_detail, verdict_item
from lesson_engine.errors import ActionNotPossible, ReviewedMeanwhile, StaleSession, TurnStillRunning
from lesson_engine.models import Session, Turn, VerdictReview
from lesson_engine.services.group_reviewing import verdicts_review
from lesson_engine.services.reviewing import review_undo, verdict_review
from lesson_engine.workbench import reviewed
from lesson_engine.workbench.queue import Show, queue_of, turn_shown, turns_shown
from lesson_engine.workbench.reviewed import VerdictFilter, labelled_export

TAG = "Verdicts"
_READ: Final = {"GET": Scope.GRADING_READ}


class VerdictsView(ApiView):
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
            reviews = reviewed.verdicts_reviewed(_filter(query))
            return self.page(query, reviews, lambda review: verdict_item(review.turn, review), ordering="-id")
        pages = PlacedPages(query, partial(_queue, query.state, _filter(query)))
        rows = pages.rows_here(request)
        return pages.get_paginated_response([verdict_item(turn).model_dump(mode="json") for turn in rows])


class VerdictView(ApiView):
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
        seen = (body.seen or 0) if body.names_seen else None
        try:
            said = verdict_review(
                turn=turn, result=body.result, by=sender_of(request), note=body.note, seen=seen, drawn=body.drawn
            )
        except StaleSession as error:  # a review names no version; what helps is to send it again
            raise TurnStillRunning(error.message) from error
        session = Session.objects.get(pk=turn.session_id)
        return self.answer(review_outcome(said.review, session), status=201 if said.is_new else 200)


class GroupReviewsView(ApiView):
    required_scopes = {"POST": Scope.GRADING_WRITE}

    @operation(
        id="verdict_review_group",
        summary="Confirm or overrule several verdicts",
        tag=TAG,
        request=GroupReviewBody,
        response=GroupReviewed,
        request_example={"ids": [417, 423], "result": "ACCEPT", "note": "Both reasons are there."},
        example=GROUP_REVIEWED,
    )
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Say of several answers that they are worth the same. Each gets a review of its own, and can be taken back by
        itself.

        They are taken for answers that wait: one that somebody reviewed meanwhile, and says otherwise, is left alone.
        What is refused for one is told with it, and keeps no other from being stored.
        """
        body = self.read(GroupReviewBody)
        turns = turns_shown(body.ids).values()
        members = verdicts_review(turns=turns, result=body.result, by=sender_of(request), note=body.note)
        return self.answer(group_reviewed(body.ids, members))


class UndoView(ApiView):
    required_scopes = {"POST": Scope.GRADING_WRITE}

    @operation(
        id="verdict_review_undo",
        summary="Take a review back",
        tag=TAG,
        request=UndoBody,
        response=ReviewOutcome,
        status=(201, 200),
        problems=(ReviewedMeanwhile.code, ActionNotPossible.code, TurnStillRunning.code),
        request_example={"seen": 12},
        example=UNDONE,
    )
    @idempotent
    def post(self, request: Request, verdict_id: int) -> HttpResponse:
        """Let the grader's verdict count again: the session is scored back, and the verdict waits for a look.

        The review stays on record, and the answer is an example for the grader no longer. No question opens again, and
        no learner is moved. 200 when this review was taken back already.
        """
        seen, turn = self.read(UndoBody).seen, _turn(verdict_id)
        reviews = VerdictReview.objects.filter(turn=turn)
        review = reviews.filter(pk=seen).first()
        if review is None:
            current = reviews.filter(current=True).values_list("pk", flat=True).first()
            raise ReviewedMeanwhile("This verdict has no such review.", current)
        try:
            undone = review_undo(review=review, by=sender_of(request))
        except StaleSession as error:
            raise TurnStillRunning(error.message) from error
        session = Session.objects.get(pk=turn.session_id)
        return self.answer(review_outcome(undone.review, session), status=201 if undone.is_new else 200)


class AgreementView(ApiView):
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
        report = {"graders": reviewed.agreement_by_grader(wanted), "questions": reviewed.agreement(wanted)}
        return answer_unless_known(self, AgreementReport.model_validate(report, from_attributes=True))


class LabelledLinesView(ApiView):
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
        filters = query.model_dump(mode="json", exclude_none=True)
        blocks = labelled_export(by=sender_of(request), wanted=_filter(query), filters=filters)
        headers = {"Content-Disposition": 'attachment; filename="labelled.jsonl"'}
        return BlockStream(blocks, content_type=JsonLinesRenderer.media_type, headers=headers)


def _filter(query: VerdictFilters) -> VerdictFilter:
    return VerdictFilter.model_validate(query.model_dump(include={"lesson", "ask", "grader", "result", "drawn"}))


def _queue(show: Show, wanted: VerdictFilter, cursor: str, limit: int) -> tuple[Sequence[Turn], str]:
    """A page of what waits, and the cursor of the one after."""
    places = queue_of(show, wanted, after=cursor, limit=limit + 1)
    shown = places[:limit]
    return [place.turn for place in shown], shown[-1].after if len(places) > limit else ""


def _turn(verdict_id: int) -> Turn:
    turn = turn_shown(verdict_id)
    if turn is None:
        raise Http404("There is no such verdict.")
    return turn
