"""Charts as results: the data of what is drawn, and the rest of too many categories in one."""

from dataclasses import dataclass, replace
from typing import Any, Final

import ibis
import ibis.expr.operations as ops
from django.utils.translation import gettext as _

from analysis.contracts.requirements import ChartShape
from analysis.contracts.results import ResultChart, ResultTable
from analysis.execution.chain import Frame, Measure
from analysis.execution.outputs import Axis, Chart
from analysis.execution.querying import Queries
from analysis.execution.tools.columns import as_key, is_number
from analysis.execution.values import result_table

_NAMES: Final = {"mean": "avg"}
_ADDED_UP: Final = {"sum", "count"}
"""Functions whose figures of several groups add up to the figure of all of them."""


@dataclass(frozen=True)
class Cut:
    """An axis with too many categories: how many there are, how many are drawn, and the remark that says so."""

    axis: Axis
    count: int
    kept: int
    reason: str


class ChartDrawer:
    """Draws the charts of an execution. One of the same rows as the result's table takes them from there."""

    def __init__(self, queries: Queries, rows: int, table: ibis.Table, data: ResultTable) -> None:
        self._queries = queries
        self._rows = rows
        self._table = _without_projection(table)
        self._data = data

    def draw(self, chart: Chart, frame: Frame) -> tuple[ResultChart, list[Cut]]:
        """The chart with its data: the columns x, y and color in this order, or those that the tool names; and what of
        it did not fit.
        """
        measure = frame.measures.get(chart.figure) if chart.figure else None
        cuts: list[Cut] = []
        data = self._shared(chart)
        for axis, most in chart.axes:
            count = self._count(chart, chart.column(axis), most, data)
            if most and count > most:
                chart, cut = Fitting(chart, axis, most, self._queries).fit(measure, count)
                cuts.append(cut)
                data = None
        note = " ".join(filter(None, (chart.note, *(cut.reason for cut in cuts))))
        data = data or result_table(self._queries.fetch(chart.rows.select(*chart.drawn), self._rows), limit=self._rows)
        data = _sorted(data) if chart.is_sorted else data
        shape = _shape(chart, measure)
        return ResultChart.from_object(shape, table=data, note=note), cuts

    def _shared(self, chart: Chart) -> ResultTable | None:
        """The chart's data from the result's table, where all of them are in it."""
        names = self._data.columns
        is_same = _without_projection(chart.rows).equals(self._table)
        if self._data.cut or not is_same or not set(chart.drawn) <= set(names):
            return None
        places = [names.index(name) for name in chart.drawn]
        return ResultTable(columns=chart.drawn, rows=tuple(tuple(row[at] for at in places) for row in self._data.rows))

    def _count(self, chart: Chart, column: str | None, most: int | None, data: ResultTable | None) -> int:
        """How many categories a column has; 0 where it does not matter, as for times, which are no categories."""
        if column is None or most is None or chart.rows[column].type().is_temporal():
            return 0
        if data is not None:
            return len({row[data.columns.index(column)] for row in data.rows})
        distinct: int = self._queries.ask(chart.rows.aggregate(count=chart.rows[column].nunique()))[0]["count"]
        return distinct


class Fitting:
    """A chart with too many categories on an axis: the largest stay."""

    def __init__(self, chart: Chart, axis: Axis, most: int, queries: Queries) -> None:
        column = chart.column(axis)
        assert column is not None
        self._chart = chart
        self._axis = axis
        self._column = column
        self._most = most
        self._queries = queries

    def fit(self, measure: Measure | None, count: int) -> tuple[Chart, Cut]:
        """The chart that fits, and what was cut. Figures that do not add up, such as means, are left out instead."""
        has_figure = self._chart.figure in self._chart.rows.columns  # a box has five others
        adds_up = has_figure and (measure.function in _ADDED_UP if measure else self._chart.shape.type == "pie")
        kept = self._largest(self._most - 1 if adds_up else self._most)
        rows = self._chart.rows
        key = as_key(rows[self._column])
        numbers = {"count": count, "kept": len(kept), "column": self._column}
        if not adds_up:
            note = _("%(kept)d of %(count)d values of %(column)s are drawn.") % numbers
            return _with_rows(self._chart, rows.filter(key.isin(kept))), Cut(self._axis, count, len(kept), note)
        other = _("other")
        named = rows.mutate(key.isin(kept).ifelse(key, other).name(self._column))
        figure = self._chart.figure
        columns = [self._chart.column(axis) for axis, _most in self._chart.axes]
        keys = [name for name in columns if name and name != figure]
        summed = named.group_by(keys).aggregate(named[figure].sum().name(figure))
        order = summed[self._column].cases(*((name, at) for at, name in enumerate(kept)), else_=len(kept))
        note = _("%(kept)d of %(count)d values of %(column)s are drawn, the rest as “%(other)s”.") % {
            **numbers,
            "other": other,
        }
        return _with_rows(self._chart, summed.order_by([order, *keys])), Cut(self._axis, count, len(kept), note)

    def _largest(self, most: int) -> list[Any]:
        """The categories with the most in total, or with the most rows where nothing is drawn for them."""
        rows, figure = self._chart.rows, self._chart.figure
        key = as_key(rows[self._column])
        amounts = rows.select(
            key=key, amount=rows[figure] if figure in rows.columns and is_number(rows[figure]) else ibis.literal(1)
        )
        totals = amounts.filter(amounts.key.notnull()).group_by("key").aggregate(total=lambda t: t.amount.sum())
        order = totals.order_by([ibis.desc("total"), ibis.asc("key")]).limit(most)
        return [row["key"] for row in self._queries.ask(order)]


def _with_rows(chart: Chart, rows: ibis.Table) -> Chart:
    return replace(chart, rows=rows)


def _without_projection(table: ibis.Table) -> ibis.Table:
    """The table under what only chooses columns."""
    operation = table.op()
    while isinstance(operation, ops.Project) and all(
        isinstance(value, ops.Field) and value.name == name for name, value in operation.values.items()
    ):
        operation = operation.parent
    return operation.to_expr()


def _sorted(data: ResultTable) -> ResultTable:
    """By the first column, missing values last."""
    rows = sorted(data.rows, key=lambda row: (row[0] is None, row[0]))
    return data.model_copy(update={"rows": tuple(rows)})


def _shape(chart: Chart, measure: Measure | None) -> ChartShape:
    """The shape with the figure's own column and function in place of the name that it got."""
    shape = chart.shape
    if measure is None or shape.aggregate is not None:
        return shape
    figure = None if measure.metric == "*" else measure.metric
    changed = {"y": figure} if chart.figure == shape.y else {}
    return shape.model_copy(update={**changed, "aggregate": _NAMES.get(measure.function, measure.function)})
