"""Tools that compute figures of groups."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import ibis
from django.utils.translation import gettext as _

from analysis.contracts.naming import ROWS, functions_of, result_names, unique_name
from analysis.execution.failures import ToolRefused
from analysis.execution.outputs import Ask
from analysis.execution.tools.columns import as_key, ascending, finite, is_number, new_names, without_scale
from analysis.execution.tools.conditions import Condition, meets

_MOST_COLUMNS: Final = 100
MEASURES: Final[Mapping[str, Callable[[ibis.Value], ibis.Value]]] = {
    "sum": lambda column: column.sum(),
    "mean": lambda column: without_scale(column).mean(),
    "median": lambda column: column.cast("float64").quantile(0.5),
    "min": lambda column: column.min(),
    "max": lambda column: column.max(),
    "count": lambda column: column.count(),
    "count_distinct": lambda column: column.nunique(),
    "std": lambda column: _deviation(without_scale(column)),
}


def _deviation(column: ibis.Value) -> ibis.Value:
    """Of a sample. DuckDB refuses the deviation of what is not finite."""
    return column.std(how="sample", where=finite(column) if column.type().is_floating() else None)


def grouped(df: ibis.Table, group_by: Sequence[str], measures: Mapping[str, ibis.Value]) -> ibis.Table:
    """A row for each group, those without a key too, in the order of the groups."""
    keys = list(dict.fromkeys(group_by))
    figures = df.aggregate(dict(measures), by=[df[key] for key in keys])
    return figures.order_by(ascending(figures, keys)) if keys else figures


def aggregate(
    df: ibis.Table,
    *,
    group_by: Sequence[str] = (),
    agg_func: str | Sequence[str],
    metrics: Sequence[str] = (ROWS,),
) -> ibis.Table:
    """A row for each group, or one. The names of the figures are those of `result_names`."""
    functions = functions_of(metrics, agg_func)
    names = result_names(metrics, functions, group_by)
    measures = {
        name: df.count() if metric == ROWS else MEASURES[function](df[metric])
        for name, metric, function in zip(names, metrics, functions, strict=True)
    }
    return grouped(df, group_by, measures)


def share(
    df: ibis.Table, *, metric: str | None = None, where: Sequence[Condition] = (), group_by: Sequence[str] = ()
) -> ibis.Table:
    """With conditions, the part of each group's rows or sum that meets them, with both figures. Without, of the total.

    Without conditions the groups' sums are put against the sum of all, or each row where no group is named.
    """
    amount = ibis.literal(1) if metric in (None, ROWS) else df[metric]
    if where:
        met = meets(df, where).fill_null(ibis.literal(value=False))
        part, whole = met.ifelse(amount, 0).sum(), amount.sum() if metric not in (None, ROWS) else df.count()
        names = [unique_name(name, group_by) for name in ("part", "whole")]
        figures = grouped(df, group_by, dict(zip(names, (part, whole), strict=True)))
        return _with_share(figures, figures[names[0]], figures[names[1]])
    if group_by:
        agg_func = "count" if metric in (None, ROWS) else "sum"
        df = aggregate(df, group_by=group_by, agg_func=agg_func, metrics=[metric or ROWS])
        column = df[df.columns[-1]]
    else:
        column = df[metric] if metric not in (None, ROWS) else _only_number(df)
    return _with_share(df, column, column.sum().over())


def _with_share(df: ibis.Table, part: ibis.Value, whole: ibis.Value) -> ibis.Table:
    share_name, percent_name = new_names(df, "share", "percent")
    fraction = part.cast("float64") / whole.cast("float64").nullif(0)
    return df.mutate(fraction.name(share_name), (fraction * 100).name(percent_name))


def _only_number(df: ibis.Table) -> ibis.Value:
    numbers = [name for name in df.columns if is_number(df[name])]
    if len(numbers) != 1:
        raise ToolRefused(
            wanted=_("a metric to take the share of"), got=_("none"), mend=_("Name one of the columns of numbers.")
        )
    return df[numbers[0]]


def pivot(df: ibis.Table, *, rows: str, columns: str, values: str, ask: Ask) -> ibis.Table:
    """A row for each value of `rows`, a column for each one of `columns`; several values of a cell are added up."""
    labels = as_key(df[columns])
    distinct = df.select(label=labels).distinct().order_by("label")
    found = [row["label"] for row in ask(distinct, most=_MOST_COLUMNS)]
    cells: dict[str, ibis.Value] = {}
    for label in found:
        name = unique_name(label or _("(empty)"), [rows, *cells])
        cells[name] = df[values].sum(where=labels.isnull() if label is None else labels == label)
    return grouped(df, [rows], cells)
