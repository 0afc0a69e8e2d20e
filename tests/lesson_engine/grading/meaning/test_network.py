"""The network by itself: the same inputs give the same outcome, and no place counts for where it happens to be."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from lesson_engine.contracts import LabelledAnswer, VerdictResult
from lesson_engine.grading.meaning import judge
from lesson_engine.grading.meaning.inputs import MOST_PLACES, Inputs, inputs_of
from lesson_engine.grading.meaning.network import RESULTS, Outcome, networks, outcome_of
from tests.each import each
from tests.lesson_engine.grading.asks import DEFINITION, OPEN, ask

REPLIES = ("La luz verde rebota", "no sé, porque absorben la luz verde", "5", "por su color favorito")


def given(reply: str) -> Inputs:
    said = LabelledAnswer(id=1, text="lo verde se va", result=VerdictResult.PARTIAL)
    return inputs_of(OPEN, reply, language="es", examples=[said])


def moved(inputs: Inputs, order: NDArray[np.intp]) -> Inputs:
    """The same places in another order."""
    back = np.argsort(order)
    return replace(
        inputs,
        heads=tuple(int(back[head]) for head in inputs.heads),
        vectors=inputs.vectors[order],
        kinds=inputs.kinds[order],
        is_head=inputs.is_head[order],
        places=inputs.places[order],
        marks=inputs.marks[order],
        relations=inputs.relations[np.ix_(order, order)],
        cosines=inputs.cosines[np.ix_(order, order)],
    )


def assert_close(outcome: Outcome, other: Outcome) -> None:
    assert outcome.results == pytest.approx(other.results, abs=1e-3)
    assert outcome.says == pytest.approx(other.says, abs=1e-3)


@each("reply", REPLIES)
def test_the_same_inputs_give_the_same_outcome(reply: str) -> None:
    first, second = outcome_of(given(reply)), outcome_of(given(reply))
    assert np.array_equal(first.results, second.results)
    assert np.array_equal(first.says, second.says)


@each("reply", REPLIES)
def test_an_outcome_has_the_odds_of_each_result_and_of_each_segment(reply: str) -> None:
    inputs = given(reply)
    outcome = outcome_of(inputs)
    assert outcome.results.shape == (len(RESULTS),)
    assert outcome.says.shape == (len(inputs.segments),)
    assert np.isfinite([*outcome.results, *outcome.says]).all()


@each("reply", REPLIES)
def test_the_order_of_places_does_not_count(reply: str) -> None:
    inputs = given(reply)
    rest = np.random.default_rng(17).permutation(np.arange(1, len(inputs.kinds)))
    assert_close(outcome_of(moved(inputs, np.array([0, *rest]))), outcome_of(inputs))


def test_the_order_in_which_the_author_wrote_does_not_count() -> None:
    accepted = ["Refleja lo verde.", "El verde rebota.", "No absorbe el verde.", "Devuelve la luz verde."]
    groups = [["refleja", "rebota"], ["verde"]]
    for reply in REPLIES:
        judged = [
            judge(
                ask({"kind": "open", "accepted": texts, "keyword_groups": ideas}, "¿Por qué?"),
                reply,
                language="es",
            )
            for texts, ideas in ((accepted, groups), (accepted[::-1], groups[::-1]))
        ]
        assert judged[0].right == pytest.approx(judged[1].right, abs=1e-3)
        assert judged[0].wrong == pytest.approx(judged[1].wrong, abs=1e-3)
        assert accepted[judged[0].reference] == accepted[::-1][judged[1].reference]


def test_what_other_questions_were_asked_before_does_not_count() -> None:
    alone = outcome_of(given(REPLIES[0]))
    outcome_of(inputs_of(DEFINITION, "plants make food", language="en"))
    assert np.array_equal(outcome_of(given(REPLIES[0])).results, alone.results)


def test_the_largest_inputs_and_the_smallest_have_an_outcome() -> None:
    long = [f"{'la luz que refleja cada hoja verde del bosque ' * 6}{number}" for number in range(6)]
    largest = inputs_of(ask({"kind": "open", "accepted": long}, long[0]), long[0], language="es")
    smallest = inputs_of(ask({"kind": "open", "accepted": ["a"]}, "b"), "", language="es")
    assert len(smallest.kinds) < MOST_PLACES / 4 < MOST_PLACES * 3 / 4 < len(largest.kinds) <= MOST_PLACES
    for inputs in (largest, smallest):
        assert np.isfinite(outcome_of(inputs).results).all()


def test_the_networks_are_read_once_and_agree_on_their_shape() -> None:
    assert networks() is networks()
    assert len(networks()) >= 1
