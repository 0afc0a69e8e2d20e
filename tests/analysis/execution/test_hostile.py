"""Names and values that are made to break queries; tables that have next to nothing in them."""

from collections.abc import Callable

import pytest

from analysis.execution.failures import StepFailed
from tests.analysis.execution.conftest import Runner, StepParts, Tables

NAMES = [
    'say "hi"', "it's", "x'); DROP TABLE t; --", "precio (€) año", "n" * 300, "self", "select", "count", "mean",
    "%s {x}", "a.b", "*x", "_", "ß", "t0", "value", "key",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_column_may_have_any_name(run: Runner, make_source: Callable[..., Tables], name: str) -> None:
    source = make_source(t=[{name: n, "group": "ab"[n % 2]} for n in range(40)])
    where = [{"column": name, "op": ">=", "value": 0}]
    both = {"metrics": [name], "group_by": ["group"]}
    assert run(source, ("filter", {"where": where}), ("rank", {"by": name, "direction": "desc"})).table.rows[0][0] == 39
    figures = run(source, ("aggregate", {**both, "agg_func": ["sum"]}), ("share", {"metric": name}))
    assert [row[1] for row in figures.table.rows] == [380, 400]
    assert run(source, ("compute_summary_stats", both)).table.rows[0][2] == 20
    assert run(source, ("correlate", {"x": name, "y": name})).table.rows[0][1] == pytest.approx(1)
    grouped = {"group_by": [name], "agg_func": "count"}
    execution = run(source, ("segment", {"column": name}), ("aggregate", grouped))
    assert sum(row[1] for row in execution.table.rows) == 40
    assert run(source, ("histogram", {"column": name})).charts[0].x == name
    assert run(source, ("plot_scatter", {"x": name, "y": name, "color": "group"})).charts[0].color == "group"
    assert run(source, ("detect_anomalies", {"metric": name})).table.rows == ()
    derived = ("derive", {"name": name, "operator": "add", "left": name, "right": name})
    assert run(source, derived, ("rank", {"by": name, "direction": "desc"})).table.rows[0][-1] in (78, "b")
    assert run(source, ("detect_trend", {"time": name, "metric": name})).statistics[0].values["n"] == 40


def test_a_value_may_be_any_text(run: Runner, make_source: Callable[..., Tables]) -> None:
    values = ["'; DROP TABLE t; --", '"', "\\", "%", "_", "ñandú", "x\ny", "😀", ""]
    source = make_source(t=[{"s": value} for value in values])
    for value in values:
        assert run(source, ("filter", {"where": [{"column": "s", "op": "=", "value": value}]})).table.rows == (
            (value,),
        )
    assert len(run(source, ("filter", {"where": [{"column": "s", "op": "contains", "value": "%"}]})).table.rows) == 1
    assert (
        len(run(source, ("filter", {"where": [{"column": "s", "op": "contains", "value": "NANDU"}]})).table.rows) == 1
    )
    counted = ("aggregate", {"group_by": ["s"], "agg_func": "count"})
    crossed = run(source, counted, ("pivot", {"rows": "s", "columns": "s", "values": "count"}))
    assert set(crossed.table.columns) == {*values, "s", "(empty)"} - {""}


STEPS: list[list[StepParts]] = [
    [("aggregate", {"group_by": ["k"], "agg_func": "mean", "metrics": ["n"]}), ("plot_bar", {"x": "k", "y": "n"})],
    [("parse_datetime", {"column": "d"}), ("aggregate", {"group_by": ["d"], "agg_func": "count"})],
    [("segment", {"column": "n"})],
    [("segment", {"column": "k"})],
    [("share", {"metric": "n"})],
    [("pivot", {"rows": "k", "columns": "k", "values": "n"})],
    [("compute_summary_stats", {"metrics": ["n"], "group_by": ["k"]})],
    [("compute_summary_stats", {"metrics": ["n"]})],
    [("correlate", {"x": "n", "y": "n"})],
    [("detect_anomalies", {"metric": "n"})],
    [("detect_trend", {"time": "d", "metric": "n"})],
    [("histogram", {"column": "n"})],
    [("histogram", {"column": "d"})],
    [("histogram", {"column": "k"})],
    [("plot_scatter", {"x": "n", "y": "n"})],
    [("plot_box", {"y": "n", "x": "k"})],
    [("plot_line", {"x": "d", "y": "n", "color": "k"})],
    [("derive", {"name": "r", "operator": "divide", "left": "n", "right": "n"})],
    [("filter", {"where": [{"column": "d", "op": ">", "value": "2024-01-01"}]})],
]
COLUMNS = {
    "no rows": "1.0::DOUBLE AS n, 'a' AS k, DATE '2024-01-01' AS d WHERE false",
    "one row": "1.0::DOUBLE AS n, 'a' AS k, DATE '2024-01-01' AS d",
    "only missing": "NULL::DOUBLE AS n, NULL::VARCHAR AS k, NULL::DATE AS d FROM range(0, 5)",
    "not a number": "'NaN'::DOUBLE AS n, 'a' AS k, DATE '2024-01-01' AS d FROM range(0, 5)",
}


@pytest.mark.parametrize("content", COLUMNS.values(), ids=COLUMNS)
@pytest.mark.parametrize("steps", STEPS, ids=lambda steps: steps[0][0])
def test_next_to_nothing_is_no_error(
    run: Runner, make_source: Callable[..., Tables], steps: list[StepParts], content: str
) -> None:
    execution = run(make_source(t=content), *steps)
    assert execution.table.columns
    execution.model_dump_json()


def test_a_date_after_the_last_year_is_shown_and_not_computed_with(
    run: Runner, make_source: Callable[..., Tables]
) -> None:
    source = make_source(t="unnest([DATE '2024-01-01', DATE '12000-01-01']) AS d")
    assert run(source, ("select", {"columns": ["d"]})).table.rows == (("2024-01-01",), ("12000-01-01",))
    with pytest.raises(StepFailed, match="dates of the years 1 to 9999"):
        run(source, ("parse_datetime", {"column": "d"}))
