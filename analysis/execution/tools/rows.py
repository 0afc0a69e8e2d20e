"""Tools that choose, order and name rows and columns."""

from collections.abc import Mapping, Sequence

import ibis
from django.utils.translation import gettext as _

from analysis.contracts.naming import unique_name
from analysis.execution.failures import ToolRefused, names_hint
from analysis.execution.tools.columns import as_key, is_moment, put_column, tie_breakers, without_scale
from analysis.execution.tools.conditions import Condition, meets


def filter_rows(df: ibis.Table, *, where: Sequence[Condition]) -> ibis.Table:
    """The rows that meet every condition."""
    return df.filter(meets(df, where)) if where else df


def select(df: ibis.Table, *, columns: Sequence[str]) -> ibis.Table:
    return df.select(*dict.fromkeys(columns))


def table(df: ibis.Table, *, columns: Sequence[str] = ()) -> ibis.Table:
    """These columns in this order, or all of them."""
    return select(df, columns=columns) if columns else df


def derive(df: ibis.Table, *, name: str, operator: str, left: str, right: str) -> ibis.Table:
    """A new column. Divided by zero it is missing; two times subtracted are whole days."""
    first, second = df[left], df[right]
    if is_moment(first) and is_moment(second):
        seconds = first.cast("timestamp").epoch_seconds() - second.cast("timestamp").epoch_seconds()
        return put_column(df, name, (seconds / 86_400).floor().cast("int64"))
    first, second = without_scale(first), without_scale(second)
    computed = {
        "add": lambda: first + second,
        "subtract": lambda: first - second,
        "multiply": lambda: first * second,
        "divide": lambda: first.cast("float64") / second.cast("float64").nullif(0),
    }
    return put_column(df, name, computed[operator]())


def rank(df: ibis.Table, *, by: str, direction: str = "desc", limit: int | None = None) -> ibis.Table:
    """Rows in order, those without a value last; equal ones by the first other columns, so that the order is one."""
    key = ibis.desc(df[by], nulls_first=False) if direction == "desc" else ibis.asc(df[by], nulls_first=False)
    ordered = df.order_by([key, *tie_breakers(df, [by])])
    return ordered if limit is None else ordered.limit(limit)


def join(df: ibis.Table, *, table: str, key: str, other_key: str, tables: Mapping[str, ibis.Table]) -> ibis.Table:
    """Every row of this table, beside it the columns of the other one, with "_2" where a name was there already."""
    if table not in tables:
        raise ToolRefused(wanted=_("a table"), got=repr(table), mend=names_hint(table, list(tables)))
    other = tables[table].view()
    if other_key not in other.columns:
        raise ToolRefused(
            wanted=_("a column of %(table)s") % {"table": table}, got=repr(other_key),
            mend=names_hint(other_key, other.columns),
        )  # fmt: skip
    taken = list(df.columns)
    added: dict[str, str] = {}
    for name in other.columns:
        if not (name == other_key and name == key):
            added[name] = unique_name(name, taken)
            taken.append(added[name])
    hidden = unique_name("key", taken)
    beside = other.select(*(other[name].name(new) for name, new in added.items()), other[other_key].name(hidden))
    left, right = df[key], beside[hidden]
    if left.type().is_string() != right.type().is_string():
        left, right = as_key(left), as_key(right)
    return df.left_join(beside, left == right).drop(hidden)
