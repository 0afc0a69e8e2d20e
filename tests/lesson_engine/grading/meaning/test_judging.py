"""Probabilities of an answer: they sum to 1, for any text, the same whatever was judged before."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lesson_engine.contracts import Ask, LabelledAnswer, VerdictResult
from lesson_engine.grading.meaning import Judgement, judge
from lesson_engine.grading.meaning.judging import calibration
from lesson_engine.grading.plain import plain_ask
from tests.each import each
from tests.lesson_engine.grading.asks import DEFINITION, OPEN, PLAIN

REFERENCES = ("Because the circuit is open, so no current flows.", "There is no closed path for the current.")
BULB = plain_ask("Why does a bulb go out when the wire is cut?", REFERENCES)
REPLIES = ("the circuit is open", "no current can flow", "it is broken", "current flows", "")


def judged(asked: Ask, reply: str, *examples: LabelledAnswer) -> Judgement:
    language = "en" if asked in (BULB, DEFINITION) else "es"
    return judge(asked, reply, language=language, examples=examples)


def assert_probabilities(found: Judgement) -> None:
    assert all(0 <= chance <= 1 for chance in (found.right, found.partly, found.wrong, *found.says.values()))
    assert found.right + found.partly + found.wrong == pytest.approx(1, abs=2e-4)
    assert 0 <= found.score <= 1 + 1e-4
    assert not (found.is_right and found.is_wrong)


@each("asked", [OPEN, DEFINITION, PLAIN, BULB])
@each("reply", ["", "?", "5", "a" * 4_000, "la " * 500, "\n\n", "ñ" * 50, "😀", "R = V/I", "\0\u200b"])
def test_any_reply_has_probabilities(asked: Ask, reply: str) -> None:
    found = judged(asked, reply)
    assert_probabilities(found)
    assert found.says.keys() == {wrong.code for wrong in asked.misconceptions}
    assert found.misconception in (None, *found.says)


@settings(max_examples=30)
@given(question=st.text(max_size=80), reference=st.text(max_size=80), reply=st.text(max_size=200))
def test_any_question_has_probabilities(question: str, reference: str, reply: str) -> None:
    assert_probabilities(judged(plain_ask(question, (reference, "luz")), reply))


def test_who_is_sure_of_one_result_cannot_be_sure_of_the_other() -> None:
    assert calibration().right > 0.5
    assert calibration().wrong > 0.5
    assert 0 < calibration().says < 1


def test_an_accepted_answer_is_likelier_right_than_what_is_beside_the_point() -> None:
    right = judged(BULB, "the circuit is open so no current flows")
    assert right.score > judged(BULB, "my grandmother lives in Seville").score


def test_what_staff_said_of_a_like_answer_counts() -> None:
    scores = [
        judged(BULB, "it was unplugged", LabelledAnswer(id=1, text="It was unplugged.", result=result)).score
        for result in (VerdictResult.ACCEPT, VerdictResult.REJECT)
    ]
    assert scores[0] > scores[1]


def test_a_near_copy_of_a_wrong_idea_says_it_more_than_a_right_answer_does() -> None:
    copy = judged(OPEN, "las hojas absorben la luz verde")
    right = judged(OPEN, "la luz verde rebota en la hoja")
    assert copy.says["absorbe_verde"] > right.says["absorbe_verde"]


def test_what_was_judged_before_does_not_count() -> None:
    alone = [judged(BULB, reply) for reply in REPLIES]
    assert [judged(BULB, reply) for reply in REPLIES[::-1]] == alone[::-1]


def test_the_nearest_accepted_answer_is_the_reference() -> None:
    many = plain_ask("Why?", (*(f"Reference number {n} is about something else." for n in range(40)), *REFERENCES))
    found = judge(many, "the circuit is open and no current flows", language="en")
    assert found.reference == 40
