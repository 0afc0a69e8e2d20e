"""Equal forms of a number count as equal, in both languages, and nothing else does (issue 4, strict kinds)."""

from decimal import Decimal

import pytest

from lesson_engine.contracts import Reply, VerdictResult
from lesson_engine.grading import Embed, grade
from tests.each import each
from tests.lesson_engine.grading.asks import numeric

EQUAL = {
    "0.5": """
0.5 | 0,5 | .5 | ,5 | 0.50 | 0,500 | +0.5 | 0'5 | 0’5 | 0.5. | (0.5) | "0.5" | **0.5** | `0,5` | 𝟎.𝟓
٠٫٥ | 1/2 | 1 / 2 | 1⁄2 | ½ | 2/4 | 5/10 | 50/100 | -1/-2 | 1 ÷ 2 | 1:2 | \\frac{1}{2}
$\\dfrac{1}{2}$ | \\frac12 | 50 % | 50% | 50 ％ | 50 por ciento | 50 percent | 50 per cent | 50 pct
50\\% | cincuenta por ciento | fifty per cent | 5e-1 | 5E-1 | 5e−1 | 5·10^-1 | 5 × 10⁻¹ | 5x10^-1
5*10**-1 | 5 x 10^(-1) | 5 ⋅ 10⁻¹ | 5 \\cdot 10^{-1} | 500e-3 | x = 0.5 | x=0,5 | x: 0.5 | x is 0.5
x es 0,5 | x vale 0,5 | = 0.5 | x = 5/10 | 1/4 + 1/4 = 1/2 | it's 0.5 | la mitad | un medio
one half | a half | half | cero coma cinco | zero point five | point five | one over two
uno entre dos
""",
    "5": """
5 | 5. | 5, | 5.0 | 5,00 | 05 | ５ | 10/2 | 5e0 | 500 % | +5 | x = 5 | x=5. | x is 5 | x es 5
x es igual a 5 | x equals 5 | = 5 | 5 = x | y = 5 | f(x) = 5 | x₁ = 5 | x := 5 | 2x = 10, x = 5
2 + 3 = 5 | the answer is x = 5 | La respuesta es 5 | Answer: 5 | answer - 5 | cinco | five | Cinco.
unos 5 | about 5 | approximately 5 | aproximadamente 5 | ≈ 5 | ~5 | x ≈ 5 | five (5) | 5, sí, 5
cinko
""",
    "-5": """
-5 | −5 | –5 | —5 | ‐5 | ‑5 | － 5 | - 5 | x = -5 | x=−5 | x = - 5 | (-5) | minus 5 | menos 5
menos cinco | negative five | negative 5 | minus five | x es menos 5 | -5.0 | −5,0 | -10/2 | 10/-2
-5e0 | 5 grados bajo cero | five degrees below zero
""",
    "2001/2": """
1.000,5 | 1,000.5 | 1 000,5 | 1 000.5 | 1'000.5 | 1’000,5 | 1000,5 | 1000.50 | 1000 1/2 | 1.0005e3
1,0005·10³ | 2001/2
""",
    "1000": """
1000 | 1.000 | 1,000 | 1 000 | 1'000 | 1.000,00 | 1,000.00 | mil | un mil | a thousand
one thousand | 10^3 | 10³ | 10**3 | 1e3 | 1E+03 | 1·10^3 | 10^{3} | 1 x 10³
""",
    "1234567": """
1234567 | 1.234.567 | 1,234,567 | 1 234 567 | 1'234'567 | 1.234.567,0 | 1,234,567.0 | 1.234567e6
1,234567·10⁶
""",
    "1500000": "1.5 million | 1,5 millones | 1.500.000 | un millón y medio | one and a half million | 1.5 · 10^6",
    "2500": "2.5 thousand | 2,5 mil | dos mil quinientos | two thousand five hundred",
    "3/2": """
1 1/2 | 1½ | 1 ½ | 1 + 1/2 | 3/2 | 1,5 | one and a half | uno y medio | 1 y 1/2 | 150 %
three halves | tres medios | 1\\frac{1}{2} | one and 1/2 | un entero y un medio
""",
    "-3/2": "-1 1/2 | −1½ | -1.5 | −3⁄2 | 3/-2 | - 3/2 | -\\frac{3}{2} | minus one and a half | menos uno y medio",
    "1/3": """
1/3 | ⅓ | 2/6 | un tercio | one third | a third | 0.333... | 0,3333… | 0,3̅ | 0.(3) | 0.3 recurring
0,3 periódico | 33.333...% | uno de cada tres | one out of three | 1 sobre 3
""",
    "7/6": "1.1(6) | 1,1666... | 1 1/6 | one and a sixth | siete sextos",
    "19/10": "1.9 | uno coma nueve | one point nine | diecinueve décimos | nineteen tenths",
    "157/50": "3.14 | tres coma catorce | three point one four | tres con catorce",
    "0": "0 | cero | zero | 0.0 | 0/5 | -0 | 0 % | nought",
    "21": "21 | veintiuno | veintiún | twenty-one | twenty one | veintiuna",
    "32": "32 | treinta y dos | trenta y dos | thirty-two | thirty two | thirtytwo = 32",
    "345": "345 | trescientos cuarenta y cinco | three hundred and forty-five | three hundred forty five",
    "1999": "1999 | mil novecientos noventa y nueve | one thousand nine hundred and ninety-nine",
    "2000000000": "2000 million | dos mil millones | two billion | 2·10⁹ | 2e9",
    "24": "two dozen | dos docenas | veinticuatro | 24",
    "6.02e23": """
6.02e23 | 6,02·10^23 | 6.02 × 10²³ | 6.02 10^23 | 6.02 × 10^{23} | 6,02 · 10 ^ 23 | 602e21
6.02 por 10 elevado a 23 | 6.02 times 10 to the 23rd | 6.02 times ten to the power of 23
""",
    "0.001": "0.001 | 10^-3 | 10⁻³ | 10^{-3} | 10 ^ -3 | 1/1000 | 0,1 % | una milésima | one thousandth | 1 thousandth",
}
UNEQUAL = {
    "0.5": """
5 | 0.05 | 50 | 2 | 2/1 | 5e1 | 5·10^1 | -0.5 | −0,5 | – 0.5 | 0.5 o 0.6 | 1/3 | 5 % | 0.5 % | 0.55
un tercio | 0.(5) | 0.555... | minus a half | menos un medio | 1.2 | 12
""",
    "5": """
0.5 | 50 | -5 | −5 | minus 5 | menos cinco | 1/5 | 5 o 6 | 5 or 6 | 5-6 | 5 ± 1 | ±5 | +/- 5 | 25
fifty | fifteen | quince | cincuenta | no es 5 | not 5 | 5 % | x = 5 or x = -5 | 5² | 5^2 | √5 | √25
sqrt(5) | raíz de 5 | square root of 5 | 5π | 5√2 | 5i | dos y tres | two and three
five five hundred | V | 5e5 | 0.000.5 | cinqu | half of 5 | la mitad de 5 | twice 5 | el doble de 5
""",
    "1234567": "1.234567 | 1,234567 | 12.34.567 | 1.234.56",
    "2": "1/2 | 0.2 | 20 | one half | √4 | 2 million | dos mil | half of 2 | 2e2",
    "-3/2": "3/2 | 1 1/2 | -2/3 | -3 | -1/2 | 1.5",
}


def accepted(value: str, text: str, language: str, embed: Embed) -> bool:
    asked = numeric(value if "/" in value else Decimal(value))
    return grade(asked, Reply(text=text), language=language, embed=embed).result is VerdictResult.ACCEPT


def rows(table: dict[str, str]) -> list[tuple[str, str]]:
    return [
        (value, text.strip())
        for value, texts in table.items()
        for text in texts.strip().replace("\n", " | ").split("|")
    ]


@each("language", ["es", "en"])
@each(("value", "text"), rows(EQUAL))
def test_equal_forms_count_as_equal(value: str, text: str, language: str, embed: Embed) -> None:
    assert accepted(value, text, language, embed)


@each("language", ["es", "en"])
@each(("value", "text"), rows(UNEQUAL))
def test_other_numbers_stay_wrong(value: str, text: str, language: str, embed: Embed) -> None:
    assert not accepted(value, text, language, embed)


@pytest.mark.parametrize("text", ["1.000", "1,000", "3.500", "3,500"])
def test_one_separator_before_three_digits_is_read_both_ways(text: str, embed: Embed) -> None:
    """Decimal signs follow the country and the school, not the lesson's language: either reading is right."""
    small, large = text.replace(",", "."), text.replace(",", "").replace(".", "")
    for language in ("es", "en"):
        assert accepted(small, text, language, embed)
        assert accepted(large, text, language, embed)


def test_a_zero_before_the_separator_or_more_than_three_digits_settle_it(embed: Embed) -> None:
    assert not accepted("500", "0.500", "en", embed)
    assert not accepted("12345", "1.2345", "es", embed)
    assert not accepted("1.234567", "1.234.567", "en", embed)
