"""What the grader knows about a language: function words, negations, opposites, number words and names of units."""

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, TypeAdapter

from language import LANGUAGES, language_base
from language.word_lists import json_file


def _longest_first(texts: list[str]) -> list[list[str]]:
    # "I think that" is taken before "I think".
    return sorted((text.split() for text in texts), key=len, reverse=True)


Words = Annotated[frozenset[str], BeforeValidator(str.split)]
Phrases = Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_longest_first)]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One language, as in its file in `data/`. Every entry is folded: lower case, no accents."""

    endings: Annotated[tuple[str, ...], BeforeValidator(str.split)]
    """What a stem is made by taking off, tried in this order."""
    small_talk: Words
    """Words that add nothing to an "I don't know"."""
    articles: Words
    stopwords: Words
    lead_ins: Phrases
    negations: Words
    not_negating: Phrases
    contrasts: Words
    linking: Words
    """Words for "and", at which a negation ends."""
    reasons: Words
    """Words for "because", at which the negation of what comes before them ends."""
    instead_of: Phrases
    lacking: str
    alternatives: Words
    conjunctions: Words
    sequence: Phrases
    than: str
    """The word before what something is compared with."""
    comparatives: Words
    copulas: Words
    verbs: Words
    antonyms: tuple[tuple[str, str], ...]
    irregular: dict[str, str]
    shorthand: dict[str, str]
    """How words are cut short in messages, to the words themselves."""
    texting: dict[str, str]
    """More of them, which are letters or words of their own elsewhere: "r", "x", "to"."""


@lru_cache(maxsize=8)
def lexicon(language: str) -> Lexicon:
    """The lexicon for a language code such as `es` or `es-MX`."""
    return TypeAdapter(Lexicon).validate_python(_file(language_base(language)))


@cache
def function_words() -> frozenset[str]:
    """Those of every language: a learner may answer in another than the lesson's."""
    return frozenset[str]().union(*(lexicon(code).stopwords for code in LANGUAGES))


@cache
def small_talk() -> frozenset[str]:
    """Words of every language that add nothing to an "I don't know", function words among them."""
    return function_words().union(*(lexicon(code).small_talk for code in LANGUAGES))


@cache
def number_words() -> dict[str, int]:
    """Words for numbers in every language, folded."""
    return {word: value for code in LANGUAGES for word, value in _file(code)["numbers"].items()}


@cache
def bound_words() -> tuple[str, ...]:
    """Phrases that make a number a bound ("more than"), in every language."""
    return tuple(phrase for code in LANGUAGES for phrase in _file(code)["bounds"])


@cache
def unit_words() -> dict[str, str]:
    """Folded names of units in every language, to the name pint knows."""
    return {word: name for code in LANGUAGES for word, name in _file(code)["units"].items()}


def _file(code: str) -> Any:
    return json_file(Path(__file__).parent / "data" / f"{code}.json")
