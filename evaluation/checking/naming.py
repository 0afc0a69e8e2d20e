"""How well the name of a value fits what a criterion looks at, 0 to 1. Pure; no value is looked at here."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from evaluation.checking.lexicon import places_of

from .lexicon import Phrase, longest_parts, names, words
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


@dataclass(frozen=True, slots=True)
class Name:
    """A key or a field, read: phrases that the lists know, single words where they know none."""

    stems: Phrase
    phrases: tuple[Phrase, ...]
    pieces: frozenset[Phrase]  # every word and every two words that stand side by side
    unit: str = ""
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Target:
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
    affirmed = tuple(word for word in written if word not in negators) or written
    stems = tuple(map(stem, affirmed))
    useful = tuple(stem for stem in stems if (stem,) not in words().fillers) or stems
    pairs = pairwise(useful)
    pieces = frozenset({(stem,) for stem in useful} | set(pairs))
    return Name(useful, _phrases(useful, stems), pieces, unit, negated)


def _unit_at_end(written: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    units = words().units
    if len(written) > 1 and written[-2:] != ("per", written[-1]):
        last = written[-1]
        if last.isdigit() and written[-2] == "m":  # area_m2: figures are words of their own
            return units.get("m" + last, ""), written[:-2] or written
        if last == "min" and not words().lasting.intersection(map(stem, written)):
            return "", written
        if unit := units.get(last):
            name = written[:-2] if written[-2] in {"in", "en"} and len(written) > 2 else written[:-1]
            return unit, name
    return (units.get(written[0], ""), written) if len(written) == 1 else ("", written)


def _phrases(useful: Phrase, stems: Phrase) -> tuple[Phrase, ...]:
    lists = names()
    if stems in lists.groups_of:
        return (stems,)
    return tuple(longest_parts(useful, lists.longest, lists.groups_of.__contains__))


def target_of(field: str, subject: str | None, operator: str = "") -> Target:
    """What to look for. An entity in the field, with something else, is its subject."""
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
    groups = frozenset(group for at, end in places_of(about, entities, 3) for group in entities[about[at:end]])
    return Target(name, about, groups, frozenset(_BOUNDS.get(operator, ())), name_words(field))


def _without(name: Name, phrase: Phrase) -> Name:
    phrases = tuple(piece for piece in name.phrases if piece != phrase)
    stems = tuple(stem for piece in phrases for stem in piece)
    return Name(stems, phrases, name.pieces - {phrase}, name.unit, name.negated)


@lru_cache(8_192)
def entity_groups(name: Name) -> frozenset[int]:
    entities, stems = words().entities, name.stems
    return frozenset(group for at, end in places_of(stems, entities, 3) for group in entities[stems[at:end]])


def are_opposed(name: Name, other: Name) -> bool:
    """Whether one says the opposite of the other (arrival, departure), and not both say both."""
    opposites = words().opposites
    if opposites.keys().isdisjoint(name.pieces) and opposites.keys().isdisjoint(other.pieces):
        return False  # most names, and a result may have thousands
    for mine, theirs in ((name, other), (other, name)):
        for piece in mine.pieces - theirs.pieces:
            if any(opposite in theirs.pieces and opposite not in mine.pieces for opposite in opposites.get(piece, ())):
                return True
    return False


def fit(wanted: Target, key: Name, parents: tuple[Name, ...], allowed: frozenset[str] = frozenset()) -> float:
    """How well a key fits, with the keys above it; `allowed` are words that it may have besides."""
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


def _fit_by_phrases(wanted: Target, key: Name, parents: tuple[Name, ...], allowed: frozenset[str]) -> float:
    lists, score = names(), 1.0
    left, unsaid = list(key.phrases), []
    for phrase in wanted.name.phrases:
        best = max(left, key=lambda other: lists.closeness(phrase, other), default=())
        closeness = lists.closeness(phrase, best) if best else 0.0
        if closeness:
            score *= closeness
            left.remove(best)
        else:
            unsaid.append(phrase)
    if len(left) == len(key.phrases):
        return 0.0
    return max(0.0, score - _cost_of_unsaid(wanted, unsaid, parents) - _cost_of_strange(wanted, left, allowed))


def _cost_of_unsaid(wanted: Target, unsaid: list[Phrase], parents: tuple[Name, ...]) -> float:
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


def _cost_of_strange(wanted: Target, strange: list[Phrase], allowed: frozenset[str]) -> float:
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


def _fit_of_generic(wanted: Target, key: Name, parents: tuple[Name, ...]) -> float:
    """`price.amount`: a key that says nothing by itself has the name of what is above it."""
    if key.stems not in words().generic or not parents:
        return 0.0
    above = parents[-1]
    if wanted.name.negated != above.negated or are_opposed(wanted.name, above):
        return 0.0
    score = 1.0 if wanted.name.stems == above.stems else _fit_by_phrases(wanted, above, parents[:-1], frozenset())
    return score * _PARENT


def _fit_of_joined(wanted: Target, key: Name, parents: tuple[Name, ...]) -> float:
    """`price.per_night`: a key that goes on where the one above it ends."""
    if not parents:
        return 0.0
    stems = tuple(stem for stem in (*parents[-1].stems, *key.stems) if (stem,) not in words().fillers)
    joined = stems if stems in names().groups_of else (*parents[-1].stems, *key.stems)
    if set(joined) == set(wanted.name.stems):
        return _SAME_WORDS
    closeness = names().closeness(wanted.name.stems, joined)
    return closeness * _PARENT if len(wanted.name.phrases) == 1 else 0.0


@lru_cache(16_384)
def has_phrase(name: Name, phrases: frozenset[Phrase]) -> bool:
    return any(places_of(name.stems, phrases, 3))
