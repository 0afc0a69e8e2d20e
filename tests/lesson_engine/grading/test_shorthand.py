"""Words cut short as in messages count as the words they stand for."""

from lesson_engine.grading.normalise import read, written_out
from tests.each import each


@each(
    ("typed", "meant", "language"),
    [
        ("xq no hay q comer", "porque no hay que comer", "es"),
        ("Pq la planta crece", "porque la planta crece", "es"),
        ("el k fabrica pa vivir", "el que fabrica para vivir", "es"),
        ("la luz tb entra", "la luz también entra", "es"),
        ("bc the bulbs share it", "because the bulbs share it", "en"),
        ("charge flows thru the wire", "charge flows through the wire", "en"),
    ],
)
def test_shorthand_is_read_as_the_word(typed: str, meant: str, language: str) -> None:
    assert read(typed, language).words == read(meant, language).words


@each(
    "text", ["q = I t", "F = k q", "la presión es de 5 Pa sobre la mesa", "K aumenta", "3 k de masa", "q", "la carga q"]
)
def test_symbols_and_units_stay(text: str) -> None:
    assert written_out(text, "es") == text


def test_a_language_has_its_own_shorthand() -> None:
    assert written_out("bc pq", "en") == "because pq"
    assert written_out("bc pq", "es") == "bc porque"


def test_writing_out_twice_changes_nothing() -> None:
    once = written_out("xq el q come tb respira pa vivir", "es")
    assert written_out(once, "es") == once
