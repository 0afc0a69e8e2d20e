"""What of an ASK's grading is its author's: the same for every learner, so that its vectors are worth keeping."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from lesson_engine.contracts import Ask


@lru_cache(maxsize=512)
def authored_texts(ask: Ask) -> frozenset[str]:
    """Every text of the ASK, codes included."""
    return frozenset(_texts(ask.model_dump()))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
