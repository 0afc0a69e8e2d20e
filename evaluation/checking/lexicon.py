"""The reviewed lists of words in `data/`, read once. A fault in one names its file and entry."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, get_type_hints

from language.word_lists import json_file

from .words import name_stems, name_words, plain_text

_SAME, _NEAR = 0.92, 0.8
_ARTICLES: Final = frozenset({"the", "a", "an", "of", "el", "la", "los", "las", "de", "del"})
Phrase = tuple[str, ...]
Lists = TypeVar("Lists")


def data_read(name: str) -> Any:
    """A file of `data/`. Raises `ValueError` naming the line that is no JSON."""
    return json_file(Path(__file__).parent / "data" / name)


def lists_of(kind: type[Lists], parts: Mapping[str, Any], place: str) -> Lists:
    """A dataclass of lists, each made of the part of its name in the way that its annotation says.

    Raises `ValueError` naming `place` and the part that cannot be read.
    """
    made: dict[str, Any] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if name in parts:
            try:
                made[name] = getattr(hint, "__metadata__", (hint,))[0](parts[name])
            except (KeyError, TypeError, AttributeError, IndexError) as error:
                raise ValueError(f"{place}, {name}: cannot be read ({error!r})") from error
    try:
        return kind(**made)
    except TypeError as error:
        raise ValueError(f"{place}: {error}") from error


def phrase_of(text: str) -> Phrase:
    """A phrase in the one form, articles left out."""
    return tuple(stem for stem, word in zip(name_stems(text), name_words(text), strict=True) if word not in _ARTICLES)


def phrases(lines: list[str]) -> frozenset[Phrase]:
    return frozenset(map(name_stems, lines))


def _plain_texts(lines: list[str]) -> tuple[str, ...]:
    return tuple(map(plain_text, lines))


def _groups(groups: list[list[str]]) -> dict[Phrase, frozenset[int]]:
    numbers: dict[Phrase, set[int]] = {}
    for number, group in enumerate(groups):
        for line in group:
            numbers.setdefault(name_stems(line), set()).add(number)
    return {phrase: frozenset(of_phrase) for phrase, of_phrase in numbers.items()}


def _opposites(pairs: list[list[str]]) -> dict[Phrase, frozenset[Phrase]]:
    opposites: dict[Phrase, set[Phrase]] = {}
    for pair in pairs:
        for phrase, opposite in (*pairwise(pair), *pairwise(reversed(pair))):
            opposites.setdefault(name_stems(phrase), set()).add(name_stems(opposite))
    return {phrase: frozenset(of_phrase) for phrase, of_phrase in opposites.items()}


def places_of(words: Phrase, phrases: Collection[Phrase], longest: int = 4) -> Iterator[tuple[int, int]]:
    """Where phrases of at most `longest` words are among some words: the first word of each, and the one after it."""
    for at in range(len(words)):
        for end in range(at + 1, min(at + longest, len(words)) + 1):
            if words[at:end] in phrases:
                yield at, end


def longest_parts(words: Phrase, longest: int, is_known: Callable[[Phrase], object]) -> list[Phrase]:
    """Words cut into the longest known phrases; any other word is a part by itself."""
    parts, at = [], 0
    while at < len(words):
        sizes = range(min(longest, len(words) - at), 1, -1)
        size = next((size for size in sizes if is_known(words[at : at + size])), 1)
        parts.append(words[at : at + size])
        at += size
    return parts


# How lists are made of what a file has. Names are in the one form; spoken words are as they are said.
Phrases = Annotated[frozenset[Phrase], phrases]
Stems = Annotated[frozenset[str], lambda lines: frozenset(stem for line in lines for stem in name_stems(line))]
Spoken = Annotated[frozenset[Phrase], lambda lines: frozenset(tuple(plain_text(line).split()) for line in lines)]
Texts = Annotated[tuple[str, ...], _plain_texts]
TextSet = Annotated[frozenset[str], lambda lines: frozenset(_plain_texts(lines))]
Numbers = Annotated[
    dict[Phrase, int],
    lambda groups: {name_stems(word): number for number, group in enumerate(groups) for word in group},
]


@dataclass(frozen=True)
class Words:
    """`words.json`: words that say what a name is not, where a value is, and what it is counted in."""

    fillers: Phrases
    wrappers: Phrases
    neutral: Stems
    changing: Stems
    negators: Annotated[frozenset[str], frozenset]
    selected: Stems
    flags: Phrases
    aside: Phrases
    excluded: Phrases
    excluded_alone: Phrases
    generic: Phrases
    entities: Annotated[dict[Phrase, frozenset[int]], _groups]
    containers: Phrases
    opposites: Annotated[dict[Phrase, frozenset[Phrase]], _opposites]
    units: Annotated[dict[str, str], dict]
    shares: Phrases
    placeholders: TextSet
    more: Texts
    strict: Texts
    party: Phrases
    party_members: Annotated[tuple[frozenset[Phrase], ...], lambda groups: tuple(map(phrases, groups))]
    totals: Stems
    lasting: Stems
    labels: Phrases
    reference_names: Stems
    sizes: Stems
    only: TextSet
    may_be_states: TextSet
    currency_keys: Phrases
    unit_keys: Phrases


@cache
def words() -> Words:
    return lists_of(Words, data_read("words.json"), "words.json")


@dataclass(frozen=True)
class Names:
    """Names that mean the same or nearly so; a phrase may be in several groups. `longest` counts words of a phrase."""

    groups_of: dict[Phrase, tuple[tuple[int, bool], ...]]
    longest: int

    def closeness(self, phrase: Phrase, other: Phrase) -> float:
        """1.0 for the same words, 0.92 for names of one group, 0.8 where one is only near it, 0 for strangers."""
        if phrase == other:
            return 1.0
        best = 0.0
        for group, is_same in self.groups_of.get(phrase, ()):
            for other_group, other_is_same in self.groups_of.get(other, ()):
                if group == other_group and (is_same or other_is_same):
                    best = max(best, _SAME if is_same and other_is_same else _NEAR)
        return best


@cache
def names() -> Names:
    """`names.json`, and the names of things in `things.json`."""
    groups: dict[Phrase, list[tuple[int, bool]]] = {}
    things = [{"same": group, "near": []} for group in data_read("things.json")["things"]]
    for number, group in enumerate([*data_read("names.json"), *things]):
        try:
            written = [(phrase, True) for phrase in group["same"]] + [(phrase, False) for phrase in group["near"]]
        except (KeyError, TypeError) as error:
            raise ValueError(f"names.json, line {number + 2}: cannot be read ({error!r})") from error
        for phrase, is_same in written:
            of_phrase = groups.setdefault(phrase_of(phrase), [])
            if number not in [group_number for group_number, _ in of_phrase]:
                of_phrase.append((number, is_same))
    return Names({phrase: tuple(of_phrase) for phrase, of_phrase in groups.items()}, max(map(len, groups)))
