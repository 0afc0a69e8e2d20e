"""What the network reads of an answer and its question: segments, places, marks, relations and likeness."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lesson_engine.contracts import Ask, LabelledAnswer, VerdictResult
from lesson_engine.grading import Embed
from lesson_engine.grading.meaning.inputs import (
    FAR,
    HEAD,
    HEADS,
    MARKED,
    MOST_PLACES,
    MOST_SEGMENTS,
    MOST_WORDS,
    RELATIONS,
    REPEATED,
    SAME_WORD,
    TO_HEAD,
    Inputs,
    Kind,
    inputs_of,
)
from lesson_engine.grading.meaning.spelling import BREAK, frequency
from lesson_engine.grading.plain import plain_ask
from tests.lesson_engine.grading.asks import OPEN, PLAIN, ask

SCRAPS = "la luz no verde , refleja R 5 hoja"
TEXTS = st.one_of(st.text(max_size=300), st.lists(st.sampled_from(SCRAPS.split())).map(" ".join))
ANSWER, QUESTION, RIGHT, WRONG, IDEAS, PARTLY = Kind


def inputs(asked: Ask, reply: str, embed: Embed, *examples: tuple[str, VerdictResult]) -> Inputs:
    labelled = [LabelledAnswer(id=at, text=text, result=result) for at, (text, result) in enumerate(examples)]
    return inputs_of(asked, reply, language="es", embed=embed, examples=labelled)


def texts_of(given: Inputs, kind: Kind) -> list[str]:
    return [segment.words.text for segment in given.segments if segment.kind is kind]


def places_of(given: Inputs, at: int) -> range:
    """The places of a segment, its head first."""
    return range(given.heads[at], [*given.heads, len(given.kinds)][at + 1])


def asked_with(accepted: Sequence[str], **more: Any) -> Ask:
    return ask({"kind": "open", "accepted": accepted, **more}, "¿Por qué?")


def test_the_answer_comes_first_then_all_that_the_author_wrote(embed: Embed) -> None:
    found = inputs(OPEN, "Refleja lo verde", embed)
    assert [segment.kind for segment in found.segments] == [ANSWER, QUESTION, RIGHT, RIGHT, WRONG, WRONG, IDEAS, IDEAS]
    assert texts_of(found, ANSWER) == ["refleja lo verde"]
    assert texts_of(found, QUESTION) == ["por qué vemos verdes las hojas"]
    assert texts_of(found, IDEAS) == ["refleja , rebota , devuelve , no absorbe", "verde"]
    assert {segment.at for segment in found.segments if segment.kind is RIGHT} == {0, 1}
    assert {segment.code for segment in found.segments if segment.kind is WRONG} == {"absorbe_verde"}


def test_a_segment_is_a_head_and_its_words(embed: Embed) -> None:
    found = inputs(OPEN, "Refleja lo verde", embed)
    for at, segment in enumerate(found.segments):
        places = places_of(found, at)
        assert len(places) == 1 + len(segment.words.words)
        assert found.is_head[places].tolist() == [True] + [False] * len(segment.words.words)
        assert found.places[places].tolist() == list(range(len(places)))
        assert set(found.kinds[places].tolist()) == {int(segment.kind)}
        assert np.array_equal(found.vectors[places], embed([segment.words.text, *segment.words.words]))


def test_a_question_without_a_text_has_no_segment(embed: Embed) -> None:
    assert [segment.kind for segment in inputs(plain_ask("", ("luz",)), "luz", embed).segments] == [ANSWER, RIGHT]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(reply=TEXTS, question=TEXTS, accepted=st.lists(TEXTS, min_size=1, max_size=8), other=TEXTS)
def test_any_texts_are_bounded_and_make_numbers(
    embed: Embed, reply: str, question: str, accepted: list[str], other: str
) -> None:
    found = inputs(
        plain_ask(question, tuple(accepted)),
        reply,
        embed,
        (other, VerdictResult.PARTIAL),
        (reply, VerdictResult.REJECT),
    )
    n = len(found.kinds)
    assert n <= MOST_PLACES
    assert found.heads[0] == 0
    assert found.kinds[0] == ANSWER
    assert found.vectors.shape == (n, 512)
    assert found.marks.shape == (n, 4 + len(MARKED))
    assert found.relations.shape == found.cosines.shape == (n, n)
    assert all(np.isfinite(numbers).all() for numbers in (found.vectors, found.marks, found.cosines))
    assert ((found.relations >= 0) & (found.relations < RELATIONS)).all()
    for segment in found.segments:
        assert 1 <= len(segment.words.words) <= MOST_WORDS[segment.kind]


def test_of_each_kind_only_the_nearest_are_kept(embed: Embed) -> None:
    accepted = [f"El río número {number} pasa por el valle." for number in range(12)]
    accepted[9] = "La luna refleja la luz del sol."
    found = inputs(asked_with(accepted), "la luna refleja la luz del sol", embed)
    right = [segment for segment in found.segments if segment.kind is RIGHT]
    assert len(right) == MOST_SEGMENTS[RIGHT]
    assert right[0].at == 9


def test_what_has_no_room_is_left_out_and_what_comes_after_it_may_fit(embed: Embed) -> None:
    long = " ".join(f"palabra{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
    accepted = [f"{long} {number}" for number in range(5)]
    found = inputs(asked_with(accepted, keyword_groups=[["sol"]]), f"{long} {long}", embed)
    assert len(texts_of(found, ANSWER)[0].split()) == MOST_WORDS[ANSWER]
    assert 0 < len(texts_of(found, RIGHT)) < 5
    assert texts_of(found, IDEAS) == ["sol"]
    assert len(found.kinds) <= MOST_PLACES


def test_what_staff_judged_is_a_segment_of_its_kind(embed: Embed) -> None:
    said = {"el sol": VerdictResult.ACCEPT, "la luna": VerdictResult.PARTIAL, "el mar": VerdictResult.REJECT}
    found = inputs(PLAIN, "una estrella", embed, *said.items())
    assert "el sol" in texts_of(found, RIGHT)
    assert texts_of(found, PARTLY) == ["la luna"]
    assert texts_of(found, WRONG) == ["el mar"]
    added = [segment for segment in found.segments if segment.words.text in said]
    assert all(segment.at is None and segment.code is None for segment in added)


def test_marks_are_of_the_word_and_of_where_else_it_is(embed: Embed) -> None:
    found = inputs(OPEN, "No, la hoja refleja 3 ultravioletas verdes", embed)
    words = found.segments[0].words.words
    marks = dict(zip(words, found.marks[1:], strict=False))
    assert not found.marks[0, :4].any()
    assert marks["hoja"][0] == pytest.approx(frequency("hoja", "es") / 7.5)
    small, denies, numeral = ({word for word in words if marks[word][at]} for at in (1, 2, 3))
    assert small >= {"no", "la", BREAK}
    assert denies == {"no"}
    assert numeral == {"3"}
    in_answer, in_question, in_right, in_wrong, in_ideas = (
        {word for word in words if marks[word][at]} for at in range(4, 4 + len(MARKED))
    )
    assert in_answer == set()
    assert in_question == {"hoja", "verdes"}
    assert in_right == {"no", "la", "hoja", "refleja", "verdes"}
    assert {"hoja", "verdes"} <= in_wrong
    assert {"no", "refleja", "verdes"} <= in_ideas


def relations_of(embed: Embed) -> tuple[Inputs, NDArray[np.bool_]]:
    """Some inputs, and which pairs of their places are of one text."""
    found = inputs(OPEN, "la luz verde rebota en la hoja y la luz roja no", embed)
    number = np.zeros(len(found.kinds), dtype=int)
    for at in range(len(found.segments)):
        number[places_of(found, at)] = at
    return found, number[:, None] == number[None]


def test_in_one_text_places_are_related_by_their_distance(embed: Embed) -> None:
    found, in_one = relations_of(embed)
    relations, heads = found.relations, found.is_head
    words = in_one & ~heads[:, None] & ~heads[None]
    apart = np.clip(found.places[None] - found.places[:, None], -FAR, FAR)
    plain = words & (relations != REPEATED)
    assert (relations[plain] == apart[plain] + FAR + 1).all()
    assert (relations[plain] + relations.T[plain] == 2 * (FAR + 1)).all()
    assert (relations[in_one & heads[None] & ~heads[:, None]] == HEAD).all()
    assert (relations[in_one & heads[:, None] & ~heads[None]] == TO_HEAD).all()


def test_what_is_the_same_is_so_from_either_side(embed: Embed) -> None:
    found, in_one = relations_of(embed)
    for relation in (SAME_WORD, HEADS, REPEATED):
        pairs = found.relations == relation
        assert pairs.any()
        assert np.array_equal(pairs, pairs.T)
    assert not in_one[found.relations == SAME_WORD].any()
    assert in_one[found.relations == REPEATED].all()
    assert found.is_head[np.nonzero(found.relations == HEADS)[0]].all()


def test_likeness_is_between_texts_from_either_side(embed: Embed) -> None:
    found, in_one = relations_of(embed)
    cosines, heads = found.cosines, found.is_head
    assert cosines == pytest.approx(cosines.T, abs=1e-6)
    assert (abs(cosines) <= 1 + 1e-5).all()
    assert not cosines[in_one].any()
    assert not cosines[heads[:, None] != heads[None]].any()
    assert cosines[found.relations == SAME_WORD].max() == pytest.approx(1, abs=1e-5)
