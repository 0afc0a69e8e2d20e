"""Words of any text that the data files know, in their canonical forms: the same in English and Spanish.

A face of planning: results are compared with tasks by it.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple

from language import LANGUAGES
from planning.understanding.facts.items import AMOUNT, DATE, DURATION, PLACE, Token, task_tokens
from planning.understanding.facts.reading import reading_of
from planning.understanding.facts.words import Phrases, Words, countries, longest, opposites, words_in

__all__ = ("Kind", "Known", "canonical_of", "figure_words", "is_within", "known_in", "of_kind", "opposites")

Kind = Literal["object", "quality", "place", "verb"]
_REACH: Final = 3
"""Words behind a negation that it negates."""
_TEXT: Final = 600
_SUM: Final = re.compile(r" [A-Z]{3}\b")
_FIGURES: Final = {"date": DATE, "amount": AMOUNT, "duration": DURATION, "place": PLACE}


class Known(NamedTuple):
    """A word or phrase by its canonical form. `negated`: the text denies it."""

    kind: Kind
    canonical: str
    negated: bool = False


@lru_cache(maxsize=4_096)
def known_in(text: str) -> tuple[Known, ...]:
    """What is known of the text's beginning, in order, none twice."""
    tokens = task_tokens(text[:_TEXT])
    known: dict[Known, None] = {}
    for language in LANGUAGES:
        known |= dict.fromkeys(_known(tokens, words_in(language), language))
    return tuple(known)


def of_kind(known: Iterable[Known], kind: Kind, *, negated: bool = False) -> list[str]:
    return [word.canonical for word in known if word.kind == kind and word.negated is negated]


@lru_cache(maxsize=8_192)
def canonical_of(word: str) -> frozenset[str]:
    """The canonical forms of one word, of whatever kind but a place."""
    return frozenset(known.canonical for known in known_in(word) if known.kind != "place")


def is_within(place: str, country: str) -> bool:
    return countries().get(place) == country


def figure_words(task: str, language: str, kinds: Collection[str]) -> Iterator[str]:
    """The words of a task's "date", "amount", "duration" and "place"; not those of places that no list knows.

    A "sum" is an amount of money.
    """
    reading = reading_of(task, language)
    wanted = {_FIGURES[kind] for kind in kinds if kind in _FIGURES}
    for item in reading.items:
        is_sum = item.kind == AMOUNT and "sum" in kinds and bool(_SUM.search(item.value))
        if is_sum or (item.kind in wanted and (item.kind != PLACE or known_in(item.value))):
            yield from (token.text for token in reading.tokens[item.first : item.last])


def _known(tokens: list[Token], words: Words, language: str) -> Iterator[Known]:
    at, left = 0, 0
    while at < len(tokens):
        if tokens[at].fold in _negations():
            at, left = at + 1, _REACH
            continue
        if tokens[at].kind == "sign":
            at, left = at + 1, 0
            continue
        step = 1
        for kind, canonical, length in _at(tokens, at, words, language):
            yield Known(kind, canonical, left > 0)
            step = max(step, length)
        at, left = at + step, left - step


def _at(tokens: list[Token], at: int, words: Words, language: str) -> Iterator[tuple[Kind, str, int]]:
    thing, length = words.object_at(tokens, at, language)
    if thing:
        yield "object", thing, length
    tables: tuple[tuple[Kind, Phrases], ...] = (
        ("quality", words.qualities),
        ("place", words.places),
        ("verb", words.verbs),
    )
    for kind, table in tables:
        canonical, length = longest(table, tokens, at)
        if canonical:
            yield kind, canonical, length


@cache
def _negations() -> frozenset[str]:
    """Words that negate what follows, of both languages."""
    tables = [words_in(language).grammar for language in LANGUAGES]
    phrases = [phrase for table in tables for name in ("not", "without") for phrase in table[name]]
    return frozenset(phrase[0] for phrase in phrases if len(phrase) == 1) - {"stop", "menos", "minus"}
