import time
from decimal import Decimal
from typing import Any

import pytest

from lesson_engine.contracts import Ask, Misconception, Reply, VerdictResult
from lesson_engine.grading import Embed, grade
from tests.each import each
from tests.lesson_engine.grading.asks import numeric

ACCEPT, PARTIAL, REJECT = VerdictResult.ACCEPT, VerdictResult.PARTIAL, VerdictResult.REJECT
HALVES = """
0.5
0,5
.5
,5
1/2
50 %
50%
5e-1
½
5·10^-1
5 × 10⁻¹
x = 5/10
la mitad
un medio
+0,50
es 0,5
50 por ciento
2/4
1/4 + 1/4 = 1/2
0,500
half
"""


def result(asked: Ask, text: str, embed: Embed) -> tuple[VerdictResult, str]:
    verdict = grade(asked, Reply(text=text), language="es", embed=embed)
    return verdict.result, verdict.rule


@each("text", HALVES.strip().splitlines())
def test_equal_forms_of_a_half(text: str, embed: Embed) -> None:
    assert result(numeric(Decimal("0.5")), text, embed)[0] is ACCEPT


@each(
    ("value", "text"),
    [
        ("5", "x = 5"),
        ("5", "unos 5"),
        ("5", "cinco"),
        ("3/2", "1 1/2"),
        ("3/2", "1½"),
        ("2001/2", "1.000,5"),
        ("2001/2", "1,000.5"),
        ("1000000", "1 000 000"),
        ("1000000", "1.000.000"),
        ("1000000", "10^6"),
        ("1000", "1.000"),
        ("-3", "−3"),
        ("32", "treinta y dos"),
        ("108", "ciento ocho"),
        ("3/4", "tres cuartos"),
        ("3/4", "tres cuartas partes"),
        ("5", "5, sí, 5"),
        ("3", "18 CO2 : 6 = 3"),
    ],
)
def test_other_equal_forms(value: str, text: str, embed: Embed) -> None:
    exact = value if "/" in value else Decimal(value)
    assert result(numeric(exact), text, embed)[0] is ACCEPT


@each(
    ("text", "expected"),
    [
        ("0,51", "numeric.value"),
        ("5", "numeric.value"),
        ("5, 6, 7, 0,5", "numeric.several"),
        ("0,5 o 0,6", "numeric.several"),
        ("x = 0,5 o x = 3", "numeric.several"),
        ("no es 0,5", "numeric.negated"),
    ],
)
def test_wrong_numbers_are_rejected(text: str, expected: str, embed: Embed) -> None:
    assert result(numeric(Decimal("0.5")), text, embed) == (REJECT, expected)


@pytest.mark.parametrize("text", ["más de 5", "menos de 5", "at least 5", "> 5"])
def test_a_bound_is_partly_right(text: str, embed: Embed) -> None:
    assert result(numeric(Decimal(5)), text, embed) == (PARTIAL, "numeric.bound")


def test_a_rounded_answer_without_tolerance_is_partly_right(embed: Embed) -> None:
    assert result(numeric("1/3"), "0,33", embed) == (PARTIAL, "numeric.rounded")
    assert result(numeric("1/3", tolerance="0.01"), "0,33", embed)[0] is ACCEPT


@each("text", ["mucho", "CO2", "una barbaridad de cosas", "9**9**9", "10^999999999", "1e999999", "5/0"])
def test_no_number_is_the_wrong_form(text: str, embed: Embed) -> None:
    assert result(numeric(Decimal(5)), text, embed) == (VerdictResult.NOT_GRADABLE, "numeric.wrong_form")


@each(
    ("given", "text"),
    [
        ({"value": "5", "unit": "km"}, "5000 m"),
        ({"value": "5", "unit": "km"}, "5.000 metros"),
        ({"value": "5", "unit": "km"}, "5 KM"),
        ({"value": "10", "unit": "m/s"}, "36 km/h"),
        ({"value": "10", "unit": "m/s"}, "10 metros por segundo"),
        ({"value": "10", "unit": "m/s"}, "10 m s^-1"),
        ({"value": "25", "unit": "degC"}, "25 ºC"),
        ({"value": "25", "unit": "degC"}, "25 grados"),
        ({"value": "25", "unit": "degC"}, "298,15 K"),
        ({"value": "25", "unit": "degC"}, "25 grados centígrados"),
        ({"value": "2", "unit": "m**2"}, "2 m²"),
        ({"value": "2", "unit": "m**2"}, "20000 centímetros cuadrados"),
        ({"value": "90", "unit": "minute"}, "1,5 horas"),
        ({"value": "3", "unit": "moléculas"}, "3 moléculas"),
        ({"value": "3", "unit": "moléculas"}, "3 molecules"),
        ({"value": "3", "unit": "moléculas"}, "tres molécula"),
        ({"value": "50", "unit": "%"}, "50 %"),
        ({"value": "50", "unit": "%"}, "0,5"),
        ({"value": "5", "unit": "m"}, "5"),
    ],
)
def test_units_are_converted(given: dict[str, Any], text: str, embed: Embed) -> None:
    assert result(numeric(Decimal(given["value"]), unit=given["unit"]), text, embed)[0] is ACCEPT


@pytest.mark.parametrize(
    ("text", "rule", "problem"),
    [
        ("5", "numeric.unit_missing", "missing"),
        ("5 s", "numeric.unit_wrong", "dimension"),
        ("5 cm", "numeric.unit_wrong", "scale"),
        ("5 manzanas", "numeric.unit_missing", "unknown"),
    ],
)
def test_a_wrong_unit_is_named(text: str, rule: str, problem: str, embed: Embed) -> None:
    verdict = grade(numeric(Decimal(5), unit="m", unit_required=True), Reply(text=text), language="es", embed=embed)
    assert (verdict.result, verdict.rule, verdict.details["unit_problem"]) == (PARTIAL, rule, problem)


def test_a_known_wrong_value_is_its_misconception_however_written(embed: Embed) -> None:
    wrong = Misconception(code="mitad", examples=("la mitad",), feedback="No tan deprisa.")
    asked = numeric("1/4").model_copy(update={"misconceptions": (wrong,)})
    for text in ("1/2", "0,5", "50 %"):
        verdict = grade(asked, Reply(text=text), language="es", embed=embed)
        assert (verdict.misconception, verdict.feedback) == ("mitad", "No tan deprisa.")


@each("text", ["9" * 2000, "1/" * 1000, "2^" * 200 + "2", "m^" * 100, "5 " + "kg*" * 150, "1e5" * 150])
def test_hostile_numbers_do_not_blow_up(text: str, embed: Embed) -> None:
    asked = numeric(Decimal(5), unit="m")
    grade(asked, Reply(text="5 m"), language="es", embed=embed)
    start = time.perf_counter()
    assert grade(asked, Reply(text=text), language="es", embed=embed).result is not ACCEPT
    assert time.perf_counter() - start < 20  # not for ever


@each(
    ("value", "text"),
    [
        ("3/4", "3 out of 4"),
        ("3/4", "3 de cada 4"),
        ("3/4", "3 over 4"),
        ("3/4", "3 sobre 4"),
        ("3/4", r"\frac{3}{4}"),
        ("3/4", "3 quarters"),
        ("5/12", "five twelfths"),
        ("4/7", "4 séptimos"),
        ("7/4", r"1\frac{3}{4}"),
        ("7/5", "1 and 2/5"),
        ("7/5", "1 + 2/5"),
        ("7/5", "one and 2/5"),
        ("7/5", "1 and two fifths"),
        ("7/5", "one and two fifths"),
        ("7/5", "one whole and two fifths"),
        ("7/5", "1 y dos quintos"),
        ("3/2", "one and a half"),
        ("3/2", "1 and a half"),
        ("5/2", "dos y medio"),
        ("5/2", "2 y medio"),
        ("8", "treinta y dos cuartos"),
    ],
)
def test_fractions_spelt_out_and_mixed_numbers(value: str, text: str, embed: Embed) -> None:
    exact = value if "/" in value else Decimal(value)
    assert result(numeric(exact), text, embed)[0] is ACCEPT


@each("text", ["2 and 7/5", "2 and 3", "2 o 1/2", "1/4 and 3/4", "3/4 or 4/3"])
def test_two_numbers_are_no_mixed_number(text: str, embed: Embed) -> None:
    assert result(numeric("17/5"), text, embed) == (REJECT, "numeric.several")


@pytest.mark.parametrize("text", ["6 quarter litres", "6 medianas"])
def test_counted_things_are_no_fractions(text: str, embed: Embed) -> None:
    assert result(numeric(Decimal(6)), text, embed)[0] is ACCEPT


@pytest.mark.parametrize(
    "text",
    [
        "5/12, because 1/4 = 3/12 and 1/6 = 2/12",
        "5/12 porque 3/12 + 2/12 = 5/12",
        "1/4 is 3/12 and 1/6 is 2/12, so 5/12",
        "3/12 + 2/12 is 5/12",
    ],
)
def test_a_number_stands_beside_its_reasons(text: str, embed: Embed) -> None:
    assert result(numeric("5/12"), text, embed)[0] is ACCEPT


@each("text", ["1 m 75 cm", "1 metro y 75 cm", "1.75 m", "7/4 of a metre", "175 cm or 1.75 m"])
def test_a_length_in_two_units_is_one_length(text: str, embed: Embed) -> None:
    assert result(numeric("7/4", unit="m", unit_required=True), text, embed)[0] is ACCEPT


@pytest.mark.parametrize("text", ["1 m 175 cm", "1 m or 75 cm", "1 m 0.75 m", "1 m 75 s"])
def test_two_lengths_are_two(text: str, embed: Embed) -> None:
    assert result(numeric("7/4", unit="m"), text, embed)[0] is REJECT


def test_the_same_share_twice_is_one_answer(embed: Embed) -> None:
    assert result(numeric(Decimal(40), unit="%"), "0.4 or 40%", embed)[0] is ACCEPT
    assert result(numeric(Decimal(40), unit="%"), "0.4 or 4%", embed)[0] is REJECT
