"""Differences between two texts, word by word."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter
from typing import Literal

_WORDS = re.compile(r"\S+\s*|\s+")
_MOST_WORK = 1_000_000
"""Words of one text times words of the other; beyond it all between what they share at both ends counts as changed."""

Kind = Literal["same", "removed", "added"]


@dataclass(frozen=True)
class Piece:
    """A stretch of words that both texts have, or only one of them."""

    kind: Kind
    text: str


def word_pieces(old: str, new: str) -> tuple[Piece, ...]:
    """From `old` to `new`: without what was added the pieces are `old`, without what was removed they are `new`."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    head = _shared(before, after)
    tail = _shared(before[head:][::-1], after[head:][::-1])
    middle = _middle(before[head : len(before) - tail], after[head : len(after) - tail])
    return tuple(_joined([("same", "".join(before[:head])), *middle, ("same", "".join(before[len(before) - tail :]))]))


def _joined(stretches: Iterable[tuple[Kind, str]]) -> Iterator[Piece]:
    """Neighbours of one kind as one piece, and nothing that is empty."""
    for kind, group in groupby(((kind, text) for kind, text in stretches if text), key=itemgetter(0)):
        yield Piece(kind, "".join(text for _, text in group))


def _shared(first: Sequence[str], second: Sequence[str]) -> int:
    """How many words both begin with."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(first), len(second)))


def _middle(before: list[str], after: list[str]) -> Iterator[tuple[Kind, str]]:
    if len(before) * len(after) > _MOST_WORK:
        yield from _replaced("".join(before), "".join(after))
        return
    for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        old, new = "".join(before[i:j]), "".join(after[k:m])
        if tag == "equal":
            yield "same", old
        else:
            yield from _replaced(old, new)


def _replaced(old: str, new: str) -> Iterator[tuple[Kind, str]]:
    """The space after a word that changed did not change."""
    blank = next(
        (at for at, (a, b) in enumerate(zip(old[::-1], new[::-1], strict=False)) if a != b or not a.isspace()), 0
    )
    yield "removed", old[: len(old) - blank]
    yield "added", new[: len(new) - blank]
    yield "same", new[len(new) - blank :]
