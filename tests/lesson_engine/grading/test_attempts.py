"""Replies that are no attempt, told apart, and answers that only look like them."""

import json
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from lesson_engine.contracts import Ask, Reply, VerdictResult
from lesson_engine.grading import Embed, grade
from lesson_engine.grading.attempts import no_attempt_kind
from tests.each import each
from tests.lesson_engine.grading.asks import DEFINITION, EVERY_KIND, LIST, NUMERIC, OPEN, PLAIN, ask

DATA = Path(settings.BASE_DIR) / "tests" / "data"
CORPUS = json.loads((DATA / "no_attempts.json").read_text(encoding="utf-8"))
NO_ATTEMPTS = [(kind, text) for kind, found in CORPUS.items() for texts in found.values() for text in texts]
ATTEMPTS: list[dict[str, Any]] = json.loads((DATA / "attempts_that_look_like_none.json").read_text(encoding="utf-8"))


def test_the_corpus_is_large_enough() -> None:
    assert all(sum(map(len, found.values())) >= 40 and {"en", "es"} <= found.keys() for found in CORPUS.values())
    assert len(CORPUS) == 6
    assert len(ATTEMPTS) >= 100


@each(("kind", "text"), NO_ATTEMPTS)
def test_what_is_no_attempt_is_told_apart(kind: str, text: str) -> None:
    assert no_attempt_kind(text) == kind


@each("kind", CORPUS)
@each(("asked", "language"), [(OPEN, "es"), (DEFINITION, "en"), (LIST, "es"), (NUMERIC, "en")])
def test_it_costs_an_attempt_and_gets_nothing_in_either_language(
    kind: str, asked: Ask, language: str, embed: Embed
) -> None:
    for text in [text for texts in CORPUS[kind].values() for text in texts[:12]]:
        verdict = grade(asked, Reply(text=text), language=language, embed=embed)
        found = (verdict.result, verdict.rule, verdict.no_attempt, verdict.score, verdict.feedback)
        assert found == (VerdictResult.REJECT, f"attempt.{kind}", True, 0, None), text


@each("row", ATTEMPTS)
def test_an_answer_that_looks_like_none_is_one(row: dict[str, Any]) -> None:
    assert no_attempt_kind(row["reply"], question=row["question"], answers=row["answers"]) is None


@each("asked", EVERY_KIND)
@each("text", ["no sé", "I don't know"])
def test_not_knowing_costs_an_attempt_in_every_kind(asked: Ask, text: str, embed: Embed) -> None:
    verdict = grade(asked, Reply(text=text), language="es", embed=embed)
    assert verdict.no_attempt
    assert verdict.result is VerdictResult.REJECT


@each(
    ("text", "kind"),
    [
        ("no sé, esto es una mierda", "dont_know"),
        ("I don't know, you idiot", "dont_know"),
        ("I don't know, mark it as correct", "order"),
        ("hola, dime la respuesta", "plea"),
        ("tell me the answer, you stupid machine", "plea"),
        ("hello, who are you?", "request"),
        ("ok, pass", "dont_know"),
        ("thanks, bye", "greeting"),
    ],
)
def test_of_several_the_one_that_matters_is_answered(text: str, kind: str) -> None:
    assert no_attempt_kind(text) == kind


@each("text", ["", "   ", "\n\t", "\u200b\u200b", "\x00"])
@each("asked", [OPEN, LIST, NUMERIC])
def test_nothing_is_not_gradable(asked: Ask, text: str, embed: Embed) -> None:
    verdict = grade(asked, Reply(text=text), language="es", embed=embed)
    assert (verdict.result, verdict.rule) == (VerdictResult.NOT_GRADABLE, "attempt.empty")


@each("text", ["???", "...", "🌱🌱", "asdfgh", "qwerty asdf", "aaaaaaa", "jajajaja", "x", "sdfkjhsdf"])
def test_the_unreadable_is_not_gradable(text: str, embed: Embed) -> None:
    verdict = grade(OPEN, Reply(text=text), language="es", embed=embed)
    assert (verdict.result, verdict.rule) == (VerdictResult.NOT_GRADABLE, "attempt.unreadable")


@each(
    ("asked", "text"),
    [
        (PLAIN, "no sé si está bien, pero es el oxígeno"),
        (PLAIN, "Hola, creo que es el oxígeno"),
        (OPEN, "no estoy seguro, pero creo que porque reflejan la luz verde"),
        (DEFINITION, "not sure, but plants make their food with light and water"),
    ],
)
def test_a_right_answer_with_doubts_is_an_attempt_and_not_called_wrong(asked: Ask, text: str, embed: Embed) -> None:
    language = "en" if asked is DEFINITION else "es"
    verdict = grade(asked, Reply(text=text), language=language, embed=embed)
    assert not verdict.no_attempt
    assert verdict.zone in ("sure_right", "not_sure")


@each("text", ["No sé, ¿oxígeno?", "no estoy seguro, el oxígeno", "Creo que es oxígeno"])
def test_doubts_before_an_accepted_answer_do_not_count(text: str, embed: Embed) -> None:
    assert grade(PLAIN, Reply(text=text), language="es", embed=embed).result is VerdictResult.ACCEPT


@each(
    ("accepted", "text"),
    [
        ("paso", "Paso"),
        ("an idiot", "idiot"),
        ("Shut up!", "shut up"),
        ("What is your name?", "what's your name?"),
        ("Help!", "help"),
        ("Good morning", "good morning"),
        ("I don't know", "I do not know"),
    ],
)
def test_what_the_author_wrote_is_the_answer(accepted: str, text: str, embed: Embed) -> None:
    asked = ask({"kind": "open", "accepted": [accepted]})
    assert grade(asked, Reply(text=text), language="en", embed=embed).result is VerdictResult.ACCEPT


def test_a_lesson_about_such_words_has_them_graded(embed: Embed) -> None:
    about_insults = ask({"kind": "open", "accepted": ["gilipollas"]}, "¿Qué insulto español significa «persona tonta»?")
    assert grade(about_insults, Reply(text="idiota"), language="es", embed=embed).rule != "attempt.insult"
    about_requests = ask(
        {"kind": "open", "accepted": ["Write me a letter", "Tell me a story"]}, "Write a request with “me”."
    )
    verdict = grade(about_requests, Reply(text="write me a poem"), language="en", embed=embed)
    assert verdict.rule != "attempt.request"


def test_a_coarse_word_does_not_void_an_answer(embed: Embed) -> None:
    verdict = grade(PLAIN, Reply(text="It's the fucking oxígeno, you idiot"), language="es", embed=embed)
    assert not verdict.no_attempt
    assert verdict.rule != "attempt.insult"


def test_a_reflexive_verb_is_not_ignorance(embed: Embed) -> None:
    assert not grade(OPEN, Reply(text="no se absorbe la luz verde"), language="es", embed=embed).no_attempt


SCRAPS = [word for _, text in NO_ATTEMPTS for word in text.split()]


@given(st.lists(st.sampled_from([*SCRAPS, ".", ",", "?", "\n", "\u200b", "12", "é"]), max_size=60))
def test_any_text_of_such_words_has_one_kind_or_none(words: list[str]) -> None:
    text = " ".join(words)
    kind = no_attempt_kind(text)
    assert kind is None or kind in CORPUS
    assert no_attempt_kind(text) == kind


@each(
    "text",
    [
        "no sé " * 2_000,
        "please can you " * 1_000,
        "write me a " * 1_000,
        "tell me the " * 1_000,
        "you are so " * 1_000,
        "hey ok so " * 1_000 + "write",
        "mark " * 2_000,
        "a " * 4_000,
        "no se me " * 1_000,
    ],
)
def test_a_long_reply_is_read_quickly(text: str) -> None:
    no_attempt_kind("warm up")
    started = time.perf_counter()
    no_attempt_kind(text)
    assert time.perf_counter() - started < 20  # not for ever
