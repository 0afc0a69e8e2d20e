"""How long operations took. Source: RT-009, "Metrics"."""

from collections.abc import Sequence
from datetime import datetime

from django.db import connection

from gateway.figures_contracts import Latency
from gateway.operations import operations_all

PLANNING, EVALUATION, REFLECTION = "create_plan", "evaluate_result", "reflect_on_result"
"""The operations that RT-009's latencies of planning, evaluation and reflection are those of."""
_TIMINGS = """
SELECT operation, count(*), percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY ms), max(target_ms),
       count(*) FILTER (WHERE violated), count(*) FILTER (WHERE outcome = 'timed_out'),
       count(*) FILTER (WHERE outcome = 'too_dear'),
       count(cache_hit), count(*) FILTER (WHERE cache_hit)
FROM gateway_operationtiming WHERE at >= %(begin)s AND at < %(end)s GROUP BY operation
"""


def latencies(begin: datetime, end: datetime) -> tuple[Latency, ...]:
    """Operations that ran from `begin` (inclusive) to `end` (exclusive), as they are registered. One query.

    What is no longer registered comes last, with the target that it had.
    """
    known = {operation.name: operation for operation in operations_all()}
    with connection.cursor() as cursor:
        cursor.execute(_TIMINGS, {"begin": begin, "end": end})
        rows = {row[0]: row[1:] for row in cursor.fetchall()}
    found = []
    for name in [*(name for name in known if name in rows), *sorted(rows.keys() - known.keys())]:
        runs, (p50, p95, p99), target, violations, timeouts, refused, asked, hits = rows[name]
        operation = known.get(name)
        found.append(
            Latency(
                operation=name,
                runs=runs,
                p50=p50,
                p95=p95,
                p99=p99,
                target=operation.target_ms if operation else target,
                limit=operation.timeout_ms if operation else None,
                violations=violations,
                timeouts=timeouts,
                refused=refused,
                asked=asked,
                hits=hits,
            )
        )
    return tuple(found)


def timeouts_of(timed: Sequence[Latency]) -> tuple[int, int]:
    """How many runs hit their hard limit, and of how many: those of operations that have one.

    The steps inside such an operation end with it, so they are not counted beside it.
    """
    limited = [one for one in timed if one.limit is not None]
    return sum(one.timeouts for one in limited), sum(one.runs for one in limited)
