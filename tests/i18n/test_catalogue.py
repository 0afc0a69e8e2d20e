"""The Spanish catalogue is complete and says the same as the English it translates."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from django.conf import settings

from core.management.commands.make_catalogues import extracted, merged, read_catalogue, translated

SPANISH = Path(settings.BASE_DIR) / "locale" / "es" / "LC_MESSAGES" / "django.po"
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%%|%[a-z]")
TAG = re.compile(r"<[^>]+>")
EDGES = re.compile(r"^\s*|\s*$")


def forms(message: Message) -> list[tuple[str, str]]:
    """Each translated form beside the English one it stands for: of a plural, the second for all but the first."""
    english, spanish = _forms(message.id), _forms(message.string)
    return [(english[min(n, len(english) - 1)], form) for n, form in enumerate(spanish)]


def _forms(text: str | Sequence[str] | None) -> list[str]:
    return [text or ""] if text is None or isinstance(text, str) else list(text)


@pytest.fixture(scope="module")
def spanish() -> Catalog:
    return read_catalogue(SPANISH)


@pytest.fixture(scope="module")
def pairs(spanish: Catalog) -> list[tuple[str, str]]:
    return [pair for message in spanish if message.id and translated(message) for pair in forms(message)]


def test_every_message_of_code_and_templates_is_translated(spanish: Catalog) -> None:
    now = merged(extracted(), spanish, language="es")
    assert [message.id for message in now if message.id and not translated(message)] == []


def test_no_message_is_left_that_nothing_uses(spanish: Catalog) -> None:
    used = {(message.id, message.context) for message in extracted()}
    assert [message.id for message in spanish if message.id and (message.id, message.context) not in used] == []
    assert not spanish.obsolete


def test_the_file_names_no_machine_and_no_date() -> None:
    text = SPANISH.read_text()
    assert "POT-Creation-Date" not in text
    assert str(settings.BASE_DIR) not in text


def test_plurals_are_the_spanish_ones(spanish: Catalog) -> None:
    assert spanish.plural_forms == "nplurals=2; plural=(n != 1);"
    assert {len(_forms(message.string)) for message in spanish if not isinstance(message.id, str)} == {2}


def test_placeholders_are_the_same(pairs: list[tuple[str, str]]) -> None:
    assert [
        pair for pair in pairs if Counter(PLACEHOLDER.findall(pair[0])) != Counter(PLACEHOLDER.findall(pair[1]))
    ] == []


def test_markup_is_the_same(pairs: list[tuple[str, str]]) -> None:
    assert [pair for pair in pairs if Counter(TAG.findall(pair[0])) != Counter(TAG.findall(pair[1]))] == []


def test_space_at_the_edges_is_the_same(pairs: list[tuple[str, str]]) -> None:
    assert [pair for pair in pairs if EDGES.findall(pair[0]) != EDGES.findall(pair[1])] == []


def test_questions_and_exclamations_open_as_they_close(pairs: list[tuple[str, str]]) -> None:
    marks = [(text.count("¿"), text.count("?"), text.count("¡"), text.count("!")) for _, text in pairs]
    assert [pair for pair, (a, b, c, d) in zip(pairs, marks, strict=True) if (a, c) != (b, d)] == []
