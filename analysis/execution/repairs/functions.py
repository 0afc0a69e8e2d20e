"""Functions of columns that cannot be taken."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _

from analysis.contracts.naming import ROWS, functions_of
from analysis.contracts.requirements import FUNCTIONS
from analysis.execution.chain import Draft
from analysis.execution.param_types import params_of_kind
from analysis.execution.repairs.text import numbers_read
from language.fold import fold

_OTHER_NAMES: Final[Mapping[str, str]] = {
    "avg": "mean", "average": "mean", "media": "mean", "promedio": "mean", "total": "sum", "suma": "sum",
    "nunique": "count_distinct", "distinct": "count_distinct", "unique": "count_distinct", "size": "count",
    "minimum": "min", "maximum": "max", "stddev": "std", "mediana": "median",
}  # fmt: skip
_OF_NUMBERS: Final = frozenset({"sum", "mean", "median", "std"})


def repair_function_names(draft: Draft) -> None:
    """Functions by other names."""
    for param in params_of_kind(draft.entry, draft.params, ("functions",)):
        if isinstance(draft.params[param], str | list | tuple):
            _repair_names(draft, param)


def repair_functions(draft: Draft) -> None:
    """Sums of what is no number, which is counted instead unless it can be read as numbers."""
    for param in params_of_kind(draft.entry, draft.params, ("functions",)):
        _repair_text(draft, param)


def _repair_names(draft: Draft, param: str) -> None:
    value = draft.params[param]
    functions = [_function_named(str(name)) for name in ([value] if isinstance(value, str) else value)]
    if functions != ([value] if isinstance(value, str) else list(value)):
        after = functions[0] if isinstance(value, str) else functions
        draft.mend(param, after, _("The function was written otherwise."), same_meaning=True)


def _function_named(name: str) -> str:
    plain = fold(name).strip()
    return plain if plain in FUNCTIONS else _OTHER_NAMES.get(plain, name)


def _repair_text(draft: Draft, param: str) -> None:
    metrics = draft.metrics()
    try:
        functions = functions_of(metrics, draft.params[param])
    except ValueError:
        return
    before = draft.measures()
    after = [_possible(draft, *pair) for pair in zip(metrics, functions, strict=True)]
    if after == list(functions):
        return
    reason = _("Only numbers have such a figure; the values are counted.")
    draft.mend(param, after if len(set(after)) > 1 else after[0], reason)
    draft.renamed.update(zip(before, draft.measures(), strict=True))


def _possible(draft: Draft, metric: str, function: str) -> str:
    if function not in _OF_NUMBERS or metric == ROWS or metric not in draft.df.columns:
        return function
    kind = draft.df[metric].type()
    if kind.is_numeric() or kind.is_boolean() or (kind.is_string() and numbers_read(draft, metric)):
        return function
    return "count"
