"""How well the name of a value fits what a criterion looks at, 0 to 1. Pure; no value is looked at here."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from .lexicon import Phrase, names, words
from .words import name_stems, name_words, stem

FLOOR: Final = 0.55
"""Below it a name is another name."""
_NEUTRAL, _STRANGE, _UNSAID, _BOUND, _PARENT = 0.04, 0.2, 0.15, 0.08, 0.96
_SAME_WORDS: Final = 0.98
_BOUNDS: Final = {
    ">=": {"min", "minimum", "minim"},
    ">": {"min", "minimum", "minim"},
    "<=": {"max", "maximum", "maxim"},
    "<": {"max", "maximum", "maxim"},
}
_TIMES: Final = frozenset(
    map(
        stem,
        ("duration", "time", "delay", "wait", "length", "travel", "walk", "latency", "duracion", "tiempo", "layover"),
    )
)


@dataclass(frozen=True, slots=True)
class Name:
    """A key or a field, read: phrases that the lists know, single words where they know none."""

    stems: Phrase
    phrases: tuple[Phrase, ...]
    pieces: frozenset[Phrase]  # every word and every two words that stand side by side
    unit: str = ""
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Sought:
    """What a criterion looks at. `groups` are the kinds of things that its subject may be; `bounds` words that the
    operator says already ("maximum price <= 200"), `spoken` the field as written.
    """

    name: Name
    subject: Phrase
    groups: frozenset[int]
    bounds: frozenset[str] = frozenset()
    spoken: tuple[str, ...] = ()


@lru_cache(8_192)
def name_read(text: str) -> Name:
    """A key in any style. The unit at its end is taken off, unless it is all there is."""
    written = name_words(text)
    unit, written = _unit_at_end(written)
    negators = words().negators
    negated = sum(word in negators for word in written) % 2 == 1
    kept = tuple(word for word in written if word not in negators) or written
    stems = tuple(map(stem, kept))
    useful = tuple(one for one in stems if (one,) not in words().fillers) or stems
    pairs = pairwise(useful)
    pieces = frozenset({(one,) for one in useful} | set(pairs))
    return Name(useful, _phrases(useful, stems), pieces, unit, negated)


def _unit_at_end(written: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    units = words().units
    if len(written) > 1 and written[-2:] != ("per", written[-1]):
        last = written[-1]
        if last.isdigit() and written[-2] == "m":  # area_m2: figures are words of their own
            return units.get("m" + last, ""), written[:-2] or written
        if last == "min" and not _TIMES.intersection(map(stem, written)):
            return "", written
        if unit := units.get(last):
            kept = written[:-2] if written[-2] in {"in", "en"} and len(written) > 2 else written[:-1]
            return unit, kept
    return (units.get(written[0], ""), written) if len(written) == 1 else ("", written)


def _phrases(useful: Phrase, stems: Phrase) -> tuple[Phrase, ...]:
    known = names()
    if stems in known.groups_of:
        return (stems,)
    found, at = [], 0
    while at < len(useful):
        size = next(
            (n for n in range(min(known.longest, len(useful) - at), 1, -1) if useful[at : at + n] in known.groups_of), 1
        )
        found.append(useful[at : at + size])
        at += size
    return tuple(found)


def sought(field: str, subject: str | None, operator: str = "") -> Sought:
    """What to look for. An entity that stands in the field beside something else is its subject."""
    name = name_read(field)
    about = tuple(name_stems(subject or ""))
    entities = words().entities
    if not about and len(name.phrases) > 1:
        for phrase in name.phrases[:1]:
            if phrase in entities:
                about, name = phrase, _without(name, phrase)
    if (
        not about
        and len(name.phrases) > 1
        and name.phrases[-1] in entities
        and name.phrases[-1] not in names().groups_of
    ):
        about, name = name.phrases[-1], _without(name, name.phrases[-1])
    groups = frozenset(group for phrase in _within(about) for group in entities.get(phrase, ()))
    return Sought(name, about, groups, frozenset(_BOUNDS.get(operator, ())), name_words(field))


def _without(name: Name, phrase: Phrase) -> Name:
    kept = tuple(one for one in name.phrases if one != phrase)
    stems = tuple(stem for one in kept for stem in one)
    return Name(stems, kept, name.pieces - {phrase}, name.unit, name.negated)


def _within(stems: Phrase) -> Iterable[Phrase]:
    """Every part of some words that may be the name of a thing, the longest first."""
    for size in range(min(3, len(stems)), 0, -1):
        for at in range(len(stems) - size + 1):
            yield stems[at : at + size]


@lru_cache(8_192)
def entity_groups(name: Name) -> frozenset[int]:
    """The kinds of things that a name speaks of."""
    entities = words().entities
    return frozenset(group for phrase in _within(name.stems) for group in entities.get(phrase, ()))


def are_opposed(one: Name, other: Name) -> bool:
    """Whether one says the opposite of the other (arrival, departure), and not both say both."""
    opposites = words().opposites
    for mine, theirs in ((one, other), (other, one)):
        for piece in mine.pieces - theirs.pieces:
            if any(opposite in theirs.pieces and opposite not in mine.pieces for opposite in opposites.get(piece, ())):
                return True
    return False


def fit(wanted: Sought, key: Name, parents: tuple[Name, ...], allowed: frozenset[str] = frozenset()) -> float:
    """How well a key fits, with the keys above it; `allowed` are words that may stand in it besides."""
    field = wanted.name
    if field.negated != key.negated:
        return 0.0
    if field.stems == key.stems:
        return 1.0
    if are_opposed(field, key):
        return 0.0
    if set(field.stems) == set(key.stems):
        return _SAME_WORDS
    return max(
        _fit_by_phrases(wanted, key, parents, allowed),
        _fit_of_generic(wanted, key, parents),
        _fit_of_joined(wanted, key, parents),
    )


def _fit_by_phrases(wanted: Sought, key: Name, parents: tuple[Name, ...], allowed: frozenset[str]) -> float:
    known, score = names(), 1.0
    left, unsaid = list(key.phrases), []
    for phrase in wanted.name.phrases:
        best = max(left, key=lambda other: known.closeness(phrase, other), default=())
        closeness = known.closeness(phrase, best) if best else 0.0
        if closeness:
            score *= closeness
            left.remove(best)
        else:
            unsaid.append(phrase)
    if len(left) == len(key.phrases):
        return 0.0
    return max(0.0, score - _cost_of_unsaid(wanted, unsaid, parents) - _cost_of_strange(wanted, left, allowed))


def _cost_of_unsaid(wanted: Sought, unsaid: list[Phrase], parents: tuple[Name, ...]) -> float:
    """What it costs that a key does not say these words of the field; 1 where they matter."""
    cost, above = 0.0, [phrase for parent in parents for phrase in parent.phrases]
    for phrase in unsaid:
        if any(names().closeness(phrase, other) for other in above):
            cost += 1 - _PARENT
        elif set(phrase) <= wanted.bounds:
            cost += _BOUND
        elif words().changing.intersection(phrase):
            return 1.0
        elif phrase in words().entities or words().neutral.issuperset(phrase):
            cost += _NEUTRAL
        else:
            cost += _UNSAID
    return cost


def _cost_of_strange(wanted: Sought, strange: list[Phrase], allowed: frozenset[str]) -> float:
    """What it costs that a key says these words and the field does not; 1 where they make it another name."""
    cost, lists = 0.0, words()
    for phrase in strange:
        if phrase == wanted.subject or allowed.issuperset(phrase) or lists.selected.issuperset(phrase):
            continue
        if lists.changing.intersection(phrase):
            return 1.0
        groups = lists.entities.get(phrase, frozenset())
        if groups:
            if wanted.groups and not wanted.groups & groups and phrase not in lists.containers:
                return 1.0
            cost += 0.0 if wanted.groups & groups else _NEUTRAL
        else:
            cost += _NEUTRAL if lists.neutral.issuperset(phrase) else _STRANGE
    return cost


def _fit_of_generic(wanted: Sought, key: Name, parents: tuple[Name, ...]) -> float:
    """`price.amount`: a key that says nothing by itself has the name of what is above it."""
    if key.stems not in words().generic or not parents:
        return 0.0
    above = parents[-1]
    if wanted.name.negated != above.negated or are_opposed(wanted.name, above):
        return 0.0
    score = 1.0 if wanted.name.stems == above.stems else _fit_by_phrases(wanted, above, parents[:-1], frozenset())
    return score * _PARENT


def _fit_of_joined(wanted: Sought, key: Name, parents: tuple[Name, ...]) -> float:
    """`price.per_night`: a key that goes on where the one above it ends."""
    if not parents:
        return 0.0
    stems = tuple(one for one in (*parents[-1].stems, *key.stems) if (one,) not in words().fillers)
    joined = stems if stems in names().groups_of else (*parents[-1].stems, *key.stems)
    if set(joined) == set(wanted.name.stems):
        return _SAME_WORDS
    known = names().closeness(wanted.name.stems, joined)
    return known * _PARENT if len(wanted.name.phrases) == 1 else 0.0


@lru_cache(16_384)
def has_phrase(name: Name, phrases: frozenset[Phrase]) -> bool:
    """Whether one of these stands in a name."""
    return any(phrase in phrases for phrase in _within(name.stems))
