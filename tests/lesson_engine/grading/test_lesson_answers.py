"""Answers to the bundled lessons as learners word them, labelled by hand, graded with the embedder of production.

Every `tests/data/<slug>_answers.json` is held against the bundled lesson of that name: for each ASK the right, the
partly right and the wrong answers, as text, or as lists of codes for the kinds with choices. Kinds that are counted
must be graded as the teacher would. Answers in the learner's own words are also held by `test_teacher`.
"""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from language.encoder import word_encoder
from lesson_engine.contracts import Reply, VerdictResult
from lesson_engine.grading import Embed, grade
from lesson_engine.grading.meaning import inputs
from tests.lesson_engine.grading.agreement import LabelledVerdict, assert_agreement
from tests.lesson_engine.grading.conftest import LabelsGraded
from tests.lesson_engine.grading.labelled import EXPECTED, LESSONS, Rows, asks, labelled, lesson_of, usual_or_hard

WORDED = ("open", "definition")
LEAST_SURE, MOST_OPPOSITE, MOST_DIFFERENT = 0.4, 0.05, 0.1
"""Of answers in the learner's own words; floors a little under what is measured."""
pytestmark = pytest.mark.parametrize("slug", [*map(usual_or_hard, LESSONS)], scope="module")


@pytest.fixture(scope="module")
def graded(slug: str, labels_graded: LabelsGraded) -> Rows:
    """Every labelled reply with its verdict."""
    return labels_graded(slug)


@pytest.fixture(scope="module")
def worded(graded: Rows) -> list[LabelledVerdict]:
    """The answers in the learner's own words."""
    rows = [(answer, verdict) for answer, verdict in graded if answer.ask.answer.kind in WORDED]
    return [
        LabelledVerdict(answer.label, verdict, f"{answer.ask.code}: {answer.reply.text}") for answer, verdict in rows
    ]


def differing(rows: Rows) -> str:
    """A line for each verdict that is not the teacher's."""
    return "\n".join(
        f"{answer.ask.code}: {answer.label} graded {verdict.result} by {verdict.rule}: "
        f"{answer.reply.text or ', '.join(answer.reply.choices)}"
        for answer, verdict in rows
        if verdict.result not in EXPECTED[answer.label]
    )


def test_every_question_has_answers_of_every_sort(slug: str) -> None:
    found: dict[str, set[str]] = {}
    for answer in labelled(slug):
        found.setdefault(answer.ask.code, set()).add(answer.label)
    assert len(labelled(slug)) >= 150
    assert found.keys() == asks(slug).keys()
    assert all({"right", "wrong"} <= labels <= EXPECTED.keys() for labels in found.values())


def test_what_is_counted_is_graded_as_a_teacher_would(slug: str, graded: Rows) -> None:
    counted = [(answer, verdict) for answer, verdict in graded if answer.ask.answer.kind not in WORDED]
    report = differing(counted)
    results = {label: [verdict.result for answer, verdict in counted if answer.label == label] for label in EXPECTED}
    assert results["right"].count(VerdictResult.ACCEPT) >= 0.97 * len(results["right"]), report
    assert results["wrong"].count(VerdictResult.ACCEPT) == 0, report
    agreed = sum(verdict.result in EXPECTED[answer.label] for answer, verdict in counted)
    assert agreed >= 0.9 * len(counted), report
    assert not any(verdict.doubtful for _, verdict in counted)


def test_of_answers_in_their_own_words_few_that_are_sure_are_wrong(slug: str, worded: list[LabelledVerdict]) -> None:
    assert_agreement(worded, least_sure=LEAST_SURE, most_opposite=MOST_OPPOSITE, most_different=MOST_DIFFERENT)


def test_who_is_not_sure_says_partly_right_and_nothing_else(slug: str, worded: list[LabelledVerdict]) -> None:
    for row in worded:
        assert row.verdict.doubtful is (row.verdict.result is VerdictResult.PARTIAL), row
        assert row.verdict.provenance == "rules", row


def test_answers_are_not_those_of_the_lesson(slug: str) -> None:
    """What the author wrote down is accepted by looking it up; that would prove nothing of how others are graded."""
    for answer in labelled(slug):
        authored = {text.casefold() for text in getattr(answer.ask.answer, "accepted", ())}
        assert answer.reply.text.casefold() not in authored


def test_a_grade_makes_vectors_of_nothing_but_the_answer(
    slug: str, graded: Rows, embed: Embed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the author's texts are kept: this is most of what a grade costs."""
    encode, read = word_encoder(), list[Sequence[str]]()

    def listening(words: Sequence[str]) -> NDArray[np.float32]:
        read.append(words)
        return encode(words)

    monkeypatch.setattr(inputs, "word_encoder", lambda: listening)
    for answer in [answer for answer, _ in graded if answer.ask.answer.kind in WORDED][:5]:
        grade(answer.ask, answer.reply, language=lesson_of(slug).meta.language, embed=embed)
        read.clear()
        fresh = Reply(text=f"{answer.reply.text} verdaderamente")
        grade(answer.ask, fresh, language=lesson_of(slug).meta.language, embed=embed)
        assert len(read) <= 1
