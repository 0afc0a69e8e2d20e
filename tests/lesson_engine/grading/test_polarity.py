from lesson_engine.grading.normalise import read
from lesson_engine.grading.polarity import conflict
from tests.each import each


@each(
    ("reply", "reference", "language"),
    [
        ("la planta libera dióxido de carbono", "la planta absorbe dióxido de carbono", "es"),
        ("libera CO2 y absorbe oxígeno", "absorbe CO2 y libera oxígeno", "es"),
        ("no absorbe la luz", "absorbe la luz", "es"),
        ("no es porque absorba la luz", "absorbe la luz", "es"),
        ("las plantas nunca respiran", "las plantas respiran siempre", "es"),
        ("el agua sale por la raíz", "el agua entra por la raíz", "es"),
        ("the current is less", "the current is more", "en"),
        ("it doesn't conduct electricity", "it conducts electricity", "en"),
        ("plants release carbon dioxide", "plants absorb carbon dioxide", "en"),
    ],
)
def test_contradictions_are_seen(reply: str, reference: str, language: str) -> None:
    assert conflict(read(reply, language), read(reference, language), language)


@each(
    ("reply", "reference", "language"),
    [
        ("absorbe CO2 y libera oxígeno", "libera oxígeno y absorbe CO2", "es"),
        ("sin luz no hay fotosíntesis", "la fotosíntesis necesita luz", "es"),
        ("la hoja no absorbe el verde", "la hoja refleja el verde", "es"),
        ("no solo absorbe luz", "absorbe luz", "es"),
        ("no se nota porque produce oxígeno", "produce oxígeno", "es"),
        ("you do not see it because light makes oxygen", "light makes oxygen", "en"),
        ("viene del agua, no del suelo", "viene del agua", "es"),
        ("without light there is no growth", "growth needs light", "en"),
        ("carbon dioxide is absorbed and oxygen is released", "it absorbs carbon dioxide and releases oxygen", "en"),
        ("it is made from water instead of soil", "it is made from water", "en"),
    ],
)
def test_agreement_is_no_contradiction(reply: str, reference: str, language: str) -> None:
    assert not conflict(read(reply, language), read(reference, language), language)
