"""Rows, seconds and memory are limited, an execution can be cancelled, and Python sees only results."""

import threading
from collections.abc import Callable
from typing import Any

import ibis
import pytest

from analysis.execution.failures import ExecutionStopped
from analysis.execution.limits import Cancel, Limits
from tests.analysis.execution.conftest import Runner, StepParts, Tables

HEAVY: list[StepParts] = [
    ("derive", {"name": "one", "operator": "divide", "left": "n", "right": "n"}),
    ("join", {"table": "other", "key": "one", "other_key": "one"}),
    ("aggregate", {"agg_func": ["sum", "max"], "metrics": ["n_2", "n"]}),
]


@pytest.fixture
def heavy(make_source: Callable[..., Tables]) -> Tables:
    """Two tables whose join on a constant has 10 to the power of 12 rows."""
    return make_source(
        t="i + 1 AS n FROM range(0, 1000000) AS r(i)", other="1.0::DOUBLE AS one, i AS n FROM range(0, 1000000) AS r(i)"
    )


def test_rows_are_cut_and_it_is_said(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="i AS n FROM range(0, 1000000) AS r(i)")
    cut = run(source, ("select", {"columns": ["n"]}), limits=Limits(rows=100)).table
    assert (len(cut.rows), cut.cut) == (100, True)
    whole = run(source, ("rank", {"by": "n", "direction": "desc", "limit": 100}), limits=Limits(rows=100)).table
    assert (len(whole.rows), whole.cut) == (100, False)


def test_seconds_end_a_query(run: Runner, heavy: Tables) -> None:
    with pytest.raises(ExecutionStopped, match=r"longer than 0\.3 seconds"):
        run(heavy, *HEAVY, limits=Limits(seconds=0.3))
    assert run(heavy, ("aggregate", {"agg_func": "count"})).table.rows == ((1_000_000,),)


class Announcing:
    """A backend that says when a query begins."""

    def __init__(self, backend: Any, begun: threading.Event, queries: int) -> None:
        self._backend, self._begun, self._left = backend, begun, queries

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def to_pyarrow(self, table: ibis.Table) -> Any:
        self._left -= 1
        if self._left == 0:
            self._begun.set()
        return self._backend.to_pyarrow(table)


def test_another_thread_cancels_a_query(run: Runner, heavy: Tables) -> None:
    cancel, begun = Cancel(), threading.Event()
    source = Tables(Announcing(heavy.backend, begun, queries=2), heavy.tables)

    def cancel_once_begun() -> None:
        begun.wait(30)
        cancel.cancel()

    canceller = threading.Thread(target=cancel_once_begun)
    canceller.start()
    with pytest.raises(ExecutionStopped, match="cancelled"):
        run(source, *HEAVY, cancel=cancel, limits=Limits(seconds=60))
    canceller.join()


def test_what_is_cancelled_before_does_not_begin(run: Runner, heavy: Tables) -> None:
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(ExecutionStopped, match="cancelled"):
        run(heavy, *HEAVY, cancel=cancel)


def test_memory_is_limited(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="1 AS n")
    connection = source.backend.con
    connection.execute("CREATE VIEW v AS SELECT i AS n, repeat('x', 50) || i AS s FROM range(0, 1000000) AS r(i)")
    source = Tables(source.backend, {"v": source.backend.table("v")})
    connection.execute("SET temp_directory = ''")
    with pytest.raises(ExecutionStopped, match="more than 60MB of memory"):
        run(
            source, ("aggregate", {"group_by": ["s"], "agg_func": "count_distinct", "metrics": ["n"]}),
            limits=Limits(memory="60MB"),
        )  # fmt: skip
    assert run(source, ("aggregate", {"agg_func": "count"})).table.rows == ((1_000_000,),)


class Counting:
    """A backend that notes how many rows leave it."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend
        self.rows: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def to_pyarrow(self, table: ibis.Table) -> Any:
        answer = self._backend.to_pyarrow(table)
        self.rows.append(answer.num_rows)
        return answer


def test_no_more_than_the_results_enters_python(run: Runner, make_source: Callable[..., Tables]) -> None:
    plain = make_source(
        t="DATE '2015-01-01' + (i % 3000)::INTEGER AS day, i % 7 AS shop, i % 1000 AS n FROM range(0, 300000) AS r(i)"
    )
    counting = Counting(plain.backend)
    source = Tables(counting, plain.tables)
    run(
        source,
        ("correlate", {"x": "n", "y": "shop"}),
        ("plot_scatter", {"x": "n", "y": "shop"}),
        limits=Limits(rows=500),
    )
    run(source, ("histogram", {"column": "n"}), limits=Limits(rows=500))
    run(
        source, ("parse_datetime", {"column": "day"}),
        ("aggregate", {"group_by": ["day"], "agg_func": "sum", "metrics": ["n"]}),
        ("detect_trend", {"time": "day", "metric": "n"}), ("forecast_naive", {"time": "day", "metric": "n"}),
        limits=Limits(rows=500),
    )  # fmt: skip
    assert max(counting.rows) <= 1_000


def test_a_locked_limit_of_memory_is_the_one_that_is_named(run: Runner, make_source: Callable[..., Tables]) -> None:
    source = make_source(t="1 AS n")
    connection = source.backend.con
    connection.execute("CREATE VIEW v AS SELECT i AS n, repeat('x', 50) || i AS s FROM range(0, 1000000) AS r(i)")
    source = Tables(source.backend, {"v": source.backend.table("v")})
    connection.execute("SET temp_directory = ''; SET memory_limit = '64MiB'; SET lock_configuration = true")
    with pytest.raises(ExecutionStopped, match=r"more than 64\.0 MiB of memory"):
        run(source, ("aggregate", {"group_by": ["s"], "agg_func": "count_distinct", "metrics": ["n"]}))


def test_a_source_with_locked_settings_keeps_its_limit(run: Runner, sales: Tables) -> None:
    sales.backend.con.execute("SET lock_configuration = true")
    assert run(sales, ("aggregate", {"agg_func": "count"})).table.rows == ((5,),)
