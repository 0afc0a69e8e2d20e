"""The circuit breaker: a model that keeps failing is left alone for a while, by all processes.

Open: the model is not asked. When its time is over, one call tries; it closes the breaker or opens it for twice as
long.
"""

from datetime import UTC, datetime, timedelta

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from gateway.errors import CircuitOpen
from gateway.events import record
from gateway.models import Alert, Breaker
from gateway.operations.alerts import raise_once
from telemetry.contracts import EventDraft, EventLevel, EventName

FAILURES = 5
"""In a row, that open it."""
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=30), timedelta(minutes=10)
TRIAL = timedelta(seconds=60)
"""How long the one that tries has, before another may."""
_FAILED = """
INSERT INTO gateway_breaker (model, failures, trips, last_failure, changed_at) VALUES (%s, 1, 0, %s, %s)
ON CONFLICT (model) DO UPDATE SET failures = gateway_breaker.failures + 1, last_failure = excluded.last_failure,
    changed_at = excluded.changed_at
RETURNING failures, trips, opened_at
"""


def breaker_look(model: str) -> Breaker:
    """How the model has been doing. Raises `CircuitOpen` while it is left alone. One query."""
    breaker = Breaker.objects.filter(pk=model).first() or Breaker(model=model)
    if breaker.open_until is not None and breaker.open_until > timezone.now():
        raise _left_alone(model)
    return breaker


def breaker_try(breaker: Breaker) -> None:
    """Take the trial when a pause is over. Raises `CircuitOpen` when another call did. No query without a pause."""
    if breaker.open_until is None:
        return
    now = timezone.now()
    before_trial = Breaker.objects.filter(pk=breaker.pk, open_until=breaker.open_until)
    if not before_trial.update(open_until=now + TRIAL, changed_at=now):
        raise _left_alone(breaker.model)


def _left_alone(model: str) -> CircuitOpen:
    return CircuitOpen(f"{model} kept failing and is left alone for a while.")


def breaker_failed(model: str, reason: str, *, began: datetime) -> None:
    """Count a failure of a call that `began` then; the fifth in a row opens the breaker, and so does that of a trial.

    Calls that were under way when it opened change nothing any more. One alert is raised until it is closed again.
    """
    now = timezone.now()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_FAILED, [model, reason[:200], now])
        failures, trips, opened_at = cursor.fetchone() or (0, 0, None)
        if failures < FAILURES or (opened_at is not None and began < opened_at):
            return
        pause, since = min(FIRST_PAUSE * 2**trips, LONGEST_PAUSE), opened_at or now
        Breaker.objects.filter(pk=model).update(open_until=now + pause, opened_at=since, trips=min(trips + 1, 10))
        data = {"model": model, "state": "open", "failures": failures, "seconds": int(pause.total_seconds())}
        about = f"{model[:80]} {since.astimezone(UTC).isoformat()}"
        alert = raise_once(Alert.Kind.BREAKER_OPEN, about, {"model": model, "failures": failures}, now)
        changed = EventDraft(event=EventName.BREAKER_CHANGED, level=EventLevel.WARNING, data=data)
        record([changed, *([alert] if alert else [])])


def breaker_succeeded(model: str, *, began: datetime) -> None:
    """Forget the failures: the model answers again. A call that began before it opened says nothing of now."""
    _clear(model, {}, began=began)


def breaker_close(*, model: str, by: User) -> None:
    """Staff let the model be asked again at once."""
    _clear(model, {"by": by.pk})


def _clear(model: str, more: dict[str, int], *, began: datetime | None = None) -> None:
    now = timezone.now()
    with transaction.atomic():
        row = Breaker.objects.select_for_update(no_key=True).filter(pk=model).first()
        if row is None or (row.failures == 0 and row.open_until is None):
            return
        if began is not None and row.opened_at is not None and began < row.opened_at:
            return
        fresh = {"failures": 0, "trips": 0, "open_until": None, "opened_at": None, "last_failure": ""}
        Breaker.objects.filter(pk=model).update(**fresh, changed_at=now)
        if row.open_until is not None:
            data = {"model": model, "state": "closed", **more}
            record([EventDraft(event=EventName.BREAKER_CHANGED, data=data)])
