"""Questions out of files: graded as an open question of a lesson would be."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gateway.services import texts_embed_locally
from lesson_engine.contracts import Ask, OpenAnswer, Reply
from lesson_engine.grading import authored_texts, grade
from lesson_engine.grading.normalise import read, read_authored
from lesson_engine.grading.plain import plain_ask
from tests.each import each

QUESTION = "What do plants need light for?"
REFERENCES = ("Plants use light to make sugar from water and carbon dioxide.", "to make their food")
REPLIES = ["", "I don't know", "to make sugar", "They do not make sugar", "to make their food", "mitosis", QUESTION]


def lesson_ask() -> Ask:
    answer = OpenAnswer(kind="open", accepted=REFERENCES)
    return Ask(type="ASK", code="ROW", question=QUESTION, objective="o", answer=answer)


@each("reply", REPLIES)
def test_a_row_is_graded_as_the_question_of_a_lesson(reply: str) -> None:
    asks = (plain_ask(QUESTION, REFERENCES, "o"), lesson_ask())
    found = [grade(ask, Reply(text=reply), language="en", embed=texts_embed_locally) for ask in asks]
    assert found[0] == found[1]


@each(
    ("question", "references"),
    [("", ("a",)), ("q", ("x" * 2_000,)), ("?", ("...",)), ("\0\u200b", ("\0",)), (QUESTION * 600, REFERENCES * 50)],
)
def test_what_a_lesson_may_not_have_is_graded_all_the_same(question: str, references: tuple[str, ...]) -> None:
    ask = plain_ask(question, references)
    for reply in REPLIES:
        verdict = grade(ask, Reply(text=reply), language="en", embed=texts_embed_locally)
        assert 0 <= verdict.score <= 1


def test_free_words_are_graded_without_the_embedder() -> None:
    def never(texts: Sequence[str], /) -> NDArray[np.float32]:
        raise AssertionError(texts)

    for reply in (*REPLIES, "They need it, because without light they would sleep"):
        assert grade(lesson_ask(), Reply(text=reply), language="en", embed=never).score <= 1


def test_the_texts_of_an_ask_are_its_authors() -> None:
    assert {QUESTION, *REFERENCES, "o"} <= authored_texts(lesson_ask())


def test_a_reply_is_soon_forgotten_and_never_kept_among_the_texts_of_the_lesson() -> None:
    ask, reply = plain_ask(QUESTION, REFERENCES), "Plants turn the light into sugar that they eat"
    for text in (reply, *(f"They need it to grow leaf number {number}" for number in range(50))):
        grade(ask, Reply(text=text), language="en", embed=texts_embed_locally)
    for kept in (read, read_authored):
        before = kept.cache_info().misses
        kept(reply, "en")
        assert kept.cache_info().misses == before + 1, kept.__name__
    hits = read_authored.cache_info().hits
    read_authored(REFERENCES[0], "en")
    assert read_authored.cache_info().hits == hits + 1
