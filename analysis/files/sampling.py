"""Which forms the cells of a column may have, by a sample: the others are not counted over all rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import duckdb

from analysis.files.cells import boolean_pair, is_missing
from analysis.files.date_forms import DATE_FORMS, DateForm
from analysis.files.number_forms import CURRENCY, MARKS, UNIT, NumberForm, amount
from analysis.files.plain_columns import NUMBERS, PATTERNS, PlainKind, fits_plain
from analysis.files.raw import RAW
from analysis.files.sql import literal

_ROWS: Final = 2_000
_CELLS: Final = 400_000
_FEWEST_ROWS: Final = 200
_ENOUGH: Final = 50
"""With fewer cells in a sample that is not the whole table, every form is possible."""
_LIKELY: Final = 0.9
_AMOUNT_OR_DATE: Final = f"(?i)^(?:[^a-z0-9]|{CURRENCY})*[0-9]|[12][0-9]{{3}}"
"""What every number and date has: a digit before all letters, or a year after the name of a month."""


@dataclass(frozen=True)
class Candidates:
    """`units`: whether signs of currencies or percent were seen. `plain`: what all cells of the sample are."""

    boolean: bool = True
    number: bool = True
    units: bool = True
    dates: tuple[DateForm, ...] = DATE_FORMS
    plain: PlainKind | None = None


def sample_candidates(connection: duckdb.DuckDBPyConnection, keys: Sequence[str], rows: int) -> dict[str, Candidates]:
    """The candidates of each text column of a raw table with so many rows."""
    if not keys:
        return {}
    sampled = min(_ROWS, max(_FEWEST_ROWS, _CELLS // len(keys)))
    connection.execute(
        f"CREATE TEMP TABLE sample AS SELECT {', '.join(keys)} FROM {RAW} "  # noqa: S608 - names of our own, or quoted
        f"USING SAMPLE reservoir({sampled} ROWS) REPEATABLE (7)"
    )
    enough = _ENOUGH if rows > sampled else 1
    looks = {key: _Look(*counts) for key, *counts in connection.execute(_looking(keys)).fetchall()}
    candidates = {key: _seen(looks.get(key), enough) for key in keys}
    unclear = [key for key, seen in candidates.items() if seen is None]
    fits = {key: row for key, *row in connection.execute(_fitting(unclear)).fetchall()} if unclear else {}
    connection.execute("DROP TABLE sample")
    return {key: seen or _judged(looks[key], fits[key]) for key, seen in candidates.items()}


@dataclass(frozen=True)
class _Look:
    """Cells of a column in the sample: how many are written, are values, words of a boolean, may be a number or
    a date, are numbers with a decimal comma, and are of each plain kind.
    """

    written: int
    values: int
    booleans: int
    shaped: int
    comma: int
    whole: int
    decimal: int
    day: int
    moment: int

    @property
    def plain(self) -> PlainKind | None:
        """The narrowest kind that all cells have. Decimals whose sign may separate thousands are of none."""
        fits = (self.whole, self.decimal, self.day, self.moment)
        kind = next((kind for kind, count in zip(PATTERNS, fits, strict=True) if count == self.written), None)
        return None if kind == "decimal" and self.comma == self.written else kind


def _looking(keys: Sequence[str]) -> str:
    """The sample with a cell a row: so the query is no longer for a thousand columns than for one."""
    counts = [
        "count(*)",
        f"count(*) FILTER (NOT {is_missing('cell')})",
        f"count({boolean_pair('cell')})",
        f"count(*) FILTER (regexp_matches(cell, {literal(_AMOUNT_OR_DATE)}))",
        f"count(*) FILTER ({NumberForm(',').fits('cell')})",
        *(f"count(*) FILTER ({fits_plain('cell', kind)})" for kind in PATTERNS),
    ]
    return f"SELECT key, {', '.join(counts)} FROM ({_cells(keys)}) GROUP BY key"  # noqa: S608 - names of our own, or quoted


def _fitting(keys: Sequence[str]) -> str:
    """The costlier forms, for the columns that a first look leaves unclear."""
    moments = ", ".join(f"{form.moment('cell')} AS m{place}" for place, form in enumerate(DATE_FORMS))
    counts = [
        f"count(*) FILTER (regexp_matches(cell, {literal(UNIT)}))",
        *(f"count(*) FILTER ({NumberForm(mark).fits('amount')})" for mark in MARKS),
        *(f"count({form.timestamp(f'm{place}')})" for place, form in enumerate(DATE_FORMS)),
    ]
    return (
        f"SELECT key, {', '.join(counts)} FROM (SELECT key, cell, {amount('cell', units=True)} AS amount, {moments} "  # noqa: S608 - names of our own, or quoted
        f"FROM ({_cells(keys)})) GROUP BY key"
    )


def _cells(keys: Sequence[str]) -> str:
    return f"UNPIVOT sample ON {', '.join(keys)} INTO NAME key VALUE cell"


def _seen(look: _Look | None, enough: int) -> Candidates | None:
    """What a first look says; None where it leaves more than one type. `look` is None for a column without a cell."""
    if look is None:
        return Candidates() if enough > 1 else Candidates(False, False, False, ())
    is_boolean = look.booleans == look.written
    if look.values < enough:
        return Candidates(boolean=is_boolean)
    if look.plain:
        dates = () if look.plain in NUMBERS else DATE_FORMS[:1]
        return Candidates(False, look.plain in NUMBERS, False, dates, look.plain)
    if is_boolean or look.shaped < _LIKELY * look.values:
        return Candidates(is_boolean, False, False, ())
    return None


def _judged(look: _Look, fits: Sequence[int]) -> Candidates:
    units, *numbers = fits[: 1 + len(MARKS)]
    dates = zip(DATE_FORMS, fits[1 + len(MARKS) :], strict=True)
    return Candidates(
        False,
        max(numbers) >= _LIKELY * look.values,
        units > 0,
        tuple(form for form, count in dates if count >= _LIKELY * look.values),
    )
