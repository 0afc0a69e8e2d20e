"""Which step of the new version is which of the old one, and which of them moved.

Questions are known by their code. Readings have none: the same content first, then the same title, then the most words
in common.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Sequence

from lesson_engine.contracts import Ask, ItemStep, TextStep
from lesson_engine.player.outline import Outline, Place

Pairs = dict[int, int]
"""From a place of the new version to its place of the old one."""

_ALIKE = 0.5
"""Share of the words of two readings that both have, from which they count as one reading that was rewritten."""
_MOST = 200
"""Readings of each version that are compared by their words; more are added and removed rather than changed."""
_WORD = re.compile(r"\w+")


def matched(old: Outline, new: Outline) -> Pairs:
    """Each step is matched once at most."""
    pairs = {new.asks[code].index: place.index for code, place in old.asks.items() if code in new.asks}
    for key in (_content, _title):
        pairs |= _unique_pairs(_readings(old, pairs.values()), _readings(new, pairs), key)
    return pairs | _alike(_readings(old, pairs.values()), _readings(new, pairs))


def moved(pairs: Pairs) -> set[int]:
    """The fewest places of the new version without which all others follow each other as they did in the old one."""
    places = sorted(pairs)
    return set(places) - {places[at] for at in _longest_rise([pairs[place] for place in places])}


def moments_matched(old: Outline, new: Outline, pairs: Pairs) -> Pairs:
    """Moments of the new version by those of the old one with which they share most steps, else the title."""
    shared = Counter((new.places[n].moment, old.places[o].moment) for n, o in pairs.items())
    titles = {moment.title: at for at, moment in reversed([*enumerate(old.lesson.moments)])}
    named = ((at, titles[moment.title]) for at, moment in enumerate(new.lesson.moments) if moment.title in titles)
    moments: Pairs = {}
    for n, o in (*(pair for pair, _ in shared.most_common()), *named):
        if n not in moments and o not in moments.values():
            moments[n] = o
    return moments


def _readings(outline: Outline, taken: Collection[int]) -> list[Place]:
    used = set(taken)
    return [place for place in outline.places if not isinstance(place.step, Ask) and place.index not in used]


def _content(place: Place) -> Hashable:
    return place.step.model_dump_json()


def _title(place: Place) -> Hashable:
    step = place.step
    return (step.type, step.title) if isinstance(step, TextStep | ItemStep) and step.title else None


def _unique_pairs(old: Sequence[Place], new: Sequence[Place], key: Callable[[Place], Hashable]) -> Pairs:
    """Places with the same key, the first with the first, the second with the second."""
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    for place in reversed(old):
        waiting[key(place)].append(place.index)
    return {
        place.index: waiting[value].pop() for place in new if (value := key(place)) is not None and waiting.get(value)
    }


def _alike(old: Sequence[Place], new: Sequence[Place]) -> Pairs:
    before = [(place.index, _words(place)) for place in old[:_MOST]]
    after = [(place.index, _words(place)) for place in new[:_MOST]]
    scored = [(len(a & b) / len(a | b) if a or b else 0.0, n, o) for n, b in after for o, a in before]
    pairs: Pairs = {}
    for score, n, o in sorted(scored, key=lambda score: (-score[0], abs(score[1] - score[2]))):
        if score >= _ALIKE and n not in pairs and o not in pairs.values():
            pairs[n] = o
    return pairs


def _words(place: Place) -> frozenset[str]:
    return frozenset(_WORD.findall(place.step.model_dump_json(exclude={"type"}, exclude_none=True).casefold()))


def _longest_rise(numbers: Sequence[int]) -> list[int]:
    """Places of a longest strictly rising part of the numbers."""
    ends: list[int] = []  # the least number on which a rise of each length ends
    ends_at: list[int] = []
    before: list[int] = []
    for at, number in enumerate(numbers):
        length = bisect_left(ends, number)
        before.append(ends_at[length - 1] if length else -1)
        ends[length : length + 1], ends_at[length : length + 1] = [number], [at]
    rise, at = [], ends_at[-1] if ends_at else -1
    while at >= 0:
        rise.append(at)
        at = before[at]
    return rise[::-1]
