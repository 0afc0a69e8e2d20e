"""Things that a result has or has not, the words for them, and the values that exclude each other."""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Annotated, Final

from evaluation.checking.lexicon import (
    Numbers,
    Phrase,
    Phrases,
    Spoken,
    Stems,
    TextSet,
    data_read,
    lists_of,
    longest_parts,
    names,
    phrase_of,
    phrases,
    places_of,
    words,
)
from evaluation.checking.words import name_stems, name_words, plain_text, stem, text_stems

_FILE: Final = "things.json"
_TEXT: Final = 500


@dataclass(frozen=True, slots=True)
class Concept:
    """What is looked for. A text names it by one of `wholes`, or by one phrase of each of `parts`.

    `kinds` are (kind, number of its value) of its words; `only`: nothing else of that kind may be there;
    `is_known`: it is in the lists, with every name it goes by; `spoken` is how it is said.
    """

    stems: Phrase
    wholes: frozenset[Phrase]
    parts: tuple[frozenset[Phrase], ...]
    kinds: frozenset[tuple[str, int]]
    only: bool = False
    is_known: bool = False
    spoken: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """Values of which a thing has some and not the others, and the names that such values go by."""

    names: Phrases
    values: Numbers


@dataclass(frozen=True)
class Lists:
    """`things.json` but for the things themselves."""

    catalogues: Phrases
    no_catalogue_for: Phrases
    weak: Stems
    yes_words: Stems
    no_words: Stems
    yes_texts: TextSet
    no_texts: TextSet
    denials_before: Spoken
    denial_fillers: Annotated[frozenset[str], lambda lines: frozenset(plain_text(" ".join(lines)).split())]
    denials_after: Spoken
    free_from: Phrases
    conditional: Spoken
    not_members: Phrases


@cache
def lists() -> Lists:
    return lists_of(Lists, data_read(_FILE), _FILE)


@cache
def _same_things() -> dict[Phrase, frozenset[Phrase]]:
    things: dict[Phrase, frozenset[Phrase]] = {}
    for group in data_read(_FILE)["things"]:
        same = phrases(group)
        for phrase in same:
            things[phrase] = things.get(phrase, frozenset()) | same
    return things


@cache
def _members() -> dict[Phrase, frozenset[Phrase]]:
    """What is one of a thing: walnuts are nuts."""
    return {
        other: phrases(group)
        for name, group in data_read(_FILE)["members"].items()
        for other in _same_things().get(name_stems(name), {name_stems(name)})
    }


@cache
def _none_of() -> dict[Phrase, tuple[str, ...]]:
    return {name_stems(name): tuple(of) for name, of in data_read(_FILE)["none_of"].items()}


def is_none_of(thing: Concept) -> tuple[str, ...]:
    """Names of what there is none of where the thing is there: a direct flight has no stops."""
    return next((of for phrase in sorted(thing.wholes) if (of := _none_of().get(phrase))), ())


@cache
def kinds() -> dict[str, Kind]:
    return {name: lists_of(Kind, kind, f"kinds.json, {name}") for name, kind in data_read("kinds.json").items()}


@lru_cache(4_096)
def kind_values(stems: Phrase) -> frozenset[tuple[str, int]]:
    """The values of a kind that a phrase is, as a whole."""
    return frozenset((name, kind.values[stems]) for name, kind in kinds().items() if stems in kind.values)


def values_in(text: str, kind: str) -> frozenset[int]:
    """The values of a kind that a text names: {0, 1} of "beginner to intermediate"."""
    stems, values = tuple(text_stems(text[:_TEXT])), kinds()[kind].values
    return frozenset(values[stems[at:end]] for at, end in places_of(stems, values, 2))


@lru_cache(1_024)
def same_words(phrase: Phrase) -> frozenset[Phrase]:
    """Every phrase that means the same: things, values of a kind, names of one group."""
    phrases = {phrase} | _same_things().get(phrase, frozenset())
    for kind, value in kind_values(phrase):
        phrases |= {other for other, at in kinds()[kind].values.items() if at == value}
    groups_of = names().groups_of
    groups = {group for group, is_same in groups_of.get(phrase, ()) if is_same}
    if groups:
        phrases |= {
            other for other, of in groups_of.items() if any(group in groups and is_same for group, is_same in of)
        }
    return frozenset(phrases)


def is_known(phrase: Phrase) -> bool:
    """Whether it is a thing of the lists."""
    return phrase in _same_things()


@lru_cache(1_024)
def concept_of(text: str, subject: str = "") -> Concept:
    """A thing as a criterion names it, without words that add nothing."""
    written, weak = name_words(text), lists().weak
    stems = tuple(word for word in phrase_of(text) if word not in map(stem, words().only))
    name = stems if is_known(stems) or stems in names().groups_of else ()
    stems = name or tuple(word for word in stems if word not in weak) or stems
    about = frozenset(name_stems(subject))
    stems = tuple(word for word in stems if word not in about) or stems
    pieces = longest_parts(stems, 4, lambda phrase: is_known(phrase) or kind_values(phrase))
    parts = tuple(map(same_words, pieces))
    of_kinds = frozenset(value for piece in pieces for value in kind_values(piece))
    only = bool(words().only.intersection(written))
    spoken = " ".join(word for word in written if word not in words().only)
    wholes = same_words(stems) | _members().get(stems, frozenset())
    return Concept(stems, wholes, parts, of_kinds, only, is_known(stems), spoken)
