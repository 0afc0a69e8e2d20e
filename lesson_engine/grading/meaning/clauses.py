"""Cutting a text into clauses, roughly and the same way in every language that is known."""

import re
from typing import Final

_JOINTS: Final = (
    "because|so|and|but|when|if|that|which|while|therefore|since|whereas"
    "|porque|pues|asi que|así que|y|e|pero|cuando|si|que|mientras|por eso|ya que|sino"
)
_BREAK: Final = re.compile(rf"[.;,!?\n]+|(?<=\s)(?:{_JOINTS})(?=\s)", re.IGNORECASE)


def clauses(text: str) -> tuple[str, ...]:
    """The clauses of a text in order, without the words that join them; the text itself where there is none."""
    found = tuple(piece.strip() for piece in _BREAK.split(text.lower()) if piece.strip())
    return found or (text,)
