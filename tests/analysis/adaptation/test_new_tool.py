"""A tool that a file adds: an entry and the function that it names, and questions use it."""

from collections.abc import Iterator
from pathlib import Path

import ibis
import pytest

from analysis.adaptation.planning import plan_make, tools_by_name
from analysis.catalog.reading import catalog_load, catalog_shipped
from analysis.contracts.plans import Tool
from analysis.contracts.requirements import ChartShape, Reading
from analysis.execution.outputs import Chart
from analysis.execution.running import plan_execute
from analysis.requirements.meaning import Figure, Meaning, Reason, reading_of
from analysis.templates.choosing import template_choose
from tests.analysis.execution.conftest import SALES, Tables

AREA = """
- name: plot_area
  description: An area under a line over time
  capabilities: [plot, time_series]
  inputs: [df]
  params: [x, y, color]
  outputs: [chart]
  types: {x: column, y: number column, color: "column?"}
  function: "tests.analysis.adaptation.test_new_tool:plot_area"
"""


def plot_area(df: ibis.Table, *, x: str, y: str, color: str | None = None) -> Chart:
    return Chart(ChartShape(type="line", x=x, y=y, color=color), df, is_sorted=True, note="an area")


@pytest.fixture
def tools(tmp_path: Path) -> tuple[Tool, ...]:
    """The catalog of the product with an area chart in the place of the line chart."""
    path = tmp_path / "more.yaml"
    path.write_text(AREA, encoding="utf-8")
    return (*(tool for tool in catalog_shipped() if tool.name != "plot_line"), *catalog_load(path))


@pytest.fixture
def trend() -> Reading:
    """Units by month."""
    figure = Figure("units", "sum", reason=Reason("units"))
    return reading_of(Meaning([figure], time=("sold", "month"), labels={"trend": Reason("trend")}))


@pytest.fixture
def sales() -> Iterator[Tables]:
    connection = ibis.duckdb.connect()
    connection.con.execute(f"CREATE TABLE sales AS SELECT {SALES}")
    yield Tables(connection, {"sales": connection.table("sales")})
    connection.disconnect()


def test_a_trend_is_drawn_with_the_tool_that_was_added(tools: tuple[Tool, ...], trend: Reading, sales: Tables) -> None:
    made = plan_make(trend, template_choose(trend), tools_by_name(tools))
    assert made.coverage.valid
    assert [step.tool for step in made.plan.steps] == ["parse_datetime", "aggregate", "plot_area"]
    executed = plan_execute(made.plan, trend, source=sales, table="sales", tools=tools_by_name(tools))
    (chart,) = executed.charts
    assert (chart.x, chart.y, chart.note) == ("sold", "units", "an area")
    assert [row[1] for row in chart.table.rows] == [3, 4, 5]
    assert executed.coverage.valid


def test_without_a_tool_that_can_a_trend_has_features_and_no_chart(tools: tuple[Tool, ...], trend: Reading) -> None:
    without = tools_by_name([tool for tool in tools if tool.name != "plot_area"])
    made = plan_make(trend, template_choose(trend), without)
    assert [step.tool for step in made.plan.steps] == ["parse_datetime", "aggregate"]
