"""Tools of statistics that the engine computes, with p values from scipy."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import ibis
import pyarrow as pa
from django.utils.translation import gettext as _
from scipy import stats

from analysis.contracts.naming import unique_name
from analysis.contracts.results import Statistic
from analysis.execution.outputs import Ask, Deferred
from analysis.execution.tools.aggregates import grouped
from analysis.execution.tools.columns import finite, new_names

_QUARTILES: Final = {"q1": 0.25, "median": 0.5, "q3": 0.75}


def compute_summary_stats(df: ibis.Table, *, metrics: Sequence[str], group_by: Sequence[str] = ()) -> ibis.Table:
    """A row for each metric, and for each group of it. What is no finite number counts as missing."""
    summaries = [_summary(df, metric, group_by) for metric in dict.fromkeys(metrics)]
    return summaries[0] if len(summaries) == 1 else ibis.union(*summaries)


def _summary(df: ibis.Table, metric: str, group_by: Sequence[str]) -> ibis.Table:
    values = df[metric].cast("float64")
    column = finite(values).ifelse(values, ibis.null("float64"))
    figures = {
        "count": column.count(),
        "missing": df.count() - column.count(),
        "mean": column.mean(),
        "std": column.std(how="sample"),
        "min": column.min(),
        **{name: column.quantile(part) for name, part in _QUARTILES.items()},
        "max": column.max(),
    }
    order = ["count", "missing", "mean", "std", "min", "q1", "median", "q3", "max"]
    names = {figure: unique_name(figure, group_by) for figure in order}
    rows = grouped(df, group_by, {names[figure]: figures[figure] for figure in order})
    label = unique_name("metric", rows.columns)
    return rows.mutate(ibis.literal(metric).name(label)).select(*dict.fromkeys(group_by), label, *names.values())


def correlate(df: ibis.Table, *, x: str, y: str, ask: Ask) -> ibis.Table:
    """One row: how many pairs, both coefficients, and how likely ones so far from 0 are where nothing goes together."""
    pairs = df.select(x=df[x].cast("float64"), y=df[y].cast("float64"))
    pairs = pairs.filter(finite(pairs.x), finite(pairs.y))
    ranked = pairs.inner_join(_mean_ranks(pairs, "x"), "x").inner_join(_mean_ranks(pairs, "y"), "y")
    facts = ask(
        ranked.aggregate(
            n=ranked.count(),
            spread_x=ranked.x.max() - ranked.x.min(),
            spread_y=ranked.y.max() - ranked.y.min(),
            pearson=ranked.x.corr(ranked.y, how="pop"),
            spearman=ranked.rank_x.corr(ranked.rank_y, how="pop"),
        )
    )[0]
    varies = bool(facts["spread_x"]) and bool(facts["spread_y"])
    values: dict[str, Any] = {"n": facts["n"]}
    for name in ("pearson", "spearman"):
        r = facts[name] if varies else None
        values |= {name: r, f"{name}_p": _p_value(r, facts["n"])}
    schema = {name: "int64" if name == "n" else "float64" for name in values}
    return ibis.memtable([values], schema=schema)


def _mean_ranks(pairs: ibis.Table, name: str) -> ibis.Table:
    """The rank of each value, for equal ones the mean of theirs. Values are ranked, not rows: there are fewer."""
    counts = pairs.group_by(name).aggregate(ties=lambda t: t.count())
    rank = counts.ties.cumsum(order_by=counts[name]) - (counts.ties - 1) / 2
    return counts.select(name, rank.name(f"rank_{name}"))


def _p_value(r: float | None, n: int) -> float | None:
    """Two-sided, by Student's t with n - 2 degrees of freedom; None under three pairs."""
    if r is None or n < 3:
        return None
    if abs(r) >= 1:
        return 0.0
    return float(2 * stats.t.sf(abs(r) * ((n - 2) / (1 - r * r)) ** 0.5, n - 2))


def detect_anomalies(df: ibis.Table, *, metric: str, factor: float = 1.5) -> tuple[ibis.Table, Deferred]:
    """The rows beyond Tukey's fences, the highest first, with the fences as `lower` and `upper`; and the method.

    What is no finite number counts as missing.
    """
    lower, upper = new_names(df, "lower", "upper")
    df = df.filter(finite(df[metric].cast("float64")))
    column = df[metric].cast("float64")
    quartiles = df.aggregate(q1=column.quantile(0.25), q3=column.quantile(0.75))
    reach = (quartiles.q3 - quartiles.q1) * factor
    fences = quartiles.select((quartiles.q1 - reach).name(lower), (quartiles.q3 + reach).name(upper))
    rows = df.cross_join(fences)
    beyond = rows.filter((rows[metric] < rows[lower]) | (rows[metric] > rows[upper]))
    return beyond.order_by(ibis.desc(beyond[metric])), Deferred(fences, partial(_fences, factor))


def _fences(factor: float, fences: pa.Table) -> Statistic:
    lower, upper = fences.to_pylist()[0].values()
    return Statistic(
        tool="detect_anomalies",
        method=_("Tukey's fences: %(factor)g times the distance between the quartiles beyond them")
        % {"factor": factor},
        values={"lower": lower, "upper": upper},
    )
