"""Sums over calls to models: one scan of the time range each, by the index `hold_by_time`.

A call is one question, however many requests it took: retries and fallbacks share `Hold.call`.
"""

from collections import namedtuple
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db import connection

from gateway.contracts import Tier
from gateway.figures.contracts import (
    ChargeMetrics,
    Costly,
    DayMetrics,
    Days,
    FailureMetrics,
    OperationCostMetrics,
    SpreadMetrics,
    TierMetrics,
)
from gateway.operations.registry import operations_all

POLICY = {Tier.CHEAP: 0.80, Tier.EMBED: 0.15, Tier.THINKER: 0.05}
"""Shares of calls. Source: spec/3 "Política de Uso"; design.md, "Settled where the sources conflict", 10."""
COSTLIEST = 10

_RANGE = "reserved_at >= %(begin)s AND reserved_at < %(end)s"
_PARTS = {
    "range": _RANGE,
    # A request was made, or is being made; what was released or expired before it was sent is none.
    "requests": f"{_RANGE} AND state IN ('dispatched', 'settled')",
    "cost": "coalesce(sum(cost), 0)::bigint AS cost",
    "spread": "count(*) AS of, ceil(avg(cost))::bigint AS mean,"
    " percentile_disc(0.95) WITHIN GROUP (ORDER BY cost) AS p95",
    "costliest": COSTLIEST,
}
# A call counts for the tier that answered, else for the last that was tried; its cost where each request was charged.
_BY_DAY = """
SELECT (reserved_at AT TIME ZONE 'UTC')::date AS day, tier, count(*) FILTER (WHERE nth = 1) AS calls, {cost} FROM (
    SELECT reserved_at, tier, cost, row_number() OVER (
        PARTITION BY call ORDER BY outcome = 'answered' DESC, attempt DESC, reserved_at DESC
    ) AS nth FROM gateway_hold WHERE {requests}
) AS requests GROUP BY 1, 2 ORDER BY 1, 2
"""
_ANSWER_TIMES = """
SELECT tier, percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY latency_ms)
FROM gateway_hold WHERE {requests} AND outcome = 'answered' AND latency_ms IS NOT NULL GROUP BY tier
"""
_SESSIONS = """
WITH sessions AS (
    SELECT chain, max(course) AS course, count(DISTINCT call) AS calls, {cost},
           count(DISTINCT call) FILTER (WHERE escalation) AS escalations
    FROM gateway_hold WHERE {requests}
      AND EXISTS (SELECT FROM gateway_account AS account WHERE account.scope = 'session' AND account.key = chain)
    GROUP BY chain
), spread AS (SELECT {spread} FROM sessions),
costliest AS (SELECT * FROM sessions WHERE cost > 0 ORDER BY cost DESC, chain LIMIT {costliest})
SELECT NULL AS session, NULL AS course, NULL AS calls, NULL AS cost, NULL AS escalations, spread.* FROM spread
UNION ALL
SELECT chain, course, calls, cost, escalations, NULL, NULL, NULL FROM costliest
"""
_LEARNER_DAYS = """
SELECT {spread} FROM (
    SELECT {cost} FROM gateway_hold
    WHERE {requests} AND user_id IS NOT NULL GROUP BY user_id, (reserved_at AT TIME ZONE 'UTC')::date
) AS learner_days
"""
_OPERATIONS = """
WITH calls AS (
    SELECT operation, count(DISTINCT call) AS calls, {cost}
    FROM gateway_hold WHERE {requests} GROUP BY operation
), runs AS (
    SELECT operation, {spread} FROM (
        SELECT split_part(key, ':', 1) AS operation, spent AS cost FROM gateway_account
        WHERE scope = 'operation' AND opened_at >= %(begin)s AND opened_at < %(end)s
    ) AS accounts GROUP BY operation
)
SELECT operation, coalesce(calls.calls, 0) AS calls, coalesce(calls.cost, 0) AS cost, coalesce(runs.of, 0) AS of, mean,
       p95
FROM calls FULL JOIN runs USING (operation) ORDER BY 3 DESC, 1
"""
_ODD = """
SELECT count(*) FILTER (WHERE unverified), coalesce(sum(cost) FILTER (WHERE unverified), 0)::bigint,
       count(*) FILTER (WHERE overrun > 0), coalesce(sum(overrun), 0)::bigint,
       count(DISTINCT call) FILTER (WHERE escalation)
FROM gateway_hold WHERE {requests} AND (unverified OR overrun > 0 OR escalation)
"""
_FAILURES = """
SELECT outcome, tier, model, count(*) AS calls, {cost}
FROM gateway_hold WHERE {range} AND outcome NOT IN ('', 'answered') GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3
"""


def moments_of(days: Days) -> dict[str, datetime]:
    """When the range begins and when it is over, as parameters."""
    after = days.until + timedelta(days=1) if days.until < date.max else days.until
    return {"begin": datetime.combine(days.since, time(), UTC), "end": datetime.combine(after, time(), UTC)}


def by_day(days: Days) -> tuple[DayMetrics, ...]:
    """Days and tiers without a request are left out. A call is of the day of the request that it counts by."""
    return tuple(DayMetrics.from_object(row) for row in _rows(_BY_DAY, days))


def by_tier(days: Days, counted: tuple[DayMetrics, ...]) -> tuple[TierMetrics, ...]:
    """The sums of `counted`, all tiers in the order of `Tier`, with how long their providers took."""
    answer_times = dict(_rows(_ANSWER_TIMES, days))
    all_calls = sum(use.calls for use in counted)
    tiers = []
    for tier in Tier:
        p50, p95 = answer_times.get(tier.value, (None, None))
        calls = sum(use.calls for use in counted if use.tier == tier)
        cost = sum(use.cost for use in counted if use.tier == tier)
        share = calls / all_calls if all_calls else None
        tiers.append(TierMetrics(tier=tier, calls=calls, cost=cost, share=share, policy=POLICY[tier], p50=p50, p95=p95))
    return tuple(tiers)


def by_session(days: Days) -> tuple[SpreadMetrics, tuple[Costly, ...]]:
    """What sessions cost, and the costliest of them. A chain is a session when it has a session's account."""
    rows = _rows(_SESSIONS, days)
    [spread] = [SpreadMetrics.from_object(row) for row in rows if row.session is None]
    return spread, tuple(Costly.from_object(row) for row in rows if row.session is not None)


def by_learner_day(days: Days) -> SpreadMetrics:
    """What users' days cost."""
    [row] = _rows(_LEARNER_DAYS, days)
    return SpreadMetrics.from_object(row)


def by_operation(days: Days) -> tuple[OperationCostMetrics, ...]:
    """The dearest first. Calls count for the operation they were made for, runs with all that was done within them."""
    caps = {operation.name: operation.cap for operation in operations_all()}
    return tuple(
        OperationCostMetrics.from_object(row, cap=caps.get(row.operation), per_run=SpreadMetrics.from_object(row))
        for row in _rows(_OPERATIONS, days)
    )


def odd_charges(days: Days) -> tuple[ChargeMetrics, ChargeMetrics, int]:
    """Unverified charges, overruns (with what no account could bear), and how many calls were escalations."""
    [(unverified, unverified_cost, overruns, overrun, escalations)] = _rows(_ODD, days)
    charges = ChargeMetrics(calls=unverified, cost=unverified_cost), ChargeMetrics(calls=overruns, cost=overrun)
    return *charges, escalations


def failures(days: Days) -> tuple[FailureMetrics, ...]:
    """By outcome, tier and model, the most frequent first."""
    return tuple(FailureMetrics.from_object(row) for row in _rows(_FAILURES, days))


def rows_of(sql: str, moments: dict[str, datetime]) -> list[Any]:
    """The rows as named tuples."""
    with connection.cursor() as cursor:
        cursor.execute(sql, moments)
        names = [column.name for column in cursor.description]
        row: Any = namedtuple("row", names, rename=True)  # type: ignore[misc]  # known when it runs
        return [row(*values) for values in cursor.fetchall()]


def _rows(sql: str, days: Days) -> list[Any]:
    return rows_of(sql.format(**_PARTS), moments_of(days))
