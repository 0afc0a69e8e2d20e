"""The types of text columns, recognised by what is written in them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import duckdb

from analysis.files.cells import boolean, boolean_pair
from analysis.files.date_columns import DateReading, date_reading
from analysis.files.number_columns import NumberCounts, NumberReading, decimal_mark, number_counts, number_reading
from analysis.files.plain_columns import NUMBERS, TYPES, plain_columns, plain_counts
from analysis.files.raw import RAW, RawColumn, RawTable
from analysis.files.sampling import Candidates, sample_candidates


@dataclass(frozen=True)
class ColumnReading:
    """`sql`: the column as an expression over the raw table, or over `moment`, a column computed before.

    `notes`: what was recognised, after the column's name.
    """

    column: RawColumn
    sql: str
    moment: str | None = None
    notes: tuple[str, ...] = ()


def columns_recognise(connection: duckdb.DuckDBPyConnection, table: RawTable) -> list[ColumnReading]:
    """How each column of the raw table is read, in order. Text stays text unless nearly all of it fits a type."""
    texts = [column for column in table.columns if column.type == "VARCHAR"]
    candidates = sample_candidates(connection, [column.key for column in texts], table.rows)
    kinds = {key: seen.plain for key, seen in candidates.items() if seen.plain}
    plain = plain_columns(connection, kinds)
    candidates = {key: seen for key, seen in candidates.items() if key not in plain}
    booleans = {key for key, seen in candidates.items() if seen.boolean and _is_boolean(connection, key)}
    numbers = _number_counts(connection, {key: seen for key, seen in candidates.items() if key not in booleans})
    numbers |= {key: plain_counts(kinds[key], cells) for key, cells in plain.items() if kinds[key] in NUMBERS}
    mark = decimal_mark((counts for counts in numbers.values() if counts.is_number), decimal_comma=table.decimal_comma)
    readings = []
    for column in table.columns:
        key = column.key
        if column.type != "VARCHAR":
            readings.append(ColumnReading(column, key))
        elif key in booleans:
            readings.append(ColumnReading(column, boolean(key)))
        elif key in plain and key not in numbers:
            readings.append(ColumnReading(column, f"CAST({key} AS {TYPES[kinds[key]]})"))
        elif key in numbers and numbers[key].is_number:
            readings.append(_number(column, numbers[key], number_reading(numbers[key], mark)))
        else:
            date = date_reading(connection, key, candidates[key].dates)
            readings.append(_date(column, date) if date else _text(column, numbers.get(key)))
    return readings


def _is_boolean(connection: duckdb.DuckDBPyConnection, key: str) -> bool:
    row = connection.execute(
        f"SELECT count({key}), count({boolean_pair(key)}), count(DISTINCT {boolean_pair(key)}) FROM {RAW}"  # noqa: S608 - names of our own, or quoted
    ).fetchone()
    assert row is not None
    written, fitting, pairs = row
    return bool(written == fitting > 0 and pairs == 1)


def _number_counts(
    connection: duckdb.DuckDBPyConnection, candidates: Mapping[str, Candidates]
) -> dict[str, NumberCounts]:
    return {key: number_counts(connection, key, units=seen.units) for key, seen in candidates.items() if seen.number}


def _number(column: RawColumn, counts: NumberCounts, reading: NumberReading) -> ColumnReading:
    if len(counts.units) > 1:
        return ColumnReading(column, column.key, notes=(f"has numbers in {' and '.join(counts.units)}: it stays text",))
    comma = reading.form.mark == ","
    notes = []
    if comma and counts.comma_decimals:
        notes.append("has decimal commas")
    if counts.is_ambiguous:
        example = "“1.234” was read as 1234" if comma else "“1,234” was read as 1234"
        notes.append(f"may have decimals or thousands: {example}")
    notes += [f"is in {unit}, which was left out" for unit in counts.units]
    notes += _lost(reading.lost, "number")
    return ColumnReading(column, reading.converted(column.key), notes=tuple(notes))


def _date(column: RawColumn, reading: DateReading) -> ColumnReading:
    notes = [f"has dates as {reading.form.label}"] if reading.form.label else []
    if reading.is_either:
        notes.append("may have day and month the other way round: no date rules it out")
    notes += _lost(reading.lost, "date")
    moment = f"{column.key}_moment"
    sql = f"CAST({reading.form.timestamp(moment)} AS {reading.type})"
    return ColumnReading(column, sql, f"{reading.form.moment(column.key)} AS {moment}", tuple(notes))


def _text(column: RawColumn, counts: NumberCounts | None) -> ColumnReading:
    has_codes = counts is not None and counts.codes > 0
    notes = ("has codes, such as digits after a zero: it stays text",) if has_codes else ()
    return ColumnReading(column, column.key, notes=notes)


def _lost(count: int, kind: str) -> Iterable[str]:
    return [f"has {count:,} values that are no {kind} and were left empty"] if count else []
