"""Functions by metric, and names that are free."""

from collections.abc import Iterable, Sequence

from analysis.contracts.naming import ROWS


def functions_of(metrics: Sequence[str], agg_func: str | Sequence[str]) -> tuple[str, ...]:
    """A function for each metric; rows can only be counted. Raises `ValueError` where the lists differ in length."""
    functions = [agg_func] * len(metrics) if isinstance(agg_func, str) else list(agg_func)
    if len(functions) == 1:
        functions *= len(metrics)
    pairs = zip(metrics, functions, strict=True)
    return tuple("count" if metric == ROWS else function for metric, function in pairs)


def unique_name(wanted: str, taken: Iterable[str]) -> str:
    """`wanted`, or with "_2", "_3" after it where a name of `taken` is the same, capitals aside."""
    folded = {name.casefold() for name in taken}
    name, number = wanted, 1
    while name.casefold() in folded:
        number += 1
        name = f"{wanted}_{number}"
    return name
