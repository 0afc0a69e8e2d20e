"""Names of the columns that an aggregate gives, in one place: plans, charts and execution must agree on them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

ROWS: Final = "*"
"""The metric that stands for the rows themselves."""
COUNTS: Final = ("count", "count_distinct")


def result_names(metrics: Sequence[str], agg_func: str | Sequence[str], groups: Sequence[str] = ()) -> tuple[str, ...]:
    """The column of each metric in the result.

    A column that occurs once keeps its name, rows are "count", others are "max_price"; a name that a group or another
    metric has already, capitals aside, gets a number.
    """
    functions = [agg_func] * len(metrics) if isinstance(agg_func, str) else list(agg_func)
    times = Counter(metrics)
    taken = {name.casefold() for name in groups}
    names = []
    for metric, function in zip(metrics, functions, strict=True):
        name = _name(metric, function, times[metric])
        name = name if name.casefold() not in taken else _name(metric, function, 2)
        name = next(free for free in _numbered(name) if free.casefold() not in taken)
        taken.add(name.casefold())
        names.append(name)
    return tuple(names)


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}_{number}" for number in count(2))


def _name(metric: str, function: str, times: int) -> str:
    if metric == ROWS:
        return "count"
    return metric if times == 1 and function not in COUNTS else f"{function}_{metric}"
