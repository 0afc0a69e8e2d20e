"""Names of the columns that an aggregate gives, in one place: plans, charts and execution must agree on them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

ROWS: Final = "*"
"""The metric that stands for the rows themselves."""
COUNTS: Final = ("count", "count_distinct")


def functions_of(metrics: Sequence[str], agg_func: str | Sequence[str]) -> tuple[str, ...]:
    """A function for each metric; rows can only be counted. Raises `ValueError` where the lists differ in length."""
    functions = [agg_func] * len(metrics) if isinstance(agg_func, str) else list(agg_func)
    if len(functions) == 1:
        functions *= len(metrics)
    pairs = zip(metrics, functions, strict=True)
    return tuple("count" if metric == ROWS else function for metric, function in pairs)


def result_names(metrics: Sequence[str], agg_func: str | Sequence[str], groups: Sequence[str] = ()) -> tuple[str, ...]:
    """The column of each metric in the result.

    A column that occurs once keeps its name, rows are "count", others are "max_price"; a name that a group or another
    metric has already, capitals aside, gets a number. Raises `ValueError` as `functions_of`.
    """
    times = Counter(metrics)
    taken = list(groups)
    for metric, function in zip(metrics, functions_of(metrics, agg_func), strict=True):
        name = _name(metric, function, times[metric])
        name = unique_name(name if unique_name(name, taken) == name else _name(metric, function, 2), taken)
        taken.append(name)
    return tuple(taken[len(groups) :])


def unique_name(wanted: str, taken: Iterable[str]) -> str:
    """`wanted`, or with "_2", "_3" after it where a name of `taken` is the same, capitals aside."""
    folded = {name.casefold() for name in taken}
    name, number = wanted, 1
    while name.casefold() in folded:
        number += 1
        name = f"{wanted}_{number}"
    return name


def _name(metric: str, function: str, times: int) -> str:
    if metric == ROWS:
        return "count"
    return metric if times == 1 and function not in COUNTS else f"{function}_{metric}"
