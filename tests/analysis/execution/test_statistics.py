"""Statistics against scipy on the same values, and against SQL by hand."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from scipy import stats

from analysis.execution.failures import StepFailed
from tests.analysis.execution.conftest import Runner, Tables


@pytest.fixture
def pairs() -> list[dict[str, float]]:
    rng = random.Random(3)
    return [{"x": float(x), "y": x + rng.gauss(0, 4)} for x in [rng.randrange(8) for _ in range(60)]]


def test_summary_of_each_metric_and_group(run: Runner, sales: Tables) -> None:
    params = {"metrics": ["price", "units"], "group_by": ["product"]}
    table = run(sales, ("compute_summary_stats", params)).table
    assert table.columns[:4] == ("product", "metric", "count", "missing")
    rows = {row[:2]: row[2:] for row in table.rows}
    assert rows["pen", "price"] == (2, 1, 15.0, pytest.approx(7.0710678), 10.0, 12.5, 15.0, 17.5, 20.0)
    assert rows["book", "units"][:3] == (2, 0, 3.0)


def test_coefficients_are_those_of_scipy(
    run: Runner, make_source: Callable[..., Tables], pairs: list[dict[str, float]]
) -> None:
    values = dict(zip(*_row(run(make_source(t=pairs), ("correlate", {"x": "x", "y": "y"})).table), strict=True))
    x, y = [pair["x"] for pair in pairs], [pair["y"] for pair in pairs]
    pearson, spearman = stats.pearsonr(x, y), stats.spearmanr(x, y)
    assert values["n"] == 60
    assert (values["pearson"], values["pearson_p"]) == pytest.approx((pearson.statistic, pearson.pvalue))
    assert (values["spearman"], values["spearman_p"]) == pytest.approx((spearman.statistic, spearman.pvalue))


def _row(table: Any) -> tuple[Any, Any]:
    return table.columns, table.rows[0]


@pytest.mark.parametrize(
    "content", ["1.0 AS x, 2.0 AS y", "i AS x, 5 AS y FROM range(0, 9) AS r(i)", "1 AS x, 2 AS y WHERE false"]
)
def test_no_coefficient_of_what_does_not_vary(run: Runner, make_source: Callable[..., Tables], content: str) -> None:
    (row,) = run(make_source(t=content), ("correlate", {"x": "x", "y": "y"})).table.rows
    assert row[1:] == (None, None, None, None)


def test_rows_beyond_the_fences(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="unnest([1, 2, 3, 4, 5, 6, 7, 8, 9, 100, -80, NULL]) AS n")
    execution = run(source, ("detect_anomalies", {"metric": "n"}))
    assert execution.table.columns == ("n", "lower", "upper")
    assert execution.table.rows == ((100, -5.0, 15.0), (-80, -5.0, 15.0))


def test_anomalies_come_with_their_method(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="unnest([1, 2, 3, 4, 5, 6, 7, 8, 9, 100, -80, NULL]) AS n")
    (statistic,) = run(source, ("detect_anomalies", {"metric": "n", "factor": 3})).statistics
    assert statistic.method.startswith("Tukey's fences: 3 times")
    assert statistic.values == {"lower": -12.5, "upper": 22.5}


def test_what_is_no_number_hides_no_anomaly(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="unnest([1, 2, 3, 4, 5, 6, 7, 8, 9, 100, 'NaN'::DOUBLE, 'NaN'::DOUBLE, 'NaN'::DOUBLE]) AS n")
    assert [row[0] for row in run(source, ("detect_anomalies", {"metric": "n"})).table.rows] == [100]


def test_a_rising_series(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(
        t="DATE '2024-01-01' + INTERVAL (i) MONTH AS month, 3.0 * i + i % 2 AS n FROM range(0, 12) AS r(i)"
    )
    (statistic,) = run(source, ("detect_trend", {"time": "month", "metric": "n"})).statistics
    assert statistic.values["direction"] == "rising"
    assert statistic.values["slope"] == pytest.approx(3.0, abs=0.2)
    assert statistic.values["n"] == 12
    assert statistic.values["p"] < 0.001


@pytest.mark.parametrize(
    "content", ["i AS t, 5 AS n FROM range(0, 9) AS r(i)", "1 AS t, 2 AS n", "1 AS t, 2 AS n WHERE false"]
)
def test_no_trend_where_nothing_changes(run: Runner, make_source: Callable[..., Tables], content: str) -> None:
    (statistic,) = run(make_source(t=content), ("detect_trend", {"time": "t", "metric": "n"})).statistics
    assert statistic.values["direction"] == "none"
    assert statistic.values["p"] is None


def test_a_trend_of_too_many_points_is_refused(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="i AS t, i AS n FROM range(0, 10001) AS r(i)")
    with pytest.raises(StepFailed, match="at most 10000 points"):
        run(source, ("detect_trend", {"time": "t", "metric": "n"}))


def test_a_forecast_repeats_the_season(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(
        t="(DATE '2022-01-01' + INTERVAL (i) MONTH)::DATE AS month, i % 12 AS n FROM range(0, 26) AS r(i)"
    )
    table = run(source, ("forecast_naive", {"time": "month", "metric": "n", "periods": 2})).table
    assert table.columns == ("month", "n", "forecast")
    assert table.rows == (("2024-03-01", 2.0, True), ("2024-04-01", 3.0, True))


def test_a_short_series_goes_on_with_its_last_value(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="2020 + i AS year, i * 10 AS n FROM range(0, 4) AS r(i)")
    table = run(source, ("forecast_naive", {"time": "year", "metric": "n"})).table
    assert table.rows == ((2024, 30.0, True), (2025, 30.0, True), (2026, 30.0, True))


def test_each_group_is_forecast_by_itself(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(
        t="2020 + i AS year, shop, i * size AS n FROM range(0, 4) AS r(i), (VALUES ('a', 1), ('b', 9)) AS s(shop, size)"
    )
    params = {"time": "year", "metric": "n", "periods": 1, "group_by": ["shop"]}
    table = run(source, ("forecast_naive", params)).table
    assert table.columns == ("year", "shop", "n", "forecast")
    assert sorted(table.rows) == [(2024, "a", 3.0, True), (2024, "b", 27.0, True)]


def test_a_group_that_has_ended_goes_on_with_its_last_value_in_the_periods_of_all(
    run: Runner, make_source: Callable[..., Tables]
) -> None:
    source = make_source(t="* FROM (VALUES (2020, 'a', 1), (2021, 'a', 2), (2020, 'b', 3)) AS t(year, shop, n)")
    params = {"time": "year", "metric": "n", "periods": 1, "group_by": ["shop"]}
    assert sorted(run(source, ("forecast_naive", params)).table.rows) == [
        (2022, "a", 2.0, True),
        (2022, "b", 3.0, True),
    ]


MONTHS = "(DATE '2022-01-01' + INTERVAL (i) MONTH)::DATE AS month, i AS n FROM range(0, 36) AS r(i)"


@pytest.mark.parametrize(
    ("missing", "expected"),
    [("i <> 30", (24, 25)), ("i <> 24", (12, 25)), ("i NOT IN (12, 24)", (0, 25))],
    ids=["in between", "the season before", "two seasons"],
)
def test_a_missing_period_shifts_no_season(
    run: Runner, make_source: Callable[..., Tables], missing: str, expected: tuple[int, int]
) -> None:
    source = make_source(t=f"{MONTHS} WHERE {missing}")
    table = run(source, ("forecast_naive", {"time": "month", "metric": "n", "periods": 2})).table
    assert [(row[0], row[1]) for row in table.rows] == [("2025-01-01", expected[0]), ("2025-02-01", expected[1])]


def test_a_forecast_of_months_of_the_year_is_refused(run: Runner, make_source: Callable[..., Tables]) -> None:
    cyclic = ("parse_datetime", {"column": "month", "grain": "month_of_year"})
    summed = ("aggregate", {"group_by": ["month"], "agg_func": "sum", "metrics": ["n"]})
    with pytest.raises(StepFailed, match="month, of numbers"):
        run(make_source(t=MONTHS), cyclic, summed, ("forecast_naive", {"time": "month", "metric": "n"}))


def test_a_forecast_beyond_the_last_year_is_refused(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="(DATE '9999-10-01' + INTERVAL (i) MONTH)::DATE AS month, i AS n FROM range(0, 3) AS r(i)")
    with pytest.raises(StepFailed, match="dates of the years 1 to 9999"):
        run(source, ("forecast_naive", {"time": "month", "metric": "n"}))


def test_a_trend_over_what_has_no_order_names_the_times(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="[1, 2] AS pair, DATE '2024-01-01' AS day, 3 AS n")
    with pytest.raises(StepFailed, match="Use one of: day"):
        run(source, ("detect_trend", {"time": "pair", "metric": "n"}))


@pytest.mark.parametrize(
    ("step", "following"),
    [("7 DAY", "2024-01-22"), ("1 DAY", "2024-01-04"), ("3 MONTH", "2024-10-01"), ("1 YEAR", "2027-01-01")],
)
def test_the_next_period_is_found(run: Runner, make_source: Callable[..., Tables], step: str, following: str) -> None:
    source = make_source(t=f"(DATE '2024-01-01' + i * INTERVAL {step})::DATE AS day, i AS n FROM range(0, 3) AS r(i)")
    rows = run(source, ("forecast_naive", {"time": "day", "metric": "n", "periods": 1})).table.rows
    assert rows[0][0] == following


def test_a_series_of_several_values_for_a_period_is_refused(run: Runner, sales: Tables) -> None:
    steps = (
        ("parse_datetime", {"column": "sold", "grain": "month"}),
        ("forecast_naive", {"time": "sold", "metric": "units"}),
    )
    with pytest.raises(StepFailed, match="a single value for each period"):
        run(sales, *steps)


def test_bands_of_a_histogram_hold_every_value(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="unnest([0, 1, 2, 3, 10, NULL]) AS n")
    execution = run(source, ("histogram", {"column": "n", "bins": 5}))
    assert execution.table.columns == ("from", "to", "count")
    assert execution.table.rows == ((0, 2, 2), (2, 4, 2), (4, 6, 0), (6, 8, 0), (8, 10, 1))
    (chart,) = execution.charts
    assert (chart.type, chart.x, chart.y, chart.aggregate) == ("histogram", "n", None, "count")
    assert chart.table == execution.table


def test_histograms_of_text_and_of_dates_count_categories_and_periods(run: Runner, sales: Tables) -> None:
    assert run(sales, ("histogram", {"column": "product"})).table.rows == (("book", 2), ("pen", 3))
    months = run(sales, ("histogram", {"column": "sold"})).table.rows
    assert months == (("2024-01-01", 2), ("2024-02-01", 2), ("2024-04-01", 1))


def test_a_histogram_of_no_values_has_no_bands(run: Runner, make_source: Callable[..., Tables]) -> None:
    assert run(make_source(t="NULL::DOUBLE AS n"), ("histogram", {"column": "n"})).table.rows == ()
