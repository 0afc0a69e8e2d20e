"""Probabilities of an answer: they sum to 1, for any text, the same however the vectors come."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lesson_engine.contracts import Ask, LabelledAnswer, VerdictResult
from lesson_engine.grading import Embed
from lesson_engine.grading.meaning import Judgement, judge, texts_to_embed
from lesson_engine.grading.meaning.judging import calibration
from lesson_engine.grading.plain import plain_ask
from tests.each import each
from tests.lesson_engine.grading.asks import DEFINITION, OPEN, PLAIN

REFERENCES = ("Because the circuit is open, so no current flows.", "There is no closed path for the current.")
BULB = plain_ask("Why does a bulb go out when the wire is cut?", REFERENCES)
REPLIES = ("the circuit is open", "no current can flow", "it is broken", "current flows", "")


def judged(asked: Ask, reply: str, embed: Embed, *examples: LabelledAnswer) -> Judgement:
    language = "en" if asked in (BULB, DEFINITION) else "es"
    return judge(asked, reply, language=language, embed=embed, examples=examples)


def assert_probabilities(found: Judgement) -> None:
    assert all(0 <= chance <= 1 for chance in (found.right, found.partly, found.wrong, *found.says.values()))
    assert found.right + found.partly + found.wrong == pytest.approx(1, abs=2e-4)
    assert 0 <= found.score <= 1 + 1e-4
    assert not (found.is_right and found.is_wrong)


@each("asked", [OPEN, DEFINITION, PLAIN, BULB])
@each("reply", ["", "?", "5", "a" * 4_000, "la " * 500, "\n\n", "ñ" * 50, "😀", "R = V/I", "\0\u200b"])
def test_any_reply_has_probabilities(asked: Ask, reply: str, embed: Embed) -> None:
    found = judged(asked, reply, embed)
    assert_probabilities(found)
    assert found.says.keys() == {wrong.code for wrong in asked.misconceptions}
    assert found.misconception in (None, *found.says)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(question=st.text(max_size=80), reference=st.text(max_size=80), reply=st.text(max_size=200))
def test_any_question_has_probabilities(embed: Embed, question: str, reference: str, reply: str) -> None:
    assert_probabilities(judged(plain_ask(question, (reference, "luz")), reply, embed))


def test_who_is_sure_of_one_result_cannot_be_sure_of_the_other() -> None:
    assert calibration().right > 0.5
    assert calibration().wrong > 0.5
    assert 0 < calibration().says < 1


def test_a_right_answer_is_likelier_than_a_wrong_one_and_what_is_beside_the_point(embed: Embed) -> None:
    right = judged(BULB, "the circuit is open, therefore the current does not flow", embed)
    assert right.score > judged(BULB, "the battery has run out of energy", embed).score
    assert right.score > judged(BULB, "my grandmother lives in Seville", embed).score + 0.3


def test_what_staff_said_of_a_like_answer_counts(embed: Embed) -> None:
    like = "it got unplugged"
    scores = [
        judged(BULB, "it was unplugged", embed, LabelledAnswer(id=1, text=like, result=result)).score
        for result in (VerdictResult.ACCEPT, VerdictResult.REJECT)
    ]
    assert scores[0] > scores[1] + 0.1


def test_a_near_copy_of_a_wrong_idea_says_it_more_than_a_right_answer_does(embed: Embed) -> None:
    copy = judged(OPEN, "las hojas absorben la luz verde", embed)
    right = judged(OPEN, "la luz verde rebota en la hoja", embed)
    assert copy.says["absorbe_verde"] > right.says["absorbe_verde"]


@each("asked", [OPEN, DEFINITION, PLAIN, BULB])
def test_what_is_said_to_be_embedded_is_embedded_at_once(asked: Ask, embed: Embed) -> None:
    language = "en" if asked in (BULB, DEFINITION) else "es"
    for reply in REPLIES:
        calls: list[list[str]] = []

        def listening(texts: Sequence[str], /, calls: list[list[str]] = calls) -> NDArray[np.float32]:
            calls.append(list(texts))
            return embed(texts)

        judge(asked, reply, language=language, embed=listening)
        (asked_for,) = calls
        assert set(asked_for) == set(texts_to_embed(asked, reply, language))
        assert len(asked_for) == len(set(asked_for))


def test_one_by_one_or_many_at_once_is_the_same(embed: Embed) -> None:
    alone = [judged(BULB, reply, embed).right for reply in REPLIES]
    texts = list(dict.fromkeys(text for reply in REPLIES for text in texts_to_embed(BULB, reply, "en")))
    vectors = dict(zip(texts, embed(texts), strict=True))

    def at_once(wanted: Sequence[str], /) -> NDArray[np.float32]:
        return np.stack([vectors[text] for text in wanted])

    assert [judged(BULB, reply, at_once).right for reply in REPLIES] == pytest.approx(alone, abs=1e-3)


def test_the_nearest_accepted_answer_is_the_reference(embed: Embed) -> None:
    many = plain_ask("Why?", (*(f"Reference number {n} is about something else." for n in range(40)), *REFERENCES))
    found = judge(many, "the circuit is open and no current flows", language="en", embed=embed)
    assert found.reference == 40
