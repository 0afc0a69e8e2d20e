"""Whether a result has the rows that are right: further columns are allowed, and names of columns do not count."""

import math
import re
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final

Cell = float | str | None
Columns = list[list[Cell]]
_NEAR: Final = 1e-6
_WORDS: Final = {"yes": 1.0, "sí": 1.0, "si": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?")


def is_same_table(right: Sequence[Sequence[Any]], given: Sequence[Sequence[Any]], *, is_ordered: bool) -> bool:
    """Whether each right column can be a column of what is given so that all rows agree.

    Numbers may differ by a millionth; a date is its ISO text and equal to its midnight; True and "yes" are 1.
    """
    if len(right) != len(given):
        return False
    return not right or _can_choose(_columns(right), _columns(given), (), is_ordered)


def _can_choose(right: Columns, given: Columns, chosen: tuple[int, ...], is_ordered: bool) -> bool:
    """Whether places of given columns can be chosen for the rest of the right ones, after those of the first."""
    count = len(chosen) + 1
    if count > len(right):
        return True
    for place in sorted(range(len(given)), key=lambda place: place in chosen):
        places = (*chosen, place)
        if _has_same(right[count - 1], given[place]) and (
            _is_same(right[:count], [given[at] for at in places], is_ordered)
            and _can_choose(right, given, places, is_ordered)
        ):
            return True
    return False


def _is_same(right: Columns, given: Columns, is_ordered: bool) -> bool:
    rows, others = (list(zip(*columns, strict=True)) for columns in (right, given))
    if not is_ordered:
        # Texts come first: two numbers that are nearly the same may be in either order.
        by_kind = sorted(range(len(right)), key=lambda place: any(isinstance(cell, float) for cell in right[place]))
        rows, others = (
            sorted(some, key=lambda row: [_order(row[place]) for place in by_kind]) for some in (rows, others)
        )
    return all(
        _is_near(cell, other)
        for row, same in zip(rows, others, strict=True)
        for cell, other in zip(row, same, strict=True)
    )


def _has_same(right: Sequence[Cell], given: Sequence[Cell]) -> bool:
    """Whether two columns have the same values, in any order."""
    pairs = zip(sorted(right, key=_order), sorted(given, key=_order), strict=True)
    return all(_is_near(cell, other) for cell, other in pairs)


def _is_near(cell: Cell, other: Cell) -> bool:
    if isinstance(cell, float) and isinstance(other, float):
        return math.isclose(cell, other, rel_tol=_NEAR, abs_tol=_NEAR)
    return cell == other


def _order(cell: Cell) -> tuple[int, float, str]:
    """Numbers, then texts, then what is missing. Rounded, so that noise does not change the order of rows."""
    if cell is None:
        return (2, 0.0, "")
    return (1, 0.0, cell) if isinstance(cell, str) else (0, float(f"{cell:.6g}"), "")


def _columns(rows: Sequence[Sequence[Any]]) -> Columns:
    return [[_cell(value) for value in column] for column in zip(*rows, strict=True)]


def _cell(value: Any) -> Cell:
    if value is None:
        return None
    if isinstance(value, str):
        is_moment = _MOMENT.fullmatch(value) is not None
        return _moment(datetime.fromisoformat(value)) if is_moment else _WORDS.get(value.lower(), value)
    if isinstance(value, bool | int | float | Decimal):
        number = float(value)
        return None if math.isnan(number) else number
    if isinstance(value, datetime):
        return _moment(value)
    return value.isoformat() if isinstance(value, date) else str(value)


def _moment(value: datetime) -> str:
    plain = value.replace(tzinfo=None)
    return plain.date().isoformat() if plain.time() == time() else plain.isoformat()
