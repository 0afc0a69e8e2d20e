"""The catalog and the functions agree; a tool may also live elsewhere."""

import inspect

import ibis
import pytest

from analysis.contracts.plans import AnalysisPlan, Step, Tool
from analysis.contracts.requirements import Details, Reading, Requirements
from analysis.execution.failures import StepFailed
from analysis.execution.running import function_of, plan_execute
from tests.analysis.execution.conftest import Tables


def first_rows(df: ibis.Table, *, rows: int = 2) -> ibis.Table:
    return df.limit(rows)


def test_every_tool_has_a_function_with_its_parameters(catalog: dict[str, Tool]) -> None:
    for entry in catalog.values():
        given = set(inspect.signature(function_of(entry)).parameters) - {"df", "ask", "tables"}
        assert given == set(entry.params), entry.name


@pytest.mark.parametrize(
    ("function", "works"),
    [(f"{__name__}:first_rows", True), (f"{__name__}:last_rows", False), ("nope:first_rows", False), (".x:y", False)],
)
def test_a_catalog_entry_can_name_a_function(sales: Tables, function: str, works: bool) -> None:
    entry = Tool(name="head", params=("rows",), types={"rows": "integer?"}, function=function)
    reading = Reading(requirements=Requirements(), details=Details())
    plan = AnalysisPlan(template="test", steps=(Step(tool="head", params={"rows": 3}),))
    if works:
        assert len(plan_execute(plan, reading, source=sales, table="sales", tools={"head": entry}).table.rows) == 3
    else:
        with pytest.raises(StepFailed, match=r"wanted a function of the tool.*package\.module:name"):
            plan_execute(plan, reading, source=sales, table="sales", tools={"head": entry})


def test_a_table_that_is_not_there_is_refused(sales: Tables) -> None:
    reading = Reading(requirements=Requirements(), details=Details())
    with pytest.raises(StepFailed, match=r"got 'sails'\. Use one of: sales"):
        plan_execute(AnalysisPlan(template="test", steps=()), reading, source=sales, table="sails", tools={})
