"""A real DuckDB for each test, and plans written as short lists of steps."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import ibis
import pytest
import yaml
from django.conf import settings

from analysis.contracts.plans import AnalysisPlan, Step, Tool
from analysis.contracts.requirements import Details, Reading, Requirements
from analysis.contracts.results import Execution
from analysis.execution.limits import Cancel, Limits
from analysis.execution.running import plan_execute
from analysis.execution.source import Source

StepParts = tuple[str, dict[str, Any]] | tuple[str, dict[str, Any], tuple[str, ...]]


@dataclass(frozen=True)
class Tables:
    """A source with tables by name."""

    backend: Any
    tables: Mapping[str, Any]


class Runner(Protocol):
    """Run steps on a table, the first one of the source where none is named."""

    def __call__(
        self,
        source: Source,
        *steps: StepParts,
        requirements: Requirements = ...,
        language: str = ...,
        limits: Limits = ...,
        cancel: Cancel | None = ...,
    ) -> Execution: ...


@pytest.fixture(scope="session")
def catalog() -> dict[str, Tool]:
    """The tools by their names, other ones too."""
    folder = Path(settings.BASE_DIR) / "analysis" / "catalog"
    entries = [
        Tool.model_validate(entry) for path in folder.glob("*.yaml") for entry in yaml.safe_load(path.read_text())
    ]
    return {name: entry for entry in entries for name in (entry.name, *entry.other_names)}


@pytest.fixture
def make_source() -> Iterator[Callable[..., Tables]]:
    """A source of tables given as lists of rows or by SQL after SELECT."""
    connection = ibis.duckdb.connect()

    def make(**tables: Any) -> Tables:
        for name, content in tables.items():
            if isinstance(content, str):
                connection.con.execute(f'CREATE TABLE "{name}" AS SELECT {content}')
            else:
                connection.create_table(name, ibis.memtable(content))
        return Tables(connection, {name: connection.table(name) for name in tables})

    yield make
    connection.disconnect()


@pytest.fixture
def run(catalog: dict[str, Tool]) -> Runner:
    def execute(
        source: Source,
        *steps: StepParts,
        requirements: Requirements = Requirements(),  # noqa: B008 - frozen
        language: str = "en",
        limits: Limits = Limits(),  # noqa: B008 - frozen
        cancel: Cancel | None = None,
    ) -> Execution:
        made = tuple(
            Step(tool=step[0], params=step[1], requirement=step[2] if len(step) == 3 else ()) for step in steps
        )
        reading = Reading(requirements=requirements, details=Details(language=language))
        plan = AnalysisPlan(template="test", steps=made)
        return plan_execute(
            plan, reading, source=source, table=next(iter(source.tables)), tools=catalog, limits=limits, cancel=cancel
        )

    return execute


SALES = """* FROM (VALUES
    ('North', 'pen',  DATE '2024-01-05', 10.0, 2, true),
    ('North', 'book', DATE '2024-01-20', 30.0, 1, false),
    ('South', 'pen',  DATE '2024-02-03', 20.0, 4, true),
    ('South', 'pen',  DATE '2024-02-10', NULL, 0, NULL),
    (NULL,    'book', DATE '2024-04-01', 40.0, 5, false)
) AS rows(region, product, sold, price, units, paid)"""


@pytest.fixture
def sales(make_source: Callable[..., Tables]) -> Tables:
    """Five rows with a missing region, price and flag."""
    return make_source(sales=SALES)
