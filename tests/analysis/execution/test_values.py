"""Cells as JSON values."""

from datetime import date, datetime, time
from decimal import Decimal

import pyarrow as pa
import pytest

from analysis.execution.values import json_values, result_table

MIDNIGHTS = [datetime.fromisoformat("2024-01-02"), datetime.fromisoformat("2024-01-03")]
TIMES = [datetime.fromisoformat("2024-01-02"), datetime.fromisoformat("2024-01-03T05:00")]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([date(2024, 1, 2), None], ["2024-01-02", None]),
        (MIDNIGHTS, ["2024-01-02", "2024-01-03"]),
        (TIMES, ["2024-01-02T00:00:00", "2024-01-03T05:00:00"]),
        ([Decimal("2.50"), Decimal("3"), Decimal("NaN")], [2.5, 3, None]),
        ([float("nan"), float("inf"), 1.5], [None, None, 1.5]),
        ([time(5, 6)], ["05:06:00"]),
        ([b"x", [1]], ["b'x'", "[1]"]),
    ],
)
def test_values(values: list[object], expected: list[object]) -> None:
    assert json_values(values) == expected


def test_a_table_of_more_rows_is_cut() -> None:
    table = result_table(pa.table({"a": [1, 2, 3], "b": ["x", "y", "z"]}), limit=2)
    assert (table.columns, table.rows, table.cut) == (("a", "b"), ((1, "x"), (2, "y")), True)


def test_dates_that_python_does_not_have_are_text() -> None:
    last_day = pa.array([2_932_896, 2_932_897], pa.int32()).cast(pa.date32())
    assert result_table(pa.table({"day": last_day}), limit=5).rows == (("9999-12-31",), ("10000-01-01",))
