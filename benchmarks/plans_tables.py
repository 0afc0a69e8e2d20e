"""Shares as tables."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

Row = dict[str, Any]


class Share(NamedTuple):
    """So many of `rows` are right; `also` counts what a second column is about, None where there is none."""

    name: str
    rows: int
    right: int
    also: int | None = None


def shares_of(
    rows: Sequence[Row],
    right: Sequence[bool],
    groups_of: Callable[[Row], Iterable[str]],
    also: Sequence[bool] | None = None,
) -> list[Share]:
    """One of all rows, then one of each group that rows are in, in the order of their names."""
    found: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        for name in groups_of(row):
            found.setdefault(name, []).append(at)
    return [
        _share("all", range(len(rows)), right, also),
        *(_share(name, found[name], right, also) for name in sorted(found)),
    ]


def shares_table(title: str, shares: Sequence[Share], also: str = "") -> list[str]:
    """A line each."""
    head = f"{title}\n{'':<34} {'rows':>6} {'right':>6} {'share':>8}" + (f" {also:>9}" if also else "")
    return [head, *map(_line, shares), ""]


def _share(name: str, at: Sequence[int], right: Sequence[bool], also: Sequence[bool] | None) -> Share:
    return Share(name, len(at), sum(right[one] for one in at), None if also is None else sum(also[one] for one in at))


def _line(share: Share) -> str:
    also = "" if share.also is None else f" {share.also / share.rows:>9.1%}"
    return f"{share.name:<34} {share.rows:>6} {share.right:>6} {share.right / max(1, share.rows):>8.1%}{also}"
