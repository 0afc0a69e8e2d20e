"""How the cells of a CSV file are separated and quoted, and whether its first row is a header."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Final

import duckdb

from analysis.errors import FileRefused
from analysis.files.limits import CELL_CHARACTERS, COLUMNS, LINE_BYTES
from analysis.files.sql import literal

SEPARATORS: Final = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
_TITLES: Final = 20
"""Lines above a table, at most."""
_HEAD_LINES: Final = 100
_UNUSUAL: Final = ("'", '"', "\\")
"""Signs that quote or escape: with one in the first lines, the sniffer looks closer."""
_YEARS: Final = range(1800, 2101)
_DECIMALS: Final = re.compile(r"[-+−]?[\d.]*\d,\d+")
NO_SEPARATOR: Final = "\x01"
_VALUE: Final = re.compile(
    r"[-+−]?[€$£]?\s?\d[\d.,' ]*\s?(?:[%€$£]|EUR|USD|GBP)?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ][\d:.]+Z?)?"
)


@dataclass(frozen=True)
class Dialect:
    """`skipped`: lines above the table, as titles are."""

    separator: str
    quote: str
    escape: str
    skipped: int

    def options(self) -> str:
        """For `read_csv`; nothing is left for DuckDB to guess."""
        return (
            f"auto_detect = false, delim = {literal(self.separator)}, quote = {literal(self.quote)}, "
            f"escape = {literal(self.escape)}, skip = {self.skipped}, new_line = '\\n', comment = '', "
            f"nullstr = '', compression = 'none', encoding = 'utf-8', max_line_size = {LINE_BYTES}"
        )


def dialect_sniff(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> Dialect:
    first = _first_line(path, name)
    separator = _only_separator(path)
    if separator:
        return Dialect(separator, '"', '"', 0)
    try:
        row = connection.execute(
            "SELECT Delimiter, Quote, Escape, SkipRows, len(Columns) FROM sniff_csv(?, all_varchar = true, "  # noqa: S608 - names of our own, or quoted
            f"compression = 'none', comment = '', max_line_size = {LINE_BYTES})",
            [str(path)],
        ).fetchone()
    except duckdb.InvalidInputException:
        row = None  # no dialect fits all lines: reading with the likeliest one names the line that does not
    if row is None or row[4] == 1 or not _are_titles(path, row[3]):
        return Dialect(_likeliest(first), '"', '"', 0)
    separator, quote, escape, skipped, count = row
    if separator == "," and skipped and _are_decimals(path, skipped):
        return Dialect(NO_SEPARATOR, '"', '"', skipped - 1)
    _check_skipped(path, separator, skipped, count, name)
    if quote == "(empty)":
        # So DuckDB says too where a quote is never closed: then the refusal should name it.
        return Dialect(separator, '"', '"', skipped)
    return Dialect(separator, quote, quote if escape == "(empty)" else escape, skipped)


def _only_separator(path: Path) -> str | None:
    """The one separator that divides all of the first lines alike, None where the sniffer should decide."""
    with path.open(encoding="utf-8", newline="\n") as lines:
        head = list(islice(iter(lambda: lines.readline(LINE_BYTES), ""), _HEAD_LINES))
    if len(head) < 2 or any(mark in line for line in head for mark in _UNUSUAL):
        return None
    fitting = [separator for separator in SEPARATORS if _divides(head, separator)]
    return fitting[0] if len(fitting) == 1 else None


def _divides(lines: Sequence[str], separator: str) -> bool:
    counts = {_cells(line, separator) for line in lines} if separator in lines[0] else set()
    return len(counts) == 1 and counts.pop() > 1


def _first_line(path: Path, name: str) -> str:
    with path.open(encoding="utf-8", newline="\n") as lines:
        first = next((line for line in iter(lambda: lines.readline(LINE_BYTES), "") if line.strip()), "")
    if len(first) >= LINE_BYTES:
        raise FileRefused(f"“{name}” has a line of more than {LINE_BYTES:,} characters; expected shorter ones.")
    cells = max(_cells(first, separator) for separator in SEPARATORS)
    if cells > COLUMNS and first.count('"') < cells:
        raise FileRefused(f"“{name}” has {cells:,} columns; expected at most {COLUMNS:,}.")
    return first


def _cells(line: str, separator: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=separator), []))
    except csv.Error:  # a cell beyond the limit of the module
        return line.count(separator) + 1


def _likeliest(line: str) -> str:
    """The separator of the first line; where it has none, one that no text has: all is one column."""
    likeliest = max(SEPARATORS, key=lambda separator: _cells(line, separator))
    return likeliest if likeliest in line else NO_SEPARATOR


def _are_titles(path: Path, skipped: int) -> bool:
    """Whether the sniffer skipped few lines of many: in a column of sentences it takes the last comma for a table."""
    with path.open(encoding="utf-8", newline="\n") as lines:
        return skipped <= _TITLES and sum(1 for _ in islice(lines, 2 * skipped + 2)) > 2 * skipped


def _are_decimals(path: Path, skipped: int) -> bool:
    """Whether all below a line without separator are numbers with a decimal comma: then it is a name, and no title."""
    with path.open(encoding="utf-8", newline="\n") as lines:
        name, *cells = [line.strip() for line in islice(lines, skipped - 1, _HEAD_LINES)]
    return bool(name) and all(_DECIMALS.fullmatch(cell) for cell in cells if cell)


def _check_skipped(path: Path, separator: str, skipped: int, expected: int, name: str) -> None:
    """The sniffer skips a header with fewer cells than its rows, as it skips titles: that is a fault, not a title."""
    with path.open(encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(islice(lines, skipped), 1):
            cells = _cells(line, separator)
            if cells > 1:
                raise FileRefused(
                    f"“{name}” has {cells:,} cells in line {number:,}; expected {expected:,} as below it."
                )


def is_header(cells: Sequence[str | None], below: Sequence[Sequence[str]] = ()) -> bool:
    """Whether a first row names columns. Numbers and dates are values, but for numbers in a row beside a name
    (`country, 2020, 2021`), and rising years where the rows below have none (`country, 1990, 2000, 2020`).
    """
    written = [cell.strip() for cell in cells if cell and cell.strip()]
    values = [cell for cell in written if len(cell) <= CELL_CHARACTERS and _VALUE.fullmatch(cell)]
    if not values or not written or values[0] == written[0]:
        return not values
    if not all(value.isdecimal() for value in values):
        return False
    steps = [int(later) - int(earlier) for earlier, later in pairwise(values)]
    if steps and all(step == 1 for step in steps):
        return True
    places = [place for place, cell in enumerate(cells) if cell and cell.strip() in values]
    others = [[row[place].strip() for place in places if place < len(row)] for row in below]
    others = [numbers for row in others if (numbers := [cell for cell in row if _VALUE.fullmatch(cell)])]
    is_rising = _are_years(values) and all(step > 0 for step in steps)
    return is_rising and bool(others) and not any(_are_years(numbers) for numbers in others)


def _are_years(cells: Sequence[str]) -> bool:
    return all(cell.isdecimal() and int(cell) in _YEARS for cell in cells)
