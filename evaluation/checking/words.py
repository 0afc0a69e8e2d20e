"""Words of names and texts in one form: no accents, no capitals, no plural; and how alike texts are by meaning."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from gateway.services import texts_embed_locally
from language.fold import fold, plain_signs
from language.names import name_words
from language.stems import stem

__all__ = ("name_stems", "name_words", "plain_text", "stem", "text_stems", "text_words")

_WORD: Final = re.compile(r"[a-z]+|\d+(?:\.\d+)?")
_MAX_TEXT: Final = 20_000


@lru_cache(4_096)
def plain_text(text: str) -> str:
    """The text in small letters without accents, typographic signs as plain ones."""
    return fold(plain_signs(text), compatible=True)


@lru_cache(8_192)
def name_stems(name: str) -> tuple[str, ...]:
    return tuple(map(stem, name_words(name)))


def text_words(text: str) -> list[str]:
    return _WORD.findall(plain_text(text[:_MAX_TEXT]))


def text_stems(text: str) -> list[str]:
    return [stem(word) for word in text_words(text)]


_TEXT: Final = 80


def cosines(text: str, others: Sequence[str]) -> list[float]:
    """How similar each of some short texts is."""
    if not others:
        return []
    vectors = texts_embed_locally([text[:_TEXT], *(other[:_TEXT] for other in others)])
    return [float(score) for score in vectors[1:] @ vectors[0]]
