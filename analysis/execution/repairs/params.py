"""Parameters that the tool does not have, that are missing, or that are written otherwise."""

from collections.abc import Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from analysis.contracts.requirements import UNKNOWN
from analysis.execution.chain import Draft
from analysis.execution.failures import nearest_names
from analysis.execution.param_types import COLUMNS, LISTS, ParamType, columns_in, param_type, params_of_kind
from analysis.execution.tools.columns import is_of
from language.fold import fold

_ALIKE: Final = 0.75


def repair_params(draft: Draft) -> None:
    """Empty parameters are left out; one that is only spelt otherwise gets its name; another is dropped."""
    for name, value in list(draft.params.items()):
        if value is None or (value in ([], ()) and param_type(draft.entry, name).is_optional):
            del draft.params[name]
        elif name not in draft.entry.params:
            _repair_name(draft, name)


def _repair_name(draft: Draft, name: str) -> None:
    value = draft.params[name]
    same = [param for param in draft.entry.params if fold(param) == fold(name) and param not in draft.params]
    if not same:
        return draft.mend(name, None, _("The tool has no such parameter."))
    del draft.params[name]
    draft.params[same[0]] = value
    return draft.note(same[0], name, same[0], _("The name of the parameter was written otherwise."))


def repair_scalars(draft: Draft) -> None:
    """Single values for lists, lists of one for values, numbers written as text, and choices spelt otherwise."""
    for name in list(draft.params):
        kind = param_type(draft.entry, name)
        _repair_shape(draft, name, kind)
        value = draft.params[name]
        if kind.kind == "choice" and value not in kind.choices:
            _repair_choice(draft, name, kind)
        elif kind.kind in ("integer", "number") and not _is_plain(value, kind):
            _repair_number(draft, name, kind)


def _repair_shape(draft: Draft, name: str, kind: ParamType) -> None:
    value = draft.params[name]
    if kind.kind in LISTS and isinstance(value, tuple):
        draft.params[name] = list(value)
    elif kind.kind in LISTS and isinstance(value, str | dict):
        draft.params[name] = [value]
    elif kind.kind not in (*LISTS, "functions", "any") and isinstance(value, list | tuple) and len(value) == 1:
        draft.mend(name, value[0], _("A single value is needed."), same_meaning=True)


def _repair_choice(draft: Draft, name: str, kind: ParamType) -> None:
    value = fold(str(draft.params[name]))
    near = [choice for choice in kind.choices if fold(choice) == value or value.startswith(fold(choice))]
    near = near or list(nearest_names(value, kind.choices, 1, _ALIKE))
    if value == UNKNOWN and kind.is_optional:
        del draft.params[name]
    elif near:
        draft.mend(name, near[0], _("The value was written otherwise."), same_meaning=True)
    elif kind.is_optional:
        draft.mend(name, None, _("The tool does not know this value."))


def _is_plain(value: Any, kind: ParamType) -> bool:
    allowed: Any = int if kind.kind == "integer" else int | float
    return isinstance(value, allowed) and not isinstance(value, bool)


def _repair_number(draft: Draft, name: str, kind: ParamType) -> None:
    try:
        number = float(str(draft.params[name]).strip().replace(",", "."))
    except ValueError:
        if kind.is_optional:
            draft.mend(name, None, _("This is no number."))
        return
    if kind.kind == "number" or number.is_integer():
        after = int(number) if number.is_integer() else number
        draft.mend(name, after, _("The number was written otherwise."), same_meaning=True)


def repair_missing(draft: Draft) -> None:
    """What must be said and is not: the only column of its type that no other parameter names, or what is usual."""
    for name in draft.entry.params:
        kind = param_type(draft.entry, name)
        if name in draft.params or kind.is_optional:
            continue
        fitting = _unused_columns(draft, kind) if kind.kind == "column" else []
        if len(fitting) == 1:
            draft.mend(name, fitting[0], _("It was not said, and only this column fits."))
        elif draft.usual.get(name) is not None:
            draft.mend(name, draft.usual[name], _("It was not said; this is usual."))


def _unused_columns(draft: Draft, kind: ParamType) -> Sequence[str]:
    used = {
        column
        for param in params_of_kind(draft.entry, draft.params, COLUMNS)
        for column in columns_in(param_type(draft.entry, param).kind, draft.params[param])
    }
    return [name for name in draft.df.columns if name not in used and is_of(draft.df[name], kind.narrowed)]
