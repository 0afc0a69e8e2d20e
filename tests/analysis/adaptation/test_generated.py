"""Ten thousand meanings at random, each with the plan that rules make for it; some of the plans are run."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

import ibis
import pytest

from analysis.adaptation.planning import Planned, plan_make, tools_by_name
from analysis.catalog.reading import catalog_shipped
from analysis.contracts.plans import Tool
from analysis.contracts.requirements import Reading
from analysis.execution.running import plan_execute
from analysis.requirements.meaning import Meaning, reading_of
from analysis.templates.choosing import template_choose
from tests.analysis.adaptation.meanings import (
    NUMBERS,
    TEXTS,
    TIMES,
    meaning_answerable,
    meaning_at_random,
    meaning_settle,
)
from tests.analysis.execution.conftest import Tables
from tests.analysis.plans import shipped

CASES = 10_000
ANY = 2_000
RUN = 150
ROWS = 300


def planned(meaning: Meaning, tools: dict[str, Tool]) -> tuple[Reading, Planned]:
    reading = reading_of(meaning)
    return reading, plan_make(reading, template_choose(reading), tools)


def faults(reading: Reading, made: Planned) -> str:
    """What is wrong with a plan that should be whole; empty where nothing is."""
    coverage = made.coverage
    if not coverage.valid or coverage.rate != 1 or coverage.unjustified or made.refused:
        return f"{coverage.message} {[fault for _change, fault in made.refused]}\n    {reading.requirements!r}"
    if not made.plan.steps and reading.details.aggregates:
        return f"no step computes {reading.details.aggregates!r}"
    return ""


def test_the_plan_of_every_requirement_set_is_covered_and_has_no_unjustified_step() -> None:
    random = Random(16)
    made = (planned(meaning_settle(meaning_at_random(random)), shipped()) for _ in range(CASES))
    misses = [fault for reading, plan in made if (fault := faults(reading, plan))]
    assert not misses, f"{len(misses)} of {CASES}:\n" + "\n".join(misses[:10])


@pytest.fixture
def table() -> Iterator[Tables]:
    """A row a day with every column that a meaning may name."""
    random, connection = Random(1), ibis.duckdb.connect()
    rows = [
        {
            **{name: random.choice((random.randint(0, 90), round(random.gauss(20, 20), 2), None)) for name in NUMBERS},
            **{name: random.choice("abcd") for name in TEXTS},
            **{name: datetime(2023, 1, 1, tzinfo=UTC).replace(tzinfo=None) + timedelta(days=at) for name in TIMES},
        }
        for at in range(ROWS)
    ]
    schema = dict.fromkeys(NUMBERS, "float64") | dict.fromkeys(TEXTS, "string") | dict.fromkeys(TIMES, "timestamp")
    connection.create_table("t", ibis.memtable(rows, schema=schema))
    yield Tables(connection, {"t": connection.table("t")})
    connection.disconnect()


def test_plans_of_requirement_sets_run_and_still_serve_them(table: Tables) -> None:
    """A sample. Where the data has nothing as fine as the period that is asked for, the check says so."""
    random = Random(5)
    for _ in range(RUN):
        meaning = meaning_answerable(meaning_settle(meaning_at_random(random)), random)
        reading, made = planned(meaning, shipped())
        assert not faults(reading, made)
        executed = plan_execute(made.plan, reading, source=table, table="t", tools=shipped())
        is_coarser = any(repair.param == "grain" and repair.before for repair in executed.repairs)
        assert executed.coverage.valid or (is_coarser and set(executed.coverage.missing) == {"time"})


def test_of_what_does_not_go_together_a_plan_says_what_it_misses_and_does_nothing_else() -> None:
    random, missed = Random(5), 0
    for _ in range(ANY):
        reading, made = planned(meaning_at_random(random), shipped())
        coverage, keys = made.coverage, reading.requirements.keys()
        assert (coverage.unjustified, made.refused) == ((), ()), reading.requirements
        unserved = [f"{field}={value}" for field, values in coverage.missing.items() for value in values]
        assert coverage.valid is not bool(unserved)
        of_requirements = [key for key in unserved if key in keys]
        assert coverage.rate == ((len(keys) - len(of_requirements)) / len(keys) if keys else 1)
        missed += not coverage.valid
    assert 0 < missed < ANY


def test_tools_are_chosen_by_what_they_can_do_whatever_they_are_called() -> None:
    renamed = tools_by_name(
        [tool.model_copy(update={"name": f"tool {at}", "other_names": ()}) for at, tool in enumerate(catalog_shipped())]
    )
    random, other = Random(7), Random(7)
    for _ in range(500):
        reading, made = planned(meaning_settle(meaning_at_random(random)), renamed)
        assert not faults(reading, made)
        _reading, usual = planned(meaning_settle(meaning_at_random(other)), shipped())
        assert len(made.plan.steps) == len(usual.plan.steps)
