"""The phrases of `data/cues.yaml`: words of questions that are cues of a function, a grain, an order and so on."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import yaml

from language.fold import fold

FILE: Final = Path(__file__).parent / "data" / "cues.yaml"


@cache
def cue_phrases() -> dict[str, tuple[str, ...]]:
    """The phrases of each label in both languages, as they are written."""
    labels = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return {label: tuple(dict.fromkeys(_flat(lists))) for label, lists in labels.items()}


def phrases_of(label: str) -> tuple[str, ...]:
    """The phrases of a label, folded; none for one that the file does not have."""
    return tuple(dict.fromkeys(fold(phrase) for phrase in cue_phrases().get(label, ())))


def _flat(lists: dict[str, list[str]]) -> Iterator[str]:
    for phrases in lists.values():
        yield from map(str, phrases)
