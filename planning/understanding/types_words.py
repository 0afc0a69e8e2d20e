"""The groups of words that the rules of task types speak of. They are listed in `data/type_words.txt`."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from planning.understanding.text import Token, fold, tokens

DATA: Final = Path(__file__).parent / "data"
LANGUAGES: Final = ("en", "es")

_CLITICS: Final = re.compile(r"(?:[mts]e|nos|les?)?(?:l[oae]s?|[mts]e|nos)$")
_REGULAR: Final = {
    "ar": ("ar", "o", "a", "as", "an", "e", "es", "en", "amos", "emos", "ando", "ad", "ado", "ada", "are", "aremos"),
    "er": ("er", "o", "e", "es", "en", "a", "as", "an", "emos", "amos", "iendo", "ed", "ido", "ida", "ere", "eremos"),
    "ir": ("ir", "o", "e", "es", "en", "a", "as", "an", "imos", "amos", "iendo", "id", "ido", "ida", "ire", "iremos"),
}
_SPELLING: Final = {"car": "qu", "gar": "gu", "zar": "c"}  # busque, pague, organice
_PLAIN: Final = dict(zip("áéíóú", "aeiou", strict=True))  # estación, estaciones
_VOWELS: Final = frozenset("aeiou")

Phrase = tuple[str, ...]


class Words(NamedTuple):
    """What the file says by language: phrases by their first word, each with its group; verb forms with their base."""

    phrases: dict[str, dict[str, list[tuple[Phrase, str]]]]
    bases: dict[str, dict[str, str]]
    vocabulary: dict[str, frozenset[str]]
    groups: frozenset[str]


@cache
def words() -> Words:
    """The data file, read. Raises `ValueError` naming the line that cannot be read."""
    phrases: dict[str, dict[str, dict[tuple[Phrase, str], None]]] = {one: defaultdict(dict) for one in LANGUAGES}
    bases: dict[str, dict[str, str]] = {language: {} for language in LANGUAGES}
    vocabulary: dict[str, set[str]] = {language: set() for language in LANGUAGES}
    groups: set[str] = set()
    for section, name, language, entry in _entries():
        groups.add(name)
        for phrase in verb_forms(entry, language) if section == "verbs" else thing_forms(entry, language):
            phrases[language][phrase[0]][phrase, name] = None
            vocabulary[language].update(phrase)
            if section == "verbs" and len(phrase) == 1:
                bases[language].setdefault(phrase[0], entry.partition("=")[0])
    return Words(
        {one: {first: list(found) for first, found in phrases[one].items()} for one in LANGUAGES},
        bases,
        {language: frozenset(found) for language, found in vocabulary.items()},
        frozenset(groups),
    )


def entries_of(group: str, language: str) -> list[str]:
    """The entries of a group as they are listed."""
    return [entry for _, name, spoken, entry in _entries() if (name, spoken) == (group, language)]


def _entries() -> Iterator[tuple[str, str, str, str]]:
    name, section = "type_words.txt", ""
    for number, line in enumerate((DATA / name).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("[") and line[1:-1] in {"verbs", "things"}:
            section = line[1:-1]
        elif line.strip() and not line.startswith("#"):
            parts = [part.strip() for part in line.split("|")]
            if len(parts) != 3 or not all(parts) or not section or not line.isascii() or line != line.lower():
                raise ValueError(f"{name}, line {number}: expected “name | english, ... | spanish, ...” in lower case")
            for language, entries in zip(LANGUAGES, parts[1:], strict=True):
                for entry in entries.split(","):
                    if not entry.strip():
                        raise ValueError(f"{name}, line {number}: an empty entry between commas")
                    yield section, parts[0], language, entry.strip()


def _phrase(text: str) -> Phrase:
    return tuple(token.word for token in tokens(text))


def verb_forms(entry: str, language: str) -> list[Phrase]:
    """The forms of a verb, "encontrar=encuentra/encuentre": those after "=" and the regular ones."""
    base, _, irregular = entry.partition("=")
    first, *rest = base.split()
    found = _spanish_verb(first) if language == "es" else _english_verb(first)
    phrases = [_phrase(" ".join([form, *rest])) for form in found]
    return phrases + [_phrase(form) for form in irregular.split("/") if form]


def _spanish_verb(infinitive: str) -> list[str]:
    stem, ending = infinitive[:-2], infinitive[-2:]
    if ending not in _REGULAR or len(stem) < 1:
        return [infinitive]
    forms = [stem + one for one in _REGULAR[ending]]
    if changed := _SPELLING.get(infinitive[-3:]):
        forms += [stem[:-1] + changed + one for one in ("e", "es", "en", "emos")]
    return list(dict.fromkeys(forms))


def _english_verb(base: str) -> list[str]:
    if not base.isalpha() or len(base) < 2:
        return [base]
    if base.endswith("e"):
        return [base, base + "s", base + "d", base[:-1] + "ing"]
    if base.endswith("y") and base[-2] not in _VOWELS:
        return [base, base[:-1] + "ies", base[:-1] + "ied", base + "ing"]
    short = len(base) > 2 and base[-1] not in "aeiouwxy" and base[-2] in _VOWELS and base[-3] not in _VOWELS
    doubled = [base + base[-1] + "ing", base + base[-1] + "ed"] if short else []
    return [
        base,
        base + ("es" if base.endswith(("s", "sh", "ch", "x", "z")) else "s"),
        base + "ed",
        base + "ing",
        *doubled,
    ]


def thing_forms(entry: str, language: str) -> list[Phrase]:
    """A thing in the singular and in the plural. English has its head last, Spanish first."""
    found = [*_phrase(entry)]
    at = 0 if language == "es" else len(found) - 1
    forms = {found[at], plural(found[at], language)}
    return [(*found[:at], form, *found[at + 1 :]) for form in sorted(forms)]


def plural(word: str, language: str) -> str:
    """The plural of a noun or a Spanish adjective by the rules; of one that is plural already, itself."""
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "és", "ús")):
        return word
    if language == "es":
        if word.endswith("z"):
            return word[:-1] + "ces"
        if word[-1:] in "aeiouáéó":
            return word + "s"
        if word[-1:] in "bcfgkmptvwx" or word.endswith(("nd", "rd")):
            return word + "s"  # words from other languages: apps, podcasts
        return word[:-2] + _PLAIN.get(word[-2:-1], word[-2:-1]) + word[-1:] + "es" if word[-1:] in "ns" else word + "es"
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return word[:-1] + "ies"
    if word.endswith(("s", "sh", "ch", "x", "z")):
        return word + "es"
    return word + "s"


def verb_base(word: str, language: str) -> str | None:
    """The base form of a verb that the file knows, also with pronouns behind it ("resérvame"); None of other words."""
    bases = words().bases[language]
    folded = fold(word)
    if folded in bases:
        return bases[folded]
    return bases.get(without_pronouns(folded)) if language == "es" else None


def without_pronouns(word: str) -> str:
    """A Spanish verb without the pronouns that hang behind it: "reservame" is "reserva"."""
    found = _CLITICS.search(word)
    return word[: found.start()] if found and found.start() >= 3 else word


class Hit(NamedTuple):
    """A group that a task speaks of: in its words from `start` up to `end`."""

    group: str
    start: int
    end: int


def groups_in(found: Sequence[Token], language: str) -> list[Hit]:
    """Every group whose words stand in the task, by where they begin; longer phrases first."""
    known, hits = words().phrases[language], []
    plain = [token.word for token in found]
    for at, word in enumerate(plain):
        for first in {word, without_pronouns(word)} if language == "es" else {word}:
            for phrase, group in known.get(first, ()):
                if tuple(plain[at + 1 : at + len(phrase)]) == phrase[1:]:
                    hits.append(Hit(group, at, at + len(phrase)))
    return sorted(set(hits), key=lambda hit: (hit.start, -hit.end, hit.group))
