"""Sums over calls to models: one scan of the time range each, by the index `hold_by_time`.

A call is one question, however many requests it took: retries and fallbacks share `Hold.call`.
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db import connection

from gateway.contracts import Outcome, Tier
from gateway.figures_contracts import (
    Charges,
    Costly,
    Days,
    Failure,
    OperationCost,
    Spread,
    TierDay,
    TierUse,
)
from gateway.operations import operations_all

POLICY = {Tier.CHEAP: 0.80, Tier.EMBED: 0.15, Tier.THINKER: 0.05}
"""Shares of calls. Source: spec/3 "Política de Uso"; design.md, "Settled where the sources conflict", 10."""
COSTLIEST = 10

_RANGE = "reserved_at >= %(begin)s AND reserved_at < %(end)s"
_PARTS = {
    "range": _RANGE,
    # A request was made, or is being made; what was released or expired before it was sent is none.
    "requests": f"{_RANGE} AND state IN ('dispatched', 'settled')",
    "cost": "coalesce(sum(cost), 0)::bigint",
    "spread": "count(*), ceil(avg(cost))::bigint, percentile_disc(0.95) WITHIN GROUP (ORDER BY cost)",
    "costliest": COSTLIEST,
}
# A call counts for the tier that answered, else for the last that was tried; its cost where each request was charged.
_BY_DAY = """
SELECT (reserved_at AT TIME ZONE 'UTC')::date, tier, count(*) FILTER (WHERE nth = 1), {cost} FROM (
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
    SELECT chain, max(course) AS course, count(DISTINCT call) AS calls, {cost} AS cost,
           count(DISTINCT call) FILTER (WHERE escalation) AS escalations
    FROM gateway_hold WHERE {requests}
      AND EXISTS (SELECT FROM gateway_account AS account WHERE account.scope = 'session' AND account.key = chain)
    GROUP BY chain
), spread AS (SELECT {spread} FROM sessions),
costliest AS (SELECT * FROM sessions WHERE cost > 0 ORDER BY cost DESC, chain LIMIT {costliest})
SELECT true, NULL, NULL, spread.*, NULL FROM spread
UNION ALL
SELECT false, chain, course, calls, cost, NULL, escalations FROM costliest
"""
_LEARNER_DAYS = """
SELECT {spread} FROM (
    SELECT {cost} AS cost FROM gateway_hold
    WHERE {requests} AND user_id IS NOT NULL GROUP BY user_id, (reserved_at AT TIME ZONE 'UTC')::date
) AS learner_days
"""
_OPERATIONS = """
WITH calls AS (
    SELECT operation, count(DISTINCT call) AS calls, {cost} AS cost
    FROM gateway_hold WHERE {requests} GROUP BY operation
), runs AS (
    SELECT operation, {spread} FROM (
        SELECT split_part(key, ':', 1) AS operation, spent AS cost FROM gateway_account
        WHERE scope = 'operation' AND opened_at >= %(begin)s AND opened_at < %(end)s
    ) AS accounts GROUP BY operation
)
SELECT operation, coalesce(calls.calls, 0), coalesce(calls.cost, 0), coalesce(runs.count, 0), ceil, percentile_disc
FROM calls FULL JOIN runs USING (operation) ORDER BY 3 DESC, 1
"""
_ODD = """
SELECT count(*) FILTER (WHERE unverified), coalesce(sum(cost) FILTER (WHERE unverified), 0)::bigint,
       count(*) FILTER (WHERE overrun > 0), coalesce(sum(overrun), 0)::bigint,
       count(DISTINCT call) FILTER (WHERE escalation)
FROM gateway_hold WHERE {requests} AND (unverified OR overrun > 0 OR escalation)
"""
_FAILURES = """
SELECT outcome, tier, model, count(*), {cost}
FROM gateway_hold WHERE {range} AND outcome NOT IN ('', 'answered') GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3
"""


def moments_of(days: Days) -> dict[str, datetime]:
    """When the range begins and when it is over, as parameters."""
    after = days.until + timedelta(days=1) if days.until < date.max else days.until
    return {"begin": datetime.combine(days.since, time(), UTC), "end": datetime.combine(after, time(), UTC)}


def by_day(days: Days) -> tuple[TierDay, ...]:
    """Days and tiers without a request are left out. A call is of the day of the request that it counts by."""
    return tuple(TierDay(day=day, tier=Tier(tier), calls=n, cost=cost) for day, tier, n, cost in _rows(_BY_DAY, days))


def by_tier(days: Days, counted: tuple[TierDay, ...]) -> tuple[TierUse, ...]:
    """The sums of `counted`, all tiers in the order of `Tier`, with how long their providers took."""
    took = dict(_rows(_ANSWER_TIMES, days))
    calls = {tier: sum(one.calls for one in counted if one.tier == tier) for tier in Tier}
    all_calls = sum(calls.values())
    found = []
    for tier in Tier:
        p50, p95 = took.get(tier.value, (None, None))
        cost = sum(one.cost for one in counted if one.tier == tier)
        share = calls[tier] / all_calls if all_calls else None
        policy = POLICY[tier]
        found.append(TierUse(tier=tier, calls=calls[tier], cost=cost, share=share, policy=policy, p50=p50, p95=p95))
    return tuple(found)


def by_session(days: Days) -> tuple[Spread, tuple[Costly, ...]]:
    """What sessions cost, and the costliest of them. A chain is a session when it has a session's account."""
    spread, costliest = Spread(of=0, mean=None, p95=None), []
    for is_spread, chain, course, first, second, third, escalations in _rows(_SESSIONS, days):
        if is_spread:
            spread = Spread(of=first, mean=second, p95=third)
        else:
            costly = Costly(session=chain, course=course, calls=first, cost=second, escalations=escalations)
            costliest.append(costly)
    return spread, tuple(costliest)


def by_learner_day(days: Days) -> Spread:
    """What users' days cost."""
    [(of, mean, p95)] = _rows(_LEARNER_DAYS, days)
    return Spread(of=of, mean=mean, p95=p95)


def by_operation(days: Days) -> tuple[OperationCost, ...]:
    """The dearest first. Calls are told under the name they were made for, runs with all that was done within them."""
    caps = {operation.name: operation.cap for operation in operations_all()}
    return tuple(
        OperationCost(
            operation=name, calls=n, cost=cost, cap=caps.get(name), per_run=Spread(of=runs, mean=mean, p95=p95)
        )
        for name, n, cost, runs, mean, p95 in _rows(_OPERATIONS, days)
    )


def odd_charges(days: Days) -> tuple[Charges, Charges, int]:
    """Unverified charges, overruns (with what no account could bear), and how many calls were escalations."""
    [(unverified, unverified_cost, overruns, overrun, escalations)] = _rows(_ODD, days)
    return Charges(calls=unverified, cost=unverified_cost), Charges(calls=overruns, cost=overrun), escalations


def failures(days: Days) -> tuple[Failure, ...]:
    """By outcome, tier and model, the most frequent first."""
    return tuple(
        Failure(outcome=Outcome(outcome), tier=Tier(tier), model=model, calls=n, cost=cost)
        for outcome, tier, model, n, cost in _rows(_FAILURES, days)
    )


def _rows(sql: str, days: Days) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql.format(**_PARTS), moments_of(days))
        return list(cursor.fetchall())
