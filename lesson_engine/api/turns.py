"""The trail of a session."""

import uuid
from functools import partial

from django.http import HttpResponse
from rest_framework.request import Request

from accounts.models import Scope
from core.api import ApiView, Page, PageQuery, operation
from lesson_engine import selectors
from lesson_engine.api.acting import session_seen
from lesson_engine.api.examples import TURN, TURN_OF_STAFF
from lesson_engine.api.turn_values import turn_record
from lesson_engine.api_contracts import TurnRecord
from lesson_engine.catalogue import outline_of
from lesson_engine.services.turns import state_of


class TurnsView(ApiView):
    """The turns of one session."""

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
        """What was done, how answers were judged and what the planner did, in order. Nobody's words are in it."""
        query = self.query(PageQuery)
        session = session_seen(request, session_id)
        make = partial(turn_record, outline=outline_of(session.lesson_version_id), state=state_of(session))
        return self.page(query, selectors.turns_of(session), make, ordering="version")
