"""A file of JSON lines as a raw table: one object a line, its keys are the columns."""

from typing import Final

import duckdb

from analysis.errors import FileRefused
from analysis.files.cells import trimmed
from analysis.files.copies import FileCopy
from analysis.files.encodings import encoding_label
from analysis.files.limits import COLUMNS, LINE_BYTES
from analysis.files.names import column_names
from analysis.files.raw import RAW, RawColumn, RawTable, rows_checked, text_columns
from analysis.files.sql import literal, literals
from core.errors import json_pointer

# A line is one cell: \x01 cannot be in JSON, so it separates nothing.
_LINES: Final = (
    "CREATE TEMP TABLE lines AS SELECT * FROM read_csv({path}, columns = {{line: 'VARCHAR'}}, auto_detect = false, "
    "header = false, delim = '\x01', quote = '', escape = '', comment = '', new_line = '\\n', compression = 'none', "
    "encoding = 'utf-8', max_line_size = {longest})"
)
_FAULT: Final = """
    SELECT rowid + 1, json_valid(line) FROM lines
    WHERE trim(line) <> '' AND (NOT json_valid(line) OR json_type(CASE WHEN json_valid(line) THEN line END) <> 'OBJECT')
    ORDER BY rowid LIMIT 1
"""
_KEYS: Final = f"""
    SELECT key FROM (
        SELECT rowid AS place, unnest(json_keys(line)) AS key, generate_subscripts(json_keys(line), 1) AS part
        FROM lines WHERE trim(line) <> ''
    ) GROUP BY key ORDER BY min(place), min(part) LIMIT {COLUMNS + 1}
"""  # noqa: S608 - names of our own, or quoted


def json_load(connection: duckdb.DuckDBPyConnection, copy: FileCopy) -> RawTable:
    """Read all values as text; objects and lists within an object are their JSON. Raises `FileRefused` with the first
    line that is no object.
    """
    try:
        connection.execute(_LINES.format(path=literal(str(copy.path)), longest=LINE_BYTES))
    except duckdb.InvalidInputException as error:
        raise FileRefused(
            f"“{copy.name}” has a line that is too long or no JSON; expected at most {LINE_BYTES:,} characters a line."
        ) from error
    _check_lines(connection, copy.name)
    keys = [key for (key,) in connection.execute(_KEYS).fetchall()]
    columns = text_columns(column_names(keys, copy.name))
    _spread(connection, keys, columns)
    rows = rows_checked(connection, columns, copy.name)
    note = f"“{copy.name}” was read as JSON lines in {encoding_label(copy.encoding or 'utf-8')}."
    return RawTable(columns, rows, (note,))


def _check_lines(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    fault = connection.execute(_FAULT).fetchone()
    if fault is not None:
        reason = "JSON but no object" if fault[1] else "no JSON"
        raise FileRefused(f"“{name}” has {reason} in line {fault[0]:,}; expected one object on each line.")


def _spread(connection: duckdb.DuckDBPyConnection, keys: list[str], columns: tuple[RawColumn, ...]) -> None:
    pointers = literals(json_pointer((key,)) for key in keys)
    cells = ", ".join(f"{trimmed(f'cells[{place}]')} AS {column.key}" for place, column in enumerate(columns, 1))
    connection.execute(
        f"CREATE TEMP TABLE {RAW} AS SELECT {cells} FROM (SELECT json_extract_string(line, [{pointers}]) AS cells "  # noqa: S608 - names of our own, or quoted
        "FROM lines WHERE trim(line) <> '' ORDER BY rowid)"
    )
    connection.execute("DROP TABLE lines")
