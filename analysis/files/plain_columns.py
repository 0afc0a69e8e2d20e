"""Columns whose cells are all plainly written numbers or ISO dates: recognised in one cheap scan of the table."""

from collections.abc import Mapping
from typing import Final, Literal

import duckdb

from analysis.files.number_columns import NumberCounts
from analysis.files.raw import RAW
from analysis.files.sql import literal
from language.numbers import DIGITS_AT_MOST

PlainKind = Literal["whole", "decimal", "day", "moment"]
_WHOLE: Final = rf"-?(?:0|[1-9]\d{{0,{DIGITS_AT_MOST - 1}}})"
_DAY: Final = r"[12]\d{3}-\d\d-\d\d"
PATTERNS: Final[dict[PlainKind, str]] = {
    "whole": _WHOLE,
    "decimal": rf"{_WHOLE}(?:\.\d+)?",
    "day": _DAY,
    "moment": rf"{_DAY}[ T]\d\d:\d\d:\d\d(?:\.\d{{1,6}})?",
}
"""From the narrowest on. No cell that has one of these forms is a code, a mark for a missing value or a phone."""
TYPES: Final[dict[PlainKind, str]] = {"whole": "BIGINT", "decimal": "DOUBLE", "day": "DATE", "moment": "TIMESTAMP"}

NUMBERS: Final[tuple[PlainKind, ...]] = ("whole", "decimal")


def fits_plain(cell: str, kind: PlainKind) -> str:
    """SQL of whether a cell has the form of the kind; a day or a moment must exist too."""
    fits = f"regexp_full_match({cell}, {literal(PATTERNS[kind])})"
    return f"{fits} AND TRY_CAST({cell} AS {TYPES[kind]}) IS NOT NULL" if kind in ("day", "moment") else fits


def plain_columns(connection: duckdb.DuckDBPyConnection, kinds: Mapping[str, PlainKind]) -> dict[str, int]:
    """How many cells are written, for those columns whose cells are all of the kind a sample suggests. One query."""
    if not kinds:
        return {}
    counts = [f"count({key}), count(*) FILTER ({fits_plain(key, kind)})" for key, kind in kinds.items()]
    row = connection.execute(f"SELECT {', '.join(counts)} FROM {RAW}").fetchone()  # noqa: S608 - names of our own, or quoted
    assert row is not None
    pairs = zip(kinds, row[::2], row[1::2], strict=True)
    return {key: written for key, written, fitting in pairs if written == fitting > 0}


def plain_counts(kind: PlainKind, cells: int) -> NumberCounts:
    """What counting a column of plain numbers would give. Of decimals, a sample has shown that the sign is a point."""
    decimals = int(kind == "decimal")
    return NumberCounts(
        values=cells,
        missing=0,
        codes=0,
        plain=cells,
        point=cells,
        comma=cells - decimals,
        point_decimals=decimals,
        comma_decimals=0,
        units=(),
    )
