"""How much of what one expects to know of such a thing a result has."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Final

from evaluation.checking.lexicon import names, phrase_of
from language.word_lists import entries_of
from planning.understanding.known import canonical_of

from .request import Request
from .result import Content, Entry
from .words import DATA, alike, plain_text

_FILE: Final = DATA / "expected_fields.txt"
_THING: Final = "="
_TOLD: Final = 0.3
"""What a result is worth that says something, but nothing of what is expected."""
_NEAR: Final = 0.8
_MONEY: Final = ("$", "€", "£", "¥")
Field = tuple[tuple[str, ...], ...]
"""Names in the one form of `evaluation.checking`, of which one will do."""


def completeness_of(content: Content, request: Request) -> float:
    """The share of the expected fields that have a value, 0 to 1; of an unknown thing the share of all its fields."""
    if content.is_empty:
        return 0.0
    filled = len(content.entries) / (len(content.entries) + content.blank)
    fields = _expected().get(request.task_type) or next(
        (_expected()[key] for thing in request.objects[:2] if (key := f"{_THING} {thing}") in _expected()), ()
    )
    if not fields:
        return filled
    spoken = {part for entry in content.entries for part in _spoken(entry)}
    spoken |= {(form,) for entry in content.entries for word in entry.above for form in canonical_of(word)}
    present = sum(_is_there(field, spoken, content.entries, request.objects) for field in fields)
    return max(present / len(fields), _TOLD * filled)


@cache
def _expected() -> dict[str, tuple[Field, ...]]:
    expected: dict[str, tuple[Field, ...]] = {}
    for about, fields in entries_of(_FILE):
        made = tuple(tuple(phrase_of(name) for name in field.split("|")) for field in fields.split(","))
        mark = f"{_THING} " if about.startswith(_THING) else ""
        for name in about.removeprefix(_THING).split(","):
            expected[mark + name.strip()] = made
    return expected


def task_types_known() -> frozenset[str]:
    return frozenset(name for name in _expected() if not name.startswith(_THING))


def _spoken(entry: Entry) -> list[tuple[str, ...]]:
    """The names that a value goes by: its own, the last words of it, and those of what it is part of."""
    own = phrase_of(" ".join(entry.keys))
    above = phrase_of(" ".join(entry.above))
    return [part for part in (own, own[-1:], own[-2:], own[:1], above[-2:], *((word,) for word in above)) if part]


def _is_there(
    field: Field, spoken: Collection[tuple[str, ...]], entries: Sequence[Entry], objects: Sequence[str]
) -> bool:
    if any(names().closeness(name, part) >= _NEAR for name in field for part in spoken):
        return True
    if ("name",) in field or phrase_of("name") in field:
        return any(_is_name(entry, objects) for entry in entries)
    return phrase_of("price") in field and any(
        isinstance(entry.value, str) and any(sign in entry.value for sign in _MONEY) for entry in entries
    )


def _is_name(entry: Entry, objects: Sequence[str]) -> bool:
    """A text by the name of the thing itself is its name: {"restaurant": "Le Chat Noir"}; so is one without a name."""
    if not isinstance(entry.value, str):
        return False
    words = [plain_text(word) for name in objects for word in name.split()]
    return not entry.keys or any(alike(key, word) for key in entry.keys for word in words)
