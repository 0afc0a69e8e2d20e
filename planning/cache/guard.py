"""Whether the plan for one task may serve another. Source: design.md, "Settled", 1.

What conflicts is a miss: numbers, places, dates, negations, verbs, criteria. So is what the cached task says and the
new one does not. What the new one only adds adjusts the plan, if it comes as something added: "for 2 nights", "with
breakfast", "cheap"; a "hotel shuttle" is no hotel with something added.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from planning.cache.asking import is_told
from planning.cache.contracts import Addition, Conflict, Loose, Relation
from planning.cache.heads import heads_conflict
from planning.cache.matching import CONTENT, ENTITIES, FIGURES, Sides, sides_of
from planning.cache.wording import compound_conflicts, purpose_conflicts
from planning.understanding.facts import item_text, reading_of
from planning.understanding.facts_items import (
    DATE,
    NAME,
    NEGATION,
    OBJECT,
    PLACE,
    QUALITY,
    QUANTITY,
    VERB,
    WORD,
    Item,
    Reading,
)
from planning.understanding.facts_stems import stem_of
from planning.understanding.facts_words import longest, opposites, verbs_known, word_set, words_in

_ADDING: Final = frozenset({"with", "for", "in", "near", "from", "to", "via", "before", "after", "about", "without"})
_NEGATIVE: Final = word_set("guard_negative_prefixes")
_WEAK: Final = word_set("guard_weak")
"""Verbs that say nothing of their own beside another one: find a hotel to stay at."""


def relation_of(cached: str, new: str, language: str) -> Relation:
    """How the new task stands to the cached one, both in this language."""
    left, right = reading_of(cached, language), reading_of(new, language)
    sides = sides_of(left, right)
    lacking = [item for item in sides.cached if not _is_weak(item, left)]
    extra = [item for item in sides.new if not _is_weak(item, right)]
    told = is_told(left, right)
    conflicts = [*_facts_conflict(lacking, extra, left, right, told=told), *heads_conflict(left, right, told=told)]
    free = [item for item in extra if item.kind in CONTENT or item.kind == VERB]
    loose_cached = [item for item in lacking if item.kind in CONTENT or item.kind == VERB]
    additions, rest = _additions(right, extra, sides)
    loose_new = [item for item in rest if item in free]
    conflicts += [_conflict(None, item) for item in rest if item not in free]
    conflicts += _opposite(loose_cached, extra, language)
    conflicts += compound_conflicts(extra, right, sides.matched_new)
    conflicts += purpose_conflicts(left, right)
    return Relation(
        conflicts=conflicts,
        additions=[_addition(right, run) for run in additions],
        loose_cached=[_loose(left, item) for item in loose_cached],
        loose_new=[_loose(right, item) for item in loose_new],
        common=sides.common,
        is_told=told,
    )


def _loose(reading: Reading, item: Item) -> Loose:
    return Loose(text=reading.wording(item), known=item.kind in {OBJECT, QUALITY} or item.value in verbs_known())


def _opposite(lacking: Sequence[Item], extra: Sequence[Item], language: str) -> list[Conflict]:
    """Words that exclude one another, however near they are: book and cancel, cheap and expensive, in and out."""
    return [
        Conflict(kind="opposite", cached=item.value, new=other.value)
        for item in lacking
        for other in extra
        if other.value in opposites().get(item.value, ()) or _is_negated(item.value, other.value, language)
    ]


def _is_negated(one: str, other: str, language: str) -> bool:
    """Whether one is the other with a prefix that says no: furnished, unfurnished; leal, desleal."""
    short, long = sorted((stem_of(one, language), stem_of(other, language)), key=len)
    return len(short) > 3 and long.endswith(short) and long.removesuffix(short) in _NEGATIVE


def _is_weak(item: Item, reading: Reading) -> bool:
    verbs = [other for other in reading.items if other.kind == VERB]
    return item.kind == VERB and item.value in _WEAK and len(verbs) > 1


def _facts_conflict(
    lacking: Sequence[Item], extra: Sequence[Item], left: Reading, right: Reading, *, told: bool
) -> list[Conflict]:
    """Figures, names, places, dates and negations of one task that the other contradicts or does not have. What is
    only told may name somebody more fully once than another time.
    """
    found = []
    for item in lacking:
        if item.kind in {OBJECT, WORD, QUALITY, VERB}:
            continue
        against = next((other for other in extra if other.kind == item.kind), None)
        if not (told and _is_loosely_told(item, against, right)):
            found.append(_conflict(item, against))
    for item in extra:
        if item.kind in FIGURES or (item.kind in ENTITIES and not told):
            same = next((other for other in left.items if _is_same_slot(item, other)), None)
            if same is not None:
                found.append(_conflict(same, item))
        elif item.kind == NEGATION and (item.role != "without" or _says_any(left, item)):
            found.append(_conflict(None, item))
    return found


def _is_loosely_told(item: Item, against: Item | None, right: Reading) -> bool:
    """Whether what the other text does not have as it is may be there in part: Paul Ryan is Ryan, one boy a boy."""
    if item.kind in ENTITIES:
        words = {token.fold for token in right.tokens}
        return against is None or bool(words & set(item.value.split()))
    return item.kind == QUANTITY and item.value.startswith("1 ") and against is None


def _is_same_slot(item: Item, other: Item) -> bool:
    """Whether the cached task says something of the same sort already, so that the item is no mere addition."""
    if item.kind != other.kind:
        return False
    if item.kind == DATE:
        return _date_sort(item.value) == _date_sort(other.value)
    if item.kind == PLACE:
        return item.role == other.role or {item.role, other.role} <= {"", "in", "of", "to"}
    if item.kind in {NAME, QUANTITY}:
        return item.kind == QUANTITY or item.role == other.role
    return _unit(item.value) == _unit(other.value)


def _unit(value: str) -> str:
    words = [word for word in value.split() if not word[:1].isdigit() and word not in {"<=", "<", ">=", ">", "~"}]
    return " ".join(words).partition("/")[0]


def _date_sort(value: str) -> str:
    """Times of day, days of the month, days of the week and longer spans go together; two of one sort do not."""
    last = value.split()[-1]
    if ":" in last or last in {"morning", "afternoon", "evening", "night", "tonight"}:
        return "time"
    if value.startswith(("month", "year")) or len(last) == 7:
        return "span"
    if last in {"week", "month", "year", "quarter", "semester", "spring", "summer", "autumn", "winter"}:
        return "span"
    return "from" if value.startswith("from") else "to" if value.startswith(("to", "until")) else "day"


def _says_any(reading: Reading, negation: Item) -> bool:
    """Whether the task wants something of what is not wanted."""
    words = set(negation.value.split())
    return any(item.kind in CONTENT and words & set(item.value.split()) for item in reading.items)


def _conflict(cached: Item | None, new: Item | None) -> Conflict:
    said = cached or new
    assert said is not None
    return Conflict(kind=said.kind, cached=item_text(cached) if cached else "", new=item_text(new) if new else "")


def _additions(reading: Reading, extra: Sequence[Item], sides: Sides) -> tuple[list[list[Item]], list[Item]]:
    """Runs of items that the new task adds, and the items that are no addition."""
    runs: list[list[Item]] = []
    rest: list[Item] = []
    new = set(map(id, extra))
    for is_new, group in groupby(reading.items, lambda item: id(item) in new):
        run = list(group)
        if not is_new:
            continue
        for part in _parts(run):
            (runs.append if _is_addition(reading, part, sides) else rest.extend)(part)
    return runs, rest


def _parts(run: Sequence[Item]) -> list[list[Item]]:
    """The run cut before everything that has an introduction of its own, and around figures."""
    parts: list[list[Item]] = []
    for item in run:
        alone = item.kind in FIGURES or item.kind == NEGATION
        last = parts[-1][-1] if parts else None
        ended = last is not None and (last.kind in FIGURES | ENTITIES or last.kind == NEGATION) and not item.joined
        if last is None or alone or ended or _starts(item):
            parts.append([item])
        else:
            parts[-1].append(item)
    return parts


def _starts(item: Item) -> bool:
    return item.role in _ADDING and not item.joined


def _is_addition(reading: Reading, part: Sequence[Item], sides: Sides) -> bool:
    first = part[0]
    if first.kind in FIGURES or first.kind == NEGATION:
        return True
    if _is_relative(reading, first):
        return True
    if any(item.kind == VERB for item in part):
        return False
    if first.kind == PLACE and len(part) == 1:
        return True
    if first.role in _ADDING:
        return not _leads_to_matched(reading, part, sides)
    return all(item.kind == QUALITY for item in part)


def _leads_to_matched(reading: Reading, part: Sequence[Item], sides: Sides) -> bool:
    """Whether the next word belongs to the same phrase and is the cached task's: `for business class flights`."""
    last = part[-1]
    return any(item.first == last.last and item.first in sides.matched_new for item in reading.items) and (
        part[-1].kind != QUALITY
    )


def _is_relative(reading: Reading, item: Item) -> bool:
    """A clause that says more of what was named: "that allows pets", "que acepte mascotas"."""
    words = words_in(reading.language)
    before = item.first - 1
    if item.kind != VERB or before <= 0:
        return False
    known = any(other.last <= before for other in reading.items)
    return known and longest(words.grammar["relative"], reading.tokens, before)[1] == 1


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
