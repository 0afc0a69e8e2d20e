"""Things that a result has or has not, the words for them, and the values that exclude each other."""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from .lexicon import Phrase, data_read, made, names, phrase_of
from .words import folded, name_stems, name_words, stem, text_stems

ONLY: Final = frozenset(
    {"only", "solo", "exclusively", "exclusivamente", "exclusive", "solamente", "unicamente", "just"}
)
_TEXT: Final = 500


@dataclass(frozen=True, slots=True)
class Thing:
    """What is looked for. A text names it by one of `wholes`, or by one phrase of each of `parts`.

    `kinds` are (kind, number of its value) that its words stand for; `only`: nothing else of that kind may be there;
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

    names: frozenset[Phrase]
    values: dict[Phrase, int]


@dataclass(frozen=True)
class Lists:
    """`things.json` but for the things themselves."""

    catalogues: frozenset[Phrase]
    no_catalogue_for: frozenset[Phrase]
    weak: frozenset[str]
    yes_words: frozenset[str]
    no_words: frozenset[str]
    yes_texts: frozenset[str]
    no_texts: frozenset[str]
    denials_before: frozenset[Phrase]
    denial_fillers: frozenset[str]
    denials_after: frozenset[Phrase]
    free_from: frozenset[Phrase]
    conditional: frozenset[Phrase]
    not_members: frozenset[Phrase]


@cache
def lists() -> Lists:
    """The lists, read once."""

    def part(name: str, make: Any) -> Any:
        return made("things.json", name, make)

    return Lists(
        catalogues=part("catalogues", _phrases),
        no_catalogue_for=part("no_catalogue_for", _phrases),
        weak=part("weak", _stems),
        yes_words=part("yes_words", _stems),
        no_words=part("no_words", _stems),
        yes_texts=part("yes_texts", _folded),
        no_texts=part("no_texts", _folded),
        denials_before=part("denials_before", _spoken),
        denial_fillers=part(
            "denial_fillers", lambda lines: frozenset(word for line in lines for word in folded(line).split())
        ),
        denials_after=part("denials_after", _spoken),
        free_from=part("free_from", _phrases),
        conditional=part("conditional", _spoken),
        not_members=part("not_members", _phrases),
    )


def _phrases(lines: list[str]) -> frozenset[Phrase]:
    return frozenset(map(name_stems, lines))


def _stems(lines: list[str]) -> frozenset[str]:
    return frozenset(one for line in lines for one in name_stems(line))


def _folded(lines: list[str]) -> frozenset[str]:
    return frozenset(map(folded, lines))


def _spoken(lines: list[str]) -> frozenset[Phrase]:
    """Words as they are said, with their apostrophes."""
    return frozenset(tuple(folded(line).split()) for line in lines)


@cache
def _same_things() -> dict[Phrase, frozenset[Phrase]]:
    found: dict[Phrase, frozenset[Phrase]] = {}
    for group in made("things.json", "things", list):
        phrases = frozenset(map(name_stems, group))
        for phrase in phrases:
            found[phrase] = found.get(phrase, frozenset()) | phrases
    return found


@cache
def _members() -> dict[Phrase, frozenset[Phrase]]:
    """What is one of a thing: walnuts are nuts."""
    written = made("things.json", "members", dict)
    return {
        other: _phrases(group)
        for name, group in written.items()
        for other in _same_things().get(name_stems(name), {name_stems(name)})
    }


@cache
def _none_of() -> dict[Phrase, tuple[str, ...]]:
    return {name_stems(name): tuple(of) for name, of in made("things.json", "none_of", dict).items()}


def is_none_of(thing: Thing) -> tuple[str, ...]:
    """Names of what there is none of where the thing is there: a direct flight has no stops."""
    return next((of for whole in sorted(thing.wholes) if (of := _none_of().get(whole))), ())


@cache
def kinds() -> dict[str, Kind]:
    """`kinds.json`."""
    found = {}
    for name, kind in data_read("kinds.json").items():
        try:
            values = {name_stems(word): at for at, group in enumerate(kind["values"]) for word in group}
            found[name] = Kind(frozenset(map(name_stems, kind["names"])), values)
        except (KeyError, TypeError) as error:
            raise ValueError(f"kinds.json, {name}: cannot be read ({error!r})") from error
    return found


@lru_cache(4_096)
def kind_values(stems: Phrase) -> frozenset[tuple[str, int]]:
    """The values of a kind that a phrase is, as a whole."""
    return frozenset((name, kind.values[stems]) for name, kind in kinds().items() if stems in kind.values)


def values_in(text: str, kind: str) -> frozenset[int]:
    """The values of a kind that a text names: {0, 1} of "beginner to intermediate"."""
    stems = tuple(text_stems(text[:_TEXT]))
    pieces = {stems[at : at + size] for size in (1, 2) for at in range(len(stems) - size + 1)}
    return frozenset(value for piece in pieces for name, value in kind_values(piece) if name == kind)


@lru_cache(1_024)
def same_words(phrase: Phrase) -> frozenset[Phrase]:
    """Every phrase that means the same: things, values of a kind, names of one group."""
    found = {phrase} | _same_things().get(phrase, frozenset())
    for kind, value in kind_values(phrase):
        found |= {other for other, at in kinds()[kind].values.items() if at == value}
    known = names().groups_of
    groups = {group for group, is_same in known.get(phrase, ()) if is_same}
    if groups:
        found |= {other for other, of in known.items() if any(group in groups and is_same for group, is_same in of)}
    return frozenset(found)


def is_known(phrase: Phrase) -> bool:
    """Whether it is a thing of the lists."""
    return phrase in _same_things()


@lru_cache(1_024)
def thing_of(text: str, subject: str = "") -> Thing:
    """A thing as a criterion names it, without words that add nothing."""
    written, weak = name_words(text), lists().weak
    stems = tuple(one for one in phrase_of(text) if one not in map(stem, ONLY))
    whole = stems if is_known(stems) or stems in names().groups_of else ()
    stems = whole or tuple(one for one in stems if one not in weak) or stems
    about = frozenset(name_stems(subject))
    stems = tuple(one for one in stems if one not in about) or stems
    parts = tuple(same_words(part) for part in _parts(stems))
    of_kinds = frozenset(value for part in _parts(stems) for value in kind_values(part))
    only = bool(ONLY.intersection(written))
    spoken = " ".join(word for word in written if word not in ONLY)
    wholes = same_words(stems) | _members().get(stems, frozenset())
    return Thing(stems, wholes, parts, of_kinds, only, is_known(stems), spoken)


def _parts(stems: Phrase) -> list[Phrase]:
    """The longest known phrases it is made of."""
    found, at = [], 0
    while at < len(stems):
        sizes = range(min(4, len(stems) - at), 1, -1)
        known = _same_things()
        size = next((n for n in sizes if stems[at : at + n] in known or kind_values(stems[at : at + n])), 1)
        found.append(stems[at : at + size])
        at += size
    return found
