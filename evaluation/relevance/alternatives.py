"""Values of which a thing has one: German or French, jazz or rock, staging or production."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from .words import lines_of, words_of

_FILE: Final = "alternatives.txt"
_LONGEST: Final = 3
Value = tuple[int, int]
"""The group, and the number of the value in it."""


def values_in(words: Sequence[str]) -> set[Value]:
    """The values that folded words name; a longer phrase hides the shorter ones in it."""
    table, found, at = _phrases(), set[Value](), 0
    while at < len(words):
        step = 1
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            if values := table.get(tuple(words[at : at + length])):
                found |= values
                step = length
                break
        at += step
    return found


def excluded(asked: Iterable[Value], said: Iterable[Value]) -> set[Value]:
    """Values asked for of which only alternatives are said."""
    there, groups = set(said), {group for group, _ in said}
    return {value for value in asked if value not in there and value[0] in groups}


@cache
def _phrases() -> dict[tuple[str, ...], set[Value]]:
    found: dict[tuple[str, ...], set[Value]] = {}
    for group, (_, line) in enumerate(lines_of(_FILE)):
        for number, value in enumerate(line.split(",")):
            for name in value.split("/"):
                found.setdefault(tuple(words_of(name)), set()).add((group, number))
    return found
