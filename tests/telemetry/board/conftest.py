"""Events on chosen days, staff in a browser, and measures that a test brings itself."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.test import Client

from accounts.models import User
from telemetry.contracts import EventDraft, EventRecord
from telemetry.panels import Axis, Filters, Measure, registry
from telemetry.selectors import measure_read
from telemetry.services import events_append
from tests.telemetry.conftest import append, tamper  # noqa: F401 - fixtures here too

Record = Callable[..., list[EventRecord]]
Count = Callable[[Measure], Measure]
DAY = date(2026, 3, 10)
EVER = Filters(since=date(2026, 1, 1), until=date(2026, 12, 31))


def at(day: date, hour: int = 12) -> datetime:
    return datetime(day.year, day.month, day.day, hour, tzinfo=UTC)


def record_events(
    event: str = "tested.thing", *data: dict[str, Any], chain: str = "s1", **changes: Any
) -> list[EventRecord]:
    """Record an event for each of `data`, all at one time."""
    told = {"course": "light", "mode": "deterministic", "now": at(DAY), **changes}
    drafts = [EventDraft(event=event, data=one) for one in data or ({},)]
    with transaction.atomic():
        return events_append(chain=chain, drafts=drafts, **told)


@pytest.fixture
def record(db: None) -> Record:
    return record_events


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Count:
    """Count a measure while the test runs; the same name again counts it in another way."""

    def register(measure: Measure) -> Measure:
        monkeypatch.setitem(registry._measures, measure.name, measure)
        return measure

    return register


def counted(name: str, *by: Axis, **filters: Any) -> dict[Any, int]:
    """How often, by the axes asked for."""
    cells = measure_read(name, *by, filters=EVER.model_copy(update=filters))
    return {
        tuple(getattr(cell, axis) for axis in by) if len(by) != 1 else getattr(cell, by[0]): cell.count
        for cell in cells
    }


@pytest.fixture
def desk(staff: User, client: Client) -> Client:
    """A browser in which staff is signed in."""
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    ContentType.objects.get_for_models(*apps.get_models())  # a process asks for them once; counted pages come after
    return client


def days_after(day: date, days: int) -> date:
    return day + timedelta(days=days)
