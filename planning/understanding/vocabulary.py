"""The groups of words that the rules of task types name, listed in `data/type_words.txt`, and the forms of verbs."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from language import LANGUAGES
from language.fold import fold
from language.stems import plural
from language.tokens import Token, tokens_of
from language.word_lists import sections_of

_VOWELS: Final = frozenset("aeiou")
_SPANISH: Final = {
    ending: forms.split()
    for ending, forms in {
        "ar": "ar o as a amos an e es emos en ad ando ado ada are aremos aria ara",
        "er": "er o es e emos en a as amos an ed iendo ido ida ere eremos eria i",
        "ir": "ir o es e imos en a as amos an id iendo ido ida ire iremos iria i",
    }.items()
}
_RESPELT: Final = {"car": "qu", "gar": "gu", "zar": "c"}  # busque, pague, organice
_PRONOUNS: Final = re.compile(r"(?:[mts]e|nos|les?)?(?:l[oae]s?|[mts]e|nos)$")


def verb_forms(base: str, language: str) -> list[str]:
    """The regular forms of a folded verb, the base first: book, books, booked, booking; of another word, itself."""
    return _spanish_forms(base) if language == "es" else _english_forms(base)


def _english_forms(base: str) -> list[str]:
    if not base.isalpha() or len(base) < 2:
        return [base]
    if base.endswith("e"):
        return [base, f"{base}s", f"{base}d", f"{base[:-1]}ing"]
    if base.endswith("y") and base[-2] not in _VOWELS:
        return [base, f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base}ing"]
    third = f"{base}es" if base.endswith(("s", "sh", "ch", "x", "z")) else f"{base}s"
    doubled = [f"{base}{base[-1]}ed", f"{base}{base[-1]}ing"] if doubles(base) else []
    return [base, third, f"{base}ed", f"{base}ing", *doubled]


def doubles(verb: str) -> bool:
    """Whether an English verb doubles its last letter: plan, planned. One vowel before one consonant at the end."""
    return len(verb) > 2 and verb[-1] not in "aeiouwxy" and verb[-2] in _VOWELS and verb[-3] not in _VOWELS


def _spanish_forms(base: str) -> list[str]:
    if base[-2:] not in _SPANISH or len(base) < 3:
        return [base]
    forms = [base[:-2] + ending for ending in _SPANISH[base[-2:]]]
    if respelt := _RESPELT.get(base[-3:]):
        forms += [base[:-3] + respelt + ending for ending in ("e", "es", "emos", "en")]
    return forms


def without_pronouns(word: str) -> str:
    """A folded Spanish verb without the pronouns that hang behind it: "reservame" is "reserva"."""
    pronouns = _PRONOUNS.search(word)
    return word[: pronouns.start()] if pronouns and pronouns.start() >= 3 else word


DATA: Final = Path(__file__).parent / "data"

Phrase = tuple[str, ...]


class Words(NamedTuple):
    """The file by language: phrases by their first word, each with its group; verb forms with their base."""

    phrases: dict[str, dict[str, list[tuple[Phrase, str]]]]
    bases: dict[str, dict[str, str]]
    groups: frozenset[str]


@cache
def words() -> Words:
    """The data file, read. Raises `ValueError` naming the line that cannot be read."""
    phrases: dict[str, dict[str, dict[tuple[Phrase, str], None]]] = {code: defaultdict(dict) for code in LANGUAGES}
    bases: dict[str, dict[str, str]] = {language: {} for language in LANGUAGES}
    groups: set[str] = set()
    for section, name, language, entry in _entries():
        groups.add(name)
        for phrase in _verb_phrases(entry, language) if section == "verbs" else thing_forms(entry, language):
            phrases[language][phrase[0]][phrase, name] = None
            if section == "verbs" and len(phrase) == 1:
                bases[language].setdefault(phrase[0], entry.partition("=")[0])
    return Words(
        {language: {first: list(entries) for first, entries in phrases[language].items()} for language in LANGUAGES},
        bases,
        frozenset(groups),
    )


def entries_of(group: str, language: str) -> list[str]:
    return [entry for _, name, spoken, entry in _entries() if (name, spoken) == (group, language)]


def _entries() -> Iterator[tuple[str, str, str, str]]:
    for section, lines in sections_of(DATA / "type_words.txt", _group).items():
        for name, *by_language in lines:
            for language, entries in zip(LANGUAGES, by_language, strict=True):
                yield from ((section, name, language, entry.strip()) for entry in entries.split(","))


def _group(section: str, line: str) -> list[str]:
    parts = [part.strip() for part in line.split("|")]
    entries = [entry for part in parts for entry in part.split(",")]
    if len(parts) != 3 or section not in {"verbs", "things"} or not all(map(str.strip, entries)):
        raise ValueError("expected “name | english, ... | spanish, ...”")
    return parts


def _phrase(text: str) -> Phrase:
    return tuple(token.word for token in tokens_of(text))


def _verb_phrases(entry: str, language: str) -> list[Phrase]:
    """The forms of a verb, "encontrar=encuentra/encuentre": the regular ones, and those after "="."""
    base, _, irregular = entry.partition("=")
    first, *rest = _phrase(base)
    phrases = [(form, *rest) for form in verb_forms(first, language)]
    return phrases + [_phrase(form) for form in irregular.split("/") if form]


def thing_forms(entry: str, language: str) -> list[Phrase]:
    """A thing in the singular and in the plural. English has its head last, Spanish first."""
    parts = [*_phrase(entry)]
    at = 0 if language == "es" else len(parts) - 1
    forms = {parts[at], plural(parts[at], language)}
    return [(*parts[:at], form, *parts[at + 1 :]) for form in sorted(forms)]


def verb_base(word: str, language: str) -> str | None:
    """The base form of a verb that the file knows, also with pronouns behind it ("resérvame"); None of other words."""
    bases = words().bases[language]
    folded = fold(word)
    if folded in bases:
        return bases[folded]
    return bases.get(without_pronouns(folded)) if language == "es" else None


class Hit(NamedTuple):
    """A group that a task speaks of: in its words from `start` up to `end`."""

    group: str
    start: int
    end: int


def groups_in(tokens: Sequence[Token], language: str) -> list[Hit]:
    """Every group whose words stand in the task, by where they begin; longer phrases first."""
    known, hits = words().phrases[language], []
    plain = [token.word for token in tokens]
    for at, word in enumerate(plain):
        for first in {word, without_pronouns(word)} if language == "es" else {word}:
            for phrase, group in known.get(first, ()):
                if tuple(plain[at + 1 : at + len(phrase)]) == phrase[1:]:
                    hits.append(Hit(group, at, at + len(phrase)))
    return sorted(set(hits), key=lambda hit: (hit.start, -hit.end, hit.group))
