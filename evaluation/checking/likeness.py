"""The local embedder, asked last: names and things that no list knows."""

from collections.abc import Sequence
from typing import Final

from gateway.services import texts_embed_locally

_TEXT: Final = 80


def likest(text: str, others: Sequence[str]) -> tuple[float, str]:
    """The cosine of the most similar of some short texts, and that text; 0 where there is none."""
    if not others:
        return 0.0, ""
    vectors = texts_embed_locally([text[:_TEXT], *(other[:_TEXT] for other in others)])
    scores = vectors[1:] @ vectors[0]
    at = int(scores.argmax())
    return float(scores[at]), others[at]


def cosines(text: str, others: Sequence[str]) -> list[float]:
    """How similar each is."""
    if not others:
        return []
    vectors = texts_embed_locally([text[:_TEXT], *(other[:_TEXT] for other in others)])
    return [float(score) for score in vectors[1:] @ vectors[0]]
