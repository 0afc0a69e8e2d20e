"""Conditions that are written otherwise."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from analysis.execution.chain import Draft
from analysis.execution.param_types import params_of_kind
from language.fold import fold

_OTHER_NAMES: Final[Mapping[str, str]] = {
    "==": "=", "eq": "=", "equals": "=", "is": "=", "<>": "!=", "ne": "!=", "neq": "!=", "≥": ">=", "gte": ">=",
    "≤": "<=", "lte": "<=", "gt": ">", "lt": "<", "not in": "not_in", "notin": "not_in", "like": "contains",
    "is null": "null", "isnull": "null", "is not null": "not_null", "notnull": "not_null",
}  # fmt: skip


def repair_conditions(draft: Draft) -> None:
    """Other signs of operators, lists for `=`, single values for `in`, and conditions as {"city": "Madrid"}."""
    for param in params_of_kind(draft.entry, draft.params, ("filters",)):
        before = draft.params[param]
        if not isinstance(before, list):
            continue
        after = [_repaired(condition) for condition in before]
        if after != before:
            draft.mend(param, after, _("The condition was written otherwise."), same_meaning=True)


def _repaired(condition: Any) -> Any:
    if not isinstance(condition, Mapping):
        return condition
    if "column" not in condition and len(condition) == 1:
        ((column, value),) = condition.items()
        condition = {"column": column, "op": "=", "value": value}
    op, value = fold(str(condition.get("op", "="))).strip(), condition.get("value")
    op = _OTHER_NAMES.get(op, op)
    if isinstance(value, list | tuple) and op in ("=", "!="):
        op = "in" if op == "=" else "not_in"
    if op in ("in", "not_in") and not isinstance(value, list | tuple | Mapping):
        value = [value]
    if value is None:
        op = {"=": "null", "!=": "not_null"}.get(op, op)
    return {**condition, "op": op} | ({} if value is None else {"value": value})
