"""Answers that staff judged, as the grader takes them. Pure."""

from itertools import permutations
from typing import Any

import pytest

from lesson_engine.contracts import Ask, LabelledAnswer, Reply, Verdict, VerdictResult
from lesson_engine.grading import Embed, examples_digest, grade, is_same_answer, is_turned
from tests.conftest import ask, number

ACCEPT, PARTIAL, REJECT = VerdictResult.ACCEPT, VerdictResult.PARTIAL, VerdictResult.REJECT
SAID = "They cook their lunch with it"


def labelled(*pairs: tuple[str, VerdictResult]) -> list[LabelledAnswer]:
    return [LabelledAnswer(id=at, text=text, result=result) for at, (text, result) in enumerate(pairs, 1)]


def judged(text: str, examples: list[LabelledAnswer], embed: Embed, **changes: Any) -> Verdict:
    question = Ask.model_validate(ask(**changes))
    return grade(question, Reply(text=text), language="en", embed=embed, examples=examples)


@pytest.mark.parametrize("result", [ACCEPT, PARTIAL, REJECT])
@pytest.mark.parametrize("text", [SAID, "they cook their LUNCH with it.", "  They cook the lunch with it"])
def test_what_staff_said_of_the_same_words_decides(embed: Embed, text: str, result: VerdictResult) -> None:
    examples = labelled(("They sleep at night", REJECT), (SAID.replace("their", "the"), result), (SAID, result))
    verdict = judged(text, examples, embed)
    assert (verdict.result, verdict.rule, verdict.provenance) == (result, "open.example", "example")
    assert verdict.doubtful is False


def test_the_last_word_of_staff_counts_also_against_the_author(embed: Embed) -> None:
    right = "Plants use light to make sugar from water and carbon dioxide."
    assert judged(right, [], embed).result is ACCEPT
    assert judged(right, labelled((right, ACCEPT), (right, PARTIAL)), embed).result is PARTIAL


def test_a_verdict_names_all_that_it_looked_at_and_quotes_none(embed: Embed) -> None:
    examples = labelled(("They drink zanahorias", REJECT), ("zanahorias all day", PARTIAL))
    for text in (SAID, "They drink zanahorias", "light makes sugar"):
        details = judged(text, examples, embed).details
        assert (details["examples"], details["examples_digest"]) == ([1, 2], examples_digest(examples))
        if "zanahorias" not in text:
            assert "zanahorias" not in str(details)
    assert "examples" not in judged(SAID, [], embed).details


@pytest.mark.parametrize("text", ["", "I don't know", "..."])
def test_what_is_no_try_is_held_against_nothing(embed: Embed, text: str) -> None:
    examples = labelled((text, ACCEPT))
    assert judged(text, examples, embed) == judged(text, [], embed)


def test_an_author_s_feedback_comes_with_what_staff_said(embed: Embed) -> None:
    verdict = judged(SAID, labelled((SAID, ACCEPT)), embed, feedback={"accept": "Well seen."})
    assert verdict.feedback == "Well seen."


def test_other_kinds_of_questions_take_none(embed: Embed) -> None:
    question = Ask.model_validate(number())
    verdict = grade(question, Reply(text="7"), language="en", embed=embed, examples=labelled(("7", ACCEPT)))
    assert (verdict.result, "examples" in verdict.details) == (REJECT, False)


@pytest.mark.parametrize(
    ("text", "other", "same"),
    [
        ("Es la luz", "es  la LUZ!", True),
        ("Es la luz", "La luz", True),
        ("más luz", "mas luz", True),
        ("it is light", "it is not light", False),
        ("the fox eats hens", "hens eat the fox", False),
        ("x > 5", "x < 5", False),
        ("2 + 3", "2 - 3", False),
        ("?!", "...", False),
        ("", "", False),
    ],
)
def test_which_answers_are_the_same(text: str, other: str, same: bool) -> None:
    language = "es" if "luz" in text else "en"
    assert is_same_answer(text, other, language) is same
    assert is_same_answer(other, text, language) is same


@pytest.mark.parametrize(
    ("language", "text", "other", "turned"),
    [
        ("en", "the Sun goes round the Earth", "the Earth goes round the Sun", True),
        ("en", "the Sun goes round the Earth", "the Earth always goes round the Sun", True),
        ("en", "the Sun goes round the Earth", "the Earth revolves round the Sun", True),
        ("en", "more resistance means less current", "more resistance means more current", True),
        ("en", "more resistance means less current", "less resistance means more current", True),
        ("en", "the temperature rises", "the temperature falls", True),
        ("en", "foxes eat hens", "hens eat foxes", True),
        ("en", "foxes eat hens", "The hen eats the fox", True),
        ("en", "it comes before the rain", "it comes after the rain", True),
        ("en", "they sleep", "they do not sleep", True),
        ("en", "they need 7 of it", "they need 8 of it", True),
        ("en", "foxes eat hens", "The fox eats the hens", False),
        ("en", "more resistance means less current", "more resistance, so less current", False),
        ("en", "They need it for sleeping", "they need it in order to sleep well", False),
        ("en", "day and night come from the turning of the Earth", "day and night: the turning Earth", False),
        ("es", "el Sol gira alrededor de la Tierra", "la Tierra gira alrededor del Sol", True),
        ("es", "a más resistencia, menos corriente", "a más resistencia, más corriente", True),
        ("es", "a más resistencia, menos corriente", "a menos resistencia, más corriente", True),
        ("es", "sube la temperatura", "baja la temperatura", True),
        ("es", "subió la temperatura", "la temperatura bajó mucho", True),
        ("es", "la temperatura subía", "la temperatura iba bajando", True),
        ("es", "los zorros comen gallinas", "las gallinas comen zorros", True),
        ("es", "los zorros comen gallinas", "el zorro come gallinas", False),
        ("es", "sube la temperatura", "subirá mucho la temperatura", False),
    ],
)
def test_which_answers_may_say_the_contrary(language: str, text: str, other: str, turned: bool) -> None:
    assert is_turned(text, other, language) is turned
    assert is_turned(other, text, language) is turned


def test_a_digest_tells_any_change_and_no_order() -> None:
    examples = labelled(("a", ACCEPT), ("b", REJECT), ("c", PARTIAL))
    digests = {examples_digest(list(order)) for order in permutations(examples)}
    assert len(digests) == 1
    digest = digests.pop()
    assert len(digest) == 16
    assert int(digest, 16) >= 0
    for changed in ({"id": 9}, {"text": "x"}, {"result": PARTIAL}):
        assert examples_digest([examples[0].model_copy(update=changed), *examples[1:]]) != digest
    assert examples_digest(examples[:2]) != digest
