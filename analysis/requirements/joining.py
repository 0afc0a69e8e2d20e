"""Several tables read as one: those that a key connects to the first."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from analysis.contracts.requirements import Details, Join, Reading, Requirements
from analysis.contracts.tables import Column, TableSchema
from analysis.requirements.linking import is_identifier, name_read

_OF_KEYS: Final = ("text", "integer")


def tables_joined(schemas: Mapping[str, TableSchema], main: str) -> tuple[TableSchema, tuple[Join, ...]]:
    """The main table with the columns of all tables that have a key of it, and how each of these is joined.

    A key is a column of the same name in both, whose values the other table has once each.
    """
    first = schemas[main]
    columns, joins = list(first.columns), []
    for name, other in schemas.items():
        key = None if name == main else _key(first, other)
        if key is None:
            continue
        there = {column.name.casefold() for column in columns}
        own = [column for column in other.columns if column.name != key[1] and column.name.casefold() not in there]
        columns += own
        joins.append(Join(table=name, key=key[0], other_key=key[1], columns=tuple(column.name for column in own)))
    return first.model_copy(update={"columns": tuple(columns)}), tuple(joins)


def _key(first: TableSchema, other: TableSchema) -> tuple[str, str] | None:
    """The columns of both that are the key, an identifier before another."""
    pairs = [
        (not is_identifier(right), left.name, right.name)
        for left in first.columns
        for right in other.columns
        if _is_key(left, right, other)
    ]
    best = min(pairs, default=None)
    return None if best is None else best[1:]


def _is_key(left: Column, right: Column, other: TableSchema) -> bool:
    same = name_read(left.name).words == name_read(right.name).words
    is_unique = right.distinct is not None and other.rows is not None and right.distinct == other.rows
    return same and is_unique and left.type == right.type and left.type in _OF_KEYS


def reading_joined(reading: Reading, joins: Sequence[Join]) -> Reading:
    """The reading with those joins whose columns it uses."""
    used = set(_columns_of(reading.requirements, reading.details))
    needed = [
        join.model_copy(update={"columns": tuple(name for name in join.columns if name in used)}) for join in joins
    ]
    details = reading.details.model_copy(update={"joins": tuple(join for join in needed if join.columns)})
    return reading.model_copy(update={"details": details})


def _columns_of(requirements: Requirements, details: Details) -> Iterator[str]:
    yield from (*requirements.metrics, *requirements.group_by, requirements.time.column, *details.listed)
    for condition in details.filters:
        yield condition.column
        if isinstance(condition.value, Mapping):
            yield str(condition.value.get("column"))
    if details.order:
        yield details.order.by
