import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from language import Language, language_base
from language.detect import language_of
from language.frequency import frequencies

DATA = Path(__file__).parents[1] / "data"


def _labelled() -> Iterator[tuple[str, Language]]:
    for name in ("near_misses", "paraphrases"):
        for line in (DATA / "plans" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["language"] in ("en", "es"):
                yield row["cached"], row["language"]
    for topic in json.loads((DATA / "topic_replies.json").read_text(encoding="utf-8"))["topics"]:
        yield from ((reply, topic["language"]) for reply in topic["replies"])


def test_short_texts_of_the_corpora() -> None:
    assert [(text, language) for text, language in _labelled() if language_of(text) != language] == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("tiene piscina", "es"),
        ("dos hembras saltan", "es"),
        ("Presta 100 euros a Luis", "es"),
        ("ni idea", "es"),
        ("higher temperature means higher resistance", "en"),
        ("manager approves", "en"),
        ("No, it's 40", "en"),
        ("South African icon Nelson Mandela hospitalized", "en"),
    ],
)
def test_a_few_words_are_enough(text: str, language: str) -> None:
    assert language_of(text) == language
    assert language_of(text.upper(), otherwise="en" if language == "es" else "es") == language


@pytest.mark.parametrize("text", ["", "2026", "??", "xqzt", "no", "2 km"])
def test_where_nothing_speaks_for_either_it_is_the_other(text: str) -> None:
    assert [language_of(text), language_of(text, otherwise="es")] == ["en", "es"]


def test_codes() -> None:
    assert [language_base(code) for code in ("es-MX", "ES", "en-GB", "fr", "")] == ["es", "es", "en", "en", "en"]


def test_common_words_are_listed() -> None:
    assert frequencies("en")["the"] > frequencies("en")["hotel"] > 0 == frequencies("en").get("xqzt", 0)
