"""The words that facts are read with: the data files beside this module, in one table for each language."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from .facts_stems import english_forms, singulars, spanish_forms, without_clitics
from .facts_tokens import Token, words_of

_NOMINAL: Final = re.compile(r"([^:]+): *([^():]+?) *(?:\(([^()]+)\))?")
_LIGHT: Final = ("create", "get", "take", "give", "arrange")
DATA: Final = Path(__file__).parent / "data"
LANGUAGES: Final = ("en", "es")
_FORMED: Final = {"en": english_forms, "es": spanish_forms}


class Phrases(dict[tuple[str, ...], str]):
    """Phrases as tuples of folded words, each with its canonical form. Complete from the start: nothing is added."""

    def __init__(self, phrases: Iterable[tuple[tuple[str, ...], str]] = ()) -> None:
        for phrase, canonical in phrases:
            self.setdefault(phrase, canonical)
        self.starts: dict[str, int] = {}
        self.ends: dict[str, int] = {}
        for phrase in self:
            self.starts[phrase[0]] = max(len(phrase), self.starts.get(phrase[0], 0))
            self.ends[phrase[-1]] = max(len(phrase), self.ends.get(phrase[-1], 0))


class FactsFileError(ValueError):
    """A line of a data file cannot be read; the message names file and line."""


@dataclass
class Words:
    """The tables of a language: phrases as tuples of folded words, each with its canonical form."""

    verbs: Phrases = field(default_factory=Phrases)
    objects: Phrases = field(default_factory=Phrases)
    qualities: Phrases = field(default_factory=Phrases)
    fillers: Phrases = field(default_factory=Phrases)
    places: Phrases = field(default_factory=Phrases)
    numbers: dict[str, float] = field(default_factory=dict)
    figures: dict[str, Phrases] = field(default_factory=dict)
    grammar: dict[str, Phrases] = field(default_factory=dict)
    nominal: dict[tuple[str, str], str] = field(default_factory=dict)
    contexts: dict[tuple[str, str], str] = field(default_factory=dict)

    def object_at(self, tokens: Sequence[Token], place: int, language: str) -> tuple[str, int]:
        """The known thing that is named there, and how many words name it; ("", 0) where none is."""
        for length in range(min(4, len(tokens) - place), 0, -1):
            words = tuple(token.fold for token in tokens[place : place + length])
            for last in singulars(words[-1], language):
                if found := self.objects.get((*words[:-1], last)):
                    return found, length
        return "", 0


def longest(table: Phrases, tokens: Sequence[Token], place: int) -> tuple[str, int]:
    """The longest phrase of the table that begins there: its canonical form and its length; ("", 0) where none does."""
    if not 0 <= place < len(tokens):
        return "", 0
    most = table.starts.get(tokens[place].fold, 0)
    for length in range(min(most, len(tokens) - place), 0, -1):
        found = table.get(tuple(token.fold for token in tokens[place : place + length]))
        if found is not None:
            return found, length
    return "", 0


def longest_before(table: Phrases, tokens: Sequence[Token], end: int) -> tuple[str, int]:
    """The same for the phrase that ends just before `end`."""
    most = table.ends.get(tokens[end - 1].fold, 0) if end > 0 else 0
    for length in range(min(most, end), 0, -1):
        found = table.get(tuple(token.fold for token in tokens[end - length : end]))
        if found is not None:
            return found, length
    return "", 0


@cache
def words_in(language: str) -> Words:
    """The tables of a language; those of English for any that is not known."""
    language = language if language in LANGUAGES else "en"
    return Words(
        verbs=Phrases(_verbs(language)),
        objects=Phrases((words_of(phrase), thing) for thing, phrase in _said("facts_objects.txt", language)),
        qualities=Phrases(
            (form, quality)
            for quality, phrase in _said("facts_qualities.txt", language)
            for form in _quality_forms(phrase, language)
        ),
        fillers=Phrases((words_of(phrase), "filler") for phrase in _listed("facts_fillers.txt", language)),
        places=Phrases(_places()),
        numbers=_figures()["numbers"][language],
        figures=_figure_tables(),
        grammar=_grammar_tables(language),
        nominal=dict(_nominal()),
        contexts=_contexts(),
    )


@cache
def word_set(name: str) -> frozenset[str]:
    """One of the small sets of `facts_sets.json`."""
    words: str = json.loads((DATA / "facts_sets.json").read_text(encoding="utf-8"))["sets"][name]
    return frozenset(word.replace("_", " ") for word in words.split())


@cache
def verbs_known() -> frozenset[str]:
    """The canonical verbs whose synonyms are listed."""
    return frozenset(line.partition(":")[0].strip() for _number, line in _read("facts_verbs.txt"))


@cache
def opposites() -> dict[str, frozenset[str]]:
    """For each canonical form those that exclude it."""
    found: dict[str, set[str]] = {}
    for _number, line in _read("facts_opposites.txt"):
        words = [word.strip() for word in line.split(",")]
        for word in words:
            found.setdefault(word, set()).update(other for other in words if other != word)
    return {word: frozenset(others) for word, others in found.items()}


@cache
def countries() -> dict[str, str]:
    """The country of each place that is known."""
    found: dict[str, str] = {}
    for number, line in _read("facts_places.txt"):
        country, _names, cities = _place_line(number, line)
        found |= {city[0]: country for city in cities}
    return found


def _verb_forms(phrase: str, language: str) -> Iterator[tuple[str, ...]]:
    first, *rest = words_of(phrase)
    for form in _FORMED[language](first):
        yield (form, *rest)
    if language == "es" and without_clitics(first) == first and not rest:
        forms = _FORMED[language](first)
        for form in (forms[0], *(form for form in forms if form.endswith(("a", "e")))):
            for clitic in ("me", "nos", "lo", "la", "los", "las", "le", "les", "melo", "mela"):
                yield (form + clitic,)


def _quality_forms(phrase: str, language: str) -> Iterator[tuple[str, ...]]:
    words = words_of(phrase)
    yield words
    if language == "es":
        yield (*words[:-1], f"{words[-1]}s")
        yield (*words[:-1], f"{words[-1]}es")


def _listed(name: str, language: str) -> Iterator[str]:
    for number, line in _read(name):
        head, colon, phrases = line.partition(":")
        if not colon or head not in LANGUAGES:
            raise FactsFileError(f"{name}, line {number}: must begin with a language and a colon")
        if head == language:
            yield from (phrase.strip() for phrase in phrases.split(",") if phrase.strip())


def _places() -> Iterator[tuple[tuple[str, ...], str]]:
    for number, line in _read("facts_places.txt"):
        country, names, cities = _place_line(number, line)
        for name in names:
            yield words_of(name), country
        for city in cities:
            for name in city:
                yield words_of(name), city[0]


def _place_line(number: int, line: str) -> tuple[str, list[str], list[list[str]]]:
    country, colon, rest = line.partition(":")
    names, equals, cities = rest.partition("=")
    if not colon or not equals:
        raise FactsFileError(f"facts_places.txt, line {number}: must be `country: names | names = places`")
    called = [name.strip() for name in names.replace("|", "/").split("/") if name.strip()]
    return (
        country.strip(),
        called,
        [[name.strip() for name in city.split("/")] for city in cities.split(",") if city.strip()],
    )


def _contexts() -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for number, line in _read("facts_contexts.txt"):
        canonical, colon, rest = line.partition(":")
        verbs, equals, things = rest.partition("=")
        if not colon or not equals:
            raise FactsFileError(f"facts_contexts.txt, line {number}: must be `canonical: verbs = objects`")
        for verb in verbs.split(","):
            found |= {(verb.strip(), thing.strip()): canonical.strip() for thing in things.split(",")}
    return found


@cache
def _figures() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((DATA / "facts_figures.json").read_text(encoding="utf-8"))
    return data


def _figure_tables() -> dict[str, Phrases]:
    tables = {name: table for name, table in _figures().items() if name != "numbers" and isinstance(table, dict)}
    found = {
        name: Phrases((words_of(phrase), canonical) for canonical, phrases in table.items() for phrase in phrases)
        for name, table in tables.items()
    }
    return found | {"multipliers": Phrases((words_of(word), word) for word in _figures()["multipliers"])}


def _grammar_tables(language: str) -> dict[str, Phrases]:
    grammar = json.loads((DATA / "facts_grammar.json").read_text(encoding="utf-8"))[language]
    return {name: Phrases((words_of(phrase), name) for phrase in phrases) for name, phrases in grammar.items()}


def _verbs(language: str) -> Iterator[tuple[tuple[str, ...], str]]:
    for canonical, phrase in _said("facts_verbs.txt", language):
        yield from ((form, canonical) for form in _verb_forms(phrase, language))
    for base in _listed("facts_verbs_more.txt", language):
        yield from ((form, base) for form in _verb_forms(base, language))


def _said(name: str, language: str) -> Iterator[tuple[str, str]]:
    for canonical, phrases in _lines(name, language):
        yield from ((canonical, phrase) for phrase in phrases)


def _nominal() -> Iterator[tuple[tuple[str, str], str]]:
    """By the verb that stands there and the thing that it makes."""
    for number, line in _read("facts_nominal.txt"):
        match = _NOMINAL.fullmatch(line)
        if match is None:
            raise FactsFileError(f"facts_nominal.txt, line {number}: must be `thing: verb` or `thing: verb (verbs)`")
        thing, verb, light = match.groups()
        for one in light.split(",") if light else _LIGHT:
            yield (one.strip(), thing), verb


def _lines(name: str, language: str) -> Iterator[tuple[str, list[str]]]:
    for number, line in _read(name):
        canonical, colon, rest = line.partition(":")
        english, bar, spanish = rest.partition("|")
        if not colon or not bar:
            raise FactsFileError(f"{name}, line {number}: must be `canonical: English | Spanish`")
        said = english if language == "en" else spanish
        yield canonical.strip(), [phrase.strip() for phrase in said.split(",") if phrase.strip()]


def _read(name: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate((DATA / name).read_text(encoding="utf-8").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()
