"""The values of a pack file as those of a `routing.pack.Pack`, with every fault and its place."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from routing.errors import PackRefused

SENTENCE_CHARACTERS: Final = 1_000
SENTENCES: Final = 200_000
UNNAMED: Final = "unnamed@0"
EVERY_LANGUAGE: Final = ""
"""The language of a text that is given without one."""

_NAMED: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}@[A-Za-z0-9][A-Za-z0-9.+-]{0,31}")
_LANGUAGE: Final = re.compile(r"[a-z]{2}(-[A-Za-z]{2,4})?")
_TEXT_CHARACTERS, _KEY_CHARACTERS, _KEYWORDS, _DOMAINS, _LABELS = 2_000, 100, 2_000, 1_000, 2_000
_SHOWN: Final = 50  # faults
_FIELDS: Final = {
    "": {"pack", "domains", "outside"},
    "domain": {
        "title", "use_when", "not_when", "keywords", "examples", "evidence", "evidence_labels", "brings",
    },
}  # fmt: skip
_BOOLEANS: Final = {True: True, False: False, "true": True, "false": False, "True": True, "False": False}


class PackReading:
    """Reads one pack. Without `strict`, fields that nobody knows and a sentence in two domains are let pass.

    `values` raises `PackRefused`, which names the place of every fault.
    """

    def __init__(self, data: Any, *, strict: bool) -> None:
        self._data, self._strict = data, strict
        self._faults: list[str] = []
        self._faults_count = self._sentences = 0
        self._stands: dict[str, str] = {}

    def values(self) -> dict[str, Any]:
        """The fields of a pack."""
        if not isinstance(self._data, Mapping):
            raise PackRefused("A pack is a mapping with domains.")
        self._known("", self._data, _FIELDS[""])
        name, _, version = self._name().partition("@")
        domains = [self._domain(key, value) for key, value in self._entries("domains", self._data.get("domains"))]
        outside = self._examples("outside", self._data.get("outside", {}), "outside")
        if len(domains) < 2:
            self._fault("domains", "a pack has two domains at least")
        if len(domains) > _DOMAINS:
            self._fault("domains", f"more than {_DOMAINS:,} domains")
        if self._sentences > SENTENCES:
            self._fault("domains", f"more than {SENTENCES:,} sentences")
        self._agrees(domains)
        if self._faults:
            more = self._faults_count - len(self._faults)
            raise PackRefused("\n".join([*self._faults, *([f"and {more:,} more"] if more else [])]))
        return {"name": name, "version": version, "domains": domains, "outside": outside}

    def _fault(self, place: str, text: str) -> None:
        self._faults_count += 1
        if len(self._faults) < _SHOWN:
            self._faults.append(f"{place}: {text}" if place else text)

    def _known(self, place: str, given: Mapping[Any, Any], fields: set[str]) -> None:
        for field in given:
            if self._strict and field not in fields:
                self._fault(_below(place, field), "is no field of a pack")

    def _name(self) -> str:
        given = self._data.get("pack", UNNAMED)
        if isinstance(given, str) and _NAMED.fullmatch(given):
            return given
        self._fault("pack", "is not name@version, such as anclora@1.0.0")
        return UNNAMED

    def _domain(self, key: str, given: Any) -> dict[str, Any]:
        place = _below("domains", key)
        if isinstance(given, list) and not self._strict:
            given = {"examples": given}
        if not isinstance(given, Mapping):
            self._fault(place, "is no mapping with a title and examples")
            given = {"examples": {"?": ["?"]}}
        self._known(place, given, _FIELDS["domain"])
        examples = self._examples(f"{place}/examples", given.get("examples"), key)
        if not any(examples.values()):
            self._fault(f"{place}/examples", "has no examples")
        evidence = self._entries(f"{place}/evidence_labels", given.get("evidence_labels", {}))
        brings = self._entries(f"{place}/brings", given.get("brings", {}))
        return {
            "key": key,
            "title": self._texts(f"{place}/title", given.get("title")) or {EVERY_LANGUAGE: key},
            "use_when": self._texts(f"{place}/use_when", given.get("use_when")),
            "not_when": self._texts(f"{place}/not_when", given.get("not_when")),
            "keywords": self._keywords(f"{place}/keywords", given.get("keywords")),
            "examples": examples,
            "evidence": self._boolean(f"{place}/evidence", given.get("evidence", False)),
            "evidence_labels": {
                label: self._boolean(f"{place}/evidence_labels/{label}", value) for label, value in evidence
            },
            "brings": {label: self._keys(f"{place}/brings/{label}", value) for label, value in brings},
        }

    def _entries(self, place: str, given: Any) -> list[tuple[str, Any]]:
        if not isinstance(given, Mapping):
            self._fault(place, "is missing" if given is None else "is no mapping")
            return []
        found: dict[str, Any] = {}
        for key, value in given.items():
            text = self._text(_below(place, key), str(key) if isinstance(key, int) else key, _KEY_CHARACTERS)
            if text in found:
                self._fault(_below(place, key), "stands twice")
            elif text:
                found[text] = value
        return list(found.items())

    def _examples(self, place: str, given: Any, key: str) -> dict[str, tuple[str, ...]]:
        if isinstance(given, list):
            given = {key: given}
        labels = self._entries(place, given)
        if len(labels) > _LABELS:
            self._fault(place, f"more than {_LABELS:,} fine labels")
        return {label: self._sentences_of(f"{place}/{label}", value) for label, value in labels}

    def _sentences_of(self, place: str, given: Any) -> tuple[str, ...]:
        if not isinstance(given, list | tuple):
            self._fault(place, "is no list of sentences")
            return ()
        if not given:
            self._fault(place, "has no sentence")
        self._sentences += len(given)
        if self._sentences > SENTENCES:
            return ()
        group = place.split("/examples/")[0]
        found = []
        for number, sentence in enumerate(given, start=1):
            text = self._text(f"{place}/{number}", sentence, SENTENCE_CHARACTERS)
            if text:
                found.append(text)
                self._stands_once(f"{place}/{number}", group, text)
        return tuple(found)

    def _stands_once(self, place: str, group: str, text: str) -> None:
        if self._strict and (other := self._stands.setdefault(same(text), group)) != group:
            self._fault(place, f"stands in {other} too")

    def _keywords(self, place: str, given: Any) -> tuple[str, ...]:
        if given in (None, ""):
            return ()
        if not isinstance(given, list | tuple) or len(given) > _KEYWORDS:
            self._fault(place, f"is no list of at most {_KEYWORDS:,} words")
            return ()
        found = (self._text(f"{place}/{number}", word, _KEY_CHARACTERS) for number, word in enumerate(given, start=1))
        return tuple(dict.fromkeys(word for word in found if word))

    def _keys(self, place: str, given: Any) -> tuple[str, ...]:
        if not isinstance(given, list | tuple) or not all(isinstance(key, str) for key in given):
            self._fault(place, "is no list of domains")
            return ()
        return tuple(dict.fromkeys(given))

    def _texts(self, place: str, given: Any) -> dict[str, str]:
        if given in (None, ""):
            return {}
        if not isinstance(given, Mapping):
            given = {EVERY_LANGUAGE: given}
        found = {}
        for language, text in given.items():
            if language != EVERY_LANGUAGE and not (isinstance(language, str) and _LANGUAGE.fullmatch(language)):
                self._fault(_below(place, language), "is no language, such as en or es")
            elif said := self._text(_below(place, language), text, _TEXT_CHARACTERS):
                found[language] = said
        return found

    def _boolean(self, place: str, given: Any) -> bool:
        if isinstance(given, bool | str) and given in _BOOLEANS:
            return _BOOLEANS[given]
        self._fault(place, "is neither true nor false")
        return False

    def _text(self, place: str, given: Any, most: int) -> str:
        """Without blanks around it and composed (NFC); nothing where it is faulty."""
        fault = _fault_of(given, most)
        if fault:
            self._fault(place, fault)
            return ""
        return unicodedata.normalize("NFC", given).strip()

    def _agrees(self, domains: list[dict[str, Any]]) -> None:
        """Whether labels and domains that are named are there."""
        keys = {domain["key"] for domain in domains}
        for domain in domains:
            place = _below("domains", domain["key"])
            for field in ("evidence_labels", "brings"):
                for label in domain[field]:
                    if label not in domain["examples"]:
                        self._fault(f"{place}/{field}/{label}", "is no fine label of this domain")
            for label, others in domain["brings"].items():
                for other in others:
                    if other not in keys or other == domain["key"]:
                        self._fault(f"{place}/brings/{label}", f"{other[:_KEY_CHARACTERS]!r} is no other domain")


def same(sentence: str) -> str:
    """What two sentences share that are the same but for capitals and blanks."""
    return " ".join(sentence.casefold().split())


def _below(place: str, key: Any) -> str:
    said = str(key)[:_KEY_CHARACTERS]
    return f"{place}/{said}" if place else said


def _fault_of(given: Any, most: int) -> str:
    if not isinstance(given, str):
        return "is no text"
    if len(given) > most:
        return f"has more than {most:,} characters"
    if not given.strip():
        return "is blank"
    if "\0" in given:
        return "has a NUL character"
    if not given.isascii() and any("\ud800" <= sign <= "\udfff" for sign in given):
        return "has half a character (a lone surrogate)"
    return ""
