"""How much of what costs time is done, by how often it took too long lately. Source: RT-009, "Degradation levels".

Counted anew each time over the last ten minutes, so that it moves in both directions by itself. Slow runs of one user
degrade that user; for all no more than five count of each who can make users: an integrator with all whom they manage,
all guests together. Those without a user all count for all.
"""

from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from django.db import connection
from django.utils import timezone

from gateway.contracts import DegradationLevel
from gateway.operations.registry import operations_all

WINDOW = timedelta(minutes=10)
COUNTED_OF_EACH = 5
_VIOLATIONS = """
WITH slow AS (
    SELECT user_id, count(*) AS runs FROM gateway_operationtiming
    WHERE violated AND at > %(since)s AND at <= %(until)s AND operation = ANY(%(operations)s)
    GROUP BY user_id
), counted AS (
    SELECT CASE WHEN slow.user_id IS NULL THEN sum(runs) ELSE least(sum(runs), %(most)s) END AS runs
    FROM slow LEFT JOIN accounts_user AS person ON person.id = slow.user_id
    GROUP BY slow.user_id IS NULL, CASE WHEN NOT person.is_guest THEN coalesce(person.managed_by_id, person.id) END
)
SELECT coalesce((SELECT sum(runs) FROM counted), 0)::bigint,
       coalesce(max(runs) FILTER (WHERE user_id = %(user)s::bigint), 0),
       count(*) FILTER (WHERE user_id IS NOT NULL AND runs > %(degraded)s)
FROM slow
"""
"""Guests who signed in are users no more, and count with the guests."""
_AFTER = (
    (50, DegradationLevel.DISABLED),
    (25, DegradationLevel.MINIMAL),
    (10, DegradationLevel.REDUCED),
)


class Violations(NamedTuple):
    """Runs over their target: `common`, of each who can make users at most five; the user's `own`, 0 where none was
    asked about; and how many users are degraded by their own.
    """

    common: int
    own: int
    users_degraded: int


Feature = Literal["reflection", "reranking", "corrective_rag", "planning", "evaluation"]
_WITHOUT: dict[DegradationLevel, frozenset[Feature]] = {
    DegradationLevel.FULL: frozenset(),
    DegradationLevel.REDUCED: frozenset(("reflection", "reranking")),
    DegradationLevel.MINIMAL: frozenset(("reflection", "reranking", "corrective_rag")),
    DegradationLevel.DISABLED: frozenset(("reflection", "reranking", "corrective_rag", "planning", "evaluation")),
}


def violations_read(*, user_id: int | None = None, now: datetime | None = None) -> Violations:
    """The violations of RT-009's operations in the last ten minutes. One query: of timings an index alone."""
    until = now or timezone.now()
    values: dict[str, Any] = {
        "since": until - WINDOW,
        "until": until,
        "operations": [operation.name for operation in operations_all() if operation.degrades],
        "user": user_id,
        "most": COUNTED_OF_EACH,
        "degraded": _AFTER[-1][0],
    }
    with connection.cursor() as cursor:
        cursor.execute(_VIOLATIONS, values)
        return Violations(*cursor.fetchone())


def degradation_level(*, user_id: int | None = None, now: datetime | None = None) -> DegradationLevel:
    """The common level, or that of a user where it is worse. One query.

    More than 10 violations: reduced; more than 25: minimal; more than 50: disabled.
    """
    violations = violations_read(user_id=user_id, now=now)
    return level_after(max(violations.common, violations.own))


def level_after(count: int) -> DegradationLevel:
    """The level after so many violations."""
    return next((level for limit, level in _AFTER if count > limit), DegradationLevel.FULL)


def degradation_allows(feature: Feature, *, user_id: int | None = None, now: datetime | None = None) -> bool:
    """Whether models are asked for this at the level there is, for this user; what rules can do is always done. One
    query.
    """
    return feature not in _WITHOUT[degradation_level(user_id=user_id, now=now)]
