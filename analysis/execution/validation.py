"""Parameters against what the tool takes and what the table has. What is refused here could not be repaired."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import ibis
from django.utils.translation import gettext as _

from analysis.contracts.naming import functions_of
from analysis.contracts.requirements import FUNCTIONS, GRAINS
from analysis.execution.chain import Draft
from analysis.execution.failures import ToolRefused, names_hint
from analysis.execution.param_types import COLUMNS, ParamType, columns_in, param_type
from analysis.execution.tools.columns import is_moment, is_number, is_of
from analysis.execution.tools.conditions import COMPARISONS

OPERATORS = frozenset({*COMPARISONS, "between", "in", "not_in", "contains", "not_contains", "null", "not_null"})


def shapes_check(draft: Draft) -> None:
    """Raises `ToolRefused` for the first parameter that is not written as the catalog says."""
    for param, value in draft.params.items():
        kind = param_type(draft.entry, param)
        if not _has_shape(kind, value):
            raise ToolRefused(wanted=f"{param} ({kind.words})", got=repr(value)[:200], mend=_shape_hint(kind, value))
        if kind.kind == "functions":
            _check_functions(draft, param)


def _shape_hint(kind: ParamType, value: Any) -> str:
    match kind.kind:
        case "column" | "metric":
            return _("Give the name of one column.")
        case "columns" | "metrics":
            return _("Give a list of names of columns.")
        case "filters":
            example = '{"column": "price", "op": ">", "value": 5}'
            return _("Write each condition as %(example)s.") % {"example": example}
        case "integer":
            return _("Give a whole number from 1 on.")
        case "number":
            return _("Give a number above 0.")
        case "choice":
            return names_hint(str(value), kind.choices)
        case "functions":
            return _("Name one function for all of them, or one for each.")
    return _("Give a text.")


def columns_check(draft: Draft) -> None:
    """Raises `ToolRefused` for the first parameter that is missing or names a column that does not fit."""
    for param in draft.entry.params:
        kind = param_type(draft.entry, param)
        if param not in draft.params:
            if kind.is_optional:
                continue
            mend = names_hint(param, draft.df.columns) if kind.kind in COLUMNS else ""
            raise ToolRefused(wanted=f"{param} ({kind.words})", got=_("nothing"), mend=mend)
        if kind.kind in COLUMNS:
            for column in columns_in(kind.kind, draft.params[param]):
                _check_column(draft, column, kind)
        if kind.kind == "filters":
            _check_periods(draft, draft.params[param], kind)


def _has_shape(kind: ParamType, value: Any) -> bool:
    match kind.kind:
        case "column" | "metric" | "text":
            return isinstance(value, str) and bool(value)
        case "columns" | "metrics":
            return isinstance(value, list) and bool(value) and all(isinstance(name, str) for name in value)
        case "filters":
            return isinstance(value, list) and bool(value) and all(_is_condition(condition) for condition in value)
        case "integer":
            return isinstance(value, int) and value >= 1
        case "number":
            return isinstance(value, int | float) and value > 0
        case "choice":
            return value in kind.choices
        case "functions":
            return isinstance(value, str) or (isinstance(value, list) and all(isinstance(name, str) for name in value))
    return True


def _is_condition(condition: Any) -> bool:
    if not isinstance(condition, Mapping) or not isinstance(condition.get("column"), str):
        return False
    op, value, grain = condition.get("op"), condition.get("value"), condition.get("grain")
    if grain and grain not in GRAINS:
        return False
    if op == "between":
        return isinstance(value, list | tuple) and len(value) == 2 and None not in value
    if op in ("null", "not_null"):
        return True
    if isinstance(value, Mapping):
        return op in COMPARISONS and isinstance(value.get("column"), str)
    return op in OPERATORS and value is not None and (not isinstance(value, list | tuple) or op in ("in", "not_in"))


def _check_functions(draft: Draft, param: str) -> None:
    allowed = [function for function in FUNCTIONS if function != "none"]
    value = draft.params[param]
    unknown = [function for function in ([value] if isinstance(value, str) else value) if function not in allowed]
    if unknown:
        mend = names_hint(str(unknown[0]), allowed)
        raise ToolRefused(wanted=f"{param} ({' | '.join(allowed)})", got=repr(unknown[0]), mend=mend)
    try:
        functions_of(draft.metrics(), value)
    except ValueError:
        raise ToolRefused(
            wanted=_("a function for each of %(count)d metrics") % {"count": len(draft.metrics())},
            got=repr(value),
            mend=_("Name one function for all of them, or one for each."),
        ) from None


def _check_column(draft: Draft, column: str, kind: ParamType) -> None:
    if column not in draft.df.columns:
        raise ToolRefused(
            wanted=_("a column of the table"), got=repr(column), mend=names_hint(column, draft.df.columns)
        )
    if kind.narrowed and not _is_of(draft, draft.df[column], kind.narrowed):
        raise _wrong_type(draft, column, kind)


def _wrong_type(draft: Draft, column: str, kind: ParamType) -> ToolRefused:
    fitting = [name for name in draft.df.columns if is_of(draft.df[name], kind.narrowed)]
    return ToolRefused(
        wanted=_("a column of numbers") if kind.narrowed == "number" else _("a column of times"),
        got=_("%(column)s, of the type %(type)s") % {"column": column, "type": draft.df[column].type()},
        mend=names_hint(column, fitting) if fitting else _("The table has none."),
    )


def _check_periods(draft: Draft, where: Sequence[Mapping[str, Any]], kind: ParamType) -> None:
    """Only a time has a weekday, and a date has no hour."""
    timed = dataclasses.replace(kind, narrowed="time")
    for condition in where:
        grain, column = condition.get("grain"), condition["column"]
        if grain and not is_moment(draft.df[column]):
            raise _wrong_type(draft, column, timed)
        if grain == "hour" and draft.df[column].type().is_date():
            raise ToolRefused(
                wanted=_("a column with times of day"),
                got=_("%(column)s, of the type %(type)s") % {"column": column, "type": draft.df[column].type()},
                mend=_("Use a day or a longer period."),
            )


def _is_of(draft: Draft, value: ibis.Value, narrowed: str) -> bool:
    if narrowed == "number":
        return is_number(value) or (is_moment(value) and draft.params.get("operator") == "subtract")
    return is_moment(value) or is_number(value)
