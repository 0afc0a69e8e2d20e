"""The cells of a file before their types are recognised."""

from dataclasses import dataclass
from typing import Final

import duckdb

from analysis.errors import FileRefused
from analysis.files.limits import CELL_CHARACTERS, CELLS, ROWS

RAW: Final = "raw"
"""The table or view that cells are in. Its columns are c0, c1, ...: names of the file are used for the result only."""


@dataclass(frozen=True)
class RawColumn:
    """`type` is one of VARCHAR, BIGINT, DOUBLE, DATE, TIMESTAMP and BOOLEAN."""

    key: str
    name: str
    type: str = "VARCHAR"


@dataclass(frozen=True)
class RawTable:
    """`decimal_comma`: whether the separator of cells suggests it, for columns that may be read both ways."""

    columns: tuple[RawColumn, ...]
    rows: int
    notes: tuple[str, ...] = ()
    decimal_comma: bool = False


def text_columns(names: tuple[str, ...]) -> tuple[RawColumn, ...]:
    return tuple(RawColumn(f"c{place}", name) for place, name in enumerate(names))


def check_size(rows: int, columns: int, name: str) -> None:
    if rows > ROWS:
        raise FileRefused(f"“{name}” has {rows:,} rows; expected at most {ROWS:,}.")
    if rows * columns > CELLS:
        raise FileRefused(f"“{name}” has {rows * columns:,} cells; expected at most {CELLS:,}.")
    if rows < 1:
        raise FileRefused(f"“{name}” has column names only; expected at least one row below them.")


def rows_checked(connection: duckdb.DuckDBPyConnection, columns: tuple[RawColumn, ...], name: str) -> int:
    """The number of rows of the raw table; raises `FileRefused` for too many rows, or a cell that is too long."""
    lengths = [f"max(length({column.key}))" for column in columns if column.type == "VARCHAR"]
    row = connection.execute(f"SELECT {', '.join(['count(*)', *lengths])} FROM {RAW}").fetchone()  # noqa: S608 - names of our own, or quoted
    assert row is not None
    check_size(row[0], len(columns), name)
    longest = max((length for length in row[1:] if length is not None), default=0)
    if longest > CELL_CHARACTERS:
        raise FileRefused(f"“{name}” has a cell of {longest:,} characters; expected at most {CELL_CHARACTERS:,}.")
    return int(row[0])
