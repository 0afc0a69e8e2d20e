"""Bands of numbers and the commonest categories."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import ibis
from django.utils.translation import gettext as _

from analysis.execution.outputs import Ask
from analysis.execution.tools.columns import as_key, finite, is_number, put_column

_COMMONEST: Final = 20
_BANDS: Final = 6
_ROUND: Final = (1, 2, 2.5, 5, 10)


def segment(df: ibis.Table, *, column: str, bands: int | None = None, ask: Ask) -> ibis.Table:
    """The column as labels: of numbers of many values "[0, 10)", else its values, the rarer ones as "other"."""
    value = df[column]
    if not is_number(value):
        return put_column(df, column, commonest(df, column, bands or _COMMONEST, ask))
    numbers = df.select(value=value).filter(lambda t: finite(t.value)).value
    facts = ask(numbers.as_table().aggregate(low=numbers.min(), high=numbers.max(), distinct=numbers.nunique()))[0]
    if facts["distinct"] <= (bands or _BANDS):
        return df
    edges = round_edges(float(facts["low"]), float(facts["high"]), bands or _BANDS)
    return put_column(df, column, _labelled(value, edges))


def commonest(df: ibis.Table, column: str, most: int, ask: Ask) -> ibis.Value:
    """The values of a column, all but the commonest ones replaced by "other"; missing ones stay missing."""
    value = as_key(df[column])
    present = df.select(value=value).filter(lambda t: t.value.notnull())
    counts = present.group_by("value").aggregate(rows=lambda t: t.count())
    order = counts.order_by([ibis.desc("rows"), ibis.asc("value")]).limit(most + 1)
    names = [row["value"] for row in ask(order)]
    if len(names) <= most:
        return df[column]
    return ibis.cases((value.isnull(), ibis.null("string")), (value.isin(names[:most]), value), else_=_("other"))


def round_edges(low: float, high: float, bands: int) -> list[float]:
    """Edges of bands of one round width, from a multiple of it at or below `low` to one above `high`."""
    raw = (high - low) / bands or 1.0
    magnitude = 10.0 ** math.floor(math.log10(raw))
    width = next(step for step in _ROUND if step * magnitude >= raw * (1 - 1e-9)) * magnitude
    first, last = math.floor(low / width), math.floor(high / width) + 1
    return [round(at * width, 10) for at in range(first, last + 1)]


def _labelled(value: ibis.Value, edges: Sequence[float]) -> ibis.Value:
    """The label of the band of each value; nothing where it is missing."""
    return ibis.cases(*((value < high, f"[{low:.10g}, {high:.10g})") for low, high in pairwise(edges)))
