"""Words of reflections, folded, and the reviewed lists in `data/`. A fault in one names its file and entry."""

import json
import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

DATA: Final = Path(__file__).parent / "data"
READ_AT_MOST: Final = 100_000
"""Characters of one text in which Spanish is looked for. The documented English is looked for in all of it."""


def folded(text: str) -> str:
    """Small letters without accents, and single spaces."""
    text = text[:READ_AT_MOST].lower()
    if not text.isascii():
        text = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return " ".join(text.split())


def one_of(phrases: Iterable[str]) -> str:
    """A pattern for any of the phrases, the longest first."""
    return "|".join(
        re.escape(one) for one in sorted({folded(one) for one in phrases}, key=lambda one: (-len(one), one))
    )


@cache
def data_read(name: str) -> Any:
    """A file of `data/`. Raises `ValueError` naming the line that is no JSON."""
    try:
        return json.loads((DATA / name).read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"{name}, line {error.lineno}: {error.msg}") from error


def pattern_read(name: str, source: str) -> re.Pattern[str]:
    """A pattern of a file. Raises `ValueError` naming the one that cannot be read."""
    try:
        return re.compile(source)
    except re.error as error:
        raise ValueError(f"{name}: cannot be read ({error}): {source}") from error
