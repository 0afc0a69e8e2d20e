"""Which words of a text it denies."""

from dataclasses import dataclass
from functools import lru_cache

from .andamio_3.stems import stem
from .lexicon import Lexicon, lexicon
from .normalise import Phrase

_BREAK = "|"
NEGATION_REACH = 4
"""Content words after "no" that it denies, within its clause."""
LACK_REACH = 2
"""Content words after "without" or "instead of"."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A content word with its polarity. `scope` numbers the negation that denies it; 0 is none."""

    stem: str
    scope: int


def denied_stems(phrase: Phrase, language: str) -> frozenset[str]:
    """Stems that every mention in the phrase denies."""
    all_mentions = mentions(phrase.tokens, language)
    return frozenset(m.stem for m in all_mentions if m.scope) - {m.stem for m in all_mentions if not m.scope}


@lru_cache(maxsize=1024)
def mentions(tokens: tuple[str, ...], language: str) -> tuple[Mention, ...]:
    """The content words of a text in order, each with the negation it falls under."""
    raw = _raw_mentions(tokens, language)
    # "Without light there is no growth" denies nothing: it says that light is needed.
    conditional = not {lexicon(language).lacking, "si", "if"}.isdisjoint(tokens)
    if conditional and len({mention.scope for mention in raw if mention.scope}) > 1:
        return tuple(Mention(mention.stem, 0) for mention in raw)
    return raw


@lru_cache(maxsize=1024)
def _raw_mentions(tokens: tuple[str, ...], language: str) -> tuple[Mention, ...]:
    words_of = lexicon(language)
    content: list[Mention] = []
    scope, reach, scopes = 0, 0, 0
    denies = False
    for at, token in enumerate(tokens):
        length = _negation_at(tokens, at, words_of)
        # "It is not because ..." still denies the reason; "it does not grow because ..." states it.
        reason = denies and token in words_of.reasons
        if reason or token in words_of.contrasts or token in words_of.linking or token == _BREAK:
            reach = 0
        elif length:
            scopes += 1
            scope, reach, denies = scopes, length, False
        elif token not in words_of.stopwords:
            content.append(Mention(stem(token, language), scope if reach else 0))
            denies = reach > 0
            reach = max(0, reach - 1)
    return tuple(content)


def _negation_at(tokens: tuple[str, ...], at: int, words_of: Lexicon) -> int:
    """How many content words a negation standing here denies; 0 when there is none."""
    if any(tokens[at : at + len(phrase)] == phrase for phrase in words_of.instead_of):
        return LACK_REACH
    if tokens[at] not in words_of.negations:
        return 0
    if any(tokens[at : at + len(phrase)] == phrase for phrase in words_of.not_negating):
        return 0
    return LACK_REACH if tokens[at] == words_of.lacking else NEGATION_REACH
