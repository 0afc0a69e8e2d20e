"""The words of a task that say what is wanted."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from .words import folded, word_set, words_of

_FILE: Final = "words.txt"
_CLAUSE: Final = re.compile(r"[;:!?¡¿\n()]+|[.,](?=\s|$)")
_REACH: Final = 3
_TERMS: Final = 12
_TASK: Final = 600
"""Characters of a task from which terms are taken: what is wanted comes first."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word, folded. `negated`: it is what is not wanted. `is_object`: it names the thing itself."""

    word: str
    negated: bool = False
    is_object: bool = False


def terms_of(task: str, objects: Collection[str], besides: Collection[str]) -> list[Term]:
    """At most a dozen, in order, none twice. `objects` and `besides` are folded words: those that name the thing, and
    those that are looked at otherwise.
    """
    found: dict[str, Term] = {}
    for word, negated in _worded(task[:_TASK]):
        if word in found or word in besides or word == "free" or any(one.isdigit() for one in word) or len(word) < 2:
            continue
        found[word] = Term(word, negated, word in objects)
    first = sorted(found.values(), key=lambda term: not term.is_object)[:_TERMS]
    return [term for term in found.values() if term in first]


def _worded(task: str) -> Iterator[tuple[str, bool]]:
    """Words that mean something, each with whether it is negated: up to the end of the clause, or three words on."""
    empty = word_set(_FILE, "stop") | word_set(_FILE, "request")
    for clause in _CLAUSE.split(folded(task)):
        left = 0
        words = words_of(clause)
        for word, after in zip(words, [*words[1:], ""], strict=False):
            if word in word_set(_FILE, "negation"):
                left = _REACH
            elif word not in empty:
                yield word, (left > 0) is not (after == "free" and word in word_set(_FILE, "free_of"))
                left -= 1
