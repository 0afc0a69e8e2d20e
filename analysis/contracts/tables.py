"""What is known of a table before anything is asked of it."""

from typing import Final, Literal

from pydantic import Field

from core.contracts import Contract

ColumnType = Literal["text", "integer", "number", "date", "timestamp", "boolean"]
NUMERIC: Final = ("integer", "number")
TEMPORAL: Final = ("date", "timestamp")


class Column(Contract):
    """A column of a table.

    `values`: distinct values as text, the commonest first; all of them where `complete`. `distinct`: how many there
    are, None where they were not counted. `synonyms`: other names that people use, in either language. `lowest` and
    `highest` are values as text, None where unknown or without order.
    """

    name: str
    type: ColumnType = "text"
    values: tuple[str, ...] = ()
    complete: bool = False
    distinct: int | None = None
    synonyms: tuple[str, ...] = ()
    lowest: str | None = None
    highest: str | None = None

    @property
    def is_number(self) -> bool:
        return self.type in NUMERIC

    @property
    def is_time(self) -> bool:
        return self.type in TEMPORAL


class TableSchema(Contract):
    """A table: its name, its columns in order, and how many rows it has (None where they were not counted)."""

    table: str
    columns: tuple[Column, ...] = Field(min_length=1)
    rows: int | None = None

    def column(self, name: str) -> Column | None:
        """The column of exactly this name."""
        return next((column for column in self.columns if column.name == name), None)
