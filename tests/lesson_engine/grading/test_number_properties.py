"""Numbers written in many ways are read as the same value; worded ones by a speller of the test's own."""

import time
from decimal import Decimal
from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from lesson_engine.grading.normalise import tokens
from lesson_engine.grading.numbers import Number, find_numbers, prepare, token_values
from lesson_engine.grading.quantities import quantities
from lesson_engine.grading.units import convert, read_unit
from tests.each import each

DECIMALS = st.decimals(Decimal("-999999.999"), Decimal("999999.999"), places=4).map(lambda value: value.normalize())
SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
MINUSES = st.sampled_from("-−–‐‑")
AROUND = st.sampled_from(
    (
        "{}",
        "x = {}",
        "x={}",
        "= {}",
        "x is {}",
        "x es {}",
        "({})",
        "{}.",
        "**{}**",
        "${}$",
        "la respuesta es {}",
        "it's {}",
    )
)


def words(text: str) -> list[str]:
    return text.split()


EN_ONES = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
EN_TENS = words("- - twenty thirty forty fifty sixty seventy eighty ninety")
ES_ONES = words(
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete "
    "veintiocho veintinueve"
)
ES_TENS = words("- - - treinta cuarenta cincuenta sesenta setenta ochenta noventa")
ES_HUNDREDS = words(
    "- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos"
)


def english(value: int) -> str:
    """As British schools write it."""
    if value < 20:
        return EN_ONES[value]
    if value < 100:
        return EN_TENS[value // 10] + (f"-{EN_ONES[value % 10]}" if value % 10 else "")
    for scale, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if value >= scale:
            count, rest = divmod(value, scale)
            joint = " and " if 0 < rest < 100 else " "
            return f"{english(count)} {name}" + (joint + english(rest) if rest else "")
    raise AssertionError


def spanish(value: int) -> str:
    if value < 30:
        return ES_ONES[value]
    if value < 100:
        return ES_TENS[value // 10] + (f" y {ES_ONES[value % 10]}" if value % 10 else "")
    if value == 100:
        return "cien"
    if value < 1000:
        return ES_HUNDREDS[value // 100] + (f" {spanish(value % 100)}" if value % 100 else "")
    scale, one, many = (10**6, "un millón", " millones") if value >= 10**6 else (1000, "mil", " mil")
    count, rest = divmod(value, scale)
    # "veintiún mil", not "veintiuno mil".
    counted = spanish(count).replace("veintiuno", "veintiún").removesuffix("o") if count % 10 == 1 else spanish(count)
    return (one if count == 1 else counted + many) + (f" {spanish(rest)}" if rest else "")


def only(text: str) -> Number:
    (number,) = find_numbers(prepare(text))
    return number


def grouped(value: Decimal, thousands: str, decimal: str) -> str:
    return f"{value:,f}".replace(",", "T").replace(".", decimal).replace("T", thousands)


@given(
    value=DECIMALS,
    around=AROUND,
    minus=MINUSES,
    separators=st.sampled_from([("", "."), ("", ","), (" ", ","), (" ", ".")]),
)
def test_decimals(value: Decimal, around: str, minus: str, separators: tuple[str, str]) -> None:
    text = around.format(grouped(value, *separators).replace("-", minus))
    assert Fraction(value) in only(text).readings


@given(
    value=DECIMALS.filter(lambda value: abs(value) >= 1000),
    separators=st.sampled_from([(".", ","), (",", "."), ("'", ",")]),
)
def test_thousands_with_decimals(value: Decimal, separators: tuple[str, str]) -> None:
    text = grouped(value, *separators)
    assert Fraction(value) in only(text).readings
    if value != value.to_integral_value() and separators[0] != "'":
        assert only(text).readings == (Fraction(value),)


@given(
    value=DECIMALS,
    power=st.integers(-9, 9),
    around=AROUND,
    times=st.sampled_from("·×x*⋅"),
    blank=st.sampled_from(["", " "]),
)
def test_powers_of_ten(value: Decimal, power: int, around: str, times: str, blank: str) -> None:
    exact = Fraction(value) * Fraction(10) ** power
    sign = f"{blank}{times}{blank}"
    for written in (
        f"{value:f}e{power}",
        f"{value:f}E{power:+}",
        f"{value:f}{sign}10^{power}",
        f"{value:f}{sign}10^({power})",
        f"{value:f}{sign}10^{{{power}}}",
        f"{value:f}{sign}10" + str(power).translate(SUPERSCRIPT),
    ):
        if "$" not in around or "{" not in written:
            assert exact in only(around.format(written)).readings


@given(over=st.integers(0, 10**6), under=st.integers(1, 10**6), around=AROUND, blank=st.sampled_from(["", " "]))
def test_fractions(over: int, under: int, around: str, blank: str) -> None:
    for written in (f"{over}{blank}/{blank}{under}", f"\\frac{{{over}}}{{{under}}}", f"{over}⁄{under}"):
        assert only(around.format(written)).readings == (Fraction(over, under),)
    assert only(around.format(f"-{over}/{under}")).readings == (-Fraction(over, under),)


@given(whole=st.integers(1, 999), over=st.integers(1, 98), more=st.integers(1, 50))
def test_mixed_numbers(whole: int, over: int, more: int) -> None:
    exact = whole + Fraction(over, over + more)
    for written in ("{} {}/{}", "{} y {}/{}", "{} and {}/{}", "{} + {}/{}"):
        assert only(written.format(whole, over, over + more)).readings == (exact,)


@given(value=DECIMALS, sign=st.sampled_from(["%", " %", " por ciento", " percent", " per cent", " pct"]))
def test_percentages(value: Decimal, sign: str) -> None:
    number = only(f"{value:f}{sign}")
    assert Fraction(value) in number.readings
    assert number.percent


@given(value=st.integers(0, 999_999_999))
@example(value=479_001_000)
def test_whole_numbers_in_words(value: int) -> None:
    assert only(english(value)).readings == (Fraction(value),)
    assert only(spanish(value)).readings == (Fraction(value),)
    assert only(f"menos {spanish(value)}").readings == (Fraction(-value),)


@given(value=st.integers(2, 999), digits=st.lists(st.integers(0, 9), min_size=1, max_size=4))
def test_decimals_in_words(value: int, digits: list[int]) -> None:
    exact = value + Fraction(int("".join(map(str, digits))), 10 ** len(digits))
    assert only(f"{english(value)} point {' '.join(EN_ONES[digit] for digit in digits)}").readings == (exact,)
    assert only(f"{spanish(value)} coma {' '.join(ES_ONES[digit] for digit in digits)}").readings == (exact,)


@given(one=st.integers(2, 19), other=st.integers(2, 19))
def test_two_numbers_in_words_are_two(one: int, other: int) -> None:
    for text in (
        f"{english(one)} and {english(other)}",
        f"{spanish(one)} y {spanish(other)}",
        f"{spanish(one)} o {other}",
    ):
        readings = [number.readings[0] for number in find_numbers(prepare(text))]
        assert readings in ([one, other], [other])


@given(
    whole=st.integers(0, 99),
    start=st.text("0123456789", max_size=2),
    block=st.text("0123456789", min_size=1, max_size=3),
)
def test_recurring_decimals(whole: int, start: str, block: str) -> None:
    exact = Fraction(int(f"{whole}{start}"), 10 ** len(start)) + Fraction(
        int(block), 10 ** len(start) * (10 ** len(block) - 1)
    )
    assert exact in only(f"{whole}.{start}({block})").readings
    assert exact in only(f"{whole},{start}" + "".join(digit + "\u0305" for digit in block)).readings


@given(
    value=st.decimals(Decimal("0.001"), Decimal(9999), places=3),
    unit=st.sampled_from(["m", "g", "s", "V", "A", "W", "J", "Pa"]),
)
def test_prefixes_scale_a_unit(value: Decimal, unit: str) -> None:
    target = read_unit(unit, "es")
    assert target is not None
    for prefix, power in (("k", 3), ("m", -3), ("μ", -6), ("u", -6), ("n", -9), ("", 0)):
        (quantity,) = quantities(f"{value:f} {prefix}{unit}", "es")
        assert quantity.unit is not None
        assert convert(Fraction(value), quantity.unit, target) == Fraction(value) * Fraction(10) ** power


@given(value=DECIMALS)
def test_a_number_is_one_token(value: Decimal) -> None:
    for text in (f"{value:f}", f"{value:f}".replace(".", ","), f"({value:f})", f"x = {value:f}"):
        assert Fraction(value) in {reading for token in tokens(text) for reading in token_values(token)}


@given(st.text("0123456789.,/^()+-x·eE %√π±'", max_size=60))
def test_any_string_of_signs_is_read_without_failing(text: str) -> None:
    for number in find_numbers(prepare(text)):
        assert number.readings
        assert 0 <= number.start < number.end


@each(
    "text",
    [
        "menos " * 200,
        "(" * 999,
        "1 y " * 250,
        "√" * 999,
        "\\frac{" * 160,
        "un " * 300,
        "mil " * 250,
        "1a" * 500,
        "1 " + "a" * 998,
        "9" * 999,
        "1," * 499,
        "0.(3)" * 200,
        "1 hora y " * 120,
        "$" * 999,
        "half of " * 120,
        "-" * 999,
    ],
)
def test_reading_is_bounded(text: str) -> None:
    start = time.process_time()
    quantities(text, "es")
    assert time.process_time() - start < 1
