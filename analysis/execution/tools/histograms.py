"""The tool that counts how values are spread."""

import math
from typing import Any, Final

import ibis

from analysis.contracts.requirements import ChartShape
from analysis.execution.outputs import Ask, Chart
from analysis.execution.tools.aggregates import aggregate
from analysis.execution.tools.columns import finite, is_moment, is_number, put_column
from analysis.execution.tools.periods import cut_to, grain_for
from analysis.execution.tools.segments import commonest

_MOST_BANDS: Final = 30


def histogram(df: ibis.Table, *, column: str, bins: int | None = None, ask: Ask) -> tuple[ibis.Table, Chart]:
    """Rows in bands of equal width as `from`, `to`, `count`; of times by period, of text by category.

    The last band has its end too. Bands without rows are there, with 0.
    """
    value = df[column]
    if is_number(value):
        rows = _bands(df.select(value=value.cast("float64")).filter(lambda t: finite(t.value)), bins, ask)
    elif is_moment(value):
        facts = ask(df.aggregate(low=value.min(), high=value.max()))[0]
        grain = grain_for(facts["low"], facts["high"]) if facts["low"] is not None else "day"
        grain = "day" if grain == "hour" and value.type().is_date() else grain
        rows = aggregate(put_column(df, column, cut_to(value, grain)), group_by=[column], agg_func="count")
    else:
        value = commonest(df, column, (bins or _MOST_BANDS) - 1, ask)
        rows = aggregate(put_column(df, column, value), group_by=[column], agg_func="count")
    shape = ChartShape(type="histogram", x=column, y=None, aggregate="count")
    return rows, Chart(shape, rows, columns=tuple(rows.columns))


def _bands(values: ibis.Table, bins: int | None, ask: Ask) -> ibis.Table:
    facts = ask(values.aggregate(low=values.value.min(), high=values.value.max(), n=values.count()))[0]
    low, width, count = _layout(facts, bins)
    band = ((values.value - low) / width).floor().cast("int64").clip(0, count - 1)
    counts = values.select(band=band).group_by("band").aggregate(rows=lambda t: t.count())
    bands = ibis.range(0, count).unnest().name("place").as_table()
    rows = bands.left_join(counts, bands.place == counts.band).order_by("place")
    return rows.select(
        **{"from": rows.place * width + low, "to": (rows.place + 1) * width + low, "count": rows.rows.fill_null(0)}
    )


def _layout(facts: dict[str, Any], bins: int | None) -> tuple[float, float, int]:
    """Where the first band begins, how wide each is, and how many there are; Sturges counts them by default."""
    if not facts["n"]:
        return 0.0, 1.0, 0
    low, high = float(facts["low"]), float(facts["high"])
    if low == high:
        return low, 1.0, 1
    count = min(bins or math.ceil(math.log2(facts["n"])) + 1, _MOST_BANDS)
    return low, (high - low) / count, count
