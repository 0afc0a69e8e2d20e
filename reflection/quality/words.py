"""Words of reflections, folded, and the reviewed lists in `data/`. A fault in one names its file and entry."""

import re
from pathlib import Path
from typing import Any, Final

from language.fold import fold
from language.word_lists import json_file

DATA: Final = Path(__file__).parent / "data"
READ_AT_MOST: Final = 100_000
"""Characters of one text in which Spanish is looked for. The documented English is looked for in all of it."""


def folded_line(text: str) -> str:
    """Small letters without accents, and single spaces."""
    return " ".join(fold(text[:READ_AT_MOST], compatible=True).split())


def data_read(name: str) -> Any:
    """A file of `data/`. Raises `ValueError` naming the line that is no JSON."""
    return json_file(DATA / name)


def pattern_read(name: str, source: str) -> re.Pattern[str]:
    """A pattern of a file. Raises `ValueError` naming the one that cannot be read."""
    try:
        return re.compile(source)
    except re.error as error:
        raise ValueError(f"{name}: cannot be read ({error}): {source}") from error
