"""Rows: conditions, order, columns, periods, and another table."""

from collections.abc import Callable
from typing import Any

import pytest

from analysis.execution.failures import StepFailed
from tests.analysis.execution.conftest import Runner, Tables


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (("price", "=", 10), [2]),
        (("price", "!=", 10), [1, 4, 5]),
        (("price", ">", 20), [1, 5]),
        (("price", "between", [10, 20]), [2, 4]),
        (("region", "in", ["North", "East"]), [1, 2]),
        (("region", "not_in", ["North"]), [0, 4]),
        (("region", "contains", "óR"), [1, 2]),
        (("region", "not_contains", "nor"), [0, 4]),
        (("region", "null", None), [5]),
        (("price", "not_null", None), [1, 2, 4, 5]),
        (("paid", "=", True), [2, 4]),
        (("paid", "!=", "yes"), [1, 5]),
        (("region", "=", "north"), []),
        (("sold", ">=", "2024-02-10"), [0, 5]),
        (("sold", "between", ["2024-01-20", "2024-02-03"]), [1, 4]),
        (("price", ">", {"column": "units"}), [1, 2, 4, 5]),
    ],
)
def test_conditions(run: Runner, sales: Tables, condition: tuple[str, str, Any], expected: list[int]) -> None:
    where = [dict(zip(("column", "op", "value"), condition, strict=True))]
    rows = run(sales, ("filter", {"where": where}), ("select", {"columns": ["units"]})).table.rows
    assert sorted(row[0] for row in rows) == expected


def test_the_whole_last_day_counts_for_times(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(
        t="i, TIMESTAMP '2024-03-01 00:00:00' + i * INTERVAL 9 HOUR AS moment FROM range(0, 8) AS r(i)"
    )
    where = [{"column": "moment", "op": "between", "value": ["2024-03-01", "2024-03-02"]}]
    assert [row[0] for row in run(source, ("filter", {"where": where})).table.rows] == [0, 1, 2, 3, 4, 5]
    where = [{"column": "moment", "op": "=", "value": "2024-03-02"}]
    assert [row[0] for row in run(source, ("filter", {"where": where})).table.rows] == [3, 4, 5]
    where = [{"column": "moment", "op": "<", "value": "2024-03-01T10:00:00"}]
    assert [row[0] for row in run(source, ("filter", {"where": where})).table.rows] == [0, 1]


def test_a_part_of_a_date_is_held_against_a_number(run: Runner, sales: Tables) -> None:
    where = [{"column": "sold", "op": "=", "value": 1, "grain": "month_of_year"}]
    assert len(run(sales, ("filter", {"where": where})).table.rows) == 2
    where = [{"column": "sold", "op": "in", "value": [6, 7], "grain": "weekday"}]
    assert [row[2] for row in run(sales, ("filter", {"where": where})).table.rows] == [
        "2024-01-20", "2024-02-03", "2024-02-10",
    ]  # fmt: skip


def test_a_value_of_another_type_is_refused_with_what_would_mend_it(run: Runner, sales: Tables) -> None:
    where = [{"column": "sold", "op": ">", "value": "soon"}]
    with pytest.raises(StepFailed, match=r"Step 1 \(filter\): wanted a value for sold .*'soon'.*2024-12-31"):
        run(sales, ("filter", {"where": where}))


def test_rows_are_ranked_with_missing_ones_last_both_ways(run: Runner, sales: Tables) -> None:
    down = run(sales, ("rank", {"by": "price", "direction": "desc"})).table
    up = run(sales, ("rank", {"by": "price", "direction": "asc", "limit": 5})).table
    assert [row[3] for row in down.rows] == [40.0, 30.0, 20.0, 10.0, None]
    assert [row[3] for row in up.rows] == [10.0, 20.0, 30.0, 40.0, None]


def test_equal_rows_are_ranked_by_the_first_other_columns(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="(i * 7) % 10 AS k, 1 AS n FROM range(0, 10) AS r(i)")
    rows = run(source, ("rank", {"by": "n", "direction": "desc", "limit": 3})).table.rows
    assert rows == ((0, 1), (1, 1), (2, 1))


@pytest.mark.parametrize(
    ("operator", "expected"),
    [("add", 12.0), ("subtract", 8.0), ("multiply", 20.0), ("divide", 5.0)],
)
def test_columns_are_derived(run: Runner, sales: Tables, operator: str, expected: float) -> None:
    params = {"name": "made", "operator": operator, "left": "price", "right": "units"}
    table = run(sales, ("derive", params), ("table", {"columns": ["made"]})).table
    assert table.columns == ("made",)
    assert table.rows[0] == (expected,)


def test_two_dates_subtract_to_whole_days(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="DATE '2024-03-01' AS due, TIMESTAMP '2024-02-28 06:00:00' AS ordered")
    params = {"name": "days", "operator": "subtract", "left": "due", "right": "ordered"}
    assert run(source, ("derive", params)).table.rows[0][2] == 1


def test_figures_of_groups_are_derived_too(run: Runner, sales: Tables) -> None:
    aggregated = ("aggregate", {"group_by": ["region"], "agg_func": "sum", "metrics": ["price", "units"]})
    derived = ("derive", {"name": "each", "operator": "divide", "left": "price", "right": "units"})
    assert [row[3] for row in run(sales, aggregated, derived).table.rows] == [pytest.approx(40 / 3), 5.0, 8.0]


@pytest.mark.parametrize(
    ("grain", "expected"),
    [
        ("day", ["2024-01-05", "2024-01-20"]), ("week", ["2024-01-01", "2024-01-15"]), ("month", ["2024-01-01"] * 2),
        ("quarter", ["2024-01-01"] * 2), ("year", ["2024-01-01"] * 2), ("weekday", [5, 6]), ("month_of_year", [1, 1]),
    ],
)  # fmt: skip
def test_dates_are_cut_to_periods(run: Runner, sales: Tables, grain: str, expected: list[Any]) -> None:
    table = run(sales, ("parse_datetime", {"column": "sold", "grain": grain})).table
    assert [row[table.columns.index("sold")] for row in table.rows][:2] == expected


def test_hours_are_those_of_the_day(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="TIMESTAMP '2024-03-01 14:35:12' AS moment")
    assert run(source, ("parse_datetime", {"column": "moment", "grain": "hour"})).table.rows == ((14,),)


def test_another_table_is_put_beside(run: Runner, sales: Tables, make_source: Callable[..., Tables]) -> None:
    others = make_source(regions="* FROM (VALUES ('North', 'Ann', 7), ('West', 'Bob', 8)) AS r(region, head, units)")
    source = Tables(sales.backend, {**sales.tables, **others.tables})
    table = run(source, ("join", {"table": "regions", "key": "region", "other_key": "region"})).table
    assert table.columns == ("region", "product", "sold", "price", "units", "paid", "head", "units_2")
    assert sorted(table.rows, key=lambda row: row[4])[2][6:] == ("Ann", 7)
    assert len(table.rows) == 5


def test_keys_of_different_types_are_compared_as_text(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(orders="1 AS customer", customers="'1' AS id, 'Ann' AS name")
    table = run(source, ("join", {"table": "customers", "key": "customer", "other_key": "id"})).table
    assert table.rows == ((1, "1", "Ann"),)


def test_a_table_that_is_not_there_is_refused(run: Runner, sales: Tables) -> None:
    with pytest.raises(StepFailed, match="wanted a table, got 'shops'"):
        run(sales, ("join", {"table": "shops", "key": "region", "other_key": "region"}))
