"""The pieces of two tasks side by side: which of one are which of the other."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planning.understanding.facts_items import (
    AMOUNT,
    DATE,
    DURATION,
    NAME,
    OBJECT,
    PLACE,
    QUALITY,
    QUANTITY,
    WORD,
    Item,
    Reading,
)
from planning.understanding.facts_stems import stem_of
from planning.understanding.facts_tokens import words_of
from planning.understanding.facts_words import countries

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
    said = {countries().get(place) for place in places}
    return [item for item in reading.items if not (item.kind == PLACE and item.value in said)]


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
    return [stem_of(word, language) for word in words_of(item.value) if word not in {"of", "the", "de", "la", "el"}]
