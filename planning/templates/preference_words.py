"""The words of preferences, as `preferences.json` lists them."""

import re
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from language.fold import fold
from language.stems import plural
from language.tokens import any_of
from language.word_lists import json_file

_FILE: Final = Path(__file__).parent / "preferences.json"
_THING: Final = r"(?P<x>\S.*)"
_BEFORE: Final = r"(?P<x>[\w'-]+(?: [\w'-]+)?)"
_KINDS: Final = ("allergic", "avoid", "be", "need", "like", "level")


class Feature(NamedTuple):
    """A need with a name of its own; `excludes`: what a dish for it must be without."""

    words: tuple[str, ...]
    field: str
    gives: dict[str, str]
    excludes: dict[str, list[str]]


class Scale(NamedTuple):
    """Levels from low to high, each with its names; `about`: words that say it is this scale that is spoken of."""

    field: str
    levels: list[list[str]]
    about: frozenset[str]
    has: str
    none: str


class PreferenceWords:
    """What the file says for one language."""

    def __init__(self, data: dict[str, Any], language: str) -> None:
        self.language = language
        self.dishes = frozenset(data["dishes"])
        self.fields = {
            name: {form for word in map(fold, words[language].split()) for form in (word, plural(word, language))}
            for name, words in data["fields"].items()
        }
        self.features = [
            Feature(tuple(row["words"][language]), row["field"], row["gives"], row.get("excludes", {}))
            for row in data["features"]
        ]
        self.scales = [
            Scale(
                row["field"],
                row["levels"][language],
                frozenset(map(fold, row["about"][language])),
                row["has"][language],
                row["none"][language],
            )
            for row in data["scales"]
        ]
        self._cues = [
            (kind, re.compile(r"(?<!\w)" + line.replace("{x}", _THING).replace("{y}", _BEFORE)))
            for kind in _KINDS
            for line in data["cues"][language][kind]
        ]
        self._stops = re.compile(rf"\s(?:{any_of(data['stops'][language])})(?!\w).*")
        self._leading = re.compile(rf"(?:(?:{'|'.join(sorted(data['leading'][language], key=len, reverse=True))}) )+")
        self._priorities = frozenset(data["subjects"])

    def cue(self, folded: str) -> tuple[str, int, int] | None:
        """What kind of wish a clause is, and where what is wished stands; the earliest cue decides."""
        found = [
            (match.start(), place, kind, match)
            for place, (kind, pattern) in enumerate(self._cues)
            if (match := pattern.search(folded))
        ]
        if not found:
            return None
        _start, _place, kind, match = min(found, key=lambda place: place[:2])
        return kind, match.start("x"), match.end("x")

    def trimmed(self, thing: str) -> str:
        """What is wished without articles before it and reasons behind it."""
        stop = self._stops.search(fold(f" {thing}"))
        thing = thing if stop is None else f" {thing}"[: stop.start()].strip()
        lead = self._leading.match(fold(f"{thing} "))
        return (thing[lead.end() :] if lead else thing).strip(" .,;:!?")

    def is_priority(self, thing: str) -> bool:
        """Whether it says what options are sorted by, such as quality, which is for the strategy."""
        return any(word in self._priorities for word in fold(thing).split())


@cache
def preference_words(language: str) -> PreferenceWords:
    """The words of a language. Raises `ValueError` naming what in the file cannot be read."""
    try:
        return PreferenceWords(json_file(_FILE), language)
    except (KeyError, TypeError, AttributeError, re.error) as error:
        raise ValueError(f"{_FILE.name}, {language}: cannot be read ({error!r})") from error
