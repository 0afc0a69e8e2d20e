"""What the gateway reads of the sessions that own its accounts; see `gateway.ledger.owners`."""

from datetime import date
from uuid import UUID

from django.urls import reverse

from gateway.ledger.owners import Owner, owner_register
from lesson_engine.contracts import VerdictResult
from lesson_engine.models import Mode
from lesson_engine.selectors import session_keys_seen_by
from telemetry.panels import Filters
from telemetry.selectors import measure_read


def session_url(key: str) -> str:
    """The session's timeline; empty where the key is no session's."""
    try:
        return reverse("admin:lesson_engine_session_change", args=[UUID(key)])
    except ValueError:
        return ""


def graded_answers(since: date, until: date) -> int:
    """Answers that were judged in adaptive mode, where alone a second opinion is asked for.

    What could not be judged (empty, unreadable, in the wrong form) is not among them: there is nothing to be unsure of.
    """
    cells = measure_read("verdicts", "label", filters=Filters(since=since, until=until, mode=Mode.ADAPTIVE.value))
    # A label is a rule, a bar and a result: `dashboard.MEASURES`.
    return sum(cell.count for cell in cells if cell.label.rpartition("|")[2] != VerdictResult.NOT_GRADABLE)


def register() -> None:
    """For `AppConfig.ready()`."""
    owner_register(Owner(sessions_of=session_keys_seen_by, url_of=session_url, graded_answers=graded_answers))
