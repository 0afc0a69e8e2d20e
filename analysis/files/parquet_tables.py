"""A Parquet file as a raw table: a view, so that its cells are kept once."""

from typing import Final

import duckdb

from analysis.errors import FileRefused
from analysis.files.cells import trimmed
from analysis.files.copies import FileCopy
from analysis.files.limits import UNPACKED_BYTES
from analysis.files.names import check_columns, column_names
from analysis.files.raw import RAW, RawColumn, RawTable, check_size, rows_checked
from analysis.files.sql import identifier, literal

_WHOLE: Final = frozenset(
    {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}
)  # what a BIGINT holds
_FRACTIONS: Final = frozenset({"FLOAT", "DOUBLE", "UBIGINT", "HUGEINT", "UHUGEINT"})
_PLAIN: Final = frozenset({"ENUM", "UUID", "TIME", "TIME WITH TIME ZONE", "TIME_NS", "INTERVAL"})


def parquet_load(connection: duckdb.DuckDBPyConnection, copy: FileCopy) -> RawTable:
    """Raises `FileRefused` before anything is read, where the metadata promise more than the limits."""
    _check_metadata(connection, copy)
    source = f"read_parquet({literal(str(copy.path))}, hive_partitioning = false)"
    described = connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()  # noqa: S608 - names of our own, or quoted
    expressions = [_cell(row[0], row[1]) for row in described]
    kept = [(row[0], expression) for row, expression in zip(described, expressions, strict=True) if expression]
    names = column_names([name for name, _ in kept], copy.name)
    columns = tuple(
        RawColumn(f"c{n}", name, kind) for n, (name, (_, (_, kind))) in enumerate(zip(names, kept, strict=True))
    )
    cells = ", ".join(f"{sql} AS c{place}" for place, (_, (sql, _)) in enumerate(kept))
    connection.execute(f"CREATE TEMP VIEW {RAW} AS SELECT {cells} FROM {source}")  # noqa: S608 - names of our own, or quoted
    bytes_left_out = [row[0] for row, expression in zip(described, expressions, strict=True) if not expression]
    notes = [f"“{copy.name}” was read as Parquet."]
    notes += [f"“{copy.name}”: the column “{name}” holds bytes and was left out." for name in bytes_left_out]
    return RawTable(columns, rows_checked(connection, columns, copy.name), tuple(notes))


def _check_metadata(connection: duckdb.DuckDBPyConnection, copy: FileCopy) -> None:
    path = [str(copy.path)]
    rows = connection.execute("SELECT num_rows FROM parquet_file_metadata(?)", path).fetchone()
    unpacked = connection.execute("SELECT sum(total_uncompressed_size) FROM parquet_metadata(?)", path).fetchone()
    leaves = connection.execute(
        "SELECT count(*) FROM parquet_schema(?) WHERE coalesce(num_children, 0) = 0", path
    ).fetchone()
    assert rows is not None
    assert unpacked is not None
    assert leaves is not None
    check_columns(leaves[0], copy.name)
    check_size(rows[0], leaves[0], copy.name)
    if (unpacked[0] or 0) > UNPACKED_BYTES:
        raise FileRefused(
            f"“{copy.name}” unpacks to {unpacked[0]:,} bytes; expected at most {UNPACKED_BYTES:,} without compression."
        )


def _cell(name: str, kind: str) -> tuple[str, str] | None:
    """The SQL of a column and the type it has then; None for bytes, which are no value of a table."""
    column = identifier(name)
    if kind in _WHOLE:
        return f"{column}::BIGINT", "BIGINT"
    if kind in _FRACTIONS or kind.startswith("DECIMAL"):
        return f"CASE WHEN isfinite({column}::DOUBLE) THEN {column}::DOUBLE END", "DOUBLE"
    if kind in ("DATE", "BOOLEAN"):
        return column, kind
    if kind == "VARCHAR":
        return trimmed(column), kind
    if kind == "TIMESTAMP WITH TIME ZONE":
        return f"({column} AT TIME ZONE 'UTC')", "TIMESTAMP"
    if kind.startswith("TIMESTAMP"):
        return f"{column}::TIMESTAMP", "TIMESTAMP"
    if kind in ("BLOB", "BIT", "GEOMETRY"):
        return None
    if kind in _PLAIN or kind.startswith("ENUM"):
        return f"{column}::VARCHAR", "VARCHAR"
    return f"to_json({column})::VARCHAR", "VARCHAR"
