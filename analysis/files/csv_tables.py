"""A CSV file as a raw table."""

import csv
import re
from contextlib import suppress
from itertools import islice
from typing import Final

import duckdb
from django.utils.translation import gettext as _

from analysis.errors import FileRefused
from analysis.files.cells import trimmed
from analysis.files.copies import FileCopy
from analysis.files.csv_dialects import SEPARATORS, Dialect, dialect_sniff, is_header
from analysis.files.encodings import encoding_label
from analysis.files.limits import CELL_CHARACTERS, LINE_BYTES
from analysis.files.names import column_names
from analysis.files.raw import RAW, RawTable, rows_checked, text_columns
from analysis.files.sql import literal

_ROWS_BELOW: Final = 20
_LINE: Final = re.compile(r"CSV Error on Line: (\d{1,9})")
_CELLS: Final = re.compile(r"Expected Number of Columns: (\d{1,9}) Found: (\d{1,9})")


def csv_load(connection: duckdb.DuckDBPyConnection, copy: FileCopy) -> RawTable:
    """Read all cells as text, in the order of the file; raises `FileRefused` with the line that does not fit."""
    dialect = dialect_sniff(connection, copy.path, copy.name)
    try:
        first, below = _first_rows(copy, dialect)
        has_header = is_header(first, below)
        names = column_names(first if has_header else [None] * len(first), copy.name)
        source = _source(copy, dialect, len(names), header=has_header)
        cells = ", ".join(f"{trimmed(column.key)} AS {column.key}" for column in text_columns(names))
        connection.execute(f"CREATE TEMP TABLE {RAW} AS SELECT {cells} FROM {source}")  # noqa: S608 - names of our own, or quoted
    except duckdb.InvalidInputException as error:
        raise FileRefused(_fault(str(error), copy.name)) from error
    columns = text_columns(names)
    notes = _notes(copy, dialect, has_header=has_header)
    return RawTable(columns, rows_checked(connection, columns, copy.name), notes, dialect.separator == ";")


def _first_rows(copy: FileCopy, dialect: Dialect) -> tuple[list[str], list[list[str]]]:
    """The first row that is not blank, as a header is, and some below it: the rest is for DuckDB."""
    with copy.path.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(
            islice(lines, dialect.skipped, None),
            delimiter=dialect.separator,
            quotechar=dialect.quote,
            doublequote=dialect.escape == dialect.quote,
            escapechar=None if dialect.escape == dialect.quote else dialect.escape,
            skipinitialspace=True,
            strict=True,
        )
        try:
            first = next((row for row in rows if row and any(row)), [])
        except csv.Error as error:
            raise FileRefused(_first_row_fault(str(error), rows.line_num, copy.name)) from error
        below: list[list[str]] = []
        with suppress(csv.Error):  # DuckDB names the line
            below.extend(islice(rows, _ROWS_BELOW))
        return first, below


def _first_row_fault(message: str, lines: int, name: str) -> str:
    if "limit" in message and lines == 1:  # over several lines it is a quote that is not closed
        return _("“%(name)s” has a cell of more than %(most)s characters in its first row; expected shorter ones.") % {
            "name": name, "most": f"{CELL_CHARACTERS:,}",
        }  # fmt: skip
    return f"“{name}” opens a quote in its first row that is not closed; expected column names."


def _source(copy: FileCopy, dialect: Dialect, count: int, *, header: bool) -> str:
    columns = ", ".join(f"c{place}: 'VARCHAR'" for place in range(count))
    return f"read_csv({literal(str(copy.path))}, columns = {{{columns}}}, header = {header}, {dialect.options()})"


def _fault(message: str, name: str) -> str:
    """One sentence out of a message of DuckDB, which also shows the path and the options."""
    line = _LINE.search(message)
    place = f" in line {int(line[1]):,}" if line else ""
    cells = _CELLS.search(message)
    if cells:
        return f"“{name}” has {int(cells[2]):,} cells{place}; expected {int(cells[1]):,} as in the first row."
    if "unterminated quote" in message:
        return f"“{name}” opens a quote{place} that is never closed; expected a quote at the end of the cell too."
    if "Maximum line size" in message:
        return f"“{name}” has a line of more than {LINE_BYTES:,} characters{place}; expected shorter ones."
    return f"“{name}” cannot be read as CSV{place}; expected rows with the same number of cells."


def _notes(copy: FileCopy, dialect: Dialect, *, has_header: bool) -> tuple[str, ...]:
    encoding = encoding_label(copy.encoding or "utf-8")
    separator = SEPARATORS.get(dialect.separator)
    cells = f"with {separator} between cells" if separator else "with one column"
    notes = [f"“{copy.name}” was read as {encoding} {cells}."]
    if dialect.skipped:
        notes.append(f"“{copy.name}” has {dialect.skipped:,} lines above the table, which were left out.")
    if not has_header:
        notes.append(f"“{copy.name}” has no header: its columns are numbered.")
    return tuple(notes)
