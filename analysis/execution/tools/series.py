"""Tools of series over time."""

import math
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any, Final

import ibis
import pyarrow as pa
from django.utils.translation import gettext as _
from scipy import stats

from analysis.contracts.results import Statistic
from analysis.execution.failures import ToolRefused
from analysis.execution.naming import unique_name
from analysis.execution.outputs import Ask, Deferred
from analysis.execution.tools.columns import finite, is_sortable

_MOST_POINTS: Final = 10_000
_PAIRED_POINTS: Final = 2_000
"""Points of which all pairs are taken for the slope."""
_SIGNIFICANT: Final = 0.05
_RECENT: Final = 100
_SEASONS: Final = {"month": 12, "quarter": 4, "day": 7}
Moment = date | datetime | int | float


def detect_trend(df: ibis.Table, *, time: str, metric: str) -> Deferred:
    """Mann-Kendall by Kendall's tau over time, and the Theil-Sen slope for each step from one period to the next."""
    if not is_sortable(df[time]):
        raise ToolRefused(wanted=_("a column of times"), got=f"{time} ({df[time].type()})")
    points = df.select(time=df[time], value=df[metric].cast("float64"))
    points = points.filter(points.time.notnull(), finite(points.value)).order_by(["time", "value"])
    return Deferred(rows=points.limit(_MOST_POINTS + 1), finish=_trend)


def _trend(points: pa.Table) -> Statistic:
    if points.num_rows > _MOST_POINTS:
        raise ToolRefused(
            wanted=_("a series of at most %(most)d points") % {"most": _MOST_POINTS},
            got=_("more"),
            mend=_("Add up the rows by month or year first."),
        )
    values = points["value"].to_pylist()
    moments = points["time"].to_pylist()
    step = {moment: at for at, moment in enumerate(dict.fromkeys(moments))}
    places = [step[moment] for moment in moments]
    tau = stats.kendalltau(places, values) if len(values) > 1 else None
    p = float(tau.pvalue) if tau is not None and math.isfinite(tau.pvalue) else None
    direction = "none"
    if tau is not None and p is not None and p < _SIGNIFICANT:
        direction = "rising" if tau.statistic > 0 else "falling"
    return Statistic(
        tool="detect_trend",
        method=_("Mann-Kendall test at 5 %, slope after Theil and Sen for each period"),
        values={"direction": direction, "slope": _slope(places, values), "p": p, "n": len(values)},
    )


def _slope(places: Sequence[int], values: Sequence[float]) -> float | None:
    """Of a long series every n-th point is taken, since the slope compares all pairs."""
    every = -(-len(values) // _PAIRED_POINTS) or 1
    places, values = places[::every], values[::every]
    return float(stats.theilslopes(values, places).slope) if len(set(places)) > 1 else None


def forecast_naive(df: ibis.Table, *, time: str, metric: str, periods: int = 3, ask: Ask) -> ibis.Table:
    """The next periods: of two seasons and more the value of a season before, else the last one."""
    points = df.select(time=df[time], value=df[metric].cast("float64"))
    points = points.filter(points.time.notnull(), finite(points.value))
    recent = ask(points.order_by([ibis.desc("time"), ibis.desc("value")]).limit(_RECENT))[::-1]
    moments = [point["time"] for point in recent]
    _check_series(moments)
    period, following = _period_of(moments)
    values = [point["value"] for point in recent]
    season = _SEASONS.get(period, 1)
    season = season if len(values) >= 2 * season else 1
    rows: list[tuple[Moment, float]] = []
    for at in range(periods):
        rows.append((following(rows[-1][0] if rows else moments[-1]), values[len(values) - season + at % season]))
    flag = unique_name("forecast", [time, metric])
    schema = {time: df[time].type(), metric: "float64", flag: "boolean"}
    return ibis.memtable([{time: moment, metric: value, flag: True} for moment, value in rows], schema=schema)


def _check_series(moments: Sequence[Moment]) -> None:
    if len(moments) < 2:
        raise ToolRefused(
            wanted=_("a series of at least two periods"), got=str(len(moments)), mend=_("Choose a finer period.")
        )
    if len(set(moments)) < len(moments):
        raise ToolRefused(
            wanted=_("a single value for each period"),
            got=_("several"),
            mend=_("Add up the rows by period first, without other groups."),
        )


def _period_of(moments: Sequence[Any]) -> tuple[str, Callable[[Any], Any]]:
    """The period that the moments are apart, and how the next one is found."""
    if not isinstance(moments[0], date):
        return "year", lambda moment: moment + 1
    if isinstance(moments[0], datetime) and any((moment.hour, moment.minute) != (0, 0) for moment in moments):
        return "hour", lambda moment: moment + timedelta(hours=1)
    if all(moment.day == 1 for moment in moments):
        gaps = [(b.year - a.year) * 12 + b.month - a.month for a, b in pairwise(moments)]
        months = next(size for size in (12, 3, 1) if all(gap % size == 0 for gap in gaps))
        return {12: "year", 3: "quarter", 1: "month"}[months], lambda moment: _months_later(moment, months)
    days = 7 if all((b - a).days % 7 == 0 for a, b in pairwise(moments)) else 1
    return "week" if days == 7 else "day", lambda moment: moment + timedelta(days=days)


def _months_later(moment: Any, months: int) -> Any:
    years, month = divmod(moment.month - 1 + months, 12)
    return moment.replace(year=moment.year + years, month=month + 1)
