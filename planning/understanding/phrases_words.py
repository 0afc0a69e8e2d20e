"""The words that phrases of tasks are told by. They are listed in `data/phrases.json`."""

import json
from functools import cache
from typing import Final

from planning.understanding.text import fold
from planning.understanding.types_words import DATA, LANGUAGES, plural, thing_forms

_FILE: Final = "phrases.json"


class PhraseWords:
    """The lists of one language: `among` for single words, `phrases` for those of several, `one` for a single word."""

    def __init__(self, lists: dict[str, object], language: str) -> None:
        self.language = language
        self._sets: dict[str, frozenset[str]] = {}
        self._lines: dict[str, tuple[str, ...]] = {}
        for name, value in lists.items():
            entries = value.split() if isinstance(value, str) else [str(one) for one in value]  # type: ignore[attr-defined]
            if any(fold(entry) != entry for entry in entries):
                raise ValueError(f"{_FILE}, {language}, {name}: expected lower case without accents")
            self._lines[name] = tuple(sorted(entries, key=len, reverse=True))
            self._sets[name] = frozenset(entries)
        forms = {" ".join(form) for entry in self._sets["humans"] for form in thing_forms(entry, language)}
        self._sets["humans"] = frozenset(forms)

    def has(self, name: str, word: str) -> bool:
        """Whether a folded word is in a list."""
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
def _data() -> dict[str, object]:
    found: dict[str, object] = json.loads((DATA / _FILE).read_text(encoding="utf-8"))
    return found


@cache
def phrase_words(language: str) -> PhraseWords:
    """The lists of a language. Raises `ValueError` naming a list that cannot be read."""
    if language not in LANGUAGES:
        raise ValueError(f"expected one of {', '.join(LANGUAGES)}, not {language}")
    lists = _data()[language]
    if not isinstance(lists, dict):
        raise ValueError(f"{_FILE}, {language}: expected lists by their names")
    return PhraseWords(lists, language)


@cache
def listed(name: str) -> frozenset[str]:
    """A list for both languages: "travel", the types whose tasks name places; "people", what facts call them."""
    found = _data()[name]
    assert isinstance(found, list)
    return frozenset(found)
