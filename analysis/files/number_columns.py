"""Which text columns are numbers, and which sign their decimals have."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

import duckdb

from analysis.files.cells import is_missing
from analysis.files.number_forms import CODE, UNIT, Mark, NumberForm, amount
from analysis.files.raw import RAW
from analysis.files.sql import literal

FIT: Final = 0.98
"""Part of the values that must have the form of a column's type."""


@dataclass(frozen=True)
class NumberCounts:
    """Over the cells of a column: how many say something, or that it is missing; are codes; are numbers for DuckDB as
    they are; are numbers with either decimal sign.
    """

    values: int
    missing: int
    codes: int
    plain: int
    point: int
    comma: int
    point_decimals: int
    comma_decimals: int
    units: tuple[str, ...]

    @property
    def is_number(self) -> bool:
        return self.values > 0 and max(self.point, self.comma) >= FIT * self.values and self.codes == 0

    @property
    def is_ambiguous(self) -> bool:
        """As 1.234 and 1,234 are: thousands with one sign, decimals with the other."""
        return self.point == self.comma and (self.point_decimals > 0 or self.comma_decimals > 0)


_COUNTED: Final = ("values", "missing", "codes", "plain", "point", "comma", "point_decimals", "comma_decimals")


def number_counts(connection: duckdb.DuckDBPyConnection, key: str, *, units: bool) -> NumberCounts:
    point, comma = NumberForm("."), NumberForm(",")
    unit = f"nullif(lower(regexp_extract({key}, {literal(UNIT)})), '')" if units else "NULL::VARCHAR"
    row = connection.execute(
        "SELECT count(*) FILTER (NOT is_missing), count(*) FILTER (is_missing), "  # noqa: S608 - names of our own, or quoted
        f"count(*) FILTER (regexp_full_match(a, {literal(CODE)})), count(plain), count(*) FILTER (is_point), "
        "count(*) FILTER (is_comma), count(*) FILTER (is_point AND regexp_matches(a, '[.eE]')), "
        "count(*) FILTER (is_comma AND contains(a, ',')), list(DISTINCT unit) FILTER (is_point OR is_comma) FROM ("
        f"SELECT *, {point.fits('a')} AS is_point, {comma.fits('a')} AS is_comma FROM ("
        f"SELECT {amount(key, units=units)} AS a, {is_missing(key)} AS is_missing, {unit} AS unit, "
        f"TRY_CAST({key} AS DOUBLE) AS plain FROM {RAW}))"
    ).fetchone()
    assert row is not None
    *counts, units_seen = row
    kinds = tuple(sorted(kind for kind in units_seen or () if kind))
    return NumberCounts(**dict(zip(_COUNTED, counts, strict=True)), units=kinds)


def decimal_mark(columns: Iterable[NumberCounts], *, decimal_comma: bool) -> Mark:
    """The sign of columns that may be read both ways: as the file's other columns, else as its separator suggests."""
    votes = sum((counts.comma > counts.point) - (counts.point > counts.comma) for counts in columns)
    if votes:
        return "," if votes > 0 else "."
    return "," if decimal_comma else "."


@dataclass(frozen=True)
class NumberReading:
    """How a column of numbers is read. `lost`: values that are no number.

    `is_checked`: every cell is a number. `is_plain`: DuckDB reads them as they are written.
    """

    form: NumberForm
    type: Literal["BIGINT", "DOUBLE"]
    lost: int
    units: bool
    is_checked: bool

    is_plain: bool

    def converted(self, key: str) -> str:
        if self.is_plain:
            return f"TRY_CAST({key} AS {self.type})"
        cell = amount(key, units=self.units)
        return self.form.converted(cell, self.type, is_checked=self.is_checked)


def number_reading(counts: NumberCounts, mark: Mark) -> NumberReading:
    if not counts.is_ambiguous:
        mark = "," if counts.comma > counts.point else "."
    fitting, decimals = (counts.comma, counts.comma_decimals) if mark == "," else (counts.point, counts.point_decimals)
    lost = counts.values - fitting
    return NumberReading(
        NumberForm(mark),
        "DOUBLE" if decimals else "BIGINT",
        lost,
        units=bool(counts.units),
        is_checked=lost == counts.missing == 0,
        is_plain=mark == "." and counts.plain == counts.point == counts.values,
    )
