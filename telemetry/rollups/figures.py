"""What was counted: the roll-ups and what came since, read in one statement, and so from one view of the data."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from django.db import connection

from telemetry.panels import Axis, Cell, Figures, Filters, Measure, Want, measure, want
from telemetry.rollups.advancing import EVENT_COLUMNS, count_sql, event_names
from telemetry.rollups.horizon import horizon_advance

# A measure that is further behind, because it is new or because no worker runs, is shown as far as it is.
LIVE_IDS = 200_000

_READ = """
WITH starts AS MATERIALIZED (
    SELECT wanted.name, wanted.definition, mark.measure IS NOT NULL AS rolled,
           greatest(mark.upto, first.id - 1, 0) AS upto -- ids may begin anywhere: a copied database keeps its own
    FROM unnest(%(names)s::text[], %(definitions)s::text[]) AS wanted (name, definition)
    CROSS JOIN (SELECT min(id) AS id FROM telemetry_event) AS first
    LEFT JOIN telemetry_rollupmark AS mark ON mark.measure = wanted.name AND mark.definition = wanted.definition
), since AS MATERIALIZED (
    SELECT {columns} FROM telemetry_event
    WHERE id > (SELECT min(upto) FROM starts WHERE upto >= %(live)s) AND id <= %(horizon)s AND event = ANY(%(events)s)
      AND timestamp >= %(begin)s AND timestamp < %(end)s {where}
), live AS MATERIALIZED (
    {counts}
)
SELECT {behind}, NULL, '', '', max(%(horizon)s - upto), 0 FROM starts WHERE upto < %(live)s
UNION ALL
{figures}
"""
_BEHIND = -1  # where the wants of the others are numbered
_START = "AND id > (SELECT upto FROM starts WHERE name = '{name}' AND upto >= %(live)s)"
_FIGURES = """
SELECT {number}, {day}, {course}, {label}, sum(count), sum(total) FROM (
    SELECT day, course, label, count, total FROM telemetry_rollup
    WHERE measure = '{name}' AND day BETWEEN %(since)s AND %(until)s {where}
      AND (SELECT rolled FROM starts WHERE name = '{name}')
    UNION ALL
    SELECT day, course, label, count, total FROM live WHERE measure = '{name}'
) AS counted GROUP BY 1, 2, 3, 4
"""
_NOTHING = {"day": "NULL::date", "course": "''", "label": "''"}


def figures_read(wants: Collection[Want], filters: Filters) -> Figures:
    """The figures wanted, cells in no particular order. Two statements, four when events came since the last look.

    Complete up to the horizon when this is called; each event is counted once, also while another process rolls up. A
    measure that is more than `LIVE_IDS` behind is given as far as it was rolled up; see `Figures.behind`.
    """
    order = sorted(set(wants), key=lambda want: (want.measure, sorted(want.by)))
    if not order:
        return Figures(filters, {})
    counted = [measure(name) for name in sorted({want.measure for want in order})]
    horizon = horizon_advance()
    with connection.cursor() as cursor:
        cursor.execute(_sql(order, counted, filters), _parameters(counted, filters, horizon))
        rows = cursor.fetchall()
    cells: dict[int, list[Cell]] = defaultdict(list)
    for number, day, course, label, count, total in rows:
        cells[number].append(Cell(day, course, label, int(count or 0), float(total)))  # sums come as decimals
    [behind] = cells.pop(_BEHIND)
    cells_of = {want: tuple(cells[number]) for number, want in enumerate(order)}
    return Figures(filters, cells_of, behind.count)


def measure_read(name: str, *by: Axis, filters: Filters) -> Sequence[Cell]:
    """The figures of one measure; see `figures_read`."""
    return figures_read([want(name, *by)], filters).of(name, *by)


def _sql(order: Sequence[Want], counted: Sequence[Measure], filters: Filters) -> str:
    course = "AND course = ANY(%(courses)s)" if filters.courses else ""
    mode = "AND mode = %(mode)s" if filters.mode else ""
    where = f"{course} {mode}"
    return _READ.format(
        behind=_BEHIND,
        columns=EVENT_COLUMNS,
        where=where,
        counts="\nUNION ALL\n".join(
            count_sql(item, events="since", more=_START.format(name=item.name)) for item in counted
        ),
        figures="\nUNION ALL\n".join(_figures_sql(number, want, where) for number, want in enumerate(order)),
    )


def _figures_sql(number: int, want: Want, where: str) -> str:
    axes = {axis: axis if axis in want.by else nothing for axis, nothing in _NOTHING.items()}
    return _FIGURES.format(number=number, name=want.measure, where=where, **axes).strip()


def _parameters(counted: Sequence[Measure], filters: Filters, horizon: int) -> dict[str, Any]:
    begin, end = filters.span
    return {
        "names": [item.name for item in counted],
        "definitions": [item.definition for item in counted],
        "events": event_names(counted),
        "horizon": horizon,
        "live": max(0, horizon - LIVE_IDS),
        "begin": begin,
        "end": end,
        "since": filters.since,
        "until": filters.until,
        "courses": list(filters.courses),
        "mode": filters.mode,
    }
