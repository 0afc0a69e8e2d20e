"""The model of meaning: what it is given, and that applying it is the same every time."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lesson_engine.grading import Embed
from lesson_engine.grading.meaning import compare, probability, texts_to_embed
from lesson_engine.grading.meaning.frequency import weight
from lesson_engine.grading.meaning.model import present
from lesson_engine.grading.meaning.overlap import common_run, coverage, overlaps, spelling_likeness, word_weights
from lesson_engine.grading.meaning.texts import clauses
from tests.each import each

QUESTION = "Why does a bulb go out when the wire is cut?"
REFERENCES = ("Because the circuit is open, so no current flows.", "There is no closed path for the current.")


def likely(embed: Embed, reply: str, references: tuple[str, ...] = REFERENCES, question: str = QUESTION) -> float:
    return probability(compare(question, references, reply, "en", embed))


def test_a_right_answer_is_likelier_than_a_wrong_one_and_that_than_something_else(embed: Embed) -> None:
    right = likely(embed, "the circuit is open, therefore the current does not flow")
    assert right > likely(embed, "the battery has run out of energy") > 0
    assert right > 0.8 > 0.2 > likely(embed, "my grandmother lives in Seville")


@each("reply", ["", "?", "5", "a" * 4_000, "la " * 500, "\n\n", "ñ" * 50, "😀"])
def test_any_reply_has_a_probability(reply: str, embed: Embed) -> None:
    assert 0 <= likely(embed, reply) <= 1
    assert 0 <= likely(embed, reply, ("",), "") <= 1


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80))
def test_any_texts_have_finite_numbers(embed: Embed, question: str, reference: str, reply: str) -> None:
    found = compare(question, (reference,), reply, "es", embed)
    assert all(np.isfinite(value) for value in found.numbers.values())
    assert 0 <= probability(found) <= 1


def test_what_is_said_to_be_embedded_is_what_is_embedded(embed: Embed) -> None:
    asked: list[str] = []

    def listening(texts: Sequence[str], /) -> NDArray[np.float32]:
        asked.extend(texts)
        return embed(texts)

    compare(QUESTION, REFERENCES, "no current, and it is cut", "en", listening)
    assert asked == texts_to_embed(QUESTION, REFERENCES, "no current, and it is cut", "en")


def test_one_by_one_or_many_at_once_is_the_same_probability(embed: Embed) -> None:
    replies = ["the circuit is open", "no current can flow", "it is broken", "current flows"]
    alone = [likely(embed, reply) for reply in replies]
    texts = [text for reply in replies for text in texts_to_embed(QUESTION, REFERENCES, reply, "en")]
    vectors = dict(zip(texts, embed(texts), strict=True))

    def at_once(wanted: Sequence[str], /) -> NDArray[np.float32]:
        return np.stack([vectors[text] for text in wanted])

    assert [likely(at_once, reply) for reply in replies] == pytest.approx(alone, abs=1e-3)


def test_only_so_many_references_are_compared_word_by_word(embed: Embed) -> None:
    many = (*(f"Reference number {n} is about something else." for n in range(200)), *REFERENCES)
    assert compare(QUESTION, many, "the circuit is open", "en", embed).at >= 200


def test_the_model_has_a_coefficient_for_every_number(embed: Embed) -> None:
    found = compare(QUESTION, REFERENCES, "no current", "en", embed)
    model = present()
    assert model.names == tuple(found.numbers)
    assert model.arrays["net_mean"].shape == (len(model.names) + len(found.products),)
    leaves = model.arrays["tree_left"] == np.arange(len(model.arrays["tree_left"]))
    assert (model.arrays["tree_right"][leaves] == np.flatnonzero(leaves)).all()


def test_coverage_counts_rare_words_more_and_the_question_not() -> None:
    weights = {"current": 3.0, "flow": 1.0, "bulb": 2.0}
    new, whole = coverage(["current", "flow", "bulb"], frozenset({"flow", "bulb"}), frozenset({"bulb"}), weights)
    assert new == pytest.approx(1 / 4)
    assert whole == pytest.approx(3 / 6)
    assert coverage([], frozenset(), frozenset(), {}) == (-1, -1)


def test_soft_cardinality_of_texts_without_a_common_letter_is_that_of_sets() -> None:
    words = {"zzabz": 0, "ddefd": 1, "xxyyx": 2}
    likeness = spelling_likeness(tuple(words))
    found = overlaps(words, word_weights(words, "en"), likeness, ["xxyyx"], ["zzabz", "ddefd"], [["zzabz"]])
    assert found.of_reference == pytest.approx(1, abs=1e-3)
    assert found.of_reply == pytest.approx(0.5, abs=1e-3)
    assert found.reply_in_question == pytest.approx(0, abs=1e-3)
    assert found.new_of_reference == pytest.approx(1, abs=1e-3)


def test_order_and_clauses_and_weights() -> None:
    assert common_run(["a", "b", "c"], ["a", "c", "b"]) == 2
    assert clauses("It grows because it eats light, and it drinks") == ("it grows", "it eats light", "it drinks")
    assert clauses("Crece porque come luz y bebe") == ("crece", "come luz", "bebe")
    assert clauses("") == ("",)
    assert weight("the", "en") < weight("water", "en") < weight("photosynthesis", "en")
    assert weight("que", "es") < weight("agua", "es")
