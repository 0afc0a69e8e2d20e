"""A table known by a few rows alone: the types of its columns, as far as the sample shows them."""

import re
from collections.abc import Sequence
from typing import Any, Final

from analysis.contracts.tables import Column, ColumnType, TableSchema

_INTEGER: Final = re.compile(r"[+-]?\d+")
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_DATE: Final = re.compile(r"\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}[-/]\d{1,2}[-/]\d{4}")
_TIMESTAMP: Final = re.compile(rf"(?:{_DATE.pattern})[T ]\d{{1,2}}:\d\d.*")
_CODE: Final = re.compile(r"0\d+")
_TYPES: Final[tuple[tuple[ColumnType, re.Pattern[str]], ...]] = (
    ("integer", _INTEGER), ("number", _NUMBER), ("timestamp", _TIMESTAMP), ("date", _DATE),
)  # fmt: skip
_EMPTY: Final = frozenset({"", "null", "none", "nan", "n/a"})


def schema_of_sample(table: str, columns: Sequence[str], sample: Sequence[Sequence[Any]]) -> TableSchema:
    """The schema of a table from the names of its columns and some rows, each as long as the columns or shorter."""
    values = [[row[at] for row in sample if at < len(row)] for at in range(len(columns))]
    return TableSchema(table=table, columns=tuple(map(_column, columns, values)))


def _column(name: str, values: Sequence[Any]) -> Column:
    texts = [str(value).strip() for value in values if str(value).strip().lower() not in _EMPTY]
    return Column(name=name, type=_type(values, texts), values=tuple(dict.fromkeys(texts)))


def _type(values: Sequence[Any], texts: Sequence[str]) -> ColumnType:
    if values and all(isinstance(value, bool) for value in values):
        return "boolean"
    if not texts or any(_CODE.fullmatch(text) for text in texts):
        return "text"
    return next((kind for kind, form in _TYPES if all(map(form.fullmatch, texts))), "text")
