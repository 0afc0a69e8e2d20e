"""What a text says of a thing: that it is there, that it is not, or nothing. Linear in the text."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from evaluation.checking.booleans import is_other_head
from evaluation.checking.concepts import Concept, lists
from evaluation.checking.lexicon import Phrase, places_of
from evaluation.checking.words import plain_text, stem

_TOKEN: Final = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+(?:\.\d+)?|[.;!?\n|]+|,")
_STOPS: Final = frozenset(".;!?\n|")
_TURNS: Final = frozenset({"but", "pero", "however", "aunque", "although", "though", "while", "mientras", "sino"})
_JOINING: Final = frozenset({"or", "nor", "ni", "o", "and", "y", "e", "u"})
_BEFORE, _AFTER, _WIDE, _SLACK = 7, 4, 3, 4
_LONGEST: Final = 8
_MAX_TEXT: Final = 20_000


@dataclass(frozen=True, slots=True)
class Clause:
    """Part of a text in which a denial reaches: words as said, and their stems. A comma is a word."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    different: frozenset[str]

    @classmethod
    def of(cls, words: list[str]) -> "Clause":
        stems = tuple(map(stem, words))
        return cls(tuple(words), stems, frozenset(stems))

    def places(self, phrases: Collection[Phrase]) -> Iterator[tuple[int, int]]:
        """`places_of` some phrases, of which most are in no clause: those are not looked for."""
        said = {phrase for phrase in phrases if self.different.issuperset(phrase)}
        return places_of(self.stems, said, min(_LONGEST, max(map(len, said)))) if said else iter(())


@lru_cache(2_048)
def clauses(text: str) -> list[Clause]:
    """The clauses of a text, ended by stops and turns such as "but"."""
    parts: list[Clause] = []
    words: list[str] = []
    for token in [*_TOKEN.findall(plain_text(text[:_MAX_TEXT])), "."]:
        if token[0] not in _STOPS and token not in _TURNS:
            words.append(token)
        elif words:
            parts.append(Clause.of(words))
            words = []
    return parts


def is_asserted(text: str, thing: Concept, context: frozenset[str] = frozenset()) -> bool | None:
    """Whether a text says that the thing is there. `context`: stems of the names above, which it need not repeat.

    None: it says nothing of it, or both.
    """
    answers = {
        answer for clause in clauses(text) for answer in _assertions(clause, thing, context) if answer is not None
    }
    return answers.pop() if len(answers) == 1 else None


def _assertions(clause: Clause, thing: Concept, context: frozenset[str]) -> list[bool | None]:
    places = [*clause.places(thing.wholes)]
    if places:
        others = [*clause.places(lists().not_members - thing.wholes)]  # almond milk is no milk
        places = [
            (start, end)
            for start, end in places
            if not any(first <= start and end <= last and last - first > end - start for first, last in others)
        ]
    if not places and len(thing.parts) > 1:
        places = _scattered(clause, thing, context)
    places = [place for place in places if not _is_modifier(clause.stems, place, thing)]
    return [_polarity(clause, start, end, thing) for start, end in places]


def _is_modifier(stems: tuple[str, ...], place: tuple[int, int], thing: Concept) -> bool:
    """Whether the name only says of what kind another thing is: a pool table, a parking ticket."""
    start, end = place
    return end < len(stems) and is_other_head(stems[end]) and stems[start : end + 1] not in thing.wholes


def _scattered(clause: Clause, thing: Concept, context: frozenset[str]) -> list[tuple[int, int]]:
    """Where all parts of the thing are, close together; parts that the context names may be absent."""
    spans: list[tuple[int, int]] = []
    for part in thing.parts:
        place = next(clause.places(part), None)
        if place:
            spans.append(place)
        elif not any(context.issuperset(phrase) for phrase in part):
            return []
    if not spans:
        return []
    start, end = min(edge for edge, _ in spans), max(edge for _, edge in spans)
    return [(start, end)] if end - start <= sum(b - a for a, b in spans) + _SLACK else []


def _polarity(clause: Clause, start: int, end: int, thing: Concept) -> bool | None:
    """False where the thing is denied before or after its name; None where a wish, a doubt or a kind of it is."""
    if any(places_of(clause.words[max(0, start - _WIDE) : start], lists().conditional)):
        return None
    if _denied_after(clause.words, end, thing):
        return False
    return _denied_before(clause.words, start)


def _denied_before(words: tuple[str, ...], start: int) -> bool | None:
    denials, fillers = lists().denials_before, lists().denial_fillers
    qualified = joined = False
    for at in range(start - 1, max(-1, start - 1 - _BEFORE), -1):
        word = words[at]
        if (word,) in denials or words[max(0, at - 1) : at + 1] in denials:
            if qualified and words[at + 1 : at + 2] in {("only",), ("solo",), ("just",)}:
                return True
            return None if qualified else False
        if word == ",":
            if not joined:
                return True
        elif word in _JOINING:
            joined = True
        elif word not in fillers and not joined:
            if qualified:
                return True
            qualified = True
    return True


def _denied_after(words: tuple[str, ...], end: int, thing: Concept) -> bool:
    after = words[end : end + _AFTER + 3]
    if after[:1] == ("free",) and after[1:2] != ("of",) and thing.wholes & lists().free_from:
        return True
    for at in range(min(_AFTER, len(after))):
        if after[at] in _JOINING or (after[at] == "," and after[at + 1 : at + 2] in {("no",), ("sin",), ("without",)}):
            return False
        for size in (3, 2, 1):
            phrase = after[at : at + size]
            if len(phrase) == size and phrase in lists().denials_after:
                ends = at + size >= len(after) or after[at + size] == ","
                return ends or phrase not in {("no",), ("0",), ("none",), ("false",)}
    return False
