"""The words that facts are read with: the data files beside this module, in one table for each language."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from language import LANGUAGES, Language, language_base
from language.number_words import cardinals
from language.stems import singulars
from language.word_lists import entries_of, json_file, lines_of
from planning.understanding.facts.items import Token, phrase_tokens
from planning.understanding.vocabulary import DATA, verb_forms, without_pronouns

_ARTICLES: Final = frozenset({"un", "una"})
_LIGHT: Final = ("create", "get", "take", "give", "arrange")
_PRONOUNS: Final = ("me", "nos", "lo", "la", "los", "las", "le", "les", "melo", "mela")
_SHORT: Final = 4
"""Letters of Spanish verbs up to which only the infinitive is known: "uso" of "usar" is a thing too."""


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
                if thing := self.objects.get((*words[:-1], last)):
                    return thing, length
        return "", 0


def longest(table: Phrases, tokens: Sequence[Token], place: int) -> tuple[str, int]:
    """The longest phrase of the table that begins there: its canonical form and its length; ("", 0) where none does."""
    if not 0 <= place < len(tokens):
        return "", 0
    most = table.starts.get(tokens[place].fold, 0)
    for length in range(min(most, len(tokens) - place), 0, -1):
        canonical = table.get(tuple(token.fold for token in tokens[place : place + length]))
        if canonical is not None:
            return canonical, length
    return "", 0


def longest_before(table: Phrases, tokens: Sequence[Token], end: int) -> tuple[str, int]:
    """The same for the phrase that ends just before `end`."""
    most = table.ends.get(tokens[end - 1].fold, 0) if end > 0 else 0
    for length in range(min(most, end), 0, -1):
        canonical = table.get(tuple(token.fold for token in tokens[end - length : end]))
        if canonical is not None:
            return canonical, length
    return "", 0


def words_in(language: str) -> Words:
    """The tables of a language; those of English for any that is not known."""
    return _words(language_base(language))


@cache
def _words(language: Language) -> Words:
    return Words(
        verbs=Phrases(_verbs(language)),
        objects=Phrases((phrase_tokens(phrase), thing) for thing, phrase in _said("facts_objects.txt", language)),
        qualities=Phrases(
            (form, quality)
            for quality, phrase in _said("facts_qualities.txt", language)
            for form in _quality_forms(phrase, language)
        ),
        fillers=Phrases((phrase_tokens(phrase), "filler") for phrase in _phrases("facts_fillers.txt", language)),
        places=Phrases(_places()),
        numbers={
            **{word: float(number) for word, number in cardinals(language).items() if word not in _ARTICLES},
            **json_file(DATA / "facts_figures.json")["numbers"][language],
        },
        figures=_figure_tables(),
        grammar=_grammar_tables(language),
        nominal=dict(_nominal()),
        contexts=_contexts(),
    )


@cache
def word_set(name: str) -> frozenset[str]:
    """One of the small sets of `facts_sets.json`."""
    words: str = json_file(DATA / "facts_sets.json")["sets"][name]
    return frozenset(word.replace("_", " ") for word in words.split())


@cache
def opposites() -> dict[str, frozenset[str]]:
    """For each canonical form those that exclude it."""
    excluded: dict[str, set[str]] = {}
    for _number, line in lines_of(DATA / "facts_opposites.txt"):
        words = _listed(line)
        for word in words:
            excluded.setdefault(word, set()).update(other for other in words if other != word)
    return {word: frozenset(others) for word, others in excluded.items()}


@cache
def countries() -> dict[str, str]:
    return {names[0]: country for country, _, cities in _countries() for names in cities}


def _verb_forms(phrase: str, language: str) -> Iterator[tuple[str, ...]]:
    first, *rest = phrase_tokens(phrase)
    verb = first.removesuffix("se") if language == "es" and first.endswith(("arse", "erse", "irse")) else first
    forms = [first, *verb_forms(verb, language)] if language == "en" or len(verb) > _SHORT else [first]
    yield from ((form, *rest) for form in forms)
    if language == "es" and without_pronouns(first) == first and not rest:
        for form in (forms[0], *(form for form in forms if form.endswith(("a", "e")))):
            yield from ((form + pronoun,) for pronoun in _PRONOUNS)


def _quality_forms(phrase: str, language: str) -> Iterator[tuple[str, ...]]:
    words = phrase_tokens(phrase)
    yield words
    if language == "es":
        yield (*words[:-1], f"{words[-1]}s")
        yield (*words[:-1], f"{words[-1]}es")


def _listed(text: str, sign: str = ",") -> list[str]:
    return [part.strip() for part in text.split(sign) if part.strip()]


def _phrases(name: str, language: str) -> Iterator[str]:
    """The phrases of a file of `language: phrase, phrase` lines."""
    for spoken, phrases in entries_of(DATA / name):
        if spoken == language:
            yield from _listed(phrases)


def _places() -> Iterator[tuple[tuple[str, ...], str]]:
    for country, called, cities in _countries():
        yield from ((phrase_tokens(name), country) for name in called)
        yield from ((phrase_tokens(name), names[0]) for names in cities for name in names)


def _countries() -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Countries with what they are called, and the names of each of their cities."""
    for country, text in entries_of(DATA / "facts_places.txt"):
        called, _, cities = text.partition("=")
        yield country, _listed(called.replace("|", "/"), "/"), [_listed(city, "/") for city in _listed(cities)]


def _contexts() -> dict[tuple[str, str], str]:
    """The verbs that others stand for with some things."""
    meanings: dict[tuple[str, str], str] = {}
    for canonical, text in entries_of(DATA / "facts_contexts.txt"):
        verbs, _, things = text.partition("=")
        meanings |= {(verb, thing): canonical for verb in _listed(verbs) for thing in _listed(things)}
    return meanings


def _figure_tables() -> dict[str, Phrases]:
    figures = json_file(DATA / "facts_figures.json")
    tables = {
        name: Phrases((phrase_tokens(phrase), canonical) for canonical, phrases in table.items() for phrase in phrases)
        for name, table in figures.items()
        if name != "numbers" and isinstance(table, dict)
    }
    return tables | {"multipliers": Phrases((phrase_tokens(word), word) for word in figures["multipliers"])}


def _grammar_tables(language: str) -> dict[str, Phrases]:
    grammar = json_file(DATA / "facts_grammar.json")[language]
    return {name: Phrases((phrase_tokens(phrase), name) for phrase in phrases) for name, phrases in grammar.items()}


def _verbs(language: Language) -> Iterator[tuple[tuple[str, ...], str]]:
    for canonical, phrase in _said("facts_verbs.txt", language):
        yield from ((form, canonical) for form in _verb_forms(phrase, language))
    for base in _phrases("facts_verbs_more.txt", language):
        yield from ((form, base) for form in _verb_forms(base, language))


def _said(name: str, language: Language) -> Iterator[tuple[str, str]]:
    """Canonical forms with the phrases for them, of a file of `canonical: English | Spanish` lines."""
    for canonical, text in entries_of(DATA / name):
        phrases = text.split("|")[LANGUAGES.index(language)]
        yield from ((canonical, phrase) for phrase in _listed(phrases))


def _nominal() -> Iterator[tuple[tuple[str, str], str]]:
    """The verbs that verbs with a thing stand for: ("make", "reservation") to "book"."""
    for thing, text in entries_of(DATA / "facts_nominal.txt"):
        verb, _, light = text.rstrip(")").partition("(")
        yield from (((maker, thing), verb.strip()) for maker in _listed(light) or _LIGHT)
