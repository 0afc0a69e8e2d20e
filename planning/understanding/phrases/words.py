"""The words by which phrases of tasks are recognised, listed in `data/phrases.json`."""

from functools import cache
from typing import Final

from language import LANGUAGES
from language.fold import fold
from language.stems import plural
from language.word_lists import json_file
from planning.understanding.vocabulary import DATA, thing_forms

_FILE: Final = "phrases.json"


class PhraseWords:
    def __init__(self, lists: dict[str, object], language: str) -> None:
        self.language = language
        self._sets: dict[str, frozenset[str]] = {}
        self._lines: dict[str, tuple[str, ...]] = {}
        for name, value in lists.items():
            entries = value.split() if isinstance(value, str) else [str(entry) for entry in value]  # type: ignore[attr-defined]
            if any(fold(entry) != entry for entry in entries):
                raise ValueError(f"{_FILE}, {language}, {name}: expected lower case without accents")
            self._lines[name] = tuple(sorted(entries, key=len, reverse=True))
            self._sets[name] = frozenset(entries)
        forms = {" ".join(form) for entry in self._sets["humans"] for form in thing_forms(entry, language)}
        self._sets["humans"] = frozenset(forms)

    def has(self, name: str, word: str) -> bool:
        return word in self._sets[name]

    def lines(self, name: str) -> tuple[str, ...]:
        """The entries of a list, the longest first."""
        return self._lines[name]

    def one(self, name: str) -> str:
        """The only entry of a list."""
        return self._lines[name][0]

    def plural(self, noun: str) -> str:
        """The plural of a noun without its company; of what is not counted, itself."""
        return noun if fold(noun) in self._sets["mass"] else plural(noun, self.language)


@cache
def phrase_words(language: str) -> PhraseWords:
    """The lists of a language. Raises `ValueError` naming a list that cannot be read."""
    if language not in LANGUAGES:
        raise ValueError(f"expected one of {', '.join(LANGUAGES)}, not {language}")
    lists = json_file(DATA / _FILE)[language]
    if not isinstance(lists, dict):
        raise ValueError(f"{_FILE}, {language}: expected lists by their names")
    return PhraseWords(lists, language)


@cache
def listed(name: str) -> frozenset[str]:
    """A list for both languages: "travel", the types whose tasks name places; "people", what facts call them."""
    entries = json_file(DATA / _FILE)[name]
    assert isinstance(entries, list)
    return frozenset(entries)
