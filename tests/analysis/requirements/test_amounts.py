"""Numbers that questions name, in both languages, with how rows are held against them."""

import math

from hypothesis import given
from hypothesis import strategies as st

from analysis.requirements.amounts import Amount, amounts_of
from language import LANGUAGES, Language
from tests.each import each

WORDS = [
    "5",
    "10",
    "1.000",
    "1,000.50",
    "1.200,50",
    "-3",
    "20%",
    "3",
    "%",
    "1e5",
    "12345678901234567890",
    "k",
    "mil",
    "millones",
    "between",
    "and",
    "entre",
    "y",
    "from",
    "to",
    "de",
    "a",
    "5-10",
    "over",
    "less",
    "than",
    "más",
    "menos",
    "que",
    "al",
    "menos",
    "or",
    "more",
    "o",
    "más",
    ">",
    ">=",
    "≥",
    "<",
    "!=",
    "€",
    "$",
    "£",
    "percent",
    "por",
    "ciento",
    "twenty",
    "veinte",
    "dos",
    "half",
    "una",
    "docena",
    "mínimo",
    "no",
    "'",
    ".",
    ",",
    "+",
    "--",
    "½",
    "³",
    "٣",
    "İ",
]


def only(text: str, language: Language) -> Amount:
    (amount,) = amounts_of(text, language)
    return amount


@each(
    "language, text, op, value",
    [
        ("en", "over 100", ">", 100),
        ("en", "more than 1,200.50", ">", 1200.5),
        ("en", "older than 18", ">", 18),
        ("en", "exceeds 300", ">", 300),
        ("en", "> 5", ">", 5),
        ("en", "under 18", "<", 18),
        ("en", "fewer than twenty", "<", 20),
        ("en", "cheaper than $50", "<", 50),
        ("en", "<5", "<", 5),
        ("en", "at least 5", ">=", 5),
        ("en", "no less than 10", ">=", 10),
        ("en", "5 or more", ">=", 5),
        ("en", "18 years or older", ">=", 18),
        ("en", "18+", ">=", 18),
        ("en", "greater than or equal to 5", ">=", 5),
        ("en", ">= 5", ">=", 5),
        ("en", "≥5", ">=", 5),
        ("en", "at most two", "<=", 2),
        ("en", "no more than 10", "<=", 10),
        ("en", "10 or fewer", "<=", 10),
        ("en", "100 euros or less", "<=", 100),
        ("en", "less than or equal to 5", "<=", 5),
        ("en", "<= 5", "<=", 5),
        ("en", "other than 5", "!=", 5),
        ("en", "!= 5", "!=", 5),
        ("en", "exactly 5", "=", 5),
        ("en", "top 5", "=", 5),
        ("es", "más de 1.200,50", ">", 1200.5),
        ("es", "más de 5 mil euros", ">", 5000),
        ("es", "más del 20%", ">", 20),
        ("es", "mayores de 18 años", ">", 18),
        ("es", "superior a 100", ">", 100),
        ("es", "superior al 15 por ciento", ">", 15),
        ("es", "por encima de 20", ">", 20),
        ("es", "menos de veinte", "<", 20),
        ("es", "menores de 18", "<", 18),
        ("es", "inferior a 1.000", "<", 1000),
        ("es", "al menos 5", ">=", 5),
        ("es", "como mínimo 5", ">=", 5),
        ("es", "dos o más", ">=", 2),
        ("es", "18 años o más", ">=", 18),
        ("es", "mayor o igual que 5", ">=", 5),
        ("es", "como máximo 5", "<=", 5),
        ("es", "10 o menos", "<=", 10),
        ("es", "menores o iguales a 5", "<=", 5),
        ("es", "distinto de 5", "!=", 5),
        ("es", "igual a 5", "=", 5),
    ],
)
def test_the_words_around_a_number_say_how_it_compares(language: Language, text: str, op: str, value: float) -> None:
    amount = only(text, language)
    assert (amount.op, amount.value, amount.high) == (op, value, None)


@each(
    "language, text, low, high",
    [
        ("en", "between 5 and 10", 5, 10),
        ("en", "from 5 to 10", 5, 10),
        ("en", "between 10 and 5", 5, 10),
        ("en", "between 1,000 and 2,000", 1000, 2000),
        ("en", "between $1,000 and $2,000", 1000, 2000),
        ("en", "between 10% and 20%", 10, 20),
        ("en", "ages 18-25", 18, 25),
        ("en", "between two and five", 2, 5),
        ("es", "entre 5 y 10", 5, 10),
        ("es", "de 5 a 10", 5, 10),
        ("es", "entre 1.000 y 2.000", 1000, 2000),
        ("es", "entre el 10% y el 20%", 10, 20),
        ("es", "entre los 18 y los 25 años", 18, 25),
        ("es", "entre dos y cinco", 2, 5),
    ],
)
def test_the_ends_of_a_range_are_one_amount(language: Language, text: str, low: float, high: float) -> None:
    amount = only(text, language)
    assert (amount.op, amount.value, amount.high) == ("between", low, high)
    assert amount.percent is ("%" in text)


@each(
    "language, text, value",
    [
        ("en", "1,000", 1000),
        ("en", "1.5", 1.5),
        ("en", "1.000", 1),
        ("en", "1.000 €", 1000),
        ("en", "1 000 000", 1e6),
        ("en", "2k", 2000),
        ("en", "2.5 million", 2.5e6),
        ("en", "-5", -5),
        ("en", "0.5", 0.5),
        ("en", "two hundred", 200),
        ("es", "1.000", 1000),
        ("es", "1,5", 1.5),
        ("es", "$1,000", 1000),
        ("es", "1,5 millones", 1.5e6),
        ("es", "5 mil", 5000),
        ("es", "treinta y dos", 32),
        ("es", "dos mil", 2000),
        ("es", "una docena", 12),
        ("es", "1.000.000", 1e6),
    ],
)
def test_numbers_are_read_as_the_language_writes_them(language: Language, text: str, value: float) -> None:
    assert only(text, language).value == value


@each(
    "language, text",
    [("en", "20%"), ("en", "20 %"), ("en", "over 20 percent"), ("en", "twenty percent"), ("es", "el 15 por ciento")],
)
def test_a_percentage_is_marked(language: Language, text: str) -> None:
    assert only(text, language).percent


def test_the_digits_are_told_from_the_words_around_them() -> None:
    text = "who sold more than 20 units"
    amount = only(text, "en")
    assert text[amount.start : amount.end] == "more than 20"
    assert text[amount.number_start : amount.number_end] == "20"


@each("text, count", [("5 and 10", 2), ("more than 5 and less than 10", 2), ("10 to 5", 2), ("no numbers", 0), ("", 0)])
def test_numbers_beside_each_other_stay_apart(text: str, count: int) -> None:
    assert len(amounts_of(text, "en")) == count


@each("text", ["v2.0", "3rd", "1e5", "12345678901234567890", "AB12", "half"])
def test_codes_and_ordinals_are_no_amounts(text: str) -> None:
    assert amounts_of(text, "en") == []


@given(
    st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)),
    st.sampled_from(LANGUAGES),
)
def test_any_text_is_read_and_places_are_its_own(text: str, language: Language) -> None:
    for amount in amounts_of(text, language):
        assert 0 <= amount.start <= amount.number_start < amount.number_end <= len(text)
        assert amount.number_end <= amount.end <= len(text)
        assert math.isfinite(amount.value)
        assert (amount.high is not None) is (amount.op == "between")
        assert amount.high is None or amount.value <= amount.high
