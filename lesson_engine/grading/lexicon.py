"""What the grader knows about a language: function words, negations, opposites, number words and names of units."""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parent / "data"
LANGUAGES = ("es", "en")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One language. Every entry is folded: lower case, no accents."""

    code: str
    endings: tuple[str, ...]
    """What a stem is made by taking off, tried in this order."""
    small_talk: frozenset[str]
    """Words that add nothing to an "I don't know"."""
    articles: frozenset[str]
    stopwords: frozenset[str]
    lead_ins: tuple[tuple[str, ...], ...]
    negations: frozenset[str]
    not_negating: tuple[tuple[str, ...], ...]
    contrasts: frozenset[str]
    linking: frozenset[str]
    """Words for "and", at which a negation ends."""
    reasons: frozenset[str]
    """Words for "because", at which the negation of what comes before them ends."""
    instead_of: tuple[tuple[str, ...], ...]
    lacking: str
    alternatives: frozenset[str]
    conjunctions: frozenset[str]
    sequence: tuple[tuple[str, ...], ...]
    than: str
    """What stands before whatever something is compared with."""
    comparatives: frozenset[str]
    copulas: frozenset[str]
    verbs: frozenset[str]
    antonyms: tuple[tuple[str, str], ...]
    irregular: dict[str, str]
    shorthand: dict[str, str]
    """How words are cut short in messages, to the words themselves."""


def base(language: str) -> str:
    """`es-MX` is graded as `es`; a language without its own data as `en`."""
    code = language[:2].lower()
    return code if code in LANGUAGES else "en"


@lru_cache(maxsize=8)
def lexicon(language: str) -> Lexicon:
    """The lexicon for a language code such as `es` or `es-MX`."""
    code = base(language)
    data = _load(code)
    return Lexicon(
        code=code,
        endings=tuple(data["endings"].split()),
        small_talk=_words(data["small_talk"]),
        articles=_words(data["articles"]),
        stopwords=_words(data["stopwords"]),
        lead_ins=_phrases(data["lead_ins"]),
        negations=_words(data["negations"]),
        not_negating=_phrases(data["not_negating"]),
        contrasts=_words(data["contrasts"]),
        linking=_words(data["linking"]),
        reasons=_words(data["reasons"]),
        instead_of=_phrases(data["instead_of"]),
        lacking=data["lacking"],
        alternatives=_words(data["alternatives"]),
        conjunctions=_words(data["conjunctions"]),
        sequence=_phrases(data["sequence"]),
        than=data["than"],
        comparatives=_words(data["comparatives"]),
        copulas=_words(data["copulas"]),
        verbs=_words(data["verbs"]),
        antonyms=tuple((first, second) for first, second in data["antonyms"]),
        irregular=data["irregular"],
        shorthand=data["shorthand"],
    )


@lru_cache(maxsize=1)
def number_words() -> dict[str, int]:
    """Words for numbers in every language, folded."""
    return {word: value for code in LANGUAGES for word, value in _load(code)["numbers"].items()}


@lru_cache(maxsize=1)
def bound_words() -> tuple[str, ...]:
    """Phrases that make a number a bound ("more than"), in every language."""
    return tuple(phrase for code in LANGUAGES for phrase in _load(code)["bounds"])


@lru_cache(maxsize=1)
def unit_words() -> dict[str, str]:
    """Folded names of units in every language, to the name pint knows."""
    return {word: name for code in LANGUAGES for word, name in _load(code)["units"].items()}


@lru_cache(maxsize=8)
def _load(code: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((_DATA / f"{code}.json").read_text(encoding="utf-8"))
    return loaded


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(texts: list[str]) -> tuple[tuple[str, ...], ...]:
    # Longest first, so that "I think that" is taken before "I think".
    return tuple(sorted((tuple(text.split()) for text in texts), key=len, reverse=True))
