"""What a learner can do in a session. Each names the version that it was made for, and counts once for its key."""

import uuid

from django.http import HttpResponse
from rest_framework.request import Request

from accounts.models import Scope
from core.api import ApiView, operation
from core.idempotency import idempotent
from lesson_engine.api.acting import ACTION_PROBLEMS, acted
from lesson_engine.api.examples import ASKING, CLOSED, JUDGED, READING
from lesson_engine.api_contracts import ActionBody, AnswerBody, ReportBody, SessionDetail
from lesson_engine.catalogue import outline_of
from lesson_engine.contracts import Reply
from lesson_engine.models import QuestionReport, Session
from lesson_engine.services import turns
from lesson_engine.services.reports import question_report
from lesson_engine.services.words import reply_dont_know, storable

TAG = "Sessions"
_WRITE = {"POST": Scope.SESSIONS_WRITE}


class AnswerView(ApiView):
    """Answers to the question that is shown."""

    required_scopes = _WRITE

    @operation(
        id="session_answer",
        summary="Answer the question",
        tag=TAG,
        request=AnswerBody,
        response=SessionDetail,
        problems=ACTION_PROBLEMS,
        request_example={"version": 3, "text": "Para fabricar azúcar con la luz."},
        example=JUDGED,
    )
    @idempotent
    def post(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """Judge an answer and move on as it deserves; `last_turn` in the response tells the verdict.

        Send `text` for questions that are answered in writing, `choices` for those with choices, or `dont_know`. An
        answer in the wrong form, or an empty one, is not graded; every third such answer in a row costs an attempt.
        """
        body = self.read(AnswerBody)

        def act(session: Session, key: str) -> Session:
            reply = _reply(body, session)
            return turns.session_answer(session=session, version=body.version, key=key, reply=reply)

        return acted(self, request, session_id, act)


class HintView(ApiView):
    """Hints of the question that is shown."""

    required_scopes = _WRITE

    @operation(
        id="session_hint",
        summary="Take a hint",
        tag=TAG,
        request=ActionBody,
        response=SessionDetail,
        problems=ACTION_PROBLEMS,
        request_example={"version": 3},
        example=ASKING,
    )
    @idempotent
    def post(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """Show the next hint of the author's; hints cost no attempt."""
        body = self.read(ActionBody)
        return acted(
            self,
            request,
            session_id,
            lambda session, key: turns.session_hint(session=session, version=body.version, key=key),
        )


class ContinueView(ApiView):
    """Going on."""

    required_scopes = _WRITE

    @operation(
        id="session_continue",
        summary="Go on to the next step",
        tag=TAG,
        request=ActionBody,
        response=SessionDetail,
        problems=ACTION_PROBLEMS,
        request_example={"version": 3},
        example=READING,
    )
    @idempotent
    def post(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """Leave what was read, or a question that is closed. After the last step the session is finished."""
        body = self.read(ActionBody)
        return acted(
            self,
            request,
            session_id,
            lambda session, key: turns.session_continue(session=session, version=body.version, key=key),
        )


class SkipView(ApiView):
    """Giving a question up."""

    required_scopes = _WRITE

    @operation(
        id="session_skip",
        summary="Skip the question",
        tag=TAG,
        request=ActionBody,
        response=SessionDetail,
        problems=ACTION_PROBLEMS,
        request_example={"version": 3},
        example=CLOSED,
    )
    @idempotent
    def post(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """Give the question up and see its answer; possible once enough attempts were used."""
        body = self.read(ActionBody)
        return acted(
            self,
            request,
            session_id,
            lambda session, key: turns.session_skip(session=session, version=body.version, key=key),
        )


class ReportView(ApiView):
    """Questions that are wrong."""

    required_scopes = _WRITE

    @operation(
        id="session_report",
        summary="Say that the question is wrong",
        tag=TAG,
        request=ReportBody,
        response=SessionDetail,
        problems=ACTION_PROBLEMS,
        request_example={"version": 5, "kind": "my_answer_right", "comment": "También vale decir oxígeno."},
        example=CLOSED,
    )
    @idempotent
    def post(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """Tell staff what is wrong with the question that is shown, open or just closed; once a session.

        An open question closes at no attempt, with its answer. If staff find that it is wrong, it is withdrawn for
        everyone and the results are reckoned anew.
        """
        body = self.read(ReportBody)

        def act(session: Session, key: str) -> Session:
            return question_report(
                session=session,
                version=body.version,
                key=key,
                kind=QuestionReport.Kind(body.kind),
                comment=body.comment,
            )

        return acted(self, request, session_id, act)


def _reply(body: AnswerBody, session: Session) -> Reply:
    if body.is_dont_know:
        return reply_dont_know(outline_of(session.lesson_version_id).lesson.meta.language)
    return Reply(text=storable(body.text), choices=tuple(storable(code) for code in body.choices))
