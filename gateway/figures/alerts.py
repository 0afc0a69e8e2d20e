"""Alerts that only figures over some time show. Sources: spec/3 "Monitoreo"; RT-009, "Alert thresholds".

Of several workers at once each finds the same, and one raises it: `alerts.raise_once` decides that in the database.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection, transaction

from gateway.contracts import MICROCENTS, DegradationLevel, Tier
from gateway.events import record
from gateway.figures.calls import by_day
from gateway.figures.contracts import Days, Latency
from gateway.figures.reading import EVALUATION, PLANNING, REFLECTION, latencies, timeouts_of
from gateway.models import Alert, Degradation
from gateway.operations.alerts import alert_raise, raise_once
from gateway.operations.degradation import level_after, violations_read
from telemetry.contracts import EventDraft, EventLevel, EventName

Kind = Alert.Kind
LOOKED_BACK = timedelta(hours=1)
"""Over which latencies, hits and timeouts are looked at."""
RUNS_AT_LEAST = 20
"""Runs, or calls, under which a share or a p95 says nothing."""
THINKER_SHARE = 0.05
REFLECTION_COST = 5 * MICROCENTS
SLOW_OVER_MS = (
    (PLANNING, Kind.PLANNING_SLOW, 3000),
    (EVALUATION, Kind.EVALUATION_SLOW, 1000),
    (REFLECTION, Kind.REFLECTION_SLOW, 5000),
)
CACHE_HITS = 0.20
TIMEOUTS = 0.05
_A_DAY = timedelta(days=1)
_LEVELS = tuple(DegradationLevel)
# What a run of it came to, with what its account could not bear: an account alone is never over its limit.
_REFLECTIONS = """
SELECT account.key, sum(hold.cost + hold.overrun)::bigint FROM gateway_account AS account
JOIN gateway_entry AS entry ON entry.account_id = account.id AND entry.kind = 'reserve'
JOIN gateway_hold AS hold ON hold.id = entry.hold_id AND hold.state = 'settled'
WHERE account.scope = 'operation' AND starts_with(account.key, %(operation)s || ':') AND account.opened_at > %(since)s
GROUP BY account.key HAVING sum(hold.cost + hold.overrun) > %(most)s
"""


class DueAlert(NamedTuple):
    """An alert to raise, unless it was raised before."""

    kind: Alert.Kind
    key: str
    details: dict[str, Any]


def periodic_alerts_raise(*, now: datetime) -> int:
    """Raise the alerts that are due, most of them once a day, and record a change of the degradation level. Return how
    many are new.
    """
    due = [alert for check in _CHECKS for alert in check(now)]
    raised = [alert_raise(kind=alert.kind, key=alert.key, details=alert.details, now=now) for alert in due]
    return sum(raised) + _degradation_record(now)


def _thinker_share(now: datetime) -> Iterator[DueAlert]:
    today = now.astimezone(UTC).date()
    counted = by_day(Days(since=today, until=today))
    calls = sum(use.calls for use in counted)
    thinker = sum(use.calls for use in counted if use.tier == Tier.THINKER)
    if calls >= RUNS_AT_LEAST and thinker / calls > THINKER_SHARE:
        yield DueAlert(Kind.THINKER_SHARE, _day(now), {"calls": calls, "thinker": thinker})


def _operations(now: datetime) -> Iterator[DueAlert]:
    timed = latencies(now - LOOKED_BACK, now)
    named = {timing.operation: timing for timing in timed}
    for operation, kind, limit_ms in SLOW_OVER_MS:
        timing = named.get(operation)
        if timing is not None and timing.runs >= RUNS_AT_LEAST and timing.p95 > limit_ms:
            yield DueAlert(kind, _day(now), {"p95Ms": timing.p95, "overMs": limit_ms, "runs": timing.runs})
    planning = named.get(PLANNING)
    if planning is not None and planning.asked >= RUNS_AT_LEAST and planning.hits / planning.asked < CACHE_HITS:
        yield DueAlert(Kind.CACHE_COLD, _day(now), {"hits": planning.hits, "runs": planning.asked})
    yield from _timeouts(timed, now)


def _timeouts(timed: Iterable[Latency], now: datetime) -> Iterator[DueAlert]:
    timeouts, runs = timeouts_of(tuple(timed))
    if runs >= RUNS_AT_LEAST and timeouts / runs > TIMEOUTS:
        yield DueAlert(Kind.TIMEOUTS_MANY, _day(now), {"timeouts": timeouts, "runs": runs})


def _reflections(now: datetime) -> Iterator[DueAlert]:
    with connection.cursor() as cursor:
        values: dict[str, Any] = {"operation": REFLECTION, "since": now - _A_DAY, "most": REFLECTION_COST}
        cursor.execute(_REFLECTIONS, values)
        for key, cost in cursor.fetchall():
            yield DueAlert(Kind.REFLECTION_COST, key, {"costMicrocents": cost})


_CHECKS: tuple[Callable[[datetime], Iterable[DueAlert]], ...] = (_thinker_share, _operations, _reflections)


@transaction.atomic
def _degradation_record(now: datetime) -> bool:
    """Whether an alert was raised: only when the common level got worse, and once for two calls at the same time."""
    Degradation.objects.bulk_create(
        [Degradation(pk=1, level=DegradationLevel.FULL, changed_at=now)], ignore_conflicts=True
    )
    recorded = Degradation.objects.select_for_update(no_key=True).get(pk=1)
    violations = violations_read(now=now)
    before, level = DegradationLevel(recorded.level), level_after(violations.common)
    if level == before or recorded.changed_at > now:  # somebody with a later clock was here
        return False
    Degradation.objects.filter(pk=1).update(level=level, changed_at=now)
    worse = _LEVELS.index(level) > _LEVELS.index(before)
    data = {"from": before.value, "to": level.value, "violations": violations.common}
    severity = EventLevel.WARNING if worse else EventLevel.INFO
    drafts = [EventDraft(event=EventName.DEGRADATION_CHANGED, level=severity, data=data)]
    alert = raise_once(Kind.DEGRADED, now.astimezone(UTC).isoformat(), data, now) if worse else None
    record([*drafts, *([alert] if alert else [])], now=now)
    return alert is not None


def _day(now: datetime) -> str:
    return now.astimezone(UTC).date().isoformat()
