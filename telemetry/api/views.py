"""Telemetry for programs: pages that can be followed, and everything at once as JSON Lines.

Both go by id and no further than the settled horizon: up to there no transaction can add an event any more, so a client
that follows the cursor misses none. There are no learners' words or names in events, and none are looked up.
"""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.sender import sender_of, staff_asks
from accounts.models import Scope, User
from accounts.selectors import users_seen_by
from core.api.base import ApiView, CursorPages, operation
from core.pages.streaming import BlockStream, JsonLinesRenderer
from telemetry.api.contracts import EventFilters, EventItem, EventPage, EventsQuery
from telemetry.contracts import EventLevel
from telemetry.exports.formats import export_begin, jsonl_blocks
from telemetry.models import Event
from telemetry.selectors import events_settled
from telemetry.services import horizon_advance

TAG = "Telemetry"
_EXAMPLE = {
    "timestamp": "2026-01-01T12:00:00.250Z",
    "level": "info",
    "event": "evaluation.result",
    "sessionId": "6f1c2f5e-52c0-4b1e-9d3f-1f0a4c8a7b11",
    "data": {"askCode": "clorofila", "result": "ACCEPT", "rule": "open.keywords", "score": 0.93},
    "seq": 4,
    "course": "fotosintesis",
    "mode": "deterministic",
}


class EventsView(ApiView):
    """Events by page."""

    required_scopes = {"GET": Scope.TELEMETRY_READ}

    @operation(
        id="telemetry_events",
        summary="Read events",
        tag=TAG,
        response=EventPage,
        query=EventsQuery,
        example={
            "items": [_EXAMPLE],
            "next": None,
            "follow": "https://tutor.example/api/v1/telemetry/events/?cursor=cD00MDk2",
        },
    )
    def get(self, request: Request) -> Response:
        """Events in the order they were recorded, the first first: those of your own sessions, plans and questions, and
        of the learners whom you manage. Staff see all.

        Read `next` until it is null, then ask `follow` now and then: each event comes exactly once, whatever is
        recorded meanwhile. An event may take a moment to come, until all that were begun before it are there.
        """
        query = self.query(EventsQuery)
        upto = horizon_advance()
        pages = CursorPages(query)
        rows = pages.rows(events_settled(upto=upto, about=_about(request), **_filters(query)), request, self)
        following = pages.get_next_link()
        page = EventPage(items=tuple(map(_item, rows)), next=following, follow=following or pages.address_after(upto))
        return self.answer(page)


class EventLinesView(ApiView):
    """Events as JSON Lines."""

    required_scopes = {"GET": Scope.TELEMETRY_READ}
    renderer_classes = (JsonLinesRenderer,)
    http_method_names = ["get"]  # HEAD would be an export nobody gets

    @operation(
        id="telemetry_export",
        summary="Export events as JSON Lines",
        tag=TAG,
        response=str,
        media_type=JsonLinesRenderer.media_type,
        query=EventFilters,
        headers={"Content-Disposition": "A name for the file."},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """All events up to now that you may see and the filters let through, one JSON object a line, in the order they
        were recorded.

        Each export is itself an event, `telemetry.exported` in the chain `exports`, with your user id and the filters.
        """
        filters = self.query(EventFilters)
        recorded = filters.model_dump(mode="json", exclude_none=True)
        own = {"about": _about(request), **_filters(filters)}
        records = export_begin(by=request.user.pk, form="jsonl", recorded=recorded, **own)
        headers = {"Content-Disposition": 'attachment; filename="events.jsonl"'}
        return BlockStream(jsonl_blocks(records), content_type=JsonLinesRenderer.media_type, headers=headers)


def _about(request: Request) -> QuerySet[User] | None:
    """Whose events the sender may see; None for everything."""
    return None if staff_asks(request) else users_seen_by(sender_of(request))


def _filters(query: EventFilters) -> dict[str, Any]:
    filters = query.model_dump(include=set(EventFilters.model_fields))
    return {"chain": filters.pop("session"), **filters}


def _item(row: Event) -> EventItem:
    # Not validated again: the row was when it was written.
    own = {name: getattr(row, name) for name in EventItem.model_fields if name not in ("level", "session_id")}
    return EventItem.model_construct(level=EventLevel(row.level), session_id=row.chain_id, **own)
