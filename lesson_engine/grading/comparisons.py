"""The sides of a comparison: "ice is less dense than water" is turned round in "water is less dense than ice"."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from .andamio_3.stems import stem
from .lexicon import lexicon
from .normalise import Phrase

_BREAK = "|"
_REACH = 4
"""Words before the "than" within which a comparative stands; the Spanish "que" is many other things."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Stems on either side of a "than", within its clause, and the stem of the comparative."""

    how: str
    left: frozenset[str]
    right: frozenset[str]


@dataclass(frozen=True, slots=True)
class Turn:
    """Two words that changed sides, the reply's and the reference's, and how each text compares them."""

    words: tuple[str, str]
    how: tuple[str, str]


def turned(reply: Phrase, reference: Phrase, language: str) -> Turn | None:
    """How the reply compares the other way round; None where it does not."""
    theirs = _comparisons(reference.tokens, language)
    for our in _comparisons(reply.tokens, language) if theirs else ():
        for their in theirs:
            moved, back = our.left & their.right - their.left, our.right & their.left - their.right
            if moved and back:
                return Turn((min(moved), min(back)), (our.how, their.how))
    return None


@lru_cache(maxsize=1024)
def _comparisons(words: tuple[str, ...], language: str) -> tuple[Comparison, ...]:
    return tuple(_find_comparisons(words, language)) if lexicon(language).than in words else ()


def _find_comparisons(words: tuple[str, ...], language: str) -> Iterator[Comparison]:
    words_of = lexicon(language)
    for clause in " ".join(words).split(_BREAK):
        tokens = clause.split()
        for at, token in enumerate(tokens):
            how = next((word for word in tokens[max(0, at - _REACH) : at] if word in words_of.comparatives), None)
            if token == words_of.than and how is not None:
                sides = (
                    frozenset(stem(word, language) for word in side if word not in words_of.stopwords)
                    for side in (tokens[:at], tokens[at + 1 :])
                )
                yield Comparison(stem(how, language), *sides)
