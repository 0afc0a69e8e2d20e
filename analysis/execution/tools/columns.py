"""What several tools do with columns."""

from collections.abc import Sequence
from typing import Any, Final

import ibis
import ibis.expr.operations as ops

from analysis.contracts.naming import unique_name

_TIE_BREAKERS: Final = 5
_LARGEST: Final = 1.7e308


def put_column(df: ibis.Table, name: str, value: ibis.Value) -> ibis.Table:
    """The table with this column; one of the same name, capitals aside, is replaced."""
    clashing = [column for column in df.columns if column.casefold() == name.casefold() and column != name]
    return df.mutate(value.name(name)).drop(*clashing)


def new_names(df: ibis.Table, *wanted: str) -> list[str]:
    """These names, changed where the table has them already."""
    return [unique_name(name, df.columns) for name in wanted]


def is_number(value: ibis.Value) -> bool:
    return bool(value.type().is_numeric() and not value.type().is_boolean())


def is_of(value: ibis.Value, narrowed: str) -> bool:
    """Whether the column is one of numbers or of times, as the catalog narrows it; true where it does not."""
    return not narrowed or (is_number(value) if narrowed == "number" else is_moment(value))


def is_moment(value: ibis.Value) -> bool:
    """Whether it is a day or a moment; a time of day is none."""
    return bool(value.type().is_date() or value.type().is_timestamp())


def without_scale(value: ibis.Value) -> ibis.Value:
    """Decimals as floats: a mean or a product of them has more digits than ibis gives it room for."""
    return value.cast("float64") if value.type().is_decimal() else value


def finite(value: ibis.Value) -> ibis.Value:
    """Whether a number is there and can be computed with. Engines put NaN above every number."""
    return value.between(-_LARGEST, _LARGEST)


def is_sortable(value: ibis.Value) -> bool:
    kind = value.type()
    return bool(kind.is_numeric() or kind.is_string() or kind.is_temporal() or kind.is_boolean())


def ascending(df: ibis.Table, names: Sequence[str]) -> list[Any]:
    """Keys that sort by these columns; labels of bands sort as their bands do."""
    return [key for name in names for key in (*_band_key(df, name), ibis.asc(df[name]))]


def _band_key(df: ibis.Table, name: str) -> list[Any]:
    labels = band_labels(df, name)
    places = [(label, place) for place, label in enumerate(labels)]
    return [ibis.asc(df[name].cases(*places, else_=len(places)))] if places else []


def band_labels(df: ibis.Table, name: str) -> tuple[str, ...]:
    """The labels that `segment` gave to a column, in the order of its bands; none for another column."""
    definition = df[name].op()
    while isinstance(definition, ops.Field) and definition.name in getattr(definition.rel, "values", {}):
        definition = definition.rel.values[definition.name]
    if not isinstance(definition, ops.SearchedCase):
        return ()
    results = [result.value for result in definition.results if isinstance(result, ops.Literal)]
    return tuple(results) if all(isinstance(result, str) and result.startswith("[") for result in results) else ()


def tie_breakers(df: ibis.Table, used: Sequence[str]) -> list[Any]:
    """Keys of the first other columns, so that equal rows come in the same order each time."""
    others = [name for name in df.columns if name not in used and is_sortable(df[name])]
    return ascending(df, others[:_TIE_BREAKERS])


def as_key(value: ibis.Value) -> ibis.Value:
    """Text as it is, anything else as text."""
    return value if value.type().is_string() else value.cast("string")
