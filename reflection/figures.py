"""How good reflections were: the metrics that RT-010, 8 wants collected, from the rows themselves.

They count final reflections, not attempts: of each the best attempt that the gate decided on. What staff wrote later
changes nothing in it: these figures tell how good the makers of reflections are. An attempt is a success when it is
valid, as in the loop of RT-010, 7, which logs "Quality reflection generated" for that alone and otherwise, after the
last attempt, that it "failed to generate quality reflection"; so the success rate is the share of reflections whose
final attempt is valid. The 0.8 for storage is the gate's and shows in its decisions.
"""

from datetime import date, datetime
from typing import NamedTuple

from django.db import connection

from reflection import figures_contracts as names
from reflection.figures_contracts import QualityFigures, QualityPeriod

UNITS = ("day", "week", "month")
_DIGITS = 9
"""The mean of twenty times 0.6 is 0.6, and not what adding floats up makes of it."""

# One pass over the reflections of the range, by the index `reflection_by_time`. Of one that staff edited the best
# earlier attempt is looked up, ranked as in `attempts.best_of`; for the others that lookup is not run at all.
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
SELECT {start}, count(*), coalesce(sum(patterns_all), 0)::bigint,
       avg(quality), percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY quality),
       avg(depth), avg(actionability), avg(completeness),
       count(*) FILTER (WHERE decision = 'rejected'),
       count(*) FILTER (WHERE decision = 'accepted_with_warnings'),
       sum(invalid)::bigint, sum(validity) / nullif(sum(patterns_all), 0)::float8,
       avg(attempts)::float8, avg(is_valid::int)::float8,
       count(depth), count(actionability), count(completeness)
FROM read {group}
"""


class _Row(NamedTuple):
    """What a row of it says, in this order."""

    start: date | None
    reflections: int
    patterns: int
    quality: float | None
    percentiles: list[float] | None
    depth: float | None
    actionability: float | None
    completeness: float | None
    rejected: int
    with_warnings: int
    invalid: int | None
    validity: float | None
    iterations: float | None
    success: float | None
    of_depth: int
    of_actionability: int
    of_completeness: int


_TOGETHER = _FIGURES.format(start="NULL", group="")
_BY_PERIOD = _FIGURES.format(start="start", group="GROUP BY start ORDER BY start")


def quality_figures(since: datetime, until: datetime) -> QualityFigures:
    """Of the reflections made from `since` on and before `until`. One query."""
    [row] = _rows(_TOGETHER, since, until, "day")
    return _figures(row)


def quality_by_day(since: datetime, until: datetime, *, unit: str = "day") -> tuple[QualityPeriod, ...]:
    """The same for each day in UTC, or week or month; those without a reflection are left out. One query."""
    if unit not in UNITS:
        raise ValueError(f"no unit of time: {unit!r}")
    rows = _rows(_BY_PERIOD, since, until, unit)
    return tuple(QualityPeriod(start=row.start, figures=_figures(row)) for row in rows if row.start)


def _figures(row: _Row) -> QualityFigures:
    p50, p95 = row.percentiles or (None, None)
    some = row.reflections > 0
    values: dict[str, float | None] = {
        names.QUALITY_AVG: row.quality,
        names.QUALITY_P50: p50,
        names.QUALITY_P95: p95,
        names.DEPTH_AVG: row.depth,
        names.ACTIONABILITY_AVG: row.actionability,
        names.COMPLETENESS_AVG: row.completeness,
        names.REJECTED: row.rejected if some else None,
        names.WITH_WARNINGS: row.with_warnings if some else None,
        names.PATTERNS_INVALID: row.invalid,
        names.VALIDITY_AVG: row.validity,
        names.ITERATIONS_AVG: row.iterations,
        names.SUCCESS_RATE: row.success,
        names.REJECTION_RATE: row.rejected / row.reflections if some else None,
    }
    samples = {
        names.QUALITY_AVG: row.reflections,
        names.DEPTH_AVG: row.of_depth,
        names.ACTIONABILITY_AVG: row.of_actionability,
        names.COMPLETENESS_AVG: row.of_completeness,
        names.REJECTION_RATE: row.reflections,
        names.VALIDITY_AVG: row.patterns,
        names.SUCCESS_RATE: row.reflections,
    }
    rounded = {name: value if value is None else round(value, _DIGITS) for name, value in values.items()}
    return QualityFigures(reflections=row.reflections, patterns=row.patterns, values=rounded, samples=samples)


def _rows(sql: str, since: datetime, until: datetime, unit: str) -> list[_Row]:
    with connection.cursor() as cursor:
        cursor.execute(sql, {"since": since, "until": until, "unit": unit})
        return [_Row(*row) for row in cursor.fetchall()]
