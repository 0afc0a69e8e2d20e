"""Sessions: the list of them, beginning one, one as its learner sees it, and its trail."""

import uuid
from functools import partial

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from accounts.api.sender import sender_of
from accounts.errors import LearnersNotManaged, PseudonymRefused
from accounts.models import Scope
from accounts.services import learner_of
from core.api.base import ApiView, Page, PageQuery, operation
from core.api.idempotency import idempotent
from core.api.throttling import action_allow
from core.limits.actions import START
from lesson_engine import selectors
from lesson_engine.api.actions import acted, action_operation, answer_unless_known, session_seen, session_value
from lesson_engine.api.contracts.requests import ModeBody, SessionsQuery, StartBody
from lesson_engine.api.contracts.sessions import SessionDetail, SessionSummary
from lesson_engine.api.contracts.turns import TurnCommand, TurnRecord, TurnVerdict
from lesson_engine.api.examples import ASKING, READING, SESSION_SUMMARY, TURN, TURN_OF_STAFF
from lesson_engine.api.session_values import session_summary
from lesson_engine.contracts import AdaptCommand, TopicDeviation, Verdict
from lesson_engine.errors import LessonNotFound, LessonRetired
from lesson_engine.explanations.session import explained
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Lesson, Mode, Turn
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from lesson_engine.player.zones import zone_name
from lesson_engine.services import sessions, turns
from lesson_engine.services.turns import state_of

TAG = "Sessions"


class SessionsView(ApiView):
    required_scopes = {"GET": Scope.SESSIONS_READ, "POST": Scope.SESSIONS_WRITE}

    @operation(
        id="session_list",
        summary="List sessions",
        tag=TAG,
        response=Page[SessionSummary],
        query=SessionsQuery,
        example={"items": [SESSION_SUMMARY], "next": None},
    )
    def get(self, request: Request) -> HttpResponse:
        """Your own sessions and those of the learners whom you manage, the latest begun first."""
        query = self.query(SessionsQuery)
        rows = selectors.sessions_listed(
            sender_of(request), status=query.status, lesson=query.lesson, learner=query.learner
        )
        return self.page(query, rows, session_summary, ordering="-started_at")

    @operation(
        id="session_start",
        summary="Begin or resume a session",
        tag=TAG,
        request=StartBody,
        response=SessionDetail,
        status=(201, 200),
        problems=[LessonNotFound.code, LessonRetired.code, LearnersNotManaged.code, PseudonymRefused.code],
        headers={"Location": "Address of the session."},
        request_example={"lesson": "fotosintesis", "learner": "learner-7", "mode": "deterministic"},
        example=READING,
    )
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """A new session on the lesson's current version (201), or the one that is under way (200).

        A learner has at most one active session of a lesson. A session stays on the version that it began with.
        """
        action_allow(request, START)
        body = self.read(StartBody)
        lesson = Lesson.objects.filter(slug=body.lesson).first()
        if lesson is None:
            raise LessonNotFound("There is no lesson of this name.")
        user = sender_of(request)
        learner = user if body.learner is None else learner_of(integrator=user, pseudonym=body.learner)
        entry = sessions.session_enter(user=learner, lesson=lesson, mode=Mode(body.mode))
        session = session_seen(request, entry.session.pk)
        headers = {"Location": request.build_absolute_uri(reverse("api:session", args=[session.pk]))}
        return self.answer(session_value(session), status=201 if entry.created else 200, headers=headers)


class SessionView(ApiView):
    required_scopes = {"GET": Scope.SESSIONS_READ, "PATCH": Scope.SESSIONS_WRITE}

    @operation(
        id="session_read",
        summary="Read a session",
        tag=TAG,
        response=SessionDetail,
        conditional=True,
        example=ASKING,
    )
    def get(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """What is to be read or answered now, what the last turn came to, and what may be done.

        To wait for a change, send the ETag back in `If-None-Match`: 304 means that there is none yet. The texts that
        the tutor adds to the author's follow `Accept-Language`.
        """
        session = session_seen(request, session_id)
        running = selectors.turn_running(session)
        if running and turns.turn_take_up(turn=running):  # left behind by a process that was killed
            session = session_seen(request, session_id)
        return answer_unless_known(self, session_value(session))

    @action_operation(
        id="session_change",
        summary="Change a session's mode",
        request=ModeBody,
        request_example={"mode": "adaptive"},
        example=ASKING,
    )
    @idempotent
    def patch(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """Switch between deterministic and adaptive, at whatever version the session is.

        The change is a turn of its own. The mode that is set already changes nothing.
        """
        body = self.read(ModeBody)
        return acted(
            self,
            request,
            session_id,
            lambda session, key: turns.session_set_mode(session=session, mode=Mode(body.mode), key=key),
        )


class TurnsView(ApiView):
    required_scopes = {"GET": Scope.SESSIONS_READ}

    @operation(
        id="session_turns",
        summary="List a session's turns",
        tag="Sessions",
        response=Page[TurnRecord],
        query=PageQuery,
        example={"items": [TURN, TURN_OF_STAFF], "next": None},
    )
    def get(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """What was done, how answers were judged and what the planner did, in order. It holds no words of learners."""
        query = self.query(PageQuery)
        session = session_seen(request, session_id)
        make = partial(turn_record, outline=outline_of(session.lesson_version_id), state=state_of(session))
        return self.page(query, selectors.turns_of(session), make, ordering="version")


def turn_record(turn: Turn, *, outline: Outline, state: PlayerState) -> TurnRecord:
    """One turn of the session whose state is `state`. What of its verdict quotes the learner is left out."""
    verdict = Verdict.model_validate(turn.verdict) if turn.verdict is not None else None
    command = AdaptCommand.model_validate(turn.command) if turn.command is not None else None
    # Where staff reviewed the question, their result counts, not what the grader found.
    explain = verdict is not None and turn.kind == Turn.Kind.ANSWER and not state.record(turn.ask_code).reviewed
    deviation = TopicDeviation(turn.deviation) if turn.deviation else None
    lines = explained(outline, state, turn.ask_code, verdict, deviation) if verdict and explain else ()
    return TurnRecord.from_object(
        turn,
        question=turn.ask_code or None,
        running=turn.state == Turn.State.RUNNING,
        verdict=turn_verdict(turn, verdict) if verdict else None,
        explanation=tuple(line.text for line in lines if not line.own),
        command=command and TurnCommand(op=command.op, target=command.target_ask_code, reason=command.reason),
    )


def turn_verdict(turn: Turn, verdict: Verdict) -> TurnVerdict:
    """The verdict on an answer, or the learner's own word."""
    deviation = TopicDeviation(turn.deviation) if turn.deviation else None
    return TurnVerdict.from_object(verdict, deviation=deviation, zone=zone_name(verdict))
