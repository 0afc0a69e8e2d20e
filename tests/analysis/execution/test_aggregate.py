"""Figures of groups, against tables computed by hand."""

from collections.abc import Callable

import pytest

from analysis.contracts.naming import result_names
from tests.analysis.execution.conftest import Runner, Tables


def test_groups_are_in_order_and_the_one_without_a_key_stays(run: Runner, sales: Tables) -> None:
    params = {"group_by": ["region"], "agg_func": "sum", "metrics": ["price", "units"]}
    table = run(sales, ("aggregate", params)).table
    assert table.columns == ("region", "price", "units")
    assert table.rows == (("North", 40.0, 3), ("South", 20.0, 4), (None, 40.0, 5))


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("sum", 100.0), ("mean", 25.0), ("median", 25.0), ("min", 10.0), ("max", 40.0), ("count", 4),
        ("count_distinct", 4), ("std", pytest.approx(12.909944487)),
    ],
)  # fmt: skip
def test_every_function_leaves_missing_values_out(run: Runner, sales: Tables, function: str, expected: float) -> None:
    (row,) = run(sales, ("aggregate", {"agg_func": function, "metrics": ["price"]})).table.rows
    assert row == (expected,)


def test_a_median_lies_between_the_two_in_the_middle(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="unnest([1, 2, 4, 8]) AS n")
    assert run(source, ("aggregate", {"agg_func": "median", "metrics": ["n"]})).table.rows == ((3.0,),)


def test_several_functions_of_a_column_get_names_of_their_own(run: Runner, sales: Tables) -> None:
    params = {"agg_func": ["min", "max", "count"], "metrics": ["price", "price", "*"]}
    table = run(sales, ("aggregate", params)).table
    assert table.columns == ("min_price", "max_price", "count")
    assert table.rows == ((10.0, 40.0, 5),)


def test_a_metric_grouped_by_itself_gets_another_name(run: Runner, sales: Tables) -> None:
    params = {"group_by": ["units"], "agg_func": "sum", "metrics": ["units"]}
    table = run(sales, ("aggregate", params)).table
    assert table.columns == ("units", *result_names(["units"], "sum", ["units"]))
    assert table.rows == ((0, 0), (1, 1), (2, 2), (4, 4), (5, 5))


def test_no_rows_give_one_row_without_groups_and_none_with(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="1.5 AS n, 'a' AS k WHERE false")
    total = run(source, ("aggregate", {"agg_func": ["sum", "count"], "metrics": ["n", "*"]}))
    assert total.table.rows == ((None, 0),)
    groups = run(source, ("aggregate", {"group_by": ["k"], "agg_func": "sum", "metrics": ["n"]}))
    assert groups.table.rows == ()


def test_share_after_an_aggregate_is_of_all_rows(run: Runner, sales: Tables) -> None:
    aggregated = ("aggregate", {"group_by": ["region"], "agg_func": "sum", "metrics": ["price"]})
    table = run(sales, aggregated, ("share", {"metric": "price"})).table
    assert table.columns == ("region", "price", "share", "percent")
    assert [row[2:] for row in table.rows] == [(0.4, 40.0), (0.2, 20.0), (0.4, 40.0)]


def test_share_of_rows_that_meet_conditions(run: Runner, sales: Tables) -> None:
    where = [{"column": "product", "op": "=", "value": "pen"}]
    table = run(sales, ("share", {"where": where, "group_by": ["region"]})).table
    assert table.columns == ("region", "part", "whole", "share", "percent")
    assert table.rows == (("North", 1, 2, 0.5, 50.0), ("South", 2, 2, 1.0, 100.0), (None, 0, 1, 0.0, 0.0))


def test_share_of_a_sum_counts_a_missing_condition_as_not_met(run: Runner, sales: Tables) -> None:
    where = [{"column": "paid", "op": "=", "value": True}]
    table = run(sales, ("share", {"metric": "units", "where": where})).table
    assert table.rows == ((6, 12, 0.5, 50.0),)


def test_share_of_nothing_is_missing(run: Runner, sales: Tables) -> None:
    where = [{"column": "product", "op": "=", "value": "cup"}]
    none = run(sales, ("filter", {"where": where}), ("share", {"where": where}))
    assert none.table.rows[0][2:] == (None, None)


def test_pivot_makes_a_column_of_each_value(run: Runner, sales: Tables) -> None:
    aggregated = ("aggregate", {"group_by": ["region", "product"], "agg_func": "sum", "metrics": ["units"]})
    table = run(sales, aggregated, ("pivot", {"rows": "region", "columns": "product", "values": "units"})).table
    assert table.columns == ("region", "book", "pen")
    assert table.rows == (("North", 1, 2), ("South", None, 4), (None, 5, None))


def test_pivot_keeps_values_apart_that_differ_in_capitals(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="* FROM (VALUES ('x', 'A', 1), ('x', 'a', 2), ('x', NULL, 4)) AS t(r, c, v)")
    table = run(source, ("pivot", {"rows": "r", "columns": "c", "values": "v"})).table
    assert len(table.columns) == 4
    assert sorted(table.rows[0][1:]) == [1, 2, 4]


def test_bands_are_round_and_in_the_order_of_their_numbers(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="i AS age FROM range(0, 110) AS r(i)")
    steps = ("segment", {"column": "age", "bands": 11}), ("aggregate", {"group_by": ["age"], "agg_func": "count"})
    table = run(source, *steps).table
    assert table.rows == tuple((f"[{low}, {low + 10})", 10) for low in range(0, 110, 10))


def test_the_rarer_categories_are_together(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="CASE WHEN i < 60 THEN i % 20 ELSE i END || '' AS city FROM range(0, 100) AS r(i)")
    steps = ("segment", {"column": "city"}), ("aggregate", {"group_by": ["city"], "agg_func": "count"})
    rows = dict(run(source, *steps).table.rows)
    assert len(rows) == 21
    assert rows["other"] == 40


def test_a_column_named_as_a_figure_but_for_capitals(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t='i % 3 AS "Count" FROM range(0, 9) AS r(i)')
    counted = ("aggregate", {"group_by": ["Count"], "agg_func": "count"})
    table = run(source, counted, ("share", {"metric": "count_2"})).table
    assert table.columns == ("Count", "count_2", "share", "percent")
    assert [row[:2] for row in table.rows] == [(0, 3), (1, 3), (2, 3)]
