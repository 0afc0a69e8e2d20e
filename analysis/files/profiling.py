"""What is known of the columns of a table: its schema."""

from collections.abc import Collection, Sequence
from typing import Any, Final

import duckdb

from analysis.contracts.tables import Column, ColumnType, TableSchema
from analysis.files.sql import identifier

_TYPES: Final[dict[str, ColumnType]] = {
    "VARCHAR": "text",
    "BIGINT": "integer",
    "DOUBLE": "number",
    "DATE": "date",
    "TIMESTAMP": "timestamp",
    "BOOLEAN": "boolean",
}
_TEXTS: Final = 200
"""Of a text column, so many of its commonest values are kept."""
_INTEGERS: Final = 50
"""The values of an integer column are kept where they are at most so many."""
_VALUE_CHARACTERS: Final = 200
"""Longer values are no names of things: they are left out of `Column.values`."""
_COUNTED_ROWS: Final = 2_000_000
"""In a table with more rows, the distinct numbers and dates are counted only where they seem to be few."""
_FEW: Final = 10_000
_AT_ONCE: Final = 100


def table_profile(connection: duckdb.DuckDBPyConnection, table: str) -> TableSchema:
    """The schema of a table in the database, with values and ranges. Up to three queries for every hundred columns."""
    described = connection.execute(f"DESCRIBE {identifier(table)}").fetchall()
    columns: list[Column] = []
    rows = 0
    for start in range(0, len(described), _AT_ONCE):
        kinds = {name: _TYPES[kind] for name, kind, *_ in described[start : start + _AT_ONCE]}
        rows, profiled = _columns(connection, table, kinds)
        columns += profiled
    return TableSchema(table=table, columns=tuple(columns), rows=rows)


def _columns(
    connection: duckdb.DuckDBPyConnection, table: str, kinds: dict[str, ColumnType]
) -> tuple[int, list[Column]]:
    rows, figures = _figures(connection, table, kinds)
    listed = [name for name, kind in kinds.items() if _is_listed(kind, figures[name][0])]
    is_many = rows > _COUNTED_ROWS
    counted = [name for name in kinds if name not in listed and not (is_many and figures[name][0] > _FEW)]
    distinct = _distinct(connection, table, counted)
    values = _values(connection, table, listed)
    columns = []
    for name, kind in kinds.items():
        _, lowest, highest = figures[name] if kind not in ("text", "boolean") else (0, None, None)
        column = Column(name=name, type=kind, lowest=lowest, highest=highest, distinct=distinct.get(name))
        columns.append(column.model_copy(update=_listing(kind, *values[name])) if name in values else column)
    return rows, columns


def _is_listed(kind: ColumnType, estimate: int) -> bool:
    """Whether the values are looked at. The estimate may be wrong by some percent."""
    return kind in ("text", "boolean") or (kind == "integer" and estimate <= 2 * _INTEGERS)


def _figures(
    connection: duckdb.DuckDBPyConnection, table: str, names: Collection[str]
) -> tuple[int, dict[str, tuple[Any, ...]]]:
    """Rows of the table; for each column about how many distinct values, lowest and highest as text."""
    parts = [
        f"approx_count_distinct({name}), min({name})::VARCHAR, max({name})::VARCHAR" for name in map(identifier, names)
    ]
    row = connection.execute(f"SELECT count(*), {', '.join(parts)} FROM {identifier(table)}").fetchone()  # noqa: S608 - names of our own, or quoted
    assert row is not None
    return row[0], {name: row[1 + 3 * place : 4 + 3 * place] for place, name in enumerate(names)}


def _distinct(connection: duckdb.DuckDBPyConnection, table: str, names: Sequence[str]) -> dict[str, int]:
    if not names:
        return {}
    counts = ", ".join(f"count(DISTINCT {identifier(name)})" for name in names)
    row = connection.execute(f"SELECT {counts} FROM {identifier(table)}").fetchone()  # noqa: S608 - names of our own, or quoted
    assert row is not None
    return dict(zip(names, row, strict=True))


def _values(
    connection: duckdb.DuckDBPyConnection, table: str, names: Sequence[str]
) -> dict[str, tuple[int, list[str]]]:
    """For each column how many distinct values it has, and the commonest as text; equally common ones in order."""
    if not names:
        return {}
    parts = [
        f"(SELECT {place} AS place, any_value(total), list(value::VARCHAR ORDER BY times DESC, value) "  # noqa: S608 - names of our own, or quoted
        f"FROM (SELECT {name} AS value, count(*) AS times, count(*) OVER () AS total FROM {identifier(table)} "
        f"WHERE {name} IS NOT NULL GROUP BY {name} ORDER BY times DESC, value LIMIT {_TEXTS}))"
        for place, name in enumerate(map(identifier, names))
    ]
    rows = connection.execute(" UNION ALL ".join(parts)).fetchall()
    return {names[place]: (total or 0, listed or []) for place, total, listed in rows}


def _listing(kind: ColumnType, distinct: int, listed: Sequence[str]) -> dict[str, object]:
    """The values of a column. None of an integer's where there are many: a few of them say nothing."""
    if kind == "integer" and distinct > _INTEGERS:
        return {"distinct": distinct}
    values = tuple(text for text in listed if len(text) <= _VALUE_CHARACTERS)
    return {"values": values, "complete": len(values) == distinct, "distinct": distinct}
