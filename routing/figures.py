"""How questions were understood, counted from the rows themselves."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import connection

from routing.figures_contracts import DECILES, NOTHING, ConsultFigures, Count, Decile, Made

UNITS = ("day", "week", "month")

# One pass over the plans of the range, by the index `query_plan_by_time`: what is kept of each is a few words, so that
# the groups below are made of those and not of the rows, of which plan and reading are most. Of a question there is one
# labelled example at most, with the last thing that somebody said; they are few among many.
_PLANS = """
WITH asked AS MATERIALIZED (
    SELECT date_trunc(%(unit)s, plan.created_at AT TIME ZONE 'UTC')::date AS start, plan.confidence,
           plan.domains[1] AS domain, said.domain AS about, plan.flags, plan.pack_id, plan.phase, plan.probability,
           least(floor(plan.probability * %(deciles)s), %(deciles)s - 1)::int AS decile
    FROM routing_queryplan AS plan
    LEFT JOIN routing_labelledexample AS said
        ON said.question_id = plan.question_id AND said.domain <> plan.domains[1]
    WHERE plan.corrects_id IS NULL AND plan.created_at >= %(since)s AND plan.created_at < %(until)s
), grouped AS (
    SELECT CASE
               WHEN GROUPING(confidence) = 0 THEN 'confidence' WHEN GROUPING(about) = 0 THEN 'confusion'
               WHEN GROUPING(start) = 0 THEN 'domain' WHEN GROUPING(decile) = 0 THEN 'decile'
               WHEN GROUPING(pack_id) = 0 THEN 'made' ELSE 'together'
           END AS kind,
           start, coalesce(confidence, domain) AS key, about, coalesce(decile, phase) AS number, pack_id,
           count(*) AS plans, count(about) AS corrected, avg(probability) AS said
    FROM asked
    GROUP BY GROUPING SETS ((start, confidence), (start, domain), (domain, about), (decile), (pack_id, phase), ())
)
SELECT kind, start, key, about, number, NULL, plans, corrected, said
FROM grouped WHERE kind NOT IN ('made', 'confusion') OR (kind = 'confusion' AND about IS NOT NULL)
UNION ALL
SELECT kind, NULL, NULL, NULL, number, pack.name || '@' || pack.version, plans, corrected, NULL
FROM grouped JOIN routing_packversion AS pack ON pack.id = grouped.pack_id WHERE kind = 'made'
UNION ALL
SELECT 'flag', NULL, flag, NULL, NULL, NULL, count(*), 0, NULL FROM asked, unnest(asked.flags) AS flag GROUP BY flag
"""
_BESIDE = """
SELECT 'error', date_trunc(%(unit)s, timestamp AT TIME ZONE 'UTC')::date, count(*) FROM routing_auditentry
WHERE status = 'error' AND timestamp >= %(since)s AND timestamp < %(until)s GROUP BY 2
UNION ALL
SELECT 'waiting', NULL, count(*) FROM routing_labelledexample WHERE state = 'waits'
UNION ALL
SELECT 'broken', NULL, count(*) FROM routing_auditchain WHERE broken_at IS NOT NULL
"""
_Row = tuple[Any, ...]


def consult_figures(since: datetime, until: datetime, *, unit: str = "day") -> ConsultFigures:
    """Of the questions asked from `since` on and before `until`. Two queries."""
    if unit not in UNITS:
        raise ValueError(f"no unit of time: {unit!r}")
    values = {"since": since, "until": until, "unit": unit, "deciles": DECILES}
    rows = _rows(_PLANS, values)
    beside = _rows(_BESIDE, values)
    return ConsultFigures(
        together=next((Count(*row[6:8]) for row in _of(rows, "together")), NOTHING),
        by_confidence={(row[1], row[2]): Count(*row[6:8]) for row in _of(rows, "confidence")},
        by_domain={(row[1], row[2]): Count(*row[6:8]) for row in _of(rows, "domain")},
        by_flag={row[2]: row[6] for row in _of(rows, "flag")},
        confusion={(row[2], row[3]): row[6] for row in _of(rows, "confusion")},
        deciles=tuple(sorted(Decile(row[4], float(row[8]), Count(*row[6:8])) for row in _of(rows, "decile"))),
        made=tuple(sorted(Made(row[5], row[4], Count(*row[6:8])) for row in _of(rows, "made"))),
        errors={row[1]: row[2] for row in _of(beside, "error")},
        waiting=sum(row[2] for row in _of(beside, "waiting")),
        broken=sum(row[2] for row in _of(beside, "broken")),
    )


def _of(rows: Iterable[_Row], kind: str) -> list[_Row]:
    return [row for row in rows if row[0] == kind]


def _rows(sql: str, values: dict[str, Any]) -> list[_Row]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())
