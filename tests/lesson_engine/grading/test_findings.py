"""The part of an answer that says a wrong idea, whatever the network says of the whole."""

from typing import Any

from lesson_engine.contracts import OpenAnswer
from lesson_engine.grading.findings import findings
from lesson_engine.grading.matching import matcher
from lesson_engine.grading.meaning import Judgement
from lesson_engine.grading.normalise import read
from tests.each import each
from tests.lesson_engine.grading.asks import OPEN

SAYS_IT = Judgement(right=0.0, partly=0.0, wrong=1.0, says={"absorbe_verde": 1.0}, reference=0)
NOT_SURE = Judgement(right=0.3, partly=0.4, wrong=0.3, says={"absorbe_verde": 1.0}, reference=0)
ANOTHER_IDEA = Judgement(right=0.0, partly=0.0, wrong=1.0, says={"absorbe_verde": 0.0}, reference=0)


def said(reply: str, judged: Judgement) -> Any:
    answer = OPEN.answer
    assert isinstance(answer, OpenAnswer)
    return findings(OPEN, answer, read(reply, "es"), judged, matcher(OPEN, "es", frozenset()))["said"]


@each(
    "reply",
    [
        "Las plantas viven al sol. Las hojas absorben la luz verde. Hoy es martes",
        "Las hojas absorben la luz verde, pero mi tía tiene un jardín muy grande",
        "Vivo en un piso alto; creo que se ve así porque las hojas absorben la luz verde",
    ],
)
def test_of_several_parts_the_one_that_says_the_wrong_idea_is_quoted(reply: str) -> None:
    (part,) = said(reply, SAYS_IT)
    assert part.lower() == "las hojas absorben la luz verde"


@each("reply", ["las hojas absorben la luz verde", "absorben, verde, luz", "", "."])
def test_of_an_answer_without_parts_nothing_is_quoted(reply: str) -> None:
    assert said(reply, SAYS_IT) == []


@each("judged", [NOT_SURE, ANOTHER_IDEA])
def test_where_no_wrong_idea_is_named_nothing_is_quoted(judged: Judgement) -> None:
    assert said("Las plantas viven al sol. Las hojas absorben la luz verde.", judged) == []
