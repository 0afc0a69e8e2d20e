"""Known faults of a plan are mended, each with a record; what cannot be mended is refused in plain words."""

from collections.abc import Callable
from typing import Any

import pytest

from analysis.contracts.plans import Repair
from analysis.contracts.requirements import Requirements
from analysis.contracts.results import Execution
from analysis.execution.failures import StepFailed
from tests.analysis.execution.conftest import Runner, Tables


def changes(execution: Execution) -> list[tuple[str, Any, Any]]:
    return [(repair.param, repair.before, repair.after) for repair in execution.repairs]


def test_a_column_in_other_capitals_and_accents(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="""'Madrid' AS "Región", 3 AS "unit_price" """)
    params = {"group_by": ["region"], "agg_func": "sum", "metrics": ["Unit Price"]}
    execution = run(source, ("aggregate", params))
    assert execution.table.rows == (("Madrid", 3),)
    assert changes(execution) == [
        ("group_by", ["region"], ["Región"]),
        ("metrics", ["Unit Price"], ["unit_price"]),
    ]
    assert all(
        (repair.step, repair.tool, bool(repair.reason)) == (1, "aggregate", True) for repair in execution.repairs
    )


def test_a_citation_still_holds_where_its_column_was_repaired(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="""'Madrid' AS "Región", 3 AS n""")
    requirements = Requirements(metrics=("n",), group_by=("REGION",), analysis=("total",))
    params = {"group_by": ["REGION"], "agg_func": "sum", "metrics": ["n"]}
    execution = run(source, ("aggregate", params, requirements.keys()), requirements=requirements)
    assert execution.plan.steps[0].params["group_by"] == ["Región"]
    assert execution.plan.steps[0].requirement == requirements.keys()
    assert execution.coverage.valid


def test_a_name_that_fits_two_columns_is_not_guessed(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="""1 AS "unit_price", 2 AS "unit price" """)
    with pytest.raises(StepFailed, match="'unit-price'"):
        run(source, ("select", {"columns": ["unit-price"]}))


@pytest.mark.parametrize(
    ("text", "expected", "words"),
    [
        (["2024-03-05", "2024-12-31", "2024-02-30"], ["2024-03-01", "2024-12-01"], "2024-12-31"),
        (["05/03/2024", "31/12/2024", "1/2/2024"], ["2024-03-01", "2024-12-01", "2024-02-01"], "31/12/2024"),
        (["03/05/2024", "12/31/2024", "2/1/2024"], ["2024-03-01", "2024-12-01", "2024-02-01"], "12/31/2024"),
        (["20240305", "20241231", None], ["2024-03-01", "2024-12-01"], "20241231"),
        (["2024-03-05 10:11:12", "2024-12-31T23:59", ""] * 9 + ["2024-01-01 00:00"] * 80, None, "23:59"),
    ],
)
def test_dates_as_text(
    run: Runner, make_source: Callable[..., Tables], text: list[str | None], expected: list[str] | None, words: str
) -> None:
    source = make_source(t=[{"at": value} for value in text])
    execution = run(source, ("parse_datetime", {"column": "at", "grain": "month"}))
    (repair,) = execution.repairs
    assert (repair.param, repair.before, repair.after) == ("at", "text", "date")
    assert words in repair.reason
    assert expected is None or [row[0] for row in execution.table.rows] == expected


def test_rows_without_a_time_are_in_no_period(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="unnest([DATE '2024-03-05', NULL, DATE '2024-03-09']) AS closed")
    execution = run(
        source,
        ("parse_datetime", {"column": "closed", "grain": "month"}),
        ("aggregate", {"group_by": ["closed"], "agg_func": "count", "metrics": ["*"]}),
    )
    assert [row[1] for row in execution.table.rows] == [2]


def test_text_that_is_no_date_is_refused(run: Runner, sales: Tables) -> None:
    with pytest.raises(StepFailed, match=r"wanted a column of times, got product, of the type string.*sold"):
        run(sales, ("parse_datetime", {"column": "product"}))


def test_dates_as_text_are_held_against_dates(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="unnest(['28/02/2024', '01/12/2023', '15/01/2024']) AS at")
    execution = run(source, ("filter", {"where": [{"column": "at", "op": ">=", "value": "2024-01-01"}]}))
    assert [row[0] for row in execution.table.rows] == ["2024-02-28", "2024-01-15"]


@pytest.mark.parametrize(
    ("grain", "column", "after"), [("hour", "day", "day"), ("hour", "midnight", "day"), ("month", "year", "year")]
)
def test_a_period_finer_than_the_data(
    run: Runner, make_source: Callable[..., Tables], grain: str, column: str, after: str
) -> None:
    source = make_source(t="DATE '2024-03-05' AS day, TIMESTAMP '2024-03-05' AS midnight, 2024 AS year")
    execution = run(source, ("parse_datetime", {"column": column, "grain": grain}))
    assert changes(execution) == [("grain", grain, after)]


@pytest.mark.parametrize(("days", "grain"), [(0, "hour"), (1, "day"), (30, "day"), (500, "month"), (4000, "year")])
def test_a_period_that_nobody_named(run: Runner, make_source: Callable[..., Tables], days: int, grain: str) -> None:
    source = make_source(
        t=f"unnest([TIMESTAMP '2010-01-01 01:00', TIMESTAMP '2010-01-01 02:00' + {days} * INTERVAL 1 DAY]) AS at"
    )
    execution = run(source, ("parse_datetime", {"column": "at", "grain": "unknown"}))
    assert changes(execution) == [("grain", None, grain)]


def test_numbers_that_are_no_years_are_no_times(run: Runner, sales: Tables) -> None:
    with pytest.raises(StepFailed, match="wanted a column of times, got units, of numbers"):
        run(sales, ("parse_datetime", {"column": "units", "grain": "month"}))


def test_a_sum_of_text_counts_it_and_later_steps_follow(run: Runner, sales: Tables) -> None:
    aggregated = ("aggregate", {"group_by": ["region"], "agg_func": "sum", "metrics": ["product"]})
    execution = run(sales, aggregated, ("rank", {"by": "product", "direction": "desc"}))
    assert execution.table.columns == ("region", "count_product")
    assert changes(execution) == [("agg_func", "sum", "count"), ("by", "product", "count_product")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [(["1,234.50", "2", " 3 € "], 1239.5), (["1.234,50", "2,5", "-3"], 1234.0), (["10 %", "20%", None], 30.0)],
)
def test_numbers_as_text_are_added_up(
    run: Runner, make_source: Callable[..., Tables], text: list[str | None], expected: float
) -> None:
    source = make_source(t=[{"n": value} for value in text])
    execution = run(source, ("aggregate", {"agg_func": "sum", "metrics": ["n"]}))
    assert execution.table.rows == ((expected,),)
    assert changes(execution) == [("n", "text", "number")]


def test_a_division_by_zero_is_said(run: Runner, sales: Tables) -> None:
    params = {"name": "each", "operator": "divide", "left": "price", "right": "units"}
    execution = run(sales, ("derive", params))
    assert [row[-1] for row in execution.table.rows] == [5.0, 30.0, 5.0, None, 8.0]
    assert changes(execution) == [("right", 0, None)]
    assert execution.repairs[0].reason.startswith("1 rows")


def test_a_step_goes_back_to_the_rows_that_have_its_columns(run: Runner, sales: Tables) -> None:
    steps = ("correlate", {"x": "price", "y": "units"}), ("plot_scatter", {"x": "price", "y": "units"})
    execution = run(sales, *steps)
    assert len(execution.charts[0].table.rows) == 4
    assert changes(execution) == [("df", "the table of step 1", "the table")]


def test_an_order_of_figures_does_not_go_back_to_rows(run: Runner, sales: Tables) -> None:
    aggregated = ("aggregate", {"group_by": ["region"], "agg_func": "sum", "metrics": ["price"]})
    with pytest.raises(StepFailed, match=r"Step 2 \(rank\): wanted a column of the table, got 'units'"):
        run(sales, aggregated, ("rank", {"by": "units", "direction": "desc"}))


@pytest.mark.parametrize(
    ("tool", "params", "change"),
    [
        ("aggregate", {"agg_func": "avg", "metrics": ["price"]}, ("agg_func", "avg", "mean")),
        ("aggregate", {"agg_func": "count", "df": "sales"}, ("df", "sales", None)),
        ("aggregate", {"agg_func": "count", "Metrics": ["*"]}, ("metrics", "Metrics", "metrics")),
        ("rank", {"by": "price", "direction": "descending"}, ("direction", "descending", "desc")),
        ("rank", {"by": "price", "direction": "desc", "limit": "3"}, ("limit", "3", 3)),
        ("rank", {"by": "price", "direction": "desc", "limit": "few"}, ("limit", "few", None)),
        ("rank", {"by": ["price"], "direction": "desc"}, ("by", ["price"], "price")),
        ("rank", {"by": "price"}, ("direction", None, "desc")),
        ("plot_bar", {"x": "product", "y": "price", "color": "shop"}, ("color", "shop", None)),
        ("forecast_naive", {"metric": "units"}, ("time", None, "sold")),
        (
            "filter",
            {"where": [{"column": "price", "op": "≥", "value": 10}]},
            ("where", [{"column": "price", "op": "≥", "value": 10}], [{"column": "price", "op": ">=", "value": 10}]),
        ),
        (
            "filter",
            {"where": {"region": ["North"]}},
            ("where", [{"region": ["North"]}], [{"column": "region", "op": "in", "value": ["North"]}]),
        ),
    ],
)
def test_parameters(
    run: Runner, sales: Tables, tool: str, params: dict[str, Any], change: tuple[str, Any, Any]
) -> None:
    assert changes(run(sales, (tool, params))) == [change]


@pytest.mark.parametrize(
    ("tool", "params", "message"),
    [
        ("plot_ring", {}, r"Step 1 \(plot_ring\): wanted a tool of the catalog, got 'plot_ring'.*plot_line"),
        ("rank", {"by": "prise", "direction": "desc"}, r"got 'prise'. Use one of: price"),
        ("rank", {"by": "price", "direction": "desc", "limit": 0}, r"wanted limit \(integer\), got 0\. Give a whole"),
        ("rank", {"by": "price", "direction": "sideways"}, r"wanted direction \(asc \| desc\), got 'sideways'"),
        (
            "aggregate",
            {"agg_func": "mode", "metrics": ["price"]},
            r"wanted agg_func \(sum \| mean .*got 'mode'\. Use one of",
        ),
        ("aggregate", {"metrics": ["price"]}, r"wanted agg_func \(functions\), got nothing"),
        ("aggregate", {"agg_func": ["sum", "min"], "metrics": ["price"] * 3}, r"a function for each of 3 metrics"),
        ("plot_line", {"x": "sold", "y": "product"}, r"wanted a column of numbers, got product, of the type string"),
        ("filter", {"where": "price > 5"}, r"wanted where \(filters\).*Write each condition as"),
        ("filter", {"where": [{"column": "price", "op": "between", "value": [None, 5]}]}, r"wanted where \(filters\)"),
        ("filter", {"where": [{"column": "sold", "op": "=", "value": 1, "grain": "era"}]}, r"wanted where \(filters\)"),
        (
            "filter",
            {"where": [{"column": "sold", "op": "=", "value": 1, "grain": "hour"}]},
            r"a column with times of day",
        ),
        ("forecast_naive", {"time": "sold", "metric": "units", "periods": 100_000}, r"wanted at most 1000 periods"),
        ("filter", {"where": [{"column": "price", "op": "near", "value": 5}]}, r"wanted where \(filters\)"),
        ("select", {"columns": [1]}, r"wanted columns \(columns\), got \[1\]"),
        ("share", {}, r"wanted a metric to take the share of"),
    ],
)
def test_what_cannot_be_mended(run: Runner, sales: Tables, tool: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(StepFailed, match=message) as refused:
        run(sales, (tool, params))
    assert refused.value.places[0][0] == "/steps/0"


def test_what_the_engine_refuses_comes_with_what_would_mend_it(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="5000000000000000000 AS n, DATE '2024-01-01' AS day")
    with pytest.raises(StepFailed, match=r"a query that the engine can run.*Filter out the rows"):
        run(source, ("derive", {"name": "square", "operator": "multiply", "left": "n", "right": "n"}))
    where = [{"column": "day", "op": "=", "value": {"column": "n"}}]
    with pytest.raises(StepFailed, match=r"columns that go together.*Use columns of the same type"):
        run(source, ("filter", {"where": where}))


def test_a_repair_is_a_value_that_can_be_stored(run: Runner, sales: Tables) -> None:
    execution = run(sales, ("rank", {"by": "PRICE", "direction": "desc"}))
    (repair,) = execution.repairs
    assert Repair.model_validate_json(repair.model_dump_json()) == repair


def test_reasons_and_refusals_are_in_the_language_of_the_question(run: Runner, sales: Tables) -> None:
    execution = run(sales, ("rank", {"by": "PRICE", "direction": "desc"}), language="es")
    assert execution.repairs[0].reason == "En la tabla, la columna se escribe de otra manera."
    with pytest.raises(StepFailed, match=r"Paso 1 \(plot_ring\): se esperaba"):
        run(sales, ("plot_ring", {}), language="es")
    with pytest.raises(StepFailed, match=r"Paso 1 \(detect_trend\): se esperaba"):
        run(_repeated(sales), ("detect_trend", {"time": "n", "metric": "n"}), language="es")


def _repeated(source: Tables) -> Tables:
    """A series of too many points, which is seen when the results are there."""
    source.backend.con.execute("CREATE VIEW many AS SELECT i AS n FROM range(0, 10001) AS r(i)")
    return Tables(source.backend, {"many": source.backend.table("many")})
