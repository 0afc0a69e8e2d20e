"""What the addresses of one session have in common: finding it, acting in it, showing it."""

import uuid
from collections.abc import Callable

from django.http import Http404, HttpResponse
from rest_framework.request import Request

from accounts.models import User
from core.api import ApiView
from gateway.selectors import budget_of
from lesson_engine import selectors
from lesson_engine.api.session_values import session_detail
from lesson_engine.api_contracts import SessionDetail
from lesson_engine.errors import ActionNotPossible, StaleSession, TurnStillRunning
from lesson_engine.explaining import earlier_try
from lesson_engine.models import Session
from lesson_engine.services.sessions import BUDGET_SCOPE
from lesson_engine.services.turns import state_of, turn_key

Act = Callable[[Session, str], Session]
ACTION_PROBLEMS = (StaleSession.code, TurnStillRunning.code, ActionNotPossible.code)


def user_of(request: Request) -> User:
    """Who sent the request; nobody else gets past the permission."""
    assert isinstance(request.user, User)
    return request.user


def session_seen(request: Request, session_id: uuid.UUID) -> Session:
    """A session that the sender may see. 404 for any other, whether it exists or not."""
    session = selectors.sessions_seen_by(user_of(request)).filter(pk=session_id).first()
    if session is None:
        raise Http404("There is no such session, or it is not yours.")
    return session


def session_value(session: Session) -> SessionDetail:
    """The session with its money. One query; another where questions were reported, or an earlier try is explained."""
    state = state_of(session)
    reported = state.phase == "finished" and any(record.outcome == "reported" for record in state.asks.values())
    dismissed = selectors.reports_dismissed(session) if reported else ()
    tried = earlier_try(session, state)
    budget = budget_of(BUDGET_SCOPE, str(session.pk))
    return session_detail(session, state, budget, dismissed, earlier=tried.verdict if tried else None)


def acted(view: ApiView, request: Request, session_id: uuid.UUID, act: Act) -> HttpResponse:
    """The session after an action, which is given the session and the key of the request.

    Raises what the action does; a `StaleSession` also tells at which version the session is.
    """
    session = session_seen(request, session_id)
    try:
        after = act(session, turn_key(request.idempotency_key))
    except StaleSession as error:
        now = Session.objects.values_list("version", flat=True).get(pk=session.pk)
        raise StaleSession(error.message, version=now) from error
    # A repeated action gives the session anew; what never changes need not be fetched for it.
    after.lesson, after.lesson_version, after.user = session.lesson, session.lesson_version, session.user
    vars(after)["plan_id"] = vars(session)["plan_id"]
    return view.answer(session_value(after))
