"""What the network reads of an answer and its question: segments, places, marks, relations and likeness."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from language.encoder import word_encoder
from lesson_engine.contracts import Ask, LabelledAnswer, VerdictResult
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
    Segment,
    inputs_of,
    nearest_to,
    read_words,
)
from lesson_engine.grading.meaning.spelling import BREAK, Known, frequency
from lesson_engine.grading.plain import plain_ask
from tests.lesson_engine.grading.asks import OPEN, PLAIN, ask

SCRAPS = "la luz no verde , refleja R 5 hoja"
TEXTS = st.one_of(st.text(max_size=300), st.lists(st.sampled_from(SCRAPS.split())).map(" ".join))
ANSWER, QUESTION, RIGHT, WRONG, IDEAS, PARTLY = Kind


def inputs(asked: Ask, reply: str, *examples: tuple[str, VerdictResult]) -> Inputs:
    labelled = [LabelledAnswer(id=at, text=text, result=result) for at, (text, result) in enumerate(examples)]
    return inputs_of(asked, reply, language="es", examples=labelled)


def text_of(segment: Segment) -> str:
    return " ".join(segment.words.words)


def texts_of(given: Inputs, kind: Kind) -> list[str]:
    return [text_of(segment) for segment in given.segments if segment.kind is kind]


def places_of(given: Inputs, at: int) -> range:
    """The places of a segment, its head first."""
    return range(given.heads[at], [*given.heads, len(given.kinds)][at + 1])


def asked_with(accepted: Sequence[str], **more: Any) -> Ask:
    return ask({"kind": "open", "accepted": accepted, **more}, "¿Por qué?")


def test_the_answer_comes_first_then_all_that_the_author_wrote() -> None:
    found = inputs(OPEN, "Refleja lo verde")
    assert [segment.kind for segment in found.segments] == [ANSWER, QUESTION, RIGHT, RIGHT, WRONG, WRONG, IDEAS, IDEAS]
    assert texts_of(found, ANSWER) == ["refleja lo verde"]
    assert texts_of(found, QUESTION) == ["por qué vemos verdes las hojas"]
    assert texts_of(found, IDEAS) == ["refleja , rebota , devuelve , no absorbe", "verde"]
    assert {segment.at for segment in found.segments if segment.kind is RIGHT} == {0, 1}
    assert {segment.code for segment in found.segments if segment.kind is WRONG} == {"absorbe_verde"}


def test_a_segment_is_a_head_and_its_words() -> None:
    found = inputs(OPEN, "Refleja lo verde")
    for at, segment in enumerate(found.segments):
        places = places_of(found, at)
        assert len(places) == 1 + len(segment.words.words)
        assert found.is_head[places].tolist() == [True] + [False] * len(segment.words.words)
        assert found.places[places].tolist() == list(range(len(places)))
        assert set(found.kinds[places].tolist()) == {int(segment.kind)}


def test_words_have_their_vectors_in_their_text_and_the_head_twice_their_mean() -> None:
    found = inputs(OPEN, "Refleja lo verde")
    for at, segment in enumerate(found.segments):
        head, *words = found.vectors[places_of(found, at)]
        assert np.array_equal(words, word_encoder()(segment.words.words).astype(np.float16))
        assert head == pytest.approx(2 * np.mean(words, axis=0), abs=0.01)


def answer_vectors(reply: str) -> dict[str, NDArray[np.float32]]:
    """The vectors of its words, by the word."""
    found = inputs(OPEN, reply)
    return dict(zip(found.segments[0].words.words, found.vectors[1:], strict=False))


def test_a_word_of_the_answer_is_read_with_the_words_around_it() -> None:
    bounces, pays = answer_vectors("la luz rebota en la hoja"), answer_vectors("pago la factura de la luz")
    assert abs(bounces["luz"] - pays["luz"]).max() > 0.5


def segment(kind: Kind, text: str) -> Segment:
    return Segment(kind, read_words(text, kind, "es", Known()))


def test_vectors_of_answers_are_not_kept_and_others_are() -> None:
    for kind in Kind:
        first, second = segment(kind, "nadie más escribe esto"), segment(kind, "nadie más escribe esto")
        assert (first.vectors is second.vectors) is (kind is not ANSWER)
        assert np.array_equal(first.vectors.whole, second.vectors.whole)


def test_the_same_answer_has_the_same_vectors_alone_and_after_others() -> None:
    alone = inputs(OPEN, "Refleja lo verde")
    for other in ("", "la hoja", "lo verde refleja", "Refleja lo verde y lo rojo"):
        inputs(OPEN, other)
    again = inputs(OPEN, "Refleja lo verde")
    assert np.array_equal(again.vectors, alone.vectors)
    assert np.array_equal(again.cosines, alone.cosines)


def test_the_nearest_of_some_texts_is_nearest_as_a_whole() -> None:
    parts = ["mi abuela vive en Sevilla", "las hojas absorben la luz verde", "hoy es martes"]
    wanted = ["La planta está enferma.", "Porque las hojas se quedan con la luz verde"]
    for texts in (parts, parts[::-1]):
        assert nearest_to(wanted, texts, OPEN, language="es") == parts[1]
    assert nearest_to(["x"], ["", "x"], OPEN, language="es") == "x"


def test_a_question_without_a_text_has_no_segment() -> None:
    assert [segment.kind for segment in inputs(plain_ask("", ("luz",)), "luz").segments] == [ANSWER, RIGHT]


@given(reply=TEXTS, question=TEXTS, accepted=st.lists(TEXTS, min_size=1, max_size=8), other=TEXTS)
def test_any_texts_are_bounded_and_make_numbers(reply: str, question: str, accepted: list[str], other: str) -> None:
    found = inputs(
        plain_ask(question, tuple(accepted)),
        reply,
        (other, VerdictResult.PARTIAL),
        (reply, VerdictResult.REJECT),
    )
    n = len(found.kinds)
    assert n <= MOST_PLACES
    assert found.heads[0] == 0
    assert found.kinds[0] == ANSWER
    assert found.vectors.shape == (n, 768)
    assert found.marks.shape == (n, 4 + len(MARKED))
    assert found.relations.shape == found.cosines.shape == (n, n)
    assert all(np.isfinite(numbers).all() for numbers in (found.vectors, found.marks, found.cosines))
    assert ((found.relations >= 0) & (found.relations < RELATIONS)).all()
    for segment in found.segments:
        assert 1 <= len(segment.words.words) <= MOST_WORDS[segment.kind]


def test_of_each_kind_only_the_nearest_are_kept() -> None:
    accepted = [f"El río número {number} pasa por el valle." for number in range(12)]
    accepted[9] = "La luna refleja la luz del sol."
    found = inputs(asked_with(accepted), "la luna refleja la luz del sol")
    right = [segment for segment in found.segments if segment.kind is RIGHT]
    assert len(right) == MOST_SEGMENTS[RIGHT]
    assert right[0].at == 9


def test_what_has_no_room_is_left_out_and_what_comes_after_it_may_fit() -> None:
    long = " ".join(f"palabra{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
    accepted = [f"{long} {number}" for number in range(5)]
    found = inputs(asked_with(accepted, keyword_groups=[["sol"]]), f"{long} {long}")
    assert len(texts_of(found, ANSWER)[0].split()) == MOST_WORDS[ANSWER]
    assert 0 < len(texts_of(found, RIGHT)) < 5
    assert texts_of(found, IDEAS) == ["sol"]
    assert len(found.kinds) <= MOST_PLACES


def test_what_staff_judged_is_a_segment_of_its_kind() -> None:
    said = {"el sol": VerdictResult.ACCEPT, "la luna": VerdictResult.PARTIAL, "el mar": VerdictResult.REJECT}
    found = inputs(PLAIN, "una estrella", *said.items())
    assert "el sol" in texts_of(found, RIGHT)
    assert texts_of(found, PARTLY) == ["la luna"]
    assert texts_of(found, WRONG) == ["el mar"]
    added = [segment for segment in found.segments if text_of(segment) in said]
    assert all(segment.at is None and segment.code is None for segment in added)


def test_marks_are_of_the_word_and_of_where_else_it_is() -> None:
    found = inputs(OPEN, "No, la hoja refleja 3 ultravioletas verdes")
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


def related() -> tuple[Inputs, NDArray[np.bool_]]:
    """Some inputs, and which pairs of their places are of one text."""
    found = inputs(OPEN, "la luz verde rebota en la hoja y la luz roja no")
    number = np.zeros(len(found.kinds), dtype=int)
    for at in range(len(found.segments)):
        number[places_of(found, at)] = at
    return found, number[:, None] == number[None]


def test_in_one_text_places_are_related_by_their_distance() -> None:
    found, in_one = related()
    relations, heads = found.relations, found.is_head
    words = in_one & ~heads[:, None] & ~heads[None]
    apart = np.clip(found.places[None] - found.places[:, None], -FAR, FAR)
    plain = words & (relations != REPEATED)
    assert (relations[plain] == apart[plain] + FAR + 1).all()
    assert (relations[plain] + relations.T[plain] == 2 * (FAR + 1)).all()
    assert (relations[in_one & heads[None] & ~heads[:, None]] == HEAD).all()
    assert (relations[in_one & heads[:, None] & ~heads[None]] == TO_HEAD).all()


def test_what_is_the_same_is_so_from_either_side() -> None:
    found, in_one = related()
    for relation in (SAME_WORD, HEADS, REPEATED):
        pairs = found.relations == relation
        assert pairs.any()
        assert np.array_equal(pairs, pairs.T)
    assert not in_one[found.relations == SAME_WORD].any()
    assert in_one[found.relations == REPEATED].all()
    assert found.is_head[np.nonzero(found.relations == HEADS)[0]].all()


def test_likeness_is_between_texts_from_either_side() -> None:
    found, in_one = related()
    cosines, heads = found.cosines, found.is_head
    assert cosines == pytest.approx(cosines.T, abs=1e-6)
    assert (abs(cosines) <= 1 + 1e-3).all()  # vectors are in half precision
    assert not cosines[in_one].any()
    assert not cosines[heads[:, None] != heads[None]].any()
    words = ~in_one & ~heads[:, None] & ~heads[None]
    assert cosines[found.relations == SAME_WORD].mean() > cosines[words].mean() + 0.2


def test_a_text_is_as_like_as_can_be_to_itself() -> None:
    found = inputs(plain_ask("", ("La luz rebota en la hoja.",)), "la luz rebota en la hoja")
    answer, same = places_of(found, 0), places_of(found, 1)
    assert found.cosines[answer, same] == pytest.approx(1, abs=1e-3)
