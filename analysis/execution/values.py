"""Cells as JSON values."""

import math
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import pyarrow as pa

from analysis.contracts.results import ResultTable


def result_table(table: pa.Table, *, limit: int) -> ResultTable:
    """The first `limit` rows; the table is cut where it has more."""
    columns = [json_values(_cells(column)) for column in table.slice(0, limit).columns]
    rows = tuple(zip(*columns, strict=True))
    return ResultTable(columns=tuple(table.column_names), rows=rows, cut=table.num_rows > limit)


def _cells(column: pa.ChunkedArray) -> list[Any]:
    """The cells as Python has them; dates that it does not have, such as those after the year 9999, as text."""
    try:
        cells: list[Any] = column.to_pylist()
    except OverflowError:
        cells = column.cast("string").to_pylist()
    return cells


def json_values(values: Sequence[Any]) -> list[Any]:
    """A column's values. Times that are all at midnight are dates."""
    moments = [value for value in values if isinstance(value, datetime)]
    as_dates = all(moment.time() == time() for moment in moments)
    return [_json_value(value, as_dates=as_dates) for value in values]


def _json_value(value: Any, *, as_dates: bool) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal):
        return _plain(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if as_dates else value.isoformat()
    return value.isoformat() if isinstance(value, date | time) else str(value)


def _plain(number: Decimal) -> int | float | None:
    if not number.is_finite():
        return None
    return int(number) if number == number.to_integral_value() else float(number)
