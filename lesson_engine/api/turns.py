"""The trail of a session."""

import uuid

from django.http import HttpResponse
from rest_framework.request import Request

from accounts.models import Scope
from core.api import ApiView, Page, PageQuery, operation
from lesson_engine import selectors
from lesson_engine.api.acting import session_seen
from lesson_engine.api.examples import TURN
from lesson_engine.api.turn_values import turn_record
from lesson_engine.api_contracts import TurnRecord


class TurnsView(ApiView):
    """The turns of one session."""

    required_scopes = {"GET": Scope.SESSIONS_READ}

    @operation(
        id="session_turns",
        summary="List a session's turns",
        tag="Sessions",
        response=Page[TurnRecord],
        query=PageQuery,
        example={"items": [TURN], "next": None},
    )
    def get(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """What was done, how answers were judged and what the planner did, in order. Nobody's words are in it."""
        query = self.query(PageQuery)
        session = session_seen(request, session_id)
        return self.page(query, selectors.turns_of(session), turn_record, ordering="version")
