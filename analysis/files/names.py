"""Names of tables and columns out of names of files and header cells."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from analysis.errors import FileRefused
from analysis.files.limits import COLUMNS, NAME_CHARACTERS
from language.fold import fold

_TABLE_CHARACTERS: Final = 60
_UNSAFE: Final = re.compile(r"[^a-z0-9]+")


def table_name(stem: str, taken: Iterable[str]) -> str:
    """A name of small letters, digits and underscores, numbered where it is taken: `ventas_2023`, `ventas_2023_2`."""
    name = _UNSAFE.sub("_", fold(stem)).strip("_")[:_TABLE_CHARACTERS].rstrip("_")
    if not name or name[0].isdigit():
        name = f"table_{name}".rstrip("_")
    return _numbered(name, {fold(other) for other in taken})


def column_names(cells: Sequence[str | None], name: str) -> tuple[str, ...]:
    """The cells of a header as written, without blanks around them. Empty ones are `column_3`; the second of two that
    DuckDB cannot tell apart is numbered. Raises `FileRefused` for too many or too long ones.
    """
    check_columns(len(cells), name)
    names: list[str] = []
    taken: set[str] = set()
    for place, cell in enumerate(cells, 1):
        column = (cell or "").strip() or f"column_{place}"
        if len(column) > NAME_CHARACTERS:
            raise FileRefused(
                f"“{name}” has a column name of {len(column):,} characters; expected at most {NAME_CHARACTERS}."
            )
        column = _numbered(column, taken)
        taken.add(column.lower())
        names.append(column)
    return tuple(names)


def check_columns(count: int, name: str) -> None:
    if count > COLUMNS:
        raise FileRefused(f"“{name}” has {count:,} columns; expected at most {COLUMNS:,}.")
    if count < 1:
        raise FileRefused(f"“{name}” has no columns; expected at least one.")


def _numbered(name: str, taken: Iterable[str]) -> str:
    taken = set(taken)
    candidate, number = name, 1
    while candidate.lower() in taken:
        number += 1
        candidate = f"{name}_{number}"
    return candidate
