"""Charts: their shape, their data, and what is done with too much of it."""

from collections.abc import Callable

import pytest

from tests.analysis.execution.conftest import Runner, Tables

CITIES = """'city ' || lpad((i % 100)::VARCHAR, 2, '0') AS city, i % 100 AS n FROM range(0, 300) AS r(i)"""


@pytest.fixture
def cities(make_source: Callable[..., Tables]) -> Tables:
    """A hundred cities, the largest last."""
    return make_source(t=CITIES)


def by_city(function: str) -> tuple[str, dict[str, object]]:
    return "aggregate", {"group_by": ["city"], "agg_func": function, "metrics": ["n"]}


def test_a_chart_of_the_result_is_no_query_of_its_own(run: Runner, sales: Tables) -> None:
    aggregated = ("aggregate", {"group_by": ["sold", "product"], "agg_func": "sum", "metrics": ["units"]})
    drawn = ("plot_line", {"x": "sold", "y": "units", "color": "product"})
    execution = run(sales, aggregated, drawn, ("table", {"columns": ["product", "units", "sold"]}))
    assert len(execution.sql) == 1
    (chart,) = execution.charts
    assert (chart.type, chart.x, chart.y, chart.aggregate, chart.color) == ("line", "sold", "units", "sum", "product")
    assert chart.table.columns == ("sold", "units", "product")
    assert [row[0] for row in chart.table.rows] == sorted(row[2] for row in execution.table.rows)


def test_counted_rows_have_no_y(run: Runner, sales: Tables) -> None:
    aggregated = ("aggregate", {"group_by": ["product"], "agg_func": "count", "metrics": ["*"]})
    (chart,) = run(sales, aggregated, ("plot_bar", {"x": "product", "y": "count"})).charts
    assert (chart.y, chart.aggregate) == (None, "count")
    assert chart.table.rows == (("book", 2), ("pen", 3))


def test_a_figure_is_named_by_its_column_and_function(run: Runner, sales: Tables) -> None:
    aggregated = (
        "aggregate",
        {"group_by": ["product"], "agg_func": ["mean", "count_distinct"], "metrics": ["price", "region"]},
    )
    charts = run(
        sales, aggregated, ("plot_bar", {"x": "product", "y": "price"}),
        ("plot_bar", {"x": "product", "y": "count_distinct_region"}),
    ).charts  # fmt: skip
    assert [(chart.y, chart.aggregate) for chart in charts] == [("price", "avg"), ("region", "count_distinct")]


def test_the_rest_of_too_many_sums_is_one_bar(run: Runner, cities: Tables) -> None:
    (chart,) = run(cities, by_city("sum"), ("plot_bar", {"x": "city", "y": "n"}), language="es").charts
    rows = dict(chart.table.rows)
    assert len(rows) == 30
    assert chart.table.rows[0] == ("city 99", 297)
    assert chart.table.rows[-1][1] == sum(3 * n for n in range(71))
    assert "29" in chart.note
    assert "100" in chart.note


def test_means_are_not_added_up(run: Runner, cities: Tables) -> None:
    (chart,) = run(cities, by_city("mean"), ("plot_bar", {"x": "city", "y": "n"})).charts
    assert len(chart.table.rows) == 30
    assert {name for name, _value in chart.table.rows} == {f"city {n}" for n in range(70, 100)}
    assert chart.note == "30 of 100 values of city are drawn."


def test_a_pie_of_means_adds_up_nothing(run: Runner, cities: Tables) -> None:
    (chart,) = run(cities, by_city("mean"), ("plot_pie", {"x": "city", "y": "n"})).charts
    assert [name for name, _value in chart.table.rows] == [f"city {n}" for n in range(88, 100)]


def test_a_chart_of_too_many_categories_is_a_repair(run: Runner, cities: Tables) -> None:
    (repair,) = run(cities, by_city("mean"), ("plot_bar", {"x": "city", "y": "n"})).repairs
    assert (repair.step, repair.tool, repair.param, repair.before, repair.after) == (2, "plot_bar", "x", 100, 30)
    assert repair.reason == "30 of 100 values of city are drawn."


def test_a_line_over_too_many_texts_keeps_the_largest(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="'item ' || i AS item, i AS n FROM range(0, 300) AS r(i)")
    aggregated = ("aggregate", {"group_by": ["item"], "agg_func": "sum", "metrics": ["n"]})
    (chart,) = run(source, aggregated, ("plot_line", {"x": "item", "y": "n"})).charts
    assert len(chart.table.rows) == 100
    assert sum(row[1] for row in chart.table.rows) == sum(range(300))
    assert chart.note.startswith("99 of 300 values of item are drawn")


@pytest.mark.parametrize(("function", "total"), [("sum", 30_000), ("mean", 2_500)])
def test_a_heat_map_of_too_many_cells_keeps_the_largest(
    run: Runner, make_source: Callable[..., Tables], function: str, total: int
) -> None:
    source = make_source(t="'x' || (i % 100) AS x, 'y' || (i // 100) AS y, 1 AS n FROM range(0, 30000) AS r(i)")
    aggregated = ("aggregate", {"group_by": ["x", "y"], "agg_func": function, "metrics": ["n"]})
    execution = run(source, aggregated, ("plot_heatmap", {"x": "x", "y": "y", "color": "n"}))
    (chart,) = execution.charts
    assert len(chart.table.rows) == 50 * 50
    assert sum(row[2] for row in chart.table.rows) == total
    assert [(repair.param, repair.before) for repair in execution.repairs] == [("x", 100), ("y", 300)]


def test_parts_of_a_whole_stay_whole(run: Runner, cities: Tables) -> None:
    steps = by_city("sum"), ("share", {"metric": "n"}), ("plot_pie", {"x": "city", "y": "share"})
    (chart,) = run(cities, *steps).charts
    assert len(chart.table.rows) == 12
    assert sum(part for _name, part in chart.table.rows) == pytest.approx(1)


def test_more_lines_than_colors(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="i % 4 AS month, 'c' || (i % 40) AS name, 1 AS n FROM range(0, 400) AS r(i)")
    aggregated = ("aggregate", {"group_by": ["month", "name"], "agg_func": "sum", "metrics": ["n"]})
    (chart,) = run(source, aggregated, ("plot_line", {"x": "month", "y": "n", "color": "name"})).charts
    assert len({row[2] for row in chart.table.rows}) <= 12
    assert sum(row[1] for row in chart.table.rows) == 400


def test_days_are_no_categories(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="DATE '2024-01-01' + i::INTEGER AS day, i AS n FROM range(0, 200) AS r(i)")
    (chart,) = run(source, ("plot_bar", {"x": "day", "y": "n"})).charts
    assert len(chart.table.rows) == 200
    assert chart.note == ""


def test_too_many_points_are_thinned_the_same_way_each_time(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="i AS x, i * 2 AS y FROM range(0, 9000) AS r(i)")
    first, second = (run(source, ("plot_scatter", {"x": "x", "y": "y"})).charts[0] for _time in range(2))
    assert len(first.table.rows) == 1800
    assert first == second
    assert first.note == "Every 5th of 9000 points is drawn."


def test_a_scatter_of_rows_leaves_the_table_of_their_correlation(run: Runner, sales: Tables) -> None:
    pair = {"x": "price", "y": "units"}
    assert run(sales, ("plot_scatter", pair)).table.columns == ("region", "product", "sold", "price", "units", "paid")
    assert run(sales, ("correlate", pair), ("plot_scatter", pair)).table.columns[:2] == ("n", "pearson")


def test_a_box_has_five_figures_for_each_category(run: Runner, sales: Tables) -> None:
    (chart,) = run(sales, ("plot_box", {"y": "units", "x": "product"})).charts
    assert chart.table.columns == ("product", "min", "q1", "median", "q3", "max")
    assert chart.table.rows == (("book", 1, 2, 3, 4, 5), ("pen", 0, 1, 2, 3, 4))


def test_a_box_of_a_number_by_itself_is_one_box(run: Runner, sales: Tables) -> None:
    (chart,) = run(sales, ("plot_box", {"y": "units", "x": "units"})).charts
    assert (chart.x, chart.table.rows) == (None, ((0, 1, 2, 4, 5),))


def test_a_heat_map_has_its_figure_in_color(run: Runner, sales: Tables) -> None:
    aggregated = ("aggregate", {"group_by": ["region", "product"], "agg_func": "sum", "metrics": ["units"]})
    (chart,) = run(sales, aggregated, ("plot_heatmap", {"x": "region", "y": "product", "color": "units"})).charts
    assert (chart.y, chart.color, chart.aggregate) == ("product", "units", "sum")
    assert chart.table.columns == ("region", "product", "units")
