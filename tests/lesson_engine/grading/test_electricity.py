"""Electrical units as learners type them, and numbers that come with their working."""

from decimal import Decimal
from fractions import Fraction

import pytest

from lesson_engine.contracts import Ask, Misconception, Reply, VerdictResult
from lesson_engine.grading import Embed, grade
from lesson_engine.grading.units import Unit, convert, read_unit
from tests.each import each
from tests.lesson_engine.grading.asks import ask, numeric

ACCEPT, PARTIAL, REJECT = VerdictResult.ACCEPT, VerdictResult.PARTIAL, VerdictResult.REJECT
AMPERE, OHM, WATT, VOLT = (Unit(factors=((name, 1),)) for name in ("ampere", "ohm", "watt", "volt"))
CURRENT = numeric(
    Decimal("0.25"), "A resistor of 24 Ω at a battery of 6 V: what current?", unit="A", unit_required=True
)
SHARE = numeric(Decimal(3), "Two equal resistors share 6.0 V. What has one?", unit="V", unit_required=True)
PROPORTIONAL = ask(
    {
        "kind": "open",
        "accepted": ["When the voltage doubles, the current doubles too."],
        "keyword_groups": [["doubles", "proportional", "double"]],
    },
    "What is the rule?",
    misconceptions=[
        {"code": "inverse", "examples": ["When the voltage doubles, the current halves"], "feedback": "Look again."}
    ],
)


@each("language", ["en", "es"])
@each(
    ("typed", "target", "value"),
    [
        ("A", AMPERE, "1"),
        ("amps", AMPERE, "1"),
        ("Amps.", AMPERE, "1"),
        ("a", AMPERE, "1"),
        ("ma", AMPERE, "0.001"),
        ("mA", AMPERE, "0.001"),
        ("milliamps", AMPERE, "0.001"),
        ("miliamperios", AMPERE, "0.001"),
        ("mili amperios", AMPERE, "0.001"),
        ("of an amp", AMPERE, "1"),
        ("de amperio", AMPERE, "1"),
        ("parte de un amperio", AMPERE, "1"),
        ("Ω", OHM, "1"),
        ("ohm", OHM, "1"),
        ("ohmios", OHM, "1"),
        ("kΩ", OHM, "1000"),
        ("KΩ", OHM, "1000"),
        ("k ohm", OHM, "1000"),
        ("kilohms", OHM, "1000"),
        ("kiloohmios", OHM, "1000"),
        ("w", WATT, "1"),
        ("kw", WATT, "1000"),
        ("watios", WATT, "1"),
        ("kilovatios", WATT, "1000"),
        ("v", VOLT, "1"),
        ("milivoltios", VOLT, "0.001"),
    ],
)
def test_a_unit_is_read_as_it_is_typed(typed: str, target: Unit, value: str, language: str) -> None:
    unit = read_unit(f" {typed}", language)
    assert unit is not None
    assert convert(Fraction(1), unit, target) == Fraction(value)


def test_capitals_that_make_another_unit_do_so() -> None:
    for typed in ("Ma", "MA", "MW"):  # a million years, of amperes, of watts
        unit = read_unit(typed, "en")
        assert unit is not None
        assert all(convert(Fraction(1), unit, small) != Fraction(1, 1000) for small in (AMPERE, WATT))
    assert read_unit(" a 7", "es") is None


def result(asked: Ask, text: str, embed: Embed, language: str = "en") -> VerdictResult:
    return grade(asked, Reply(text=text), language=language, embed=embed).result


@each(
    "text",
    [
        "0.25 A, because 6 V are divided by 24 ohms",
        "It is 0.25 A because 6 divided by 24",
        "V = 6 and R = 24 so I = 0.25 A",
        "V = 6 y R = 24, así que I = 0,25 A",
        "250 mA or 0.25 A",
        "250 mA, since 6/24 = 0.25",
        "6 V / 24 Ω = 250 mA",
    ],
)
def test_the_working_beside_an_answer_is_not_another_answer(text: str, embed: Embed) -> None:
    assert result(CURRENT, text, embed) is ACCEPT


@pytest.mark.parametrize("text", ["half of 6, so 3 V", "la mitad de 6, o sea 3 V", "3 V because they share the 6 V"])
def test_the_answer_is_what_is_stated_and_not_its_reason(text: str, embed: Embed) -> None:
    assert result(SHARE, text, embed) is ACCEPT


@pytest.mark.parametrize("text", ["0.25 A or 4 A", "0.25 A or 6", "4 A, because it is not 0.25 A", "0.25 A, 4 A, 6 A"])
def test_several_answers_are_none(text: str, embed: Embed) -> None:
    assert result(CURRENT, text, embed) is REJECT


@pytest.mark.parametrize("text", ["6 V because 3 V and 3 V make 6 V", "3 V or 6 V", "3 V, 6 V"])
def test_a_reason_does_not_stand_in_for_a_wrong_answer(text: str, embed: Embed) -> None:
    assert result(SHARE, text, embed) is REJECT


def test_a_known_wrong_value_is_recognised_beside_its_working(embed: Embed) -> None:
    wrong = Misconception(code="upside_down", examples=("4 A",), feedback="The wrong way up.")
    asked = CURRENT.model_copy(update={"misconceptions": (wrong,)})
    verdict = grade(asked, Reply(text="4 A, because 24 Ω / 6 V"), language="en", embed=embed)
    assert verdict.misconception == "upside_down"


@pytest.mark.parametrize(
    "text", ["If the voltage doubles, the current halves", "When the voltage doubles then the current halves"]
)
def test_a_near_copy_of_a_wrong_idea_is_never_right(text: str, embed: Embed) -> None:
    verdict = grade(PROPORTIONAL, Reply(text=text), language="en", embed=embed)
    assert verdict.zone in ("sure_wrong", "not_sure")
    assert verdict.misconception in (None, "inverse")


@pytest.mark.parametrize(
    "text", ["If you double the voltage the current doubles as well", "Double the voltage, more or less double current"]
)
def test_a_right_answer_near_a_wrong_idea_is_never_that_idea(text: str, embed: Embed) -> None:
    verdict = grade(PROPORTIONAL, Reply(text=text), language="en", embed=embed)
    assert verdict.zone in ("sure_right", "not_sure")
    assert verdict.misconception is None


def test_whats_the_answer_is_a_plea(embed: Embed) -> None:
    for text in ("whats the answer", "no sé hacerlo"):
        assert grade(CURRENT, Reply(text=text), language="en", embed=embed).no_attempt
