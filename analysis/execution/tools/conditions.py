"""Conditions on rows, as expressions. A row whose value is missing meets none but `null`."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

import ibis
from django.utils.translation import gettext as _

from analysis.execution.failures import ToolRefused
from analysis.execution.tools.columns import as_key
from analysis.execution.tools.periods import period_number
from language.fold import fold

Condition = Mapping[str, Any]
_ACCENTED: Final = "áàâäãåéèêëíìîïóòôöõúùûüñçýÿ"
_PLAIN: Final = "aaaaaaeeeeiiiiooooouuuuncyy"


def meets(df: ibis.Table, where: Sequence[Condition]) -> ibis.Value:
    """Whether a row meets all of the conditions; true where there are none."""
    met: ibis.Value = ibis.literal(value=True)
    for condition in where:
        met = met & _meets(df, condition)
    return met


def _meets(df: ibis.Table, condition: Condition) -> ibis.Value:
    column, op, value = df[condition["column"]], condition["op"], condition.get("value")
    if op == "null":
        return column.isnull()
    if op == "not_null":
        return column.notnull()
    if isinstance(value, Mapping):
        return COMPARISONS[op](*_alike(column, df[value["column"]]))
    if op in ("contains", "not_contains"):
        held = case_free(column).contains(fold(str(value)))
        return held if op == "contains" else ~held
    if condition.get("grain"):
        column = period_number(column, condition["grain"])
    given = value if isinstance(value, list | tuple) else [value]
    values = [value_as(column, item) for item in given if item is not None]
    left = column.date() if column.type().is_timestamp() and all(_is_day(item) for item in values) else column
    if op == "between":
        return left.between(values[0], values[1])
    if op in ("in", "not_in"):
        return left.isin(values) if op == "in" else left.notin(values)
    return COMPARISONS[op](left, values[0])


COMPARISONS: Final[Mapping[str, Callable[[ibis.Value, Any], ibis.Value]]] = {
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
}


def _alike(left: ibis.Value, right: ibis.Value) -> tuple[ibis.Value, ibis.Value]:
    """Two columns as text where only one of them is."""
    if left.type().is_string() == right.type().is_string():
        return left, right
    return as_key(left), as_key(right)


def case_free(column: ibis.Value) -> ibis.Value:
    """Text in small letters without the accents of Latin languages."""
    return column.cast("string").lower().translate(_ACCENTED, _PLAIN)


def _is_day(value: Any) -> bool:
    return isinstance(value, date) and not isinstance(value, datetime)


def value_as(column: ibis.Value, value: Any) -> Any:
    """The value in the column's type: ISO text as a date or time, numbers of text as numbers."""
    kind = column.type()
    try:
        if kind.is_temporal():
            return value if isinstance(value, date) else _moment(str(value))
        if kind.is_boolean():
            return _truth(value)
        if kind.is_numeric():
            return value if isinstance(value, int | float) else _number(str(value))
    except ValueError:
        raise ToolRefused(
            wanted=_("a value for %(column)s of the type %(type)s") % {"column": column.get_name(), "type": kind},
            got=repr(value),
            mend=_("Write dates as 2024-12-31 and numbers as 1234.5."),
        ) from None
    return str(value) if kind.is_string() else value


def _moment(text: str) -> date:
    return date.fromisoformat(text) if len(text) == len("2024-12-31") else datetime.fromisoformat(text)


def _number(text: str) -> int | float:
    number = float(text)
    return int(number) if number.is_integer() else number


def _truth(value: Any) -> bool:
    if isinstance(value, bool | int):
        return bool(value)
    if fold(str(value)) in ("true", "yes", "si", "verdadero", "1", "t", "y"):
        return True
    if fold(str(value)) in ("false", "no", "falso", "0", "f", "n"):
        return False
    raise ValueError(value)
