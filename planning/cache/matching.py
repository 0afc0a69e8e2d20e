"""The pieces of two tasks side by side: which are the same, and which mean something else by direction or order."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from language.stems import stem
from planning.cache.contracts import Conflict
from planning.understanding.facts.items import (
    AMOUNT,
    DATE,
    DURATION,
    NAME,
    OBJECT,
    PLACE,
    QUALITY,
    QUANTITY,
    VERB,
    WORD,
    Item,
    Reading,
    phrase_tokens,
)
from planning.understanding.facts.words import countries, word_set

FIGURES = frozenset({DATE, DURATION, AMOUNT, QUANTITY})
CONTENT = frozenset({OBJECT, WORD, QUALITY, NAME, PLACE})
ENTITIES = frozenset({NAME, PLACE})


@dataclass(frozen=True)
class Sides:
    """What of each task has no counterpart in the other, by items; `common` items of the cached task have one."""

    cached: list[Item]
    new: list[Item]
    common: int
    matched_new: frozenset[int]
    """Places of the new task's items that have a counterpart."""


def sides_of(cached: Reading, new: Reading) -> Sides:
    """Match the items of the two tasks by value, then the rest by the words that they are made of."""
    left, right = _meaning(cached), _meaning(new)
    open_left, open_right = _without_common(left, right)
    common = len(left) - len(open_left)
    counted = {item.value.split(" ", 1)[-1] for item in right if item.kind == QUANTITY}
    open_left = [item for item in open_left if not (item.kind in CONTENT and item.value in counted)]
    open_left, open_right = _by_words(open_left, open_right, left, right, cached.language)
    matched = frozenset(item.first for item in right) - {item.first for item in open_right}
    return Sides(open_left, open_right, common, matched)


def _meaning(reading: Reading) -> list[Item]:
    """Its items without a country that only says where its city is."""
    places = {item.value for item in reading.items if item.kind == PLACE}
    named = {countries().get(place) for place in places}
    return [item for item in reading.items if not (item.kind == PLACE and item.value in named)]


def _value(item: Item) -> tuple[str, str]:
    group = "content" if item.kind in CONTENT else item.kind
    return group, item.value


def _without_common(left: Sequence[Item], right: Sequence[Item]) -> tuple[list[Item], list[Item]]:
    """Both without what they share, counted once each however often it is said."""
    values = {_value(item) for item in left} & {_value(item) for item in right}
    return [item for item in left if _value(item) not in values], [item for item in right if _value(item) not in values]


def _by_words(
    open_left: list[Item], open_right: list[Item], left: Sequence[Item], right: Sequence[Item], language: str
) -> tuple[list[Item], list[Item]]:
    """Names and phrases of several words match what says the same words in pieces."""
    words_left, words_right = _words(left, language), _words(right, language)
    return (
        [item for item in open_left if not (_splits(item) and _all_in(item, words_right, language))],
        [item for item in open_right if not (_splits(item) and _all_in(item, words_left, language))],
    )


def _splits(item: Item) -> bool:
    return item.kind in CONTENT


def _all_in(item: Item, words: Counter[str], language: str) -> bool:
    parts = _parts(item, language)
    return bool(parts) and all(part in words for part in parts)


def _words(items: Iterable[Item], language: str) -> Counter[str]:
    return Counter(part for item in items if item.kind in CONTENT for part in _parts(item, language))


def _parts(item: Item, language: str) -> list[str]:
    return [stem(word, language) for word in phrase_tokens(item.value) if word not in {"of", "the", "de", "la", "el"}]


_NOUN: Final = "noun"
_SORTS: Final = {OBJECT: _NOUN, WORD: _NOUN, NAME: NAME, PLACE: PLACE, DATE: DATE, VERB: VERB, QUALITY: QUALITY}
_DIRECTED: Final = frozenset({"from", "to", "before", "after", "via", "near"})
_ALWAYS: Final = frozenset({"before", "after"})
_OF_PLACES: Final = frozenset({"from", "via", "near"})
"""Directions that a place has or has not; "to Paris" may well be "a Paris flight"."""
_SHARED_AT_MOST: Final = 24

_Key = tuple[str, str]


def order_conflicts(cached: Reading, new: Reading) -> Iterator[Conflict]:
    """What both tasks name and say otherwise: from Paris, to Paris; open this and close that, the other way round."""
    left, right = _by_value(cached), _by_value(new)
    shared = [key for key in left if key in right][:_SHARED_AT_MOST]
    for key in shared:
        if _turns(key, shared, left, right):
            yield _conflict("direction", [left[key]], [right[key]])
        elif cached.language == "en" and _is_other_purpose(left[key], cached, right[key], new):
            yield _conflict("purpose", [left[key]], [right[key]])
    compounds = [_compounds(cached), _compounds(new)]
    for one, other in combinations(shared, 2):
        if one[0] == other[0] and _is_turned((left[one], left[other]), (right[one], right[other]), compounds):
            yield _conflict("order", [left[one], left[other]], [right[one], right[other]])


def _by_value(reading: Reading) -> dict[_Key, Item]:
    """The first item of each sort and value; times of day are another sort of date than days."""
    items: dict[_Key, Item] = {}
    for item in reading.items:
        if item.kind in _SORTS:
            sort = f"{DATE} {':' in item.value}" if item.kind == DATE else _SORTS[item.kind]
            items.setdefault((sort, item.value), item)
    return items


def _turns(key: _Key, shared: list[_Key], left: Mapping[_Key, Item], right: Mapping[_Key, Item]) -> bool:
    """Whether the thing comes from, goes to, is before, after or near something in one task only."""
    roles = {left[key].role, right[key].role}
    if len(roles) == 1:
        return False
    if roles <= _DIRECTED or roles & _ALWAYS or (key[0] == PLACE and roles & _OF_PLACES):
        return True
    # The direction went over to another thing: Word to PDF, PDF to Word.
    others = [other for other in shared if other != key]
    mine, theirs = left[key].role, right[key].role
    return any(
        (mine in _DIRECTED and right[other].role == mine != left[other].role)
        or (theirs in _DIRECTED and left[other].role == theirs != right[other].role)
        for other in others
    )


def _is_turned(left: tuple[Item, Item], right: tuple[Item, Item], compounds: Sequence[Mapping[int, int]]) -> bool:
    """Whether two things come in the other order, and no preposition, list or compound makes this the same."""
    if (left[0].first < left[1].first) == (right[0].first < right[1].first):
        return False
    roles = [(one.role, other.role) for one, other in (left, right)]
    if roles[0] == roles[1] and roles[0][0] != roles[0][1]:
        return False
    together = [
        places[one.first] == places[other.first] for places, (one, other) in zip(compounds, (left, right), strict=True)
    ]
    if left[0].kind == QUALITY:
        return not all(together)
    if left[0].kind != VERB and all(any(item.joined for item in pair) for pair in (left, right)):
        return False
    # "The price of cars" is "the car price", but a boat house is no house boat.
    return _SORTS[left[0].kind] != _NOUN or together[0] == together[1]


def _compounds(reading: Reading) -> dict[int, int]:
    """By the first token of each item: where the run of items begins that has no other word in it."""
    begins: dict[int, int] = {}
    start = last = -1
    for item in reading.items:
        begins[item.first] = start = start if item.first == last else item.first
        last = item.last
    return begins


def _is_other_purpose(one: Item, left: Reading, other: Item, right: Reading) -> bool:
    """To prepare the interview is another thing than to prepare for it. In Spanish both are said in the same way."""
    verb = _verb_of(one, left)
    return bool(verb) and verb == _verb_of(other, right) and (one.role == "for") != (other.role == "for")


def _verb_of(item: Item, reading: Reading) -> str:
    """The verb right before a thing, with "for" between them or nothing."""
    at = item.begins
    while reading.fold(at - 1) in word_set("phrases_articles"):
        at -= 1
    verbs = [before.value for before in reading.items if before.kind == VERB and before.last == at]
    return verbs[0] if verbs and (item.kind == OBJECT or item.role == "for") else ""


def _conflict(kind: str, cached: list[Item], new: list[Item]) -> Conflict:
    left, right = (sorted(items, key=lambda item: item.first) for items in (cached, new))
    wordings = [" ".join(f"{item.role} {item.value}".strip() for item in items) for items in (left, right)]
    return Conflict(kind=kind, cached=wordings[0], new=wordings[1])
