"""Equal forms in lists, procedures, choices and exact definitions, in both languages (issue 4, strict kinds)."""

from typing import Any

import pytest

from lesson_engine.contracts import Ask, Reply, Verdict, VerdictResult
from lesson_engine.grading import Embed, grade
from tests.each import each
from tests.lesson_engine.grading.asks import ask

ACCEPT, REJECT, NOT_GRADABLE = VerdictResult.ACCEPT, VerdictResult.REJECT, VerdictResult.NOT_GRADABLE
NUMBERS = ask({"kind": "list", "items": [["0,5"], ["2/3"], ["10"]]}, "¿Cuáles?")
VALUES = ask({"kind": "list", "items": [["500 mA"], ["6 V"], ["10 m/s"]]}, "¿Cuáles?")
EVEN = ask({"kind": "list", "items": [["2"], ["4"]]}, "¿Cuáles?")
SIXTHS = ask({"kind": "list", "items": [["4/6", "four over six"], ["6/9"]]}, "¿Cuáles?")
RISING = ask({"kind": "procedure", "steps": [["1/4"], ["0,5"], ["75 %"], ["1"]]}, "¿En qué orden?")


def choice(*texts: str) -> Ask:
    """The first one is right; codes are w0, w1 ..."""
    choices = [{"code": f"w{at}", "text": text, "correct": at == 0} for at, text in enumerate(texts)]
    return ask({"kind": "choice", "choices": choices})


def graded(asked: Ask, text: str, embed: Embed, language: str = "es", **more: Any) -> Verdict:
    return grade(asked, Reply(text=text), language=language, embed=embed, **more)


@each("language", ["es", "en"])
@each(
    "text",
    [
        "0.5, 2/3, 10",
        "10; 4/6; 1/2",
        "50 %, 2/3, diez",
        "½, 2/3, 1e1",
        "0,5 2/3 10",
        "0.5,2/3,10",
        "10\n2/3\n0,5",
        "- 0,5\n- 2/3\n- 10",
        "1. 0,5\n2. 2/3\n3. 10",
        "un medio, dos tercios, diez",
        "x = 0,5; y = 2/3; z = 10",
        "5e-1, 2/3, 10^1",
    ],
)
def test_numbers_are_items_in_any_form_and_order(text: str, language: str, embed: Embed) -> None:
    assert graded(NUMBERS, text, embed, language).result is ACCEPT


@each("text", ["5, 2/3, 10", "-0,5, 2/3, 10", "0,5, 3/2, 10", "0.05, 2/3, 10", "0,5, 2/3, 10, 7", "1"])
def test_other_numbers_are_no_items(text: str, embed: Embed) -> None:
    assert graded(NUMBERS, text, embed).result is not ACCEPT


@each(
    "text",
    [
        "0,5 A, 6 V, 36 km/h",
        "6 voltios; 10 metros por segundo; 0.5 amperios",
        "I = 0,5 A, V = 6 V, v = 10 m/s",
        "0.5A,6V,10m/s",
        "6000 mV y 500 mA y 10 m/s",
    ],
)
def test_items_with_units_are_converted(text: str, embed: Embed) -> None:
    assert graded(VALUES, text, embed).result is ACCEPT


@pytest.mark.parametrize("text", ["500 A, 6 V, 10 m/s", "500 MA, 6 V, 10 m/s", "500, 6, 10", "500 mA, 6 mV, 10 m"])
def test_items_with_another_unit_are_others(text: str, embed: Embed) -> None:
    assert graded(VALUES, text, embed).result is not ACCEPT


@each(("text", "right"), [("2,4", True), ("4,2", True), ("2, 4", True), ("2.4", False), ("2,5", False)])
def test_a_comma_parts_whole_numbers_that_are_items(text: str, right: bool, embed: Embed) -> None:
    assert (graded(EVEN, text, embed).result is ACCEPT) is right


@pytest.mark.parametrize("text", ["4/6, 6/9", "4 / 6 y 6 / 9", "6/9; four over six"])
def test_where_the_form_is_the_point_it_is_what_counts(text: str, embed: Embed) -> None:
    assert graded(SIXTHS, text, embed).result is ACCEPT


@pytest.mark.parametrize("text", ["8/12, 6/9", "0.666..., 6/9", "2/3, 4/6", "4/6, 4/6"])
def test_an_equal_value_is_no_item_where_the_form_is_the_point(text: str, embed: Embed) -> None:
    assert graded(SIXTHS, text, embed).result is not ACCEPT


def test_the_number_of_the_question_is_not_its_answer_in_other_words(embed: Embed) -> None:
    asked = ask({"kind": "list", "items": [["2/3"]]}, "Simplifica $\\frac{4}{6}$")
    assert graded(asked, "2/3", embed).result is ACCEPT
    assert graded(asked, "4/6", embed).result is not ACCEPT


@each("language", ["es", "en"])
@each(
    "text",
    [
        "0.25, 1/2, 3/4, 1",
        "25 % < 50 % < 75 % < 100 %",
        "0.25<0.5<0.75<1",
        "1/4 -> 1/2 -> 0.75 -> 1",
        "un cuarto, un medio, tres cuartos, uno",
        "1/4; 1/2; 0,75; 1",
    ],
)
def test_numbers_are_steps_in_any_form(text: str, language: str, embed: Embed) -> None:
    assert graded(RISING, text, embed, language).details["order"] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "text", ["1, 0.75, 0.5, 0.25", "-1/4, 0.5, 0.75, 1", "0.25, 0.05, 0.75, 1", "0.25, 2/1, 3/4, 1"]
)
def test_other_numbers_are_no_steps(text: str, embed: Embed) -> None:
    assert graded(RISING, text, embed).result is not ACCEPT


@each("language", ["es", "en"])
@each(
    ("text", "picked"),
    [
        ("0.5", "w0"),
        ("1/2", "w0"),
        ("50 %", "w0"),
        ("x = 0,5", "w0"),
        ("la mitad", "w0"),
        ("-0.5", "w1"),
        ("−1/2", "w1"),
        ("5", "w2"),
        ("5,0", "w2"),
        ("2", "w3"),
        ("w1)", "w1"),
        ("1/3", None),
        ("0,5 o 5", None),
    ],
)
def test_a_choice_is_named_by_its_value(text: str, picked: str | None, language: str, embed: Embed) -> None:
    verdict = graded(choice("0,5", "-0,5", "5", "2/1"), text, embed, language)
    assert verdict.details.get("choice") == picked


@each(
    ("text", "picked"),
    [("5 mW", "w0"), ("5 MW", "w1"), ("0,005 W", "w0"), ("5000 kW", "w1"), ("5 mw", None), ("5 kW", None)],
)
def test_choices_that_differ_in_capitals_are_told_apart(text: str, picked: str | None, embed: Embed) -> None:
    assert graded(choice("5 mW", "5 MW"), text, embed).details.get("choice") == picked


@each(
    ("text", "picked"),
    [
        ("fotosintesís", "w0"),
        ("La fotosintesi.", "w0"),
        ("exotremica", "w1"),
        ("endotermca", "w2"),
        ("exotérmico", "w1"),
        ("reacción", None),
    ],
)
def test_a_choice_may_be_misspelt(text: str, picked: str | None, embed: Embed) -> None:
    assert graded(choice("La fotosíntesis", "Exotérmica", "Endotérmica"), text, embed).details.get("choice") == picked


@each("kind", ["open", "definition"])
@each(
    ("accepted", "text", "right"),
    [
        ("0,5", "0.5", True),
        ("0,5", "1/2", True),
        ("0,5", "5", False),
        ("0,5", "-0,5", False),
        ("1/5", "1.5", False),
        ("1/5", "1 5", False),
        ("10^3", "10³", True),
        ("10^3", "103", False),
        ("fotosíntesis", "la fotosintesís", True),
    ],
)
def test_an_exact_form_is_exact(accepted: str, text: str, right: bool, kind: str, embed: Embed) -> None:
    term = {"term": "eso"} if kind == "definition" else {}
    verdict = graded(ask({"kind": kind, "accepted": [accepted], **term}), text, embed)
    assert (verdict.rule == f"{kind}.exact") is right
