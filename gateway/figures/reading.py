"""What models cost, how they were used, how long operations took, what a quota refused. Source: RT-009, "Metrics"."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from gateway.figures import calls
from gateway.figures.contracts import Days, EscalationMetrics, Figures, Latency
from gateway.ledger.owners import graded_answers
from gateway.operations.degradation import level_after, violations_read
from gateway.operations.registry import Operation, operations_all
from telemetry.contracts import EventName
from telemetry.panels import Filters, Measure, measure_register, text
from telemetry.selectors import measure_read

PLANNING, EVALUATION, REFLECTION = "create_plan", "evaluate_result", "reflect_on_result"
"""The operations that RT-009's latencies of planning, evaluation and reflection are those of."""
_LATENCIES = (("planning", PLANNING, 3), ("evaluation", EVALUATION, 2), ("reflection", REFLECTION, 2))
"""What the metrics call them, and how many of the percentiles they give."""
_PERCENTILES = ("p50", "p95", "p99")
_TIMINGS = """
SELECT operation, count(*) AS runs, percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY ms) AS percentiles,
       max(target_ms) AS target, count(*) FILTER (WHERE violated) AS violations,
       count(*) FILTER (WHERE outcome = 'timed_out') AS timeouts,
       count(*) FILTER (WHERE outcome = 'too_dear') AS refused,
       count(cache_hit) AS asked, count(*) FILTER (WHERE cache_hit) AS hits
FROM gateway_operationtiming WHERE at >= %(begin)s AND at < %(end)s GROUP BY operation
"""


def latencies(begin: datetime, end: datetime) -> tuple[Latency, ...]:
    """Operations that ran from `begin` (inclusive) to `end` (exclusive), as they are registered. One query.

    What is no longer registered comes last, with the target that it had.
    """
    operations = {operation.name: operation for operation in operations_all()}
    rows = {row.operation: row for row in calls.rows_of(_TIMINGS, {"begin": begin, "end": end})}
    names = [*(name for name in operations if name in rows), *sorted(rows.keys() - operations.keys())]
    return tuple(_latency(rows[name], operations.get(name)) for name in names)


def _latency(row: Any, operation: Operation | None) -> Latency:
    return Latency.from_object(
        row,
        **dict(zip(_PERCENTILES, row.percentiles, strict=True)),
        target=operation.target_ms if operation else row.target,
        limit=operation.timeout_ms if operation else None,
        timeout_rate=row.timeouts / row.runs,
        hit_rate=row.hits / row.asked if row.asked else None,
    )


def timeouts_of(timed: Sequence[Latency]) -> tuple[int, int]:
    """How many runs hit their hard limit, and of how many: those of operations that have one.

    The steps inside such an operation end with it, so they are not counted.
    """
    limited = [timing for timing in timed if timing.limit is not None]
    return sum(timing.timeouts for timing in limited), sum(timing.runs for timing in limited)


_MEASURE = Measure(name="quotas", events=(EventName.QUOTA_EXCEEDED,), label=text("quota"))


def quota_refusals(days: Days) -> int:
    """All quotas together."""
    return sum(cell.count for cell in measure_read(_MEASURE.name, filters=Filters(since=days.since, until=days.until)))


def register() -> None:
    """Let telemetry count them; for `AppConfig.ready()`."""
    measure_register(_MEASURE)


def figures_of(days: Days) -> Figures:
    """All figures of these days. Nine queries, and those of the counts of answers and of quotas.

    Each is a view of its own moment: a call that is settled meanwhile may be in some of them only.
    """
    by_day = calls.by_day(days)
    sessions, costliest = calls.by_session(days)
    unverified, overruns, escalated = calls.odd_charges(days)
    timed = latencies(*calls.moments_of(days).values())
    by_operation = {latency.operation: latency for latency in timed}
    timeouts, runs = timeouts_of(timed)
    graded = graded_answers(days.since, days.until)
    violations = violations_read(now=timezone.now())
    return Figures(
        since=days.since,
        until=days.until,
        **{
            f"{name}_latency_{percentile}": getattr(by_operation.get(operation), percentile, None)
            for name, operation, number in _LATENCIES
            for percentile in _PERCENTILES[:number]
        },
        operations=calls.by_operation(days),
        learner_days=calls.by_learner_day(days),
        cache_hit_rate=getattr(by_operation.get(PLANNING), "hit_rate", None),
        level=level_after(violations.common),
        users_degraded=violations.users_degraded,
        timeout_errors=timeouts,
        timeout_rate=timeouts / runs if runs else None,
        cost_exceeded=sum(latency.refused for latency in timed),
        quota_exceeded=quota_refusals(days),
        calls=sum(use.calls for use in by_day),
        cost=sum(use.cost for use in by_day),
        tiers=calls.by_tier(days, by_day),
        by_day=by_day,
        sessions=sessions,
        escalations=EscalationMetrics(made=escalated, graded=graded, rate=escalated / graded if graded else None),
        unverified=unverified,
        overruns=overruns,
        latencies=timed,
        failures=calls.failures(days),
        costliest=costliest,
    )
