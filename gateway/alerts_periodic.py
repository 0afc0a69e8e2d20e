"""Alerts that only figures over some time show. Sources: spec/3 "Monitoreo"; RT-009, "Alert thresholds".

Of several workers at once each finds the same, and one raises it: `alerts.raise_once` decides that in the database.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection, transaction

from gateway.alerts import alert_raise, raise_once
from gateway.contracts import MICROCENTS, DegradationLevel, Tier
from gateway.degradation import degradation_level, violations_count
from gateway.figures_calls import by_day
from gateway.figures_contracts import Days, Latency
from gateway.figures_timings import EVALUATION, PLANNING, REFLECTION, latencies, timeouts_of
from gateway.models import Alert, Degradation
from gateway.record import record
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


class Found(NamedTuple):
    """What is to be raised, unless it was."""

    kind: Alert.Kind
    key: str
    details: dict[str, Any]


def periodic_alerts_raise(*, now: datetime) -> int:
    """Raise what is due, most of it once for each day, and tell when the degradation level moved; how many were new."""
    found = [one for look in _LOOKS for one in look(now)]
    raised = [alert_raise(kind=one.kind, key=one.key, details=one.details, now=now) for one in found]
    return sum(raised) + _degradation_tell(now)


def _thinker_share(now: datetime) -> Iterator[Found]:
    today = now.astimezone(UTC).date()
    counted = by_day(Days(since=today, until=today))
    calls = sum(one.calls for one in counted)
    thinker = sum(one.calls for one in counted if one.tier == Tier.THINKER)
    if calls >= RUNS_AT_LEAST and thinker / calls > THINKER_SHARE:
        yield Found(Kind.THINKER_SHARE, _day(now), {"calls": calls, "thinker": thinker})


def _operations(now: datetime) -> Iterator[Found]:
    timed = latencies(now - LOOKED_BACK, now)
    named = {one.operation: one for one in timed}
    for operation, kind, most in SLOW_OVER_MS:
        one = named.get(operation)
        if one is not None and one.runs >= RUNS_AT_LEAST and one.p95 > most:
            yield Found(kind, _day(now), {"p95Ms": one.p95, "overMs": most, "runs": one.runs})
    planning = named.get(PLANNING)
    if planning is not None and planning.asked >= RUNS_AT_LEAST and planning.hits / planning.asked < CACHE_HITS:
        yield Found(Kind.CACHE_COLD, _day(now), {"hits": planning.hits, "runs": planning.asked})
    yield from _timeouts(timed, now)


def _timeouts(timed: Iterable[Latency], now: datetime) -> Iterator[Found]:
    timeouts, runs = timeouts_of(tuple(timed))
    if runs >= RUNS_AT_LEAST and timeouts / runs > TIMEOUTS:
        yield Found(Kind.TIMEOUTS_MANY, _day(now), {"timeouts": timeouts, "runs": runs})


def _reflections(now: datetime) -> Iterator[Found]:
    with connection.cursor() as cursor:
        values: dict[str, Any] = {"operation": REFLECTION, "since": now - _A_DAY, "most": REFLECTION_COST}
        cursor.execute(_REFLECTIONS, values)
        for key, cost in cursor.fetchall():
            yield Found(Kind.REFLECTION_COST, key, {"costMicrocents": cost})


_LOOKS: tuple[Callable[[datetime], Iterable[Found]], ...] = (_thinker_share, _operations, _reflections)


@transaction.atomic
def _degradation_tell(now: datetime) -> bool:
    """Whether an alert was raised: only when it got worse. Of two at once the second finds nothing left to tell."""
    Degradation.objects.bulk_create(
        [Degradation(pk=1, level=DegradationLevel.FULL, changed_at=now)], ignore_conflicts=True
    )
    told = Degradation.objects.select_for_update(no_key=True).get(pk=1)
    before, level = DegradationLevel(told.level), degradation_level(now=now)
    if level == before or told.changed_at > now:  # somebody with a later clock was here
        return False
    Degradation.objects.filter(pk=1).update(level=level, changed_at=now)
    worse = _LEVELS.index(level) > _LEVELS.index(before)
    data = {"from": before.value, "to": level.value, "violations": violations_count(now=now)}
    severity = EventLevel.WARNING if worse else EventLevel.INFO
    drafts = [EventDraft(event=EventName.DEGRADATION_CHANGED, level=severity, data=data)]
    alert = raise_once(Kind.DEGRADED, _moment(now), data, now) if worse else None
    record([*drafts, *([alert] if alert else [])], now=now)
    return alert is not None


def _day(now: datetime) -> str:
    return now.astimezone(UTC).date().isoformat()


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()
