"""Addresses of the workbench. A query string says which queue staff are in, and where in it."""

from collections.abc import Mapping
from urllib.parse import urlencode

from django.urls import reverse

from lesson_engine.models import Turn
from lesson_engine.selectors import TURNS_PER_PAGE

_QUEUE = ("show", "lesson", "ask", "grader", "result", "after")
_LONGEST = 200


def queue_in(query: Mapping[str, str]) -> dict[str, str]:
    """The queue that a query string names."""
    return {name: query[name][:_LONGEST] for name in _QUEUE if query.get(name)}


def bench_url(queue: Mapping[str, str]) -> str:
    """The queue at its place."""
    # By the fragment, users of the keyboard go on at the verdict, also without scripts.
    return f"{reverse('admin:lesson_engine_verdictreview_workbench')}?{_query(queue)}#bench"


def verdict_url(turn_id: int, queue: Mapping[str, str]) -> str:
    """One verdict, from which the way leads back to this place of the queue."""
    query = _query(queue)
    return reverse("admin:lesson_engine_verdictreview_verdict", args=[turn_id]) + (f"?{query}" if query else "")


def undo_url(turn_id: int, place: Mapping[str, str]) -> str:
    """Where the review of an answer is taken back, from which the way leads back to this place."""
    query = _query(place)
    return reverse("admin:lesson_engine_verdictreview_undo", args=[turn_id]) + (f"?{query}" if query else "")


def timeline_url(turn: Turn) -> str:
    """The page of the turn's session, at the turn."""
    page = turn.version // TURNS_PER_PAGE + 1
    query = f"?page={page}" if page > 1 else ""
    return f"{reverse('admin:lesson_engine_session_change', args=[turn.session_id])}{query}#turn-{turn.version}"


def is_key(text: str) -> bool:
    """Whether a part of an address can be the primary key of a row."""
    return text.isascii() and text.isdecimal() and len(text) < 19


def _query(values: Mapping[str, str]) -> str:
    return urlencode({name: value for name, value in values.items() if value})
