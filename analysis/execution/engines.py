"""What differs between engines: stopping a query, and how much memory one may take. One registry, by ibis's name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import duckdb


@dataclass(frozen=True)
class Engine:
    """`interrupt` ends the query that runs now, from another thread; the query then raises one of `stopped`.

    `limit_memory` holds until it is called again. `out_of_memory` are the errors of too little memory, `errors` all of
    the engine's own.
    """

    interrupt: Callable[[Any], None] = lambda backend: None
    limit_memory: Callable[[Any, str], None] = lambda backend, memory: None
    stopped: tuple[type[Exception], ...] = ()
    out_of_memory: tuple[type[Exception], ...] = ()
    errors: tuple[type[Exception], ...] = ()


def _duckdb_memory(backend: Any, memory: str) -> None:
    """A source whose settings are locked keeps the limit that it was opened with.

    What was set before is not restored: DuckDB shows it rounded down, and it would shrink each time.
    """
    (is_locked,) = backend.con.execute("SELECT current_setting('lock_configuration')").fetchone()
    if not is_locked:
        backend.con.execute(f"SET memory_limit = '{memory}'")


ENGINES: dict[str, Engine] = {
    "duckdb": Engine(
        interrupt=lambda backend: backend.con.interrupt(),
        limit_memory=_duckdb_memory,
        stopped=(duckdb.InterruptException,),
        out_of_memory=(duckdb.OutOfMemoryException,),
        errors=(duckdb.Error,),
    )
}


def engine_of(backend: Any) -> Engine:
    """The engine of a backend; one that is not registered runs without being stopped and without a limit of memory."""
    return ENGINES.get(backend.name, Engine())
