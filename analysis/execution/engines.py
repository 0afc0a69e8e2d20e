"""What differs between engines: stopping a query, and how much memory one may take. One registry, by ibis's name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import duckdb


@dataclass(frozen=True)
class Engine:
    """`interrupt` ends the query that runs now, from another thread; the query then raises one of `stopped`.

    `limit_memory` holds until it is called again, and returns the limit that holds. `out_of_memory` are the errors of
    too little memory, `errors` all of the engine's own.
    """

    interrupt: Callable[[Any], None] = lambda backend: None
    limit_memory: Callable[[Any, str], str] = lambda backend, memory: memory
    stopped: tuple[type[Exception], ...] = ()
    out_of_memory: tuple[type[Exception], ...] = ()
    errors: tuple[type[Exception], ...] = ()


def _duckdb_memory(backend: Any, memory: str) -> str:
    """A source whose settings are locked keeps the limit that it was opened with, as its tables are in that memory too.

    What was set before is not restored: DuckDB shows it rounded down, and it would shrink each time.
    """
    settings = backend.con.execute("SELECT current_setting('lock_configuration'), current_setting('memory_limit')")
    is_locked, own = settings.fetchone()
    if is_locked:
        return str(own)
    backend.con.execute(f"SET memory_limit = '{memory}'")
    return memory


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
