"""Tools that draw: the chart's shape and the table that it draws. `chart_fitting` groups what is too much."""

from typing import Final

import ibis
from django.utils.translation import gettext as _

from analysis.contracts.requirements import ChartShape
from analysis.execution.outputs import Ask, Chart
from analysis.execution.tools.aggregates import grouped

_BARS: Final = 30
_SLICES: Final = 12
_COLORS: Final = 12
_PLACES: Final = 100
"""Texts along a line."""
_CELLS: Final = 50
"""Rows and columns of a heat map, each."""
_POINTS: Final = 2_000


def plot_line(df: ibis.Table, *, x: str, y: str, color: str | None = None) -> Chart:
    shape = ChartShape(type="line", x=x, y=y, color=color)
    places = _PLACES if df[x].type().is_string() else None
    return Chart(shape, df, categories=places, colors=_COLORS, is_sorted=True)


def plot_bar(df: ibis.Table, *, x: str, y: str, color: str | None = None) -> Chart:
    shape = ChartShape(type="bar", x=x, y=y, color=color)
    return Chart(shape, df, categories=_BARS, colors=_COLORS)


def plot_pie(df: ibis.Table, *, x: str, y: str) -> Chart:
    return Chart(ChartShape(type="pie", x=x, y=y), df, categories=_SLICES)


def plot_heatmap(df: ibis.Table, *, x: str, y: str, color: str) -> Chart:
    return Chart(ChartShape(type="heatmap", x=x, y=y, color=color), df, categories=_CELLS, colors=_CELLS)


def plot_scatter(df: ibis.Table, *, x: str, y: str, color: str | None = None, ask: Ask) -> Chart:
    """A point for each row that has both; of too many every n-th, in the order of x."""
    shape = ChartShape(type="scatter", x=x, y=y, color=color)
    rows = df.filter(df[x].notnull(), df[y].notnull())
    points = rows.select(*dict.fromkeys(filter(None, (x, y, color))))
    count = ask(points.aggregate(count=points.count()))[0]["count"]
    if count <= _POINTS:
        return Chart(shape, points, colors=_COLORS, table=rows)
    every = -(-count // _POINTS)
    order = list(points.columns)
    sampled = points.mutate(place=ibis.row_number().over(order_by=order))
    sampled = sampled.filter(sampled.place % every == 0).drop("place")
    note = _("Every %(every)dth of %(count)d points is drawn.") % {"every": every, "count": count}
    return Chart(shape, sampled, colors=_COLORS, note=note, table=rows)


def plot_box(df: ibis.Table, *, y: str, x: str | None = None) -> Chart:
    """The five figures of each category, as `min`, `q1`, `median`, `q3` and `max`; of all rows where x is y itself."""
    x = None if x == y else x
    column = df[y].cast("float64")
    figures = {"min": column.min(), "q1": column.quantile(0.25), "median": column.quantile(0.5)}
    figures |= {"q3": column.quantile(0.75), "max": column.max()}
    rows = grouped(df, [x] if x else [], figures)
    shape, table = ChartShape(type="box", x=x, y=y), df.filter(df[y].notnull())
    return Chart(shape, rows, columns=tuple(rows.columns), categories=_BARS, table=table)
