"""Columns that a step names and its table does not have."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from analysis.coverage.chaining import tables_usable
from analysis.execution.chain import Draft, Frame
from analysis.execution.param_types import COLUMNS, columns_in, columns_renamed, param_type, params_of_kind
from language.fold import fold

_SIGNS: Final = re.compile(r"[\W_]+")


def repair_columns(draft: Draft) -> None:
    """The columns' real names; else an earlier table that has them; else without those that are optional."""
    wanted = {param: draft.params[param] for param in params_of_kind(draft.entry, draft.params, COLUMNS)}
    for frame in tables_usable(draft.entry, draft.frames):
        resolved = _resolve(draft, wanted, frame.df.columns)
        if resolved is not None:
            _use_frame(draft, frame)
            _use_names(draft, resolved)
            return
    for param in wanted:
        _drop_optional(draft, param)


def _use_frame(draft: Draft, frame: Frame) -> None:
    if frame is draft.frame:
        return
    draft.note(
        "df", _table_words(draft.frame), _table_words(frame), _("The latest table does not have the step's columns.")
    )
    draft.frame = frame


def _table_words(frame: Frame) -> str:
    return _("the table of step %(step)d") % {"step": frame.step} if frame.step else _("the table")


def _resolve(draft: Draft, wanted: Mapping[str, Any], columns: Sequence[str]) -> dict[str, Any] | None:
    """The parameters with the names that these columns have; None where one is not among them."""
    resolved = {}
    for param, value in wanted.items():
        kind = param_type(draft.entry, param).kind
        names = {name: column_named(name, columns, draft.renamed) for name in columns_in(kind, value)}
        if None in names.values():
            return None
        resolved[param] = columns_renamed(kind, value, lambda name, names=names: names[name])  # type: ignore[misc]
    return resolved


def column_named(name: str, columns: Sequence[str], renamed: Mapping[str, str]) -> str | None:
    """The column that a name means: itself, one that differs in capitals, accents or signs, or what it became."""
    if name in columns:
        return name
    same = [column for column in columns if plain(column) == plain(name)]
    same = same if len(same) == 1 else [column for column in same if fold(column) == fold(name)]
    became = renamed.get(name)
    if len(same) == 1:
        return same[0]
    return became if became in columns else None


def plain(name: str) -> str:
    """The name without capitals, accents, blanks and signs; itself where nothing else is in it."""
    return _SIGNS.sub("", fold(name)) or name


def _use_names(draft: Draft, resolved: Mapping[str, Any]) -> None:
    for param, value in resolved.items():
        kind = param_type(draft.entry, param).kind
        if columns_in(kind, value) != columns_in(kind, draft.params[param]):
            draft.mend(param, value, _("The column is written otherwise in the table."), same_meaning=True)


def _drop_optional(draft: Draft, param: str) -> None:
    kind = param_type(draft.entry, param)
    value = draft.params[param]
    if kind.is_optional and kind.kind == "column" and column_named(value, draft.df.columns, draft.renamed) is None:
        draft.mend(param, None, _("The table has no such column, and the tool does without."))


def repair_other_table(draft: Draft) -> None:
    """The name of another table, and of the key in it, for a tool that takes two tables."""
    if draft.entry.inputs.count("df") < 2 or not isinstance(draft.params.get("table"), str):
        return
    table = column_named(draft.params["table"], list(draft.tables), {})
    if table is None:
        return
    if table != draft.params["table"]:
        draft.mend("table", table, _("The table is written otherwise."), same_meaning=True)
    key = draft.params.get("other_key", draft.params.get("key"))
    other_key = column_named(key, draft.tables[table].columns, {}) if isinstance(key, str) else None
    if other_key is not None and other_key != draft.params.get("other_key"):
        draft.mend("other_key", other_key, _("The key has this name in the other table."), same_meaning=True)
