"""Sessions: which there are, beginning one, and one as its learner sees it."""

import uuid

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from accounts.errors import LearnersNotManaged, PseudonymRefused
from accounts.models import Scope, User
from accounts.services import learner_of
from core.api import ApiView, Page, operation
from core.idempotency import idempotent
from lesson_engine import selectors
from lesson_engine.api.acting import ACTION_PROBLEMS, acted, session_seen, session_value, user_of
from lesson_engine.api.conditional import answer_unless_known
from lesson_engine.api.examples import ASKING, READING, SESSION_SUMMARY
from lesson_engine.api.session_values import session_summary
from lesson_engine.api_contracts import ModeBody, SessionDetail, SessionsQuery, SessionSummary, StartBody
from lesson_engine.errors import LessonNotFound, LessonRetired
from lesson_engine.models import Lesson, Mode
from lesson_engine.services import sessions, turns

TAG = "Sessions"


class SessionsView(ApiView):
    """The sender's own sessions and those of the learners whom they manage."""

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
        found = selectors.sessions_listed(
            user_of(request), status=query.status, lesson=query.lesson, learner=query.learner
        )
        return self.page(query, found, session_summary, ordering="-started_at")

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
        body = self.read(StartBody)
        lesson = Lesson.objects.filter(slug=body.lesson).first()
        if lesson is None:
            raise LessonNotFound("There is no lesson of this name.")
        learner = _learner(user_of(request), body.learner)
        entry = sessions.session_enter(user=learner, lesson=lesson, mode=Mode(body.mode))
        session = session_seen(request, entry.session.pk)
        headers = {"Location": request.build_absolute_uri(reverse("api:session", args=[session.pk]))}
        return self.answer(session_value(session), status=201 if entry.created else 200, headers=headers)


class SessionView(ApiView):
    """One session."""

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

    @operation(
        id="session_change",
        summary="Change a session's mode",
        tag=TAG,
        request=ModeBody,
        response=SessionDetail,
        problems=ACTION_PROBLEMS,
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


def _learner(user: User, pseudonym: str | None) -> User:
    """Whose session it is to be. Raises `LearnersNotManaged` or `PseudonymRefused`."""
    return user if pseudonym is None else learner_of(integrator=user, pseudonym=pseudonym)
