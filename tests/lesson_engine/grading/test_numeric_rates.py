"""Amounts for one: "6 euros per kilo" is an answer in euros where it is asked what a kilo costs, and only there."""

from decimal import Decimal

from lesson_engine.contracts import Reply, VerdictResult
from lesson_engine.grading import Embed, grade
from tests.each import each
from tests.lesson_engine.grading.asks import numeric

FITS = """
en | 6 euro | How much does a kilo cost? | 6 euros per kilo; 6 €/kg; 6 euros a kilo; 6 euros each kilo; 18/3 = 6 €/kg
en | 6 euro | If 3 kilos cost 18 euros, how much is one kilo? | 6 euros per kilo; 6 €/kg
en | 6 euro | How much is 1 kg if 3 kilos cost 18 euros? | 6 euros per kilo; 6 €/kg
en | 6 euro | How much does a ticket cost? | 6 euros per ticket; 6 €/ticket
en | 60 km | How far does it go in an hour? | 60 km per hour; 60 km/h; 60 kmh; 60 km each hour; 60000 m/h
en | 60 km | A car goes at 60 km per hour. In an hour, how far is that? | 60 km per hour; 60 km/h
es | 6 euro | ¿Cuánto cuesta un kilo? | 6 euros por kilo; 6 euros cada kilo; 6 €/kg; 6 euros el kilo; 18:3 = 6 €/kg
es | 6 euro | Si 3 kilos cuestan 18 euros, ¿a cuánto sale el kilo? | 6 euros por kilo; 6 €/kg
es | 6 euro | ¿Cuánto cuesta una entrada? | 6 euros por entrada; 6 euros cada entrada
es | 60 km | ¿Cuántos km recorre en una hora? | 60 km por hora; 60 km/h; 60 km a la hora
es | 6 L | ¿Qué cantidad sale por minuto? | 6 l/min; 6 litros por minuto
"""
OTHER_UNITS = """
en | 6 km | How many km does she walk a day? | 6 km/h; 6 km per hour
en | 60 km/h | How fast does it go in an hour? | 60 km; 60 hours
en | 6 euro | How much does a kilo cost? | 6 euros per litre; 6 kilos; 6 kilos per euro; 6 $/kg
en | 18 euro | A kilo costs 6 euros. How much do 3 kilos cost? | 18 euros per kilo; 18 €/kg
en | 120 km | If it goes 60 km in an hour, how far does it go in two hours? | 120 km/h
en | 120 km | How far does a car get in a morning at 60 km per hour? | 120 km per hour
en | 30 km | How far does it go in half an hour? | 30 km/h
en | 5 m | How far does it fall in a second? | 5 m/s²
es | 6 km | ¿Cuántos km anda al día? | 6 km/h; 6 km por hora
es | 60 km/h | ¿A qué velocidad va en una hora? | 60 km
es | 6 euro | ¿Cuánto cuesta un kilo? | 6 euros por litro; 6 kilos
es | 18 euro | Un kilo cuesta 6 euros. ¿Cuánto cuestan 3 kilos? | 18 euros por kilo
es | 90 km | ¿Cuántos km recorre en una hora y media? | 90 km/h
es | 30 km | ¿Cuántos km recorre en media hora? | 30 km por hora
"""


def rows(table: str) -> list[tuple[str, ...]]:
    cells = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]
    return [(*asked, text.strip()) for *asked, texts in cells for text in texts.split(";")]


def judged(language: str, answer: str, question: str, text: str, embed: Embed) -> tuple[VerdictResult, str]:
    value, unit = answer.split()
    asked = numeric(Decimal(value), question, unit=unit, unit_required=True)
    verdict = grade(asked, Reply(text=text), language=language, embed=embed)
    return verdict.result, verdict.rule


@each(("language", "answer", "question", "text"), rows(FITS))
def test_what_it_is_for_one_of_may_be_said(language: str, answer: str, question: str, text: str, embed: Embed) -> None:
    assert judged(language, answer, question, text, embed) == (VerdictResult.ACCEPT, "numeric.value")
    assert judged(language, f"1{answer}", question, text, embed) == (VerdictResult.REJECT, "numeric.value")


@each(("language", "answer", "question", "text"), rows(OTHER_UNITS))
def test_a_unit_of_something_else_stays_wrong(
    language: str, answer: str, question: str, text: str, embed: Embed
) -> None:
    assert judged(language, answer, question, text, embed) == (VerdictResult.PARTIAL, "numeric.unit_wrong")
