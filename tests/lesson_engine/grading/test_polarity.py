"""Which words of a text it denies."""

from lesson_engine.grading.andamio_3.stems import stem
from lesson_engine.grading.normalise import read
from lesson_engine.grading.polarity import denied_stems
from tests.each import each


@each(
    ("text", "denied", "language"),
    [
        ("no absorbe la luz", "absorbe luz", "es"),
        ("no es porque absorba la luz", "absorbe luz", "es"),
        ("las plantas nunca respiran", "respiran", "es"),
        ("no absorbe el verde, lo refleja", "absorbe verde", "es"),
        ("viene del agua, no del suelo", "suelo", "es"),
        ("it doesn't conduct electricity", "conduct electricity", "en"),
        ("it is made from water instead of soil", "soil", "en"),
    ],
)
def test_what_a_no_reaches_is_denied(text: str, denied: str, language: str) -> None:
    assert denied_stems(read(text, language), language) == {stem(word, language) for word in denied.split()}


@each(
    ("text", "stated", "language"),
    [
        ("absorbe CO2 y libera oxígeno", "absorbe libera oxigeno", "es"),
        ("sin luz no hay fotosíntesis", "luz fotosintesis", "es"),
        ("no solo absorbe luz", "absorbe luz", "es"),
        ("no se nota porque absorbe luz", "absorbe luz", "es"),
        ("without light there is no growth", "light growth", "en"),
        ("you do not see it because light makes oxygen", "light oxygen", "en"),
    ],
)
def test_what_is_said_after_all_is_not_denied(text: str, stated: str, language: str) -> None:
    assert denied_stems(read(text, language), language).isdisjoint(stem(word, language) for word in stated.split())
