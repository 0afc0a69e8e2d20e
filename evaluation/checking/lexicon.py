"""The reviewed lists of words in `data/`, read once. A fault in one names its file and entry."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeVar

from .words import folded, name_stems, name_words

_DATA: Final = Path(__file__).parent / "data"
_SAME, _NEAR = 0.92, 0.8
Phrase = tuple[str, ...]
Made = TypeVar("Made")


def data_read(name: str) -> Any:
    """A file of `data/`. Raises `ValueError` naming the line that is no JSON."""
    try:
        return json.loads((_DATA / name).read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"{name}, line {error.lineno}: {error.msg}") from error


def made(name: str, part: str, make: Callable[[Any], Made]) -> Made:
    """What `make` builds of one part of a file. Raises `ValueError` naming both where it cannot."""
    try:
        return make(data_read(name)[part])
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"{name}, {part}: cannot be read ({error!r})") from error


@dataclass(frozen=True)
class Names:
    """Names that mean the same or nearly so; a phrase may be in several groups. `longest` counts words of a phrase."""

    groups_of: dict[Phrase, tuple[tuple[int, bool], ...]]
    longest: int

    def closeness(self, one: Phrase, other: Phrase) -> float:
        """1.0 for the same words, 0.92 for names of one group, 0.8 where one is only near it, 0 for strangers."""
        if one == other:
            return 1.0
        best = 0.0
        for group, is_same in self.groups_of.get(one, ()):
            for other_group, other_is_same in self.groups_of.get(other, ()):
                if group == other_group and (is_same or other_is_same):
                    best = max(best, _SAME if is_same and other_is_same else _NEAR)
        return best


@dataclass(frozen=True)
class Words:
    """Words that say what a name is not, where a value stands, and what it is counted in."""

    fillers: frozenset[Phrase]
    wrappers: frozenset[Phrase]
    neutral: frozenset[str]
    changing: frozenset[str]
    negators: frozenset[str]
    selected: frozenset[str]
    flags: frozenset[Phrase]
    aside: frozenset[Phrase]
    excluded: frozenset[Phrase]
    excluded_alone: frozenset[Phrase]
    generic: frozenset[Phrase]
    entities: dict[Phrase, frozenset[int]]
    containers: frozenset[Phrase]
    opposites: dict[Phrase, frozenset[Phrase]]
    units: dict[str, str]
    shares: frozenset[Phrase]
    placeholders: frozenset[str]
    more: tuple[str, ...]
    strict: tuple[str, ...]
    party: frozenset[Phrase]
    members: tuple[frozenset[Phrase], ...]
    totals: frozenset[str]


@cache
def names() -> Names:
    """`names.json`, and the names of things in `things.json`."""
    groups: dict[Phrase, list[tuple[int, bool]]] = {}
    things = [{"same": group, "near": []} for group in made("things.json", "things", list)]
    for number, group in enumerate([*data_read("names.json"), *things]):
        try:
            written = [(phrase, True) for phrase in group["same"]] + [(phrase, False) for phrase in group["near"]]
        except (KeyError, TypeError) as error:
            raise ValueError(f"names.json, line {number + 2}: cannot be read ({error!r})") from error
        for phrase, is_same in written:
            of_phrase = groups.setdefault(phrase_of(phrase), [])
            if number not in [at for at, _ in of_phrase]:
                of_phrase.append((number, is_same))
    return Names({phrase: tuple(found) for phrase, found in groups.items()}, max(map(len, groups)))


@cache
def words() -> Words:
    """`words.json`."""

    def part(name: str, make: Callable[[Any], Made]) -> Made:
        return made("words.json", name, make)

    return Words(
        fillers=part("fillers", _phrases),
        wrappers=part("wrappers", _phrases),
        neutral=part("neutral", _stems),
        changing=part("changing", _stems),
        negators=part("negators", frozenset),
        selected=part("selected", _stems),
        flags=part("flags", _phrases),
        aside=part("aside", _phrases),
        excluded=part("excluded", _phrases),
        excluded_alone=part("excluded_alone", _phrases),
        generic=part("generic", _phrases),
        entities=part("entities", _numbered),
        containers=part("containers", _phrases),
        opposites=part("opposites", _opposites),
        units=part("units", lambda units: {str(name): str(unit) for name, unit in units.items()}),
        shares=part("shares", _phrases),
        placeholders=part("placeholders", lambda lines: frozenset(map(folded, lines))),
        more=part("more", lambda lines: tuple(map(folded, lines))),
        strict=part("strict", lambda lines: tuple(map(folded, lines))),
        party=part("party", _phrases),
        members=part("party_members", lambda groups: tuple(map(_phrases, groups))),
        totals=part("totals", _stems),
    )


def phrase_of(text: str) -> Phrase:
    """A phrase in the one form, articles left out."""
    return tuple(one for one, word in zip(name_stems(text), name_words(text), strict=True) if word not in _ARTICLES)


_ARTICLES: Final = frozenset({"the", "a", "an", "of", "el", "la", "los", "las", "de", "del"})


def _phrases(lines: list[str]) -> frozenset[Phrase]:
    return frozenset(name_stems(line) for line in lines)


def _stems(lines: list[str]) -> frozenset[str]:
    return frozenset(stem for line in lines for stem in name_stems(line))


def _numbered(groups: list[list[str]]) -> dict[Phrase, frozenset[int]]:
    found: dict[Phrase, set[int]] = {}
    for number, group in enumerate(groups):
        for line in group:
            found.setdefault(name_stems(line), set()).add(number)
    return {phrase: frozenset(numbers) for phrase, numbers in found.items()}


def _opposites(pairs: list[list[str]]) -> dict[Phrase, frozenset[Phrase]]:
    found: dict[Phrase, set[Phrase]] = {}
    for pair in pairs:
        for one, other in (*pairwise(pair), *pairwise(reversed(pair))):
            found.setdefault(name_stems(one), set()).add(name_stems(other))
    return {phrase: frozenset(others) for phrase, others in found.items()}
