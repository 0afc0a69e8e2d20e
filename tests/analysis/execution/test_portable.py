"""Every tool's expression also compiles for PostgreSQL and for Spark's SQL."""

from typing import Any

import ibis
import pytest

from analysis.execution import tools
from analysis.execution.outputs import Chart, Deferred
from analysis.execution.repairs.text_dates import FORMATS

TABLE = ibis.table(
    {"k": "string", "n": "float64", "i": "int64", "d": "date", "at": "timestamp", "b": "boolean"}, name="t"
)
OTHER = ibis.table({"k": "string", "v": "int64"}, name="o")
WHERE = [
    {"column": "k", "op": "contains", "value": "a"},
    {"column": "at", "op": "between", "value": ["2024-01-01", "2024-02-01"]},
    {"column": "d", "op": "=", "value": 3, "grain": "weekday"},
    {"column": "k", "op": "not_in", "value": ["a", "b"]},
]
FACTS = {
    "low": 1.0, "high": 90.0, "distinct": 50, "n": 40, "count": 5_000, "pearson": 0.5, "spearman": 0.5, "spread_x": 1.0,
    "spread_y": 1.0, "value": "a", "label": "a",
}  # fmt: skip


def ask(table: ibis.Table, *, most: int = 1000) -> list[dict[str, Any]]:
    """Facts in place of an engine: what is asked must compile too."""
    for dialect in ("postgres", "databricks"):
        ibis.to_sql(table, dialect=dialect)
    return [FACTS]


CALLS: list[tuple[Any, dict[str, Any]]] = [
    (tools.filter, {"where": WHERE}),
    (tools.select, {"columns": ["k", "n"]}),
    (tools.table, {}),
    *(
        (tools.parse_datetime, {"column": "at", "grain": grain})
        for grain in ("hour", "day", "week", "month", "quarter")
    ),
    *((tools.parse_datetime, {"column": "d", "grain": grain}) for grain in ("year", "weekday", "month_of_year")),
    (tools.derive, {"name": "r", "operator": "divide", "left": "n", "right": "i"}),
    (tools.derive, {"name": "r", "operator": "subtract", "left": "d", "right": "at"}),
    *(
        (tools.aggregate, {"group_by": ["k", "d"], "agg_func": function, "metrics": ["n"]})
        for function in ("sum", "mean", "median", "min", "max", "count", "count_distinct", "std")
    ),
    (tools.rank, {"by": "n", "limit": 3}),
    (tools.share, {"metric": "n"}),
    (tools.share, {"metric": "n", "where": WHERE, "group_by": ["k"]}),
    (tools.pivot, {"rows": "k", "columns": "b", "values": "n", "ask": ask}),
    (tools.segment, {"column": "n", "ask": ask}),
    (tools.segment, {"column": "k", "ask": ask}),
    (tools.join, {"table": "o", "key": "k", "other_key": "k", "tables": {"o": OTHER}}),
    (tools.compute_summary_stats, {"metrics": ["n", "i"], "group_by": ["k"]}),
    (tools.correlate, {"x": "n", "y": "i", "ask": ask}),
    (tools.detect_anomalies, {"metric": "n"}),
    (tools.detect_trend, {"time": "d", "metric": "n"}),
    (tools.histogram, {"column": "n", "ask": ask}),
    (tools.histogram, {"column": "k", "ask": ask}),
    (tools.plot_line, {"x": "d", "y": "n"}),
    (tools.plot_scatter, {"x": "i", "y": "n", "ask": ask}),
    (tools.plot_box, {"y": "n", "x": "k"}),
]


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "databricks"])
@pytest.mark.parametrize(("tool", "params"), CALLS)
def test_tools_compile(tool: Any, params: dict[str, Any], dialect: str) -> None:
    outputs = tool(TABLE, **params)
    for output in outputs if isinstance(outputs, tuple) else (outputs,):
        rows = output.rows if isinstance(output, Chart | Deferred) else output
        assert "SELECT" in str(ibis.to_sql(rows, dialect=dialect)).upper()


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "databricks"])
@pytest.mark.parametrize("name", FORMATS)
def test_dates_of_text_compile(name: str, dialect: str) -> None:
    assert ibis.to_sql(TABLE.select(FORMATS[name].read(TABLE["k"]).name("x")), dialect=dialect)
