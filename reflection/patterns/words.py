"""Patterns in words, with their evidence, in either language."""

import re
from pathlib import Path
from typing import Any, Final

from language.word_lists import json_file
from reflection.contracts import PatternFound
from reflection.patterns.naming import field_of, kind_of, names, value_of

TEXT_AT_MOST: Final = 500
_FILE: Final = Path(__file__).parent / "data" / "words.json"
_COMPARED: Final = re.compile(r"^(.{1,110}?) (>=|<=|==|!=|>|<|between|not in|in) (.+)$")
_DATE: Final = re.compile(r"(?:\d{4}-)?\d\d-\d\d(?:T[\d:]+)?|\d\d:\d\d")
_LINK: Final = re.compile(r" (?:of|per|to|in|for|from|by|with) ")
_NUMBER: Final = re.compile(r"\[([^|\]]+)\|([^|\]]+)\]")
_ARTICLES: Final = ("el ", "la ", "los ", "las ", "lo ")
_MERGED: Final = re.compile(r"\b(de|a) el ")


def _words() -> dict[str, dict[str, Any]]:
    words: dict[str, dict[str, Any]] = json_file(_FILE)
    return words


def pattern_words(pattern: PatternFound, language: str) -> str:
    """A pattern in a sentence of at most 500 characters: "In 3 of 3 hotel searches sorted by price, quality fell short
    of 7." As it was written where it is known by its words alone.
    """
    if not pattern.outcome:
        return pattern.text
    spoken = "es" if language == "es" else "en"
    words = _words()[spoken]
    is_sorted = pattern.domain in _words()["sorted"]
    condition = sorted(pattern.condition, key=lambda feature: (not feature.startswith("priority="), feature))
    text = words["sentence"].format(
        support=pattern.support,
        total=pattern.total,
        tasks=words["tasks"].get(pattern.domain) or words["of_type"].format(domain=pattern.domain or "-"),
        when=words["and"].join(f" {_when(feature, spoken, is_sorted)}" for feature in condition),
        what=_what(pattern.outcome, spoken),
    )
    text = _MERGED.sub(lambda match: f"{match[1]}l ", text) if spoken == "es" else text
    return text[:TEXT_AT_MOST]


def _when(feature: str, language: str, is_sorted: bool) -> str:
    words: dict[str, str] = _words()[language]["when"]
    kind = "sorted" if kind_of(feature) == "priority" and is_sorted else kind_of(feature)
    form = words.get(feature) or words.get(kind) or words["setting"]
    value = value_of(feature) or feature
    return form.format(field=_field(value, language), bare=_bare(value, language), value=value)


def _what(outcome: str, language: str) -> str:
    """With the verb as the field's number wants it: "[was|were]"."""
    place = 2 if _is_many(field_of(outcome), language) else 1
    return _NUMBER.sub(lambda match: match[place], _clause(outcome, language))


def _is_many(field: str, language: str) -> bool:
    """Whether a field's name is a plural; by its head's ending where no list has it."""
    if field in names().known:
        return names().known[field]["es"].startswith(("los ", "las "))
    words = _LINK.split(field.replace("_", " "), maxsplit=1)[0].split() or [""]
    head = words[0] if language == "es" else words[-1]
    return len(head) > 3 and head.endswith("s") and not head.endswith(("ss", "us", "is"))


def _clause(outcome: str, language: str) -> str:
    words: dict[str, str] = _words()[language]["what"]
    kind, value = kind_of(outcome), value_of(outcome)
    if kind in ("missing", "unclear"):
        field = words["confirmation"] if value == "confirmation" else _field(value, language)
        return words[kind].format(field=field)
    if value in words or kind in words:  # verdicts
        return words.get(value) or words[kind]
    if compared := _COMPARED.match(value):
        operator, wanted = compared[2], compared[3].strip("{}")
        if operator in ("==", "!=", "in", "not in"):
            wanted = wanted.replace("_", " ")
        dated = f"date {operator}" if _DATE.fullmatch(wanted) else ""
        form = words.get(dated) or words[operator]
        wanted = wanted.replace(" and ", " y ", 1) if language == "es" else wanted
        return form.format(field=_field(compared[1], language), value=wanted)
    if value.startswith("no "):
        return words["no"].format(value=_bare(value.removeprefix("no "), language))
    return _other(value, language)


def _other(value: str, language: str) -> str:
    """A thing that is not there, a field, or a criterion that no rule reads."""
    words: dict[str, str] = _words()[language]["what"]
    key = value.replace(" ", "_")
    if key in names().things:
        return words["thing"].format(field=_field(value, language))
    form = "field" if key in names().known or "_" in value else "plain"
    return words[form].format(field=_field(value, language), value=value)


def _field(name: str, language: str) -> str:
    plain = name.replace("_", " ").strip()
    listed = names().known.get(plain.replace(" ", "_"))
    return listed[language] if listed else plain


def _bare(name: str, language: str) -> str:
    """The same without an article."""
    field = _field(name, language)
    return field.partition(" ")[2] if field.startswith(_ARTICLES) and language == "es" else field
