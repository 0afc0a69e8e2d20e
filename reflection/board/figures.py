"""The collected metrics of RT-010, 8, from the rows themselves.

They count final reflections, not attempts: of each the best attempt that the gate decided on, without later edits of
staff, since they measure those who make reflections. An attempt is a success when it is valid, as in the loop of
RT-010, 7; so the success rate is the share of reflections whose final attempt is valid. The 0.8 for storage is in the
decisions.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import connection

from reflection.board.contracts import TARGETS, CollectedMetric, QualityFigures, QualityPeriod

UNITS = ("day", "week", "month")
_DIGITS = 9
"""Rounded: the mean of twenty times 0.6 is 0.6 then."""

# One pass over the reflections of the range, by the index `reflection_by_time`. Of one that staff edited the best
# earlier attempt is looked up, ranked as in `Attempts.best`; for the others that lookup is not run at all.
# A pattern that is known by its words alone has no counts of its own: the gate's figure for it is the attempt's metric.
_FIGURES = """
WITH final AS (
    SELECT date_trunc(%(unit)s, reflection.created_at AT TIME ZONE 'UTC')::date AS start, reflection.decision,
           coalesce(earlier.quality_score, kept.quality_score) AS quality,
           coalesce(earlier.is_valid, kept.is_valid) AS is_valid,
           coalesce(earlier.metrics, kept.metrics) AS metrics,
           coalesce(earlier.patterns, kept.patterns) AS patterns,
           (SELECT count(*) FILTER (WHERE author <> 'staff') FROM reflection_attempt AS attempt
            WHERE attempt.reflection_id = reflection.id) AS attempts
    FROM reflection_reflection AS reflection
    JOIN reflection_attempt AS kept ON kept.id = reflection.kept_id
    LEFT JOIN LATERAL (
        SELECT quality_score, is_valid, metrics, patterns FROM reflection_attempt
        WHERE kept.author = 'staff' AND reflection_id = reflection.id AND author <> 'staff'
        ORDER BY decision = 'accepted' DESC, decision = 'accepted_with_warnings' DESC, quality_score DESC, number
        LIMIT 1
    ) AS earlier ON true
    WHERE reflection.created_at >= %(since)s AND reflection.created_at < %(until)s
), read AS (
    SELECT final.*, (metrics->>'depth_score')::float8 AS depth, (metrics->>'completeness')::float8 AS completeness,
           (metrics->>'actionability_score')::float8 AS actionability, identified.*
    FROM final CROSS JOIN LATERAL (
        SELECT count(*) AS patterns_all, sum(validity) AS validity,
               count(*) FILTER (WHERE validity < 0.75 OR few) AS invalid
        FROM (
            SELECT total > 0 AND support < 3 AS few, CASE
                WHEN total = 0 THEN coalesce((metrics->>'pattern_validity')::float8, 0)
                WHEN support < 3 THEN 0 ELSE confidence
            END AS validity
            FROM jsonb_to_recordset(final.patterns) AS pattern(support int, total int, confidence float8)
        ) AS each
    ) AS identified
)
SELECT {start}, count(*) AS reflections, coalesce(sum(patterns_all), 0)::bigint AS patterns,
       count(depth) AS of_depth, count(actionability) AS of_actionability, count(completeness) AS of_completeness,
       avg(quality) AS quality_avg, percentile_cont(0.5) WITHIN GROUP (ORDER BY quality) AS quality_p50,
       percentile_cont(0.95) WITHIN GROUP (ORDER BY quality) AS quality_p95, avg(depth) AS depth_avg,
       avg(actionability) AS actionability_avg, avg(completeness) AS completeness_avg,
       sum((decision = 'rejected')::int) AS rejected,
       sum((decision = 'accepted_with_warnings')::int) AS with_warnings,
       avg((decision = 'rejected')::int)::float8 AS rejection_rate, sum(invalid)::bigint AS patterns_invalid,
       sum(validity) / nullif(sum(patterns_all), 0)::float8 AS validity_avg,
       avg(attempts)::float8 AS iterations_avg, avg(is_valid::int)::float8 AS success_rate
FROM read {group}
"""
# Columns are named as the members of `CollectedMetric`.
_SAMPLES: Mapping[str, str] = {
    CollectedMetric.DEPTH_AVG: "of_depth",
    CollectedMetric.ACTIONABILITY_AVG: "of_actionability",
    CollectedMetric.COMPLETENESS_AVG: "of_completeness",
    CollectedMetric.VALIDITY_AVG: "patterns",
}
"""The column that counts what a metric comes from; of the others it is the reflections."""
_TOGETHER = _FIGURES.format(start="NULL AS start", group="")
_BY_PERIOD = _FIGURES.format(start="start", group="GROUP BY start ORDER BY start")


def quality_figures(since: datetime, until: datetime) -> QualityFigures:
    """The figures of reflections made from `since` on and before `until`. One query."""
    [row] = _rows(_TOGETHER, since, until, "day")
    return _figures(row)


def quality_by_day(since: datetime, until: datetime, *, unit: str = "day") -> tuple[QualityPeriod, ...]:
    """The same for each day in UTC, or week or month; those without a reflection are left out. One query."""
    if unit not in UNITS:
        raise ValueError(f"no unit of time: {unit!r}")
    rows = _rows(_BY_PERIOD, since, until, unit)
    return tuple(QualityPeriod(start=row["start"], figures=_figures(row)) for row in rows)


def _figures(row: dict[str, Any]) -> QualityFigures:
    values = {metric: row[metric.name.lower()] for metric in CollectedMetric}
    return QualityFigures(
        reflections=row["reflections"],
        patterns=row["patterns"],
        values={name: value if value is None else round(value, _DIGITS) for name, value in values.items()},
        samples={metric: row[_SAMPLES.get(metric, "reflections")] for metric in TARGETS},
    )


def _rows(sql: str, since: datetime, until: datetime, unit: str) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, {"since": since, "until": until, "unit": unit})
        names = [column.name for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
