"""Tools of series over time."""

import math
from collections.abc import Callable, Iterator, Sequence
from datetime import MAXYEAR, MINYEAR, date, datetime, timedelta
from itertools import pairwise
from typing import Any, Final

import ibis
import pyarrow as pa
from django.utils.translation import gettext as _
from scipy import stats

from analysis.contracts.naming import unique_name
from analysis.contracts.results import Statistic
from analysis.execution.failures import ToolRefused, names_hint
from analysis.execution.outputs import Ask, Deferred
from analysis.execution.tools.columns import finite, is_moment, is_sortable

_MOST_POINTS: Final = 10_000
_PAIRED_POINTS: Final = 2_000
"""Points of which all pairs are taken for the slope."""
_SIGNIFICANT: Final = 0.05
_RECENT: Final = 100
_MOST_PERIODS: Final = 1_000
_YEARS: Final = (1000, 2999)
"""Other numbers are no times, such as months from 1 to 12: after the last comes the first."""
_SEASONS: Final = {"month": 12, "quarter": 4, "day": 7}
_TIME, _VALUE, _PLACE = "time of a point", "value of a point", "place of a point"
"""Names that no column of a table has beside them."""
Moment = date | datetime | int | float


def detect_trend(df: ibis.Table, *, time: str, metric: str) -> Deferred:
    """Mann-Kendall by Kendall's tau over time, and the Theil-Sen slope for each step from one period to the next."""
    if not is_sortable(df[time]):
        fitting = [name for name in df.columns if is_moment(df[name])]
        mend = names_hint(time, fitting) if fitting else _("The table has none.")
        raise ToolRefused(wanted=_("a column of times"), got=f"{time} ({df[time].type()})", mend=mend)
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


def forecast_naive(
    df: ibis.Table, *, time: str, metric: str, periods: int = 3, group_by: Sequence[str] = (), ask: Ask
) -> ibis.Table:
    """The next periods, of each group by itself: of two seasons and more the value of a season before, else the last
    one. Where that period is missing, one of a season earlier.
    """
    if periods > _MOST_PERIODS:
        raise ToolRefused(
            wanted=_("at most %(most)d periods") % {"most": _MOST_PERIODS},
            got=str(periods),
            mend=_("Ask for fewer, or for longer ones."),
        )
    series = _series(df, time, metric, group_by, ask)
    moments = sorted({moment for values in series.values() for moment in values})
    _check_moments(moments, time)
    flag = unique_name("forecast", [time, metric, *group_by])
    schema = {time: df[time].type(), **{name: df[name].type() for name in group_by}, metric: "float64", flag: "boolean"}
    rows = [
        {time: moment, **dict(zip(group_by, group, strict=True)), metric: value, flag: True}
        for group, values in series.items()
        for moment, value in _following(values, moments, periods)
    ]
    return ibis.memtable(rows, schema=schema)


def _series(
    df: ibis.Table, time: str, metric: str, group_by: Sequence[str], ask: Ask
) -> dict[tuple[Any, ...], dict[Moment, float]]:
    """The last values of each group by their time."""
    points = df.select(*group_by, **{_TIME: df[time], _VALUE: df[metric].cast("float64")})
    points = points.filter(points[_TIME].notnull(), finite(points[_VALUE]))
    order = [ibis.desc(_TIME), ibis.desc(_VALUE)]
    points = points.mutate(**{_PLACE: ibis.row_number().over(group_by=list(group_by), order_by=order)})
    recent = ask(points.filter(points[_PLACE] < _RECENT).order_by(order), most=_MOST_POINTS)
    series: dict[tuple[Any, ...], dict[Moment, float]] = {}
    for point in recent:
        values = series.setdefault(tuple(point[name] for name in group_by), {})
        if point[_TIME] in values:
            raise ToolRefused(
                wanted=_("a single value for each period"),
                got=_("several"),
                mend=_("Add up the rows by period first, without other groups."),
            )
        values[point[_TIME]] = point[_VALUE]
    return series


def _following(values: dict[Moment, float], moments: Sequence[Moment], periods: int) -> Iterator[tuple[Moment, float]]:
    """The periods after the last of all moments, each with the value of a group."""
    period, later = _period_of(moments)
    season = _SEASONS.get(period, 1)
    season = season if len(moments) >= 2 * season else 1
    last, latest = moments[-1], values[max(values)]
    for at in range(1, periods + 1):
        seasons_before = (later(last, place) for place in range((at - 1) % season + 1 - season, -_RECENT, -season))
        yield later(last, at), next((values[moment] for moment in seasons_before if moment in values), latest)


def _check_moments(moments: Sequence[Moment], time: str) -> None:
    if len(moments) < 2:
        raise ToolRefused(
            wanted=_("a series of at least two periods"), got=str(len(moments)), mend=_("Choose a finer period.")
        )
    if not all(isinstance(moment, date) or _YEARS[0] <= moment <= _YEARS[1] for moment in moments):
        raise ToolRefused(
            wanted=_("a column of times"),
            got=_("%(column)s, of numbers") % {"column": time},
            mend=_("Take periods that go on, such as months of each year."),
        )


def _period_of(moments: Sequence[Any]) -> tuple[str, Callable[[Any, int], Any]]:
    """The period that the moments are apart, and how one that is so many later is found."""
    if not isinstance(moments[0], date):
        return "year", lambda moment, count: moment + count
    if isinstance(moments[0], datetime) and any((moment.hour, moment.minute) != (0, 0) for moment in moments):
        return "hour", lambda moment, count: moment + timedelta(hours=count)
    if all(moment.day == 1 for moment in moments):
        gaps = [(b.year - a.year) * 12 + b.month - a.month for a, b in pairwise(moments)]
        months = next(size for size in (12, 3, 1) if all(gap % size == 0 for gap in gaps))
        name = {12: "year", 3: "quarter", 1: "month"}[months]
        return name, lambda moment, count: _months_later(moment, count * months)
    days = 7 if all((b - a).days % 7 == 0 for a, b in pairwise(moments)) else 1
    return "week" if days == 7 else "day", lambda moment, count: moment + timedelta(days=count * days)


def _months_later(moment: Any, months: int) -> Any:
    years, month = divmod(moment.month - 1 + months, 12)
    if not MINYEAR <= moment.year + years <= MAXYEAR:
        raise OverflowError(moment.year + years)  # as adding days does
    return moment.replace(year=moment.year + years, month=month + 1)
