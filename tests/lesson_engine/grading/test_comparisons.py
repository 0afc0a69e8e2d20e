"""Who is compared with whom: the roles of a comparison swapped, its comparative turned, or both."""

from lesson_engine.contracts import Reply, VerdictResult
from lesson_engine.grading import Embed, grade
from lesson_engine.grading.normalise import read
from lesson_engine.grading.plain import plain_ask
from lesson_engine.grading.polarity import conflict
from tests.each import each

EN, ES = "Because ice is less dense than water", "Porque el hielo es menos denso que el agua"
SAME = [
    ("en", EN, "ice is less dense than water is"),
    ("en", EN, "because water is more dense than ice"),
    ("es", ES, "el hielo es menos denso que el agua líquida"),
    ("es", ES, "porque el agua es más densa que el hielo"),
    ("es", "Crece porque toma más agua que sales", "creo que toma más agua que sales"),
]
AGAINST = [
    ("en", EN, "because water is less dense than ice"),
    ("en", EN, "because ice is more dense than water"),
    ("es", ES, "porque el agua es menos densa que el hielo"),
    ("es", ES, "porque el hielo es más denso que el agua"),
    ("en", "The nail is harder than the coin", "the coin is harder than the nail"),
]


@each(("language", "reference", "reply"), SAME)
def test_the_same_comparison_contradicts_nothing(language: str, reference: str, reply: str) -> None:
    assert not conflict(read(reply, language), read(reference, language), language)


@each(("language", "reference", "reply"), AGAINST)
def test_swapped_roles_or_a_turned_comparative_contradict(
    language: str, reference: str, reply: str, embed: Embed
) -> None:
    assert conflict(read(reply, language), read(reference, language), language)
    ask = plain_ask("Why?", (reference,))
    assert grade(ask, Reply(text=reply), language=language, embed=embed).result is not VerdictResult.ACCEPT
