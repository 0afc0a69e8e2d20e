"""Whether the plan for one task may serve another. Source: design.md, "Settled", 1.

What conflicts is a miss: numbers, places, dates, negations, verbs, criteria. So is what the cached task says and the
new one does not. What the new one only adds adjusts the plan, if it comes as something added: "for 2 nights", "with
breakfast", "cheap"; a "hotel shuttle" is no hotel with something added.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from planning.cache.contracts import Addition, Conflict, Relation
from planning.cache.matching import CONTENT, ENTITIES, FIGURES, Sides, order_conflicts, sides_of
from planning.understanding.facts.items import DATE, NEGATION, PLACE, QUALITY, QUANTITY, VERB, Item, Reading
from planning.understanding.facts.reading import item_text, reading_of
from planning.understanding.facts.words import longest, opposites, word_set, words_in

_ADDING: Final = frozenset({"with", "for", "in", "near", "from", "to", "via", "before", "after", "about", "without"})
_NEUTRAL: Final = frozenset({"", "in", "of", "to"})
"""Roles of places that say the same: a hotel in Paris, a Paris hotel."""


def relation_of(cached: str, new: str, language: str) -> Relation:
    """How the new task stands to the cached one, both in this language."""
    left, right = reading_of(cached, language), reading_of(new, language)
    sides = sides_of(left, right)
    lacking = [item for item in sides.cached if not _is_weak(item, left)]
    extra = [item for item in sides.new if not _is_weak(item, right)]
    additions, rest = _additions(right, extra, sides)
    loose = [[item for item in items if item.kind in CONTENT or item.kind == VERB] for items in (lacking, rest)]
    return Relation(
        conflicts=[
            *_facts_conflict(lacking, extra, left),
            *order_conflicts(left, right),
            *(_conflict(None, item) for item in rest if item not in loose[1]),
            *_opposite(loose[0], extra),
        ],
        additions=[_addition(right, run) for run in additions],
        loose_cached=len(loose[0]),
        loose_new=len(loose[1]),
        common=sides.common,
    )


def _is_weak(item: Item, reading: Reading) -> bool:
    """Whether it is a verb that says nothing of its own beside another one: find a hotel to stay at."""
    verbs = [other for other in reading.items if other.kind == VERB]
    return item.kind == VERB and item.value in word_set("guard_weak") and len(verbs) > 1


def _facts_conflict(lacking: Sequence[Item], extra: Sequence[Item], left: Reading) -> Iterator[Conflict]:
    """Figures, names, places, dates and negations of one task that the other contradicts or does not have."""
    for item in lacking:
        if item.kind in FIGURES | ENTITIES or item.kind == NEGATION:
            yield _conflict(item, next((other for other in extra if other.kind == item.kind), None))
    for item in extra:
        if item.kind in FIGURES | ENTITIES:
            same = next((other for other in left.items if _is_same_slot(item, other)), None)
            if same is not None:
                yield _conflict(same, item)
        elif item.kind == NEGATION and (item.role != "without" or _says_any(left, item)):
            yield _conflict(None, item)


def _is_same_slot(item: Item, other: Item) -> bool:
    """Whether the cached task says something of the same sort already, so that the item is no mere addition."""
    if item.kind != other.kind:
        return False
    if item.kind == PLACE and {item.role, other.role} <= _NEUTRAL:
        return True
    return item.role == other.role if item.kind in ENTITIES else _slot(item) == _slot(other)


def _slot(item: Item) -> tuple[str, bool]:
    """What a figure is of: a unit; of dates a day, a time, or one end of a span. All quantities are of one sort."""
    words = item.value.split()
    if item.kind == DATE:
        return words[0] if words[0] in {"from", "to", "until"} else "", ":" in item.value
    return words[-1].partition("/")[0] if item.kind != QUANTITY else "", False


def _says_any(reading: Reading, negation: Item) -> bool:
    """Whether the task wants something of what is not wanted."""
    words = set(negation.value.split())
    return any(item.kind in CONTENT and words & set(item.value.split()) for item in reading.items)


def _opposite(lacking: Sequence[Item], extra: Sequence[Item]) -> Iterator[Conflict]:
    """Words that exclude one another, however near they are: book and cancel, cheap and expensive, in and out."""
    for item in lacking:
        for other in extra:
            if other.value in opposites().get(item.value, ()):
                yield Conflict(kind="opposite", cached=item.value, new=other.value)


def _conflict(cached: Item | None, new: Item | None) -> Conflict:
    item = cached or new
    assert item is not None
    return Conflict(kind=item.kind, cached=item_text(cached) if cached else "", new=item_text(new) if new else "")


def _additions(reading: Reading, extra: Sequence[Item], sides: Sides) -> tuple[list[list[Item]], list[Item]]:
    """Runs of items that the new task adds, and the items that are no addition."""
    runs: list[list[Item]] = []
    rest: list[Item] = []
    new = set(map(id, extra))
    for is_new, group in groupby(reading.items, lambda item: id(item) in new):
        for part in _parts(list(group)) if is_new else ():
            (runs.append if _is_addition(reading, part, sides) else rest.extend)(part)
    return runs, rest


def _parts(run: Sequence[Item]) -> list[list[Item]]:
    """The run cut before everything that has an introduction of its own, and around figures."""
    parts: list[list[Item]] = []
    for item in run:
        alone = item.kind in FIGURES or item.kind == NEGATION
        last = parts[-1][-1] if parts else None
        ended = last is not None and (last.kind in FIGURES | ENTITIES or last.kind == NEGATION)
        if last is None or alone or (not item.joined and (ended or item.role in _ADDING)):
            parts.append([item])
        else:
            parts[-1].append(item)
    return parts


def _is_addition(reading: Reading, part: Sequence[Item], sides: Sides) -> bool:
    first = part[0]
    if first.kind in FIGURES or first.kind == NEGATION or _is_relative(reading, first):
        return True
    if any(item.kind == VERB for item in part) or reading.tokens[first.begins].hyphen:  # no mother is a mother-in-law
        return False
    if first.kind == PLACE and len(part) == 1:
        return True
    if first.role in _ADDING:
        return not _leads_to_matched(reading, part, sides)
    return all(item.kind == QUALITY for item in part)


def _leads_to_matched(reading: Reading, part: Sequence[Item], sides: Sides) -> bool:
    """Whether the next word belongs to the same phrase and is the cached task's: `for business class flights`."""
    last = part[-1]
    matched = any(item.first == last.last and item.first in sides.matched_new for item in reading.items)
    return matched and last.kind != QUALITY


def _is_relative(reading: Reading, item: Item) -> bool:
    """A clause that says more of what was named: "that allows pets", "que acepte mascotas"."""
    before = item.first - 1
    if item.kind != VERB or not any(other.last <= before for other in reading.items):
        return False
    return longest(words_in(reading.language).grammar["relative"], reading.tokens, before)[1] == 1


def _addition(reading: Reading, run: Sequence[Item]) -> Addition:
    relative = _is_relative(reading, run[0])
    begins = run[0].begins - relative if run[0].role or relative else run[0].first
    first, last = reading.tokens[begins], reading.tokens[run[-1].last - 1]
    return Addition(
        kind=run[0].kind,
        value=" ".join(item.value for item in run),
        text=reading.text[first.start : last.end],
        start=first.start,
        end=last.end,
        is_introduced=bool(run[0].role) or relative or _needs_nothing(run[0]),
    )


def _needs_nothing(item: Item) -> bool:
    """Whether it can follow other text as it is worded: "tomorrow", "under $200", "between 50 and 100 euros"."""
    return item.kind in {DATE, PLACE} or item.value.startswith(("<", ">")) or ".." in item.value
