"""The plan of each question of the suite, made from its right requirements, and the table that it gives."""

from collections import Counter
from collections.abc import Iterator

import pytest

from analysis.adaptation.planning import plan_make, tools_by_name
from analysis.catalog.reading import catalog_shipped
from analysis.execution.failures import StepFailed
from analysis.execution.running import plan_execute
from analysis.templates.choosing import template_choose
from benchmarks.analyze.tables import is_same_table
from tests.analysis.suite.rows import TABLES, Row, Tables, right_reading, rows_read

LEAST = 150


def test_the_suite_has_at_least_150_questions_in_both_languages_over_each_of_five_tables() -> None:
    rows = rows_read()
    assert len(rows) >= LEAST
    assert len({row["id"] for row in rows}) == len(rows)
    by_table = Counter((row["table"], row["lang"]) for row in rows)
    assert len(TABLES) == 5
    assert all(by_table[table, language] >= LEAST // 15 for table in TABLES for language in ("en", "es"))


@pytest.mark.parametrize("table", TABLES)
def test_every_right_table_has_rows(table: str, tables: Tables) -> None:
    """Two tables without rows are the same, whatever was asked."""
    assert [row["id"] for row in rows_read(table) if not tables.right_rows(row)] == []


@pytest.mark.parametrize("table", TABLES)
def test_right_requirements_give_the_stored_plan_and_the_right_table(table: str, tables: Tables) -> None:
    faults = [f"{row['id']}: {fault}" for row in rows_read(table) for fault in _faults(row, tables)]
    assert not faults, "\n".join(faults)


def _faults(row: Row, tables: Tables) -> Iterator[str]:
    files, tools = tables.files[row["table"]], tools_by_name(catalog_shipped())
    reading = right_reading(row, tables.schema(row))
    requirements = reading.requirements.model_dump(mode="json")
    if requirements != row["requirements"]:
        yield f"the details make other requirements: {requirements}"
    planned = plan_make(reading, template_choose(reading), tools)
    if planned.plan.template != row["template"]:
        yield f"template {planned.plan.template}, right is {row['template']}"
    if (steps := [step.tool for step in planned.plan.steps]) != row["steps"]:
        yield f"steps {steps}, right are {row['steps']}"
    if not planned.coverage.valid or planned.coverage.rate < 1 or planned.coverage.unjustified:
        yield f"coverage {planned.coverage.rate}: {planned.coverage.message}"
    try:
        execution = plan_execute(planned.plan, reading, source=files, table=next(iter(files.schemas)), tools=tools)
    except StepFailed as failure:
        yield f"does not run: {failure.message}"
        return
    right, given = tables.right_rows(row), execution.table.rows
    if not is_same_table(right, given, is_ordered=row["ordered"]):
        yield f"{len(given)} rows such as {given[:2]}, right are {len(right)} such as {right[:2]}"
