"""Texts of an ASK that the grader could not use are refused; those that only look like it are not."""

import time
from typing import Any

import pytest

from tests.each import each
from tests.lesson_engine.lesson_file.build import Json, ask, lesson, read
from tests.lesson_engine.lesson_file.test_lesson_faults import CHOICES, S0, answer, faults


@each(
    ("kind", "fields", "place"),
    [
        ("open", {"accepted": ["carbon", "¡¿...?!"]}, "accepted[1]"),
        ("open", {"accepted": ["carbon"], "keyword_groups": [["gas"], ["air", "—"]]}, "keyword_groups[1][1]"),
        ("definition", {"term": "t", "accepted": ["🌱"]}, "accepted[0]"),
        ("list", {"items": [["water"], ["light", "_"]]}, "items[1][1]"),
        ("procedure", {"steps": [["->"], ["light"]]}, "steps[0][0]"),
    ],
)
def test_a_text_without_letters_and_digits_is_refused(kind: str, fields: Json, place: str) -> None:
    assert "no letter and no digit" in faults(answer(kind, **fields))[f"{S0}.answer.{place}"]


def wrong(*examples: str, **changes: Any) -> Json:
    return lesson([ask(misconceptions=[{"code": "m", "examples": examples, "feedback": "f"}], **changes)])


def test_an_example_without_letters_and_digits_is_refused() -> None:
    assert "no letter and no digit" in faults(wrong("soil", "?!"))[f"{S0}.misconceptions[0].examples[1]"]


ITEMS = {"kind": "list", "items": [["water"], ["light", "sun"], ["salt and pepper"]]}
STEPS = {"kind": "procedure", "steps": [["catch light", "light"], ["make sugar", "sugar"]]}
NUMBER = {"kind": "numeric", "value": 6, "tolerance": "0.5", "unit": "kg"}
RIGHT: list[tuple[Json, str]] = [
    ({"kind": "open", "accepted": ["CO2", "carbon dioxide"]}, "The Carbon-dioxide!"),
    ({"kind": "definition", "term": "t", "accepted": ["Carbón"]}, "carbon"),
    (ITEMS, "Water, the sun; salt and pepper"),
    (ITEMS, "salt and pepper\nwater and light"),
    ({**ITEMS, "required": 1}, "Sun"),
    (STEPS, "Light, sugar."),
    (NUMBER, "6.2"),
    (NUMBER, "6000 g"),
    ({"kind": "choice", "choices": CHOICES}, "a."),
]


@each(("given", "example"), RIGHT)
def test_a_misconception_that_is_an_accepted_answer_is_refused(given: Json, example: str) -> None:
    found = faults(wrong("soil", example, answer=given))
    assert list(found) == [f"{S0}.misconceptions[0].examples[1]"]
    assert "accepted answer" in found[f"{S0}.misconceptions[0].examples[1]"]


@each(
    ("given", "example"),
    [
        ({"kind": "open", "accepted": ["carbon dioxide"]}, "carbon"),
        ({"kind": "open", "accepted": ["carbon dioxide"]}, "no carbon dioxide"),
        (ITEMS, "water"),
        (ITEMS, "water, sun, salt and pepper, soil"),
        (STEPS, "sugar, light"),
        (NUMBER, "7 kg"),
        ({"kind": "choice", "choices": CHOICES}, "b"),
        ({"kind": "multi_choice", "choices": CHOICES}, "b"),
    ],
)
def test_a_misconception_that_is_only_near_an_accepted_answer_is_none_of_them(given: Json, example: str) -> None:
    read(wrong(example, answer=given))


def test_another_ask_may_accept_what_is_a_misconception_here() -> None:
    value = wrong("soil")
    value["moments"][0]["steps"].append(ask("a2", answer={"kind": "open", "accepted": ["soil"]}))
    read(value)


@pytest.mark.parametrize("kind", ["choice", "multi_choice"])
def test_two_choices_with_the_same_text_are_refused(kind: str) -> None:
    choices = [*CHOICES, {"code": "c", "text": "Carbón  activo"}, {"code": "d", "text": "Carbo\u0301n activo"}]
    found = faults(answer(kind, choices=choices))
    assert found == {f"{S0}.answer.choices[3].text": "the choice 'c' has the same text"}


@each("texts", [("3", "-3"), ("mW", "MW"), ("+", "-"), ("$a<b$", "$a>b$"), ("el agua", "agua")])
def test_choices_that_look_different_are_different(texts: tuple[str, str]) -> None:
    first, second = texts
    read(answer("choice", choices=[{"code": "a", "text": first, "correct": True}, {"code": "b", "text": second}]))


@pytest.mark.hard
def test_a_flood_of_examples_is_judged_in_seconds() -> None:
    many = [{"code": f"m{n}", "examples": [f"thing {n} {e}" for e in range(100)], "feedback": "f"} for n in range(50)]
    groups = [[f"item {n} {s}" for s in range(100)] for n in range(30)]
    started = time.perf_counter()
    for given in ({"kind": "list", "items": groups}, {"kind": "procedure", "steps": groups}, NUMBER | {"value": 500}):
        read(lesson([ask(answer=given, misconceptions=many)]))
    assert time.perf_counter() - started < 60
