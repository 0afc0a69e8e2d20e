"""What a text says of a thing: that it is there, that it is not, or nothing. Linear in the text."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from .lexicon import Phrase
from .shortfalls import is_other_head
from .things import Thing, lists
from .words import folded, stem

_TOKEN: Final = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+(?:\.\d+)?|[.;!?\n|]+|,")
_STOPS: Final = frozenset(".;!?\n|")
_TURNS: Final = frozenset({"but", "pero", "however", "aunque", "although", "though", "while", "mientras", "sino"})
_JOINING: Final = frozenset({"or", "nor", "ni", "o", "and", "y", "e", "u"})
_BEFORE, _AFTER, _WIDE, _SLACK = 7, 4, 3, 4
_MAX_TEXT: Final = 20_000


@dataclass(frozen=True, slots=True)
class Clause:
    """Part of a text in which a denial reaches: words as said, and their stems. A comma is a word."""

    words: tuple[str, ...]
    stems: tuple[str, ...]


@lru_cache(2_048)
def clauses(text: str) -> list[Clause]:
    """The clauses of a text, ended by stops and turns such as "but"."""
    found: list[Clause] = []
    words: list[str] = []
    for token in _TOKEN.findall(folded(text[:_MAX_TEXT])):
        if token[0] in _STOPS or token in _TURNS:
            _add(found, words)
            words = []
        else:
            words.append(token)
    _add(found, words)
    return found


def _add(found: list[Clause], words: list[str]) -> None:
    if words:
        found.append(Clause(tuple(words), tuple(map(stem, words))))


def said_of(text: str, thing: Thing, context: frozenset[str] = frozenset()) -> bool | None:
    """Whether a text says that the thing is there. `context`: stems of the names above, which it need not repeat.

    None: it says nothing of it, or both.
    """
    said = {answer for clause in clauses(text) for answer in _said_in(clause, thing, context) if answer is not None}
    return said.pop() if len(said) == 1 else None


def _said_in(clause: Clause, thing: Thing, context: frozenset[str]) -> list[bool | None]:
    others = [other for phrase in _others(thing) for other in _places(clause.stems, phrase)]
    places = [place for whole in thing.wholes for place in _places(clause.stems, whole) if not _inside(place, others)]
    if not places and len(thing.parts) > 1:
        places = _scattered(clause.stems, thing, context)
    places = [place for place in places if not _is_modifier(clause.stems, place, thing)]
    return [_polarity(clause, start, end, thing) for start, end in places]


def _is_modifier(stems: tuple[str, ...], place: tuple[int, int], thing: Thing) -> bool:
    """Whether the name only says of what kind another thing is: a pool table, a parking ticket."""
    start, end = place
    return end < len(stems) and is_other_head(stems[end]) and stems[start : end + 1] not in thing.wholes


def _others(thing: Thing) -> list[Phrase]:
    """Names that have the thing's name in them and are another thing: almond milk is no milk."""
    return [phrase for phrase in lists().not_members if phrase not in thing.wholes]


def _inside(place: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    return any(start <= place[0] and place[1] <= end and end - start > place[1] - place[0] for start, end in others)


def _places(stems: tuple[str, ...], phrase: Phrase) -> list[tuple[int, int]]:
    size = len(phrase)
    if not size:
        return []
    return [
        (at, at + size)
        for at in range(len(stems) - size + 1)
        if stems[at] == phrase[0] and stems[at : at + size] == phrase
    ]


def _scattered(stems: tuple[str, ...], thing: Thing, context: frozenset[str]) -> list[tuple[int, int]]:
    """Where every part of the thing stands, close together; parts that the context names may be absent."""
    spans: list[tuple[int, int]] = []
    for part in thing.parts:
        found = [place for phrase in part for place in _places(stems, phrase)]
        if found:
            spans.append(found[0])
        elif not any(context.issuperset(phrase) for phrase in part):
            return []
    if not spans:
        return []
    start, end = min(one for one, _ in spans), max(one for _, one in spans)
    return [(start, end)] if end - start <= sum(b - a for a, b in spans) + _SLACK else []


def _polarity(clause: Clause, start: int, end: int, thing: Thing) -> bool | None:
    """False where the thing is denied before or after its name; None where a wish, a doubt or a kind of it is."""
    if any(_stands_before(clause.words, start, phrase) for phrase in lists().conditional):
        return None
    if _denied_after(clause.words, end, thing):
        return False
    return _denied_before(clause.words, start)


def _stands_before(words: tuple[str, ...], start: int, phrase: Phrase) -> bool:
    reach = words[max(0, start - _WIDE) : start]
    size = len(phrase)
    return any(reach[at : at + size] == phrase for at in range(len(reach) - size + 1))


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


def _denied_after(words: tuple[str, ...], end: int, thing: Thing) -> bool:
    rest = words[end : end + _AFTER + 3]
    if rest[:1] == ("free",) and rest[1:2] != ("of",) and thing.wholes & lists().free_from:
        return True
    for at in range(min(_AFTER, len(rest))):
        if rest[at] in _JOINING or (rest[at] == "," and rest[at + 1 : at + 2] in {("no",), ("sin",), ("without",)}):
            return False
        for size in (3, 2, 1):
            phrase = rest[at : at + size]
            if len(phrase) == size and phrase in lists().denials_after:
                ends = at + size >= len(rest) or rest[at + size] == ","
                return ends or phrase not in {("no",), ("0",), ("none",), ("false",)}
    return False
