from decimal import Decimal
from fractions import Fraction

import pytest

from language.number_words import cardinal_at, part_of, worded
from language.numbers import number_read, number_readings, number_text, plain_number


@pytest.mark.parametrize(
    ("text", "language", "money", "number"),
    [
        ("1.200", "es", False, "1200"),
        ("1.200", "en", False, "1.2"),
        ("1.200", "en", True, "1200"),
        ("1,200.50", "en", False, "1200.5"),
        ("1.200,50", "es", False, "1200.5"),
        ("1.200,50", "en", False, "1200.5"),
        ("1'200", "en", False, "1200"),
        ("0.125", "es", True, "0.125"),
        ("1.2.3", "en", False, None),
        ("12.34.567", "en", False, None),
        ("1234567890123456789", "en", False, None),
        ("", "en", False, None),
        ("3/4", "en", False, None),
        ("2²", "en", False, None),
        (".5", "en", False, "0.5"),
        ("2.5e3", "en", False, "2500"),
    ],
)
def test_digits_with_separators(text: str, language: str, money: bool, number: str | None) -> None:
    assert number_read(text, language, money=money) == (None if number is None else Decimal(number))


def test_what_may_be_read_in_two_ways_has_both_readings() -> None:
    assert number_readings("1.000") == (Fraction(1), Fraction(1000))
    assert number_readings("1.000,5") == (Fraction("1000.5"),)
    assert number_readings("0.125") == (Fraction(1, 8),)
    assert number_readings("1.2.3") == ()
    assert number_readings(",5") == (Fraction(1, 2),)


def test_numbers_are_shown_without_needless_decimals() -> None:
    assert [plain_number(Decimal("7.0")), plain_number(Decimal("7.5"))] == [7, 7.5]
    assert [number_text(7.0), number_text(7.5), number_text(1 / 3)] == ["7", "7.5", "0.333333"]


IN_WORDS = {
    "tres cuartos": "3/4",
    "veintiún mil": "21000",
    "treinta y dos": "32",
    "dos y medio": "5/2",
    "mil doscientos": "1200",
    "un millón y medio": "1500000",
    "cero coma cinco": "1/2",
    "ciento veintitrés": "123",
    "un tercio": "1/3",
    "una docena": "12",
    "dos millones trescientos mil": "2300000",
    "three quarters": "3/4",
    "twenty-one thousand": "21000",
    "two and a half": "5/2",
    "one hundred and twenty-three": "123",
    "half a million": "500000",
    "two dozen": "24",
    "three point one four": "157/50",
    "three out of four": "3/4",
}


@pytest.mark.parametrize(("text", "value"), IN_WORDS.items())
def test_numbers_in_words(text: str, value: str) -> None:
    assert [number.value for number in worded(text)] == [Fraction(value)]


def test_numbers_in_words_stand_in_their_places() -> None:
    text = "between -five and twenty % of it"
    first, second = worded(text)
    assert (first.value, text[first.start : first.end], first.percent) == (Fraction(-5), "five", False)
    assert (second.value, text[second.start : second.end], second.percent) == (Fraction(20), "twenty", True)
    assert worded("one of them is it") == []


def test_slips_are_corrected_in_short_texts_only() -> None:
    corrected = {"trenta": "treinta"}
    assert [number.value for number in worded("trenta", respell=lambda word: corrected.get(word, word))] == [30]
    assert worded("la trenta es una cosa aqui", respell=lambda word: corrected.get(word, word)) == []


def test_a_whole_number_among_words() -> None:
    assert cardinal_at(["de", "treinta", "y", "cinco", "noches"], 1) == (Fraction(35), 3)
    assert cardinal_at(["one", "hundred", "and", "fifty"]) == (Fraction(150), 4)
    assert cardinal_at(["two", "three"]) == (Fraction(2), 1)
    assert cardinal_at(["hotel"]) == (Fraction(0), 0)


def test_denominators() -> None:
    assert [part_of("Quarters"), part_of("décimo"), part_of("hotel")] == [4, 10, None]
