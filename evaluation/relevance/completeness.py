"""Whether a result tells what one expects to be told of such a thing."""

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Final

from evaluation.checking.lexicon import names, phrase_of
from planning.understanding.known import canonical_of

from .asked import Asked
from .result import Piece, Said
from .words import alike, folded, lines_of

_FILE: Final = "expected_fields.txt"
_THING: Final = "="
_TOLD: Final = 0.3
"""What a result is worth that says something, but nothing of what is expected."""
_NEAR: Final = 0.8
_MONEY: Final = ("$", "€", "£", "¥")
Field = tuple[tuple[str, ...], ...]
"""Names in the one form of `evaluation.checking`, of which one will do."""


def completeness_of(said: Said, asked: Asked) -> float:
    """The share of the expected fields that have a value, 0 to 1; of an unknown thing the share of all its fields."""
    if said.is_empty:
        return 0.0
    filled = len(said.pieces) / (len(said.pieces) + said.blank)
    fields = _expected().get(asked.task_type) or next((_expected()[one] for one in _things(asked)), ())
    if not fields:
        return filled
    spoken = {part for piece in said.pieces for part in _spoken(piece)}
    spoken |= {(form,) for piece in said.pieces for word in piece.above for form in canonical_of(word)}
    there = sum(_is_there(field, spoken, said.pieces, asked.objects) for field in fields)
    return max(there / len(fields), _TOLD * filled)


def _things(asked: Asked) -> Iterator[str]:
    """Keys of the file for the thing that the task is about."""
    return (key for thing in asked.objects[:2] if (key := f"{_THING} {thing}") in _expected())


@cache
def _expected() -> dict[str, tuple[Field, ...]]:
    found: dict[str, tuple[Field, ...]] = {}
    for about, fields in lines_of(_FILE):
        made = tuple(tuple(phrase_of(name) for name in field.split("|")) for field in fields.split(","))
        mark = f"{_THING} " if about.startswith(_THING) else ""
        for name in about.removeprefix(_THING).split(","):
            found[mark + name.strip()] = made
    return found


def task_types_known() -> frozenset[str]:
    """The task types that the file speaks of."""
    return frozenset(name for name in _expected() if not name.startswith(_THING))


def _spoken(piece: Piece) -> list[tuple[str, ...]]:
    """The names that a value goes by: its own, the last words of it, and those of what it is part of."""
    own = phrase_of(" ".join(piece.keys))
    above = phrase_of(" ".join(piece.above))
    return [part for part in (own, own[-1:], own[-2:], own[:1], above[-2:], *((one,) for one in above)) if part]


def _is_there(
    field: Field, spoken: Collection[tuple[str, ...]], pieces: Sequence[Piece], objects: Sequence[str]
) -> bool:
    if any(names().closeness(name, part) >= _NEAR for name in field for part in spoken):
        return True
    if ("name",) in field or phrase_of("name") in field:
        return any(_is_name(piece, objects) for piece in pieces)
    return phrase_of("price") in field and any(
        isinstance(piece.value, str) and any(sign in piece.value for sign in _MONEY) for piece in pieces
    )


def _is_name(piece: Piece, objects: Sequence[str]) -> bool:
    """A text by the name of the thing itself is its name: {"restaurant": "Le Chat Noir"}; so is one without a name."""
    if not isinstance(piece.value, str):
        return False
    words = [folded(word) for one in objects for word in one.split()]
    return not piece.keys or any(alike(key, word) for key in piece.keys for word in words)
