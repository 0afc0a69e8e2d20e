"""Dates and numbers that a column holds as text."""

import dataclasses
import re
from collections.abc import Mapping
from typing import Any, Final

import ibis
from django.utils.translation import gettext as _

from analysis.execution.chain import Draft
from analysis.execution.param_types import COLUMNS, columns_in, param_type, params_of_kind
from analysis.execution.repairs.text_dates import date_format
from analysis.execution.tools.columns import put_column

_MOSTLY: Final = 0.9
"""The part of the values that must be readable; the others become missing, and the record says how many."""
_POINT: Final = r"^\s*[-+]?([0-9]+|[0-9]{1,3}(,[0-9]{3})+)(\.[0-9]+)?\s*[%€$£]?\s*$"
_COMMA: Final = r"^\s*[-+]?([0-9]+|[0-9]{1,3}(\.[0-9]{3})+)(,[0-9]+)?\s*[%€$£]?\s*$"

_ORDERED: Final = ("<", "<=", ">", ">=", "between")


def repair_text_columns(draft: Draft) -> None:
    """Columns of text where the tool needs numbers or times, read as such where nearly all of them can be."""
    for param in params_of_kind(draft.entry, draft.params, COLUMNS):
        kind = param_type(draft.entry, param)
        for column in columns_in(kind.kind, draft.params[param]):
            if column not in draft.df.columns or not draft.df[column].type().is_string():
                continue
            if kind.narrowed == "number":
                numbers_read(draft, column)
            elif kind.narrowed == "time" or _is_held_against_date(draft.params[param], column):
                dates_read(draft, column)


def _is_held_against_date(value: Any, column: str) -> bool:
    """Whether a condition asks which dates of the column are before or after one, or in a part of the year."""
    return any(
        isinstance(condition, Mapping)
        and condition["column"] == column
        and (bool(condition.get("grain")) or (condition["op"] in _ORDERED and _has_dates(condition.get("value"))))
        for condition in value
    )


def _has_dates(value: Any) -> bool:
    values = value if isinstance(value, list | tuple) else [value]
    return all(isinstance(item, str) and re.match(r"\d{4}-\d{2}-\d{2}", item) for item in values)


def numbers_read(draft: Draft, column: str) -> bool:
    """Read a column of text as numbers, with a point or a comma for decimals; whether that was possible."""
    text = draft.df[column]
    counts = draft.ask(
        draft.df.aggregate(
            present=text.count(),
            point=text.re_search(_POINT).ifelse(1, 0).sum(),
            comma=text.re_search(_COMMA).ifelse(1, 0).sum(),
        )
    )[0]
    point, comma = counts["point"] or 0, counts["comma"] or 0
    if not counts["present"] or max(point, comma) < counts["present"] * _MOSTLY:
        return False
    pattern, thousands = (_POINT, ",") if point >= comma else (_COMMA, ".")
    digits = text.replace(thousands, "").replace(",", ".").re_replace("[^0-9.+-]", "")
    number = text.re_search(pattern).ifelse(digits, ibis.null("string")).nullif("").cast("float64")
    reason = _("Numbers written as text; %(unread)d values are none.") % {
        "unread": counts["present"] - max(point, comma)
    }
    _replace(draft, column, number, "number", reason)
    return True


def dates_read(draft: Draft, column: str) -> bool:
    """Read a column of text as dates; whether that was possible."""
    text = draft.df[column]
    form = date_format(text, draft.ask, draft.df, draft.language, _MOSTLY)
    if form is None:
        return False
    draft.finest[column] = form.finest
    reason = _("Dates written as text, read as %(format)s; %(unread)d values are none.") % {
        "format": form.name, "unread": form.unread,
    }  # fmt: skip
    _replace(draft, column, form.read(text), "date", reason)
    return True


def _replace(draft: Draft, column: str, value: ibis.Value, kind: str, reason: str) -> None:
    draft.frame = dataclasses.replace(draft.frame, df=put_column(draft.df, column, value))
    draft.note(column, "text", kind, reason)
