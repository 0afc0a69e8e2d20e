"""Opening files as tables: the face of this room."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import duckdb
import ibis
from ibis.backends.duckdb import Backend

from analysis.contracts.tables import TableSchema
from analysis.errors import FileRefused
from analysis.files.copies import FileCopy, file_copy
from analysis.files.csv_tables import csv_load
from analysis.files.json_tables import json_load
from analysis.files.limits import BYTES_TOGETHER, FILES
from analysis.files.names import table_name
from analysis.files.parquet_tables import parquet_load
from analysis.files.profiling import table_profile
from analysis.files.raw import RAW
from analysis.files.recognition import ColumnReading, columns_recognise
from analysis.files.sandbox import loading, sandbox_connect, sandbox_lock
from analysis.files.sql import identifier

_LOADERS: Final = {"csv": csv_load, "jsonl": json_load, "parquet": parquet_load}


@dataclass(frozen=True)
class OpenFiles:
    """Tables in memory on a connection that reaches nothing else. Close it, or use it in a `with`.

    `tables` and `schemas` are by the name of the table, in the order of the files. `notes`: sentences for a person
    about what was recognised. Rows are stored in the order of the file; a result has an order only where its query says
    so.
    """

    backend: Backend
    tables: dict[str, ibis.Table]
    schemas: dict[str, TableSchema]
    notes: tuple[str, ...]

    def close(self) -> None:
        self.backend.disconnect()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def files_open(paths: Sequence[Path]) -> OpenFiles:
    """Load the files into memory. Raises `FileRefused` with one sentence for the first that is no table."""
    if not 1 <= len(paths) <= FILES:
        raise FileRefused(f"{len(paths)} files were given; expected from 1 to {FILES}.")
    with tempfile.TemporaryDirectory(prefix="andamio-files-") as folder:
        copies = _copies(paths, Path(folder))
        connection = sandbox_connect([copy.path for copy in copies])
        try:
            return _opened(connection, copies)
        except BaseException:
            connection.close()
            raise


def _copies(paths: Sequence[Path], folder: Path) -> list[FileCopy]:
    copies: list[FileCopy] = []
    for number, path in enumerate(paths):
        copies.append(file_copy(path, folder / f"{number}.text"))
        together = sum(copy.size for copy in copies)
        if together > BYTES_TOGETHER:
            raise FileRefused(
                f"“{copies[-1].name}” makes {together:,} bytes; expected at most {BYTES_TOGETHER:,} together."
            )
    return copies


def _opened(connection: duckdb.DuckDBPyConnection, copies: Sequence[FileCopy]) -> OpenFiles:
    schemas: dict[str, TableSchema] = {}
    notes: list[str] = []
    for copy in copies:
        table = table_name(copy.stem, schemas)
        with loading(connection, copy.name):
            notes += _load(connection, copy, table)
            schemas[table] = table_profile(connection, table)
    backend = ibis.duckdb.from_connection(connection)
    sandbox_lock(connection)
    tables = {table: backend.table(table) for table in schemas}
    return OpenFiles(backend, tables, schemas, tuple(notes))


def _load(connection: duckdb.DuckDBPyConnection, copy: FileCopy, table: str) -> list[str]:
    """Make the table of a file; returns what is to be noted."""
    raw = _LOADERS[copy.kind](connection, copy)
    readings = columns_recognise(connection, raw)
    columns = ", ".join(f"{reading.sql} AS {identifier(reading.column.name)}" for reading in readings)
    moments = ", ".join(["*", *(reading.moment for reading in readings if reading.moment)])
    connection.execute(f"CREATE TABLE {identifier(table)} AS SELECT {columns} FROM (SELECT {moments} FROM {RAW})")  # noqa: S608 - names of our own, or quoted
    connection.execute(f"DROP {'VIEW' if copy.kind == 'parquet' else 'TABLE'} {RAW}")
    return [*raw.notes, *(sentence for reading in readings for sentence in _sentences(reading, copy.name))]


def _sentences(reading: ColumnReading, name: str) -> list[str]:
    return [f"“{name}”: the column “{reading.column.name}” {note}." for note in reading.notes]
