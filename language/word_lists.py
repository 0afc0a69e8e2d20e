"""Data files read once: JSON, JSON lines, lines of text, named lists. A fault names its file and line."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from language.fold import fold

Row = TypeVar("Row")


@cache
def json_file(path: Path) -> Any:
    """A JSON file. Raises `ValueError` naming the line that is no JSON. The value is shared: do not change it."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"{path.name}, line {error.lineno}: {error.msg}") from error


def lines_of(path: Path) -> list[tuple[int, str]]:
    """The lines of a text file with their numbers, stripped, without empty ones and remarks (`#`)."""
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return [(number, line.strip()) for number, line in lines if line.strip() and not line.startswith("#")]


def sections_of(path: Path, make: Callable[[str, str], Row]) -> dict[str, list[Row]]:
    """The sections of a file, whose names are lines in brackets: what `make` gives for the name and each line.

    Lines before the first section belong to "". Raises `ValueError` naming the line that cannot be read, or that begins
    an empty section.
    """
    sections: dict[str, list[Row]] = {}
    empty: dict[str, int] = {}
    name = ""
    for number, line in lines_of(path):
        if line.startswith("[") and line.endswith("]"):
            name = line[1:-1]
            empty[name] = number
            continue
        empty.pop(name, None)
        try:
            sections.setdefault(name, []).append(make(name, line))
        except (ValueError, re.error) as error:
            raise ValueError(f"{path.name}, line {number}: cannot be read ({error}): {line}") from error
    for name, number in empty.items():
        raise ValueError(f"{path.name}, line {number}: nothing is in the section {name}")
    return sections


def rows_of(path: Path, make: Callable[[dict[str, Any]], Row]) -> list[Row]:
    """The rows of a JSON lines file. Raises `ValueError` naming the line that cannot be read."""
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            rows.append(make(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path.name}, line {number}: cannot be read ({error!r}): {line[:80]}") from error
    return rows


def entries_of(path: Path) -> Iterator[tuple[str, str]]:
    """Each name of a file of `name: text` lines, with its text. Raises `ValueError` naming a line that is none."""
    for number, line in lines_of(path):
        name, _, text = line.partition(":")
        if not name.strip() or not text.strip():
            raise ValueError(f"{path.name}, line {number}: must be `name: text`: {line}")
        yield name.strip(), text.strip()


@cache
def named_lists(path: Path) -> dict[str, tuple[str, ...]]:
    """The lists of a file of `name: word, two words` lines, folded. Several lines of one name are one list.

    Raises `ValueError` naming the line that cannot be read.
    """
    lists: dict[str, tuple[str, ...]] = {}
    for name, words in entries_of(path):
        lists[name] = (*lists.get(name, ()), *(fold(entry.strip()) for entry in words.split(",") if entry.strip()))
    return lists


@cache
def word_set(path: Path, name: str) -> frozenset[str]:
    """One list of `named_lists` as a set. Raises `KeyError` for a name that the file does not have."""
    return frozenset(named_lists(path)[name])
