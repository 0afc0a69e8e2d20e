"""Lists in a sentence: "A, B or C"."""

from collections.abc import Sequence
from typing import Final

from .chunks import Chunk
from .contracts import ValueType
from .nouns import bare
from .tokens import Token

_JOINS: Final = frozenset(",oar")


def options_of(chunks: Sequence[Chunk], *, and_too: bool) -> list[tuple[Token, ...]] | None:
    """The members of a list; None where "and" joins them and may not, or one of them is empty."""
    if not and_too and any(chunk.code == "a" for chunk in chunks):
        return None
    options = [bare(chunk.tokens) for chunk in chunks if chunk.code not in _JOINS]
    return options if all(options) else None


def value_type_of(chunks: Sequence[Chunk]) -> ValueType:
    """Whether a list is of numbers or of words."""
    return ValueType.NUMBER if all(chunk.code in ("v", *_JOINS) for chunk in chunks) else ValueType.TEXT


def joins(chunks: Sequence[Chunk]) -> str:
    """The codes between the members."""
    return "".join(chunk.code for chunk in chunks if chunk.code in _JOINS)
