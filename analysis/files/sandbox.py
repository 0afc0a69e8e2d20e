"""A DuckDB connection in memory that reads the copies it is given, and after locking nothing at all."""

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import duckdb

from analysis.errors import FileRefused
from analysis.files.limits import LOADING_SECONDS, MEMORY, THREADS
from analysis.files.sql import literals

_SETTINGS: Final = (
    "SET temp_directory = ''",  # nothing is written to disk, whatever a query needs
    "SET allow_persistent_secrets = false",
    "SET allow_community_extensions = false",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET python_enable_replacements = false",  # a table's name is never a variable of Python
    "SET TimeZone = 'UTC'",
    f"SET memory_limit = '{MEMORY}'",
    f"SET threads = {min(THREADS, os.cpu_count() or 1)}",
)


def sandbox_connect(readable: Sequence[Path]) -> duckdb.DuckDBPyConnection:
    """An empty database in memory. Of all files and addresses only `readable` can be read, until it is locked."""
    connection = duckdb.connect(":memory:")
    for setting in _SETTINGS:
        connection.execute(setting)
    connection.execute(f"SET allowed_paths = [{literals(map(str, readable))}]")
    connection.execute("SET enable_external_access = false")
    return connection


def sandbox_lock(connection: duckdb.DuckDBPyConnection) -> None:
    """Close the file system, `allowed_paths` too, and every setting. There is no way back.

    SQL of others should still not be run here: in DuckDB 1.5 it can print (`PRAGMA enable_profiling`, logging to
    stdout), and `pandas_scan(NULL)` ends the process.
    """
    connection.execute("SET disabled_filesystems = 'LocalFileSystem'")
    connection.execute("SET lock_configuration = true")


@contextmanager
def loading(connection: duckdb.DuckDBPyConnection, name: str) -> Iterator[None]:
    """Bound the time of what is done inside. Errors of DuckDB that nothing explained become refusals."""
    timer = threading.Timer(LOADING_SECONDS, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    except duckdb.InterruptException as error:
        raise FileRefused(f"“{name}” takes longer than {LOADING_SECONDS:.0f} s to load; expected less data.") from error
    except duckdb.OutOfMemoryException as error:
        raise FileRefused(f"“{name}” needs more than {MEMORY} of memory; expected less data.") from error
    except duckdb.Error as error:
        raise FileRefused(f"“{name}” cannot be read; expected a whole table as CSV, Parquet or JSON lines.") from error
    finally:
        timer.cancel()
