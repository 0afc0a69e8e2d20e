"""What belongs to what in two tasks: the same words in other places are another task."""

from itertools import pairwise

from planning.cache.contracts import Conflict
from planning.understanding.facts_items import (
    DATE,
    NAME,
    NEGATION,
    OBJECT,
    PLACE,
    QUALITY,
    VERB,
    WORD,
    Item,
    Reading,
)

_HEADS = frozenset({OBJECT, WORD, NAME, PLACE})
_Key = tuple[str, str]
_Places = dict[_Key, Item]
_IN_ORDER = frozenset({NAME, PLACE, DATE, VERB})
_STRICT = frozenset({"near", "from", "via"})
"""Roles that change what is meant where the other task has none of them; "to Paris" may well be "a Paris flight"."""
ORDERED_AT_MOST = 12
_DIRECTED = frozenset({"from", "to", "before", "after", "via", "near"})


def heads_conflict(cached: Reading, new: Reading, *, told: bool = False) -> list[Conflict]:
    """Words that both tasks have and that belong to different words in each, which both have as well. What is told
    changes order where one of the two is in the passive.
    """
    if told and _is_passive(cached) != _is_passive(new):
        return []
    found = [*_attached(cached, new), *_directed(cached, new, told=told), *_swapped(cached, new)]
    return [*found, *_compounds(cached, new)]


def _is_passive(reading: Reading) -> bool:
    return any(token.fold in {"by", "por"} for token in reading.tokens)


def _attached(cached: Reading, new: Reading) -> list[Conflict]:
    left, right = _heads(cached), _heads(new)
    values_left, values_right = _values(cached), _values(new)
    found = []
    for word in left.keys() & right.keys():
        one, other = left[word], right[word]
        if one and other and not one & other and one <= values_right and other <= values_left:
            found.append(
                Conflict(
                    kind="order",
                    cached=f"{word[1]} {' '.join(sorted(one))}",
                    new=f"{word[1]} {' '.join(sorted(other))}",
                )
            )
    return found


def _compounds(cached: Reading, new: Reading) -> list[Conflict]:
    """A house boat is no boat house."""
    left, right = _pairs(cached), _pairs(new)
    return [
        Conflict(kind="order", cached=f"{one} {other}", new=f"{other} {one}")
        for one, other in left
        if (other, one) in right and (other, one) not in left and (one, other) not in right
    ]


def _pairs(reading: Reading) -> set[tuple[str, str]]:
    return {
        (one.value, other.value)
        for one, other in pairwise(reading.items)
        if one.last == other.first and one.kind in _HEADS and other.kind in _HEADS
    }


def _directed(cached: Reading, new: Reading, *, told: bool) -> list[Conflict]:
    """From Paris to Rome is not from Rome to Paris, PDF to Word not Word to PDF, before lunch not after it."""
    left, right = _roles(cached), _roles(new)
    places = {item.value for reading in (cached, new) for item in reading.items if item.kind == PLACE}
    found = []
    for value in left.keys() & right.keys():
        one, other = left[value], right[value]
        if one == other or (told and value not in places):
            continue
        both = one in _DIRECTED and other in _DIRECTED
        role = one if one in _DIRECTED else other
        swapped = role in _DIRECTED and any(
            right.get(name) == role if one == role else left.get(name) == role
            for name in (left.keys() & right.keys()) - {value}
        )
        strict = bool({one, other} & _STRICT) and value in places
        if both or swapped or strict or role in {"before", "after"}:
            found.append(Conflict(kind="direction", cached=f"{one}:{value}", new=f"{other}:{value}"))
    return found


def _swapped(cached: Reading, new: Reading) -> list[Conflict]:
    """Two names, places, days or deeds that come in the other order and do not stand in a list, nor say by their
    prepositions or by what they are done to which is which.
    """
    left, right = _ordered(cached), _ordered(new)
    heads_left, heads_right = _heads(cached), _heads(new)
    common = [key for key in left if key in right]
    found = []
    for number, one in enumerate(common[:ORDERED_AT_MOST]):
        for other in common[number + 1 : ORDERED_AT_MOST]:
            if one[0] != other[0] or (left[one].first < left[other].first) == (right[one].first < right[other].first):
                continue
            if _tells_apart(left, right, one, other) or _is_listed(left, right, one, other):
                continue
            if all(heads_left.get(key) and heads_left[key] == heads_right.get(key) for key in (one, other)):
                continue
            found.append(Conflict(kind="order", cached=f"{one[1]} {other[1]}", new=f"{other[1]} {one[1]}"))
    return found


def _ordered(reading: Reading) -> _Places:
    """Items whose order matters, by kind and value; times of day and days are of two kinds."""
    found: _Places = {}
    for item in reading.items:
        if item.kind in _IN_ORDER:
            kind = f"{item.kind} {':' in item.value}" if item.kind == DATE else item.kind
            found.setdefault((kind, item.value), item)
    return found


def _tells_apart(left: _Places, right: _Places, one: _Key, other: _Key) -> bool:
    """Whether both have the same preposition in both tasks, and not the same as each other."""
    roles = left[one].role, left[other].role
    return roles == (right[one].role, right[other].role) and roles[0] != roles[1]


def _is_listed(left: _Places, right: _Places, one: _Key, other: _Key) -> bool:
    return any(left[key].joined for key in (one, other)) and any(right[key].joined for key in (one, other))


def _roles(reading: Reading) -> dict[str, str]:
    return {item.value: item.role for item in reading.items if item.kind in _HEADS or item.kind in {VERB, QUALITY}}


def _values(reading: Reading) -> set[str]:
    return {item.value for item in reading.items if item.kind in _HEADS}


def _heads(reading: Reading) -> dict[tuple[str, str], set[str]]:
    """The head of each verb and quality: what it is said of, with what is joined to that."""
    found: dict[tuple[str, str], set[str]] = {}
    for place, item in enumerate(reading.items):
        if item.kind == VERB:
            found[item.kind, item.value] = _following(reading, place)
        elif item.kind == QUALITY:
            found[item.kind, item.value] = _described(reading, place)
    return found


def _following(reading: Reading, place: int) -> set[str]:
    found, last = _done_to(reading, place), -1
    for item in reading.items[place + 1 :] if not found else ():
        if item.kind in {VERB, NEGATION}:
            break
        if item.kind in _HEADS:
            if found and not (item.joined or item.first == last or item.role == "of"):
                break
            found.add(item.value)
            last = item.last
    return found


def _done_to(reading: Reading, place: int) -> set[str]:
    """What stands before a participle: `the contract translated into German`."""
    before, item = reading.items[place - 1] if place else None, reading.items[place]
    is_participle = reading.fold(item.first).endswith(("ed", "en", "ado", "ido", "ada", "ida"))
    if before is None or before.last != item.first or before.kind not in _HEADS or not is_participle:
        return set()
    return {before.value}


def _described(reading: Reading, place: int) -> set[str]:
    item = reading.items[place]
    if reading.language == "es" and place and _is_next(reading.items[place - 1], item):
        return {reading.items[place - 1].value}
    found, last = set(), item.last
    for after in reading.items[place + 1 :]:
        if after.first != last or after.kind not in _HEADS:
            break
        found.add(after.value)
        last = after.last
    return found


def _is_next(one: Item, other: Item) -> bool:
    return one.last == other.first and (one.kind in _HEADS or other.kind in _HEADS)
