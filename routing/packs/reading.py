"""The values of a pack file as those of a `routing.packs.pack.Pack`, with every fault and its place."""

import re
from collections.abc import Mapping
from typing import Any, Final

from language.fold import compose
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
    """Reads one pack. Without `strict`, unknown fields and a sentence in two domains are allowed.

    `values` raises `PackRefused`, which names the place of every fault.
    """

    def __init__(self, data: Any, *, strict: bool) -> None:
        self._data, self._strict = data, strict
        self._faults: list[str] = []
        self._faults_count = self._sentences = 0
        self._groups: dict[str, str] = {}

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

    def _known(self, place: str, value: Mapping[Any, Any], fields: set[str]) -> None:
        for field in value:
            if self._strict and field not in fields:
                self._fault(_below(place, field), "is no field of a pack")

    def _name(self) -> str:
        value = self._data.get("pack", UNNAMED)
        if isinstance(value, str) and _NAMED.fullmatch(value):
            return value
        self._fault("pack", "is not name@version, such as anclora@1.0.0")
        return UNNAMED

    def _domain(self, key: str, value: Any) -> dict[str, Any]:
        place = _below("domains", key)
        if isinstance(value, list) and not self._strict:
            value = {"examples": value}
        if not isinstance(value, Mapping):
            self._fault(place, "is no mapping with a title and examples")
            value = {"examples": {"?": ["?"]}}
        self._known(place, value, _FIELDS["domain"])
        examples = self._examples(f"{place}/examples", value.get("examples"), key)
        if not any(examples.values()):
            self._fault(f"{place}/examples", "has no examples")
        evidence = self._entries(f"{place}/evidence_labels", value.get("evidence_labels", {}))
        brings = self._entries(f"{place}/brings", value.get("brings", {}))
        return {
            "key": key,
            "title": self._texts(f"{place}/title", value.get("title")) or {EVERY_LANGUAGE: key},
            "use_when": self._texts(f"{place}/use_when", value.get("use_when")),
            "not_when": self._texts(f"{place}/not_when", value.get("not_when")),
            "keywords": self._keywords(f"{place}/keywords", value.get("keywords")),
            "examples": examples,
            "evidence": self._boolean(f"{place}/evidence", value.get("evidence", False)),
            "evidence_labels": {
                label: self._boolean(f"{place}/evidence_labels/{label}", value) for label, value in evidence
            },
            "brings": {label: self._keys(f"{place}/brings/{label}", value) for label, value in brings},
        }

    def _entries(self, place: str, value: Any) -> list[tuple[str, Any]]:
        if not isinstance(value, Mapping):
            self._fault(place, "is missing" if value is None else "is no mapping")
            return []
        entries: dict[str, Any] = {}
        for key, entry in value.items():
            text = self._text(_below(place, key), str(key) if isinstance(key, int) else key, _KEY_CHARACTERS)
            if text in entries:
                self._fault(_below(place, key), "stands twice")
            elif text:
                entries[text] = entry
        return list(entries.items())

    def _examples(self, place: str, value: Any, key: str) -> dict[str, tuple[str, ...]]:
        if isinstance(value, list):
            value = {key: value}
        labels = self._entries(place, value)
        if len(labels) > _LABELS:
            self._fault(place, f"more than {_LABELS:,} fine labels")
        return {label: self._sentences_of(f"{place}/{label}", value) for label, value in labels}

    def _sentences_of(self, place: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple):
            self._fault(place, "is no list of sentences")
            return ()
        if not value:
            self._fault(place, "has no sentence")
        self._sentences += len(value)
        if self._sentences > SENTENCES:
            return ()
        group = place.split("/examples/")[0]
        sentences = []
        for number, sentence in enumerate(value, start=1):
            text = self._text(f"{place}/{number}", sentence, SENTENCE_CHARACTERS)
            if text:
                sentences.append(text)
                self._check_once(f"{place}/{number}", group, text)
        return tuple(sentences)

    def _check_once(self, place: str, group: str, text: str) -> None:
        if self._strict and (other := self._groups.setdefault(same(text), group)) != group:
            self._fault(place, f"stands in {other} too")

    def _keywords(self, place: str, value: Any) -> tuple[str, ...]:
        if value in (None, ""):
            return ()
        if not isinstance(value, list | tuple) or len(value) > _KEYWORDS:
            self._fault(place, f"is no list of at most {_KEYWORDS:,} words")
            return ()
        words = (self._text(f"{place}/{number}", word, _KEY_CHARACTERS) for number, word in enumerate(value, start=1))
        return tuple(dict.fromkeys(filter(None, words)))

    def _keys(self, place: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not all(isinstance(key, str) for key in value):
            self._fault(place, "is no list of domains")
            return ()
        return tuple(dict.fromkeys(value))

    def _texts(self, place: str, value: Any) -> dict[str, str]:
        if value in (None, ""):
            return {}
        if not isinstance(value, Mapping):
            value = {EVERY_LANGUAGE: value}
        texts = {}
        for language, text in value.items():
            if language != EVERY_LANGUAGE and not (isinstance(language, str) and _LANGUAGE.fullmatch(language)):
                self._fault(_below(place, language), "is no language, such as en or es")
            elif read := self._text(_below(place, language), text, _TEXT_CHARACTERS):
                texts[language] = read
        return texts

    def _boolean(self, place: str, value: Any) -> bool:
        if isinstance(value, bool | str) and value in _BOOLEANS:
            return _BOOLEANS[value]
        self._fault(place, "is neither true nor false")
        return False

    def _text(self, place: str, value: Any, limit: int) -> str:
        """Without blanks around it and composed (NFC); nothing where it is faulty."""
        fault = _fault_of(value, limit)
        if fault:
            self._fault(place, fault)
            return ""
        return compose(value).strip()

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
    """A key that sentences share which differ in capitals and blanks alone."""
    return " ".join(sentence.casefold().split())


def _below(place: str, key: Any) -> str:
    name = str(key)[:_KEY_CHARACTERS]
    return f"{place}/{name}" if place else name


def _fault_of(value: Any, limit: int) -> str:
    if not isinstance(value, str):
        return "is no text"
    if len(value) > limit:
        return f"has more than {limit:,} characters"
    if not value.strip():
        return "is blank"
    if "\0" in value:
        return "has a NUL character"
    if not value.isascii() and any("\ud800" <= sign <= "\udfff" for sign in value):
        return "has half a character (a lone surrogate)"
    return ""
