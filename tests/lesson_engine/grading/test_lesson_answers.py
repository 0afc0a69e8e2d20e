"""Answers to the bundled lessons as learners word them, labelled by hand, graded with the embedder of production.

Every `tests/data/<slug>_answers.json` is held against the bundled lesson of that name: for each ASK the right, the
partly right and the wrong answers, as text, or as lists of codes for the kinds with choices.
"""

import statistics
import time

import pytest

from lesson_engine.contracts import Reply, VerdictResult
from lesson_engine.grading import Embed, grade
from tests.lesson_engine.grading.conftest import LabelsGraded
from tests.lesson_engine.grading.labelled import EXPECTED, LESSONS, Rows, asks, labelled, lesson_of, usual_or_hard

pytestmark = pytest.mark.parametrize("slug", [*map(usual_or_hard, LESSONS)], scope="module")


@pytest.fixture(scope="module")
def graded(slug: str, labels_graded: LabelsGraded) -> Rows:
    """Every labelled reply with its verdict."""
    return labels_graded(slug)


def differing(rows: Rows) -> str:
    """A line for each verdict that is not the teacher's."""
    return "\n".join(
        f"{one.ask.code}: {one.label} graded {verdict.result} by {verdict.rule}: "
        f"{one.reply.text or ', '.join(one.reply.choices)}"
        for one, verdict in rows
        if verdict.result not in EXPECTED[one.label]
    )


def share_accepted(rows: Rows, label: str) -> float:
    results = [verdict.result for one, verdict in rows if one.label == label]
    return results.count(VerdictResult.ACCEPT) / len(results)


def test_every_question_has_answers_of_every_sort(slug: str) -> None:
    found: dict[str, set[str]] = {}
    for one in labelled(slug):
        found.setdefault(one.ask.code, set()).add(one.label)
    assert found.keys() == asks(slug).keys()
    assert all({"right", "wrong"} <= labels <= EXPECTED.keys() for labels in found.values())


def test_learners_are_graded_as_a_teacher_would(slug: str, graded: Rows) -> None:
    report = differing(graded)
    assert len(graded) >= 150
    assert share_accepted(graded, "right") >= 0.97, report
    assert share_accepted(graded, "wrong") == 0, report
    agreed = [verdict.result in EXPECTED[one.label] for one, verdict in graded]
    assert sum(agreed) >= 0.9 * len(graded), report


def test_a_right_answer_is_hardly_ever_called_wrong(slug: str, graded: Rows) -> None:
    right = [verdict.result for one, verdict in graded if one.label == "right"]
    assert sum(result in EXPECTED["wrong"] for result in right) <= 0.0125 * len(right), differing(graded)


def test_answers_are_not_those_of_the_lesson(slug: str) -> None:
    """What the author wrote down is accepted by looking it up; that would prove nothing of how others are graded."""
    for one in labelled(slug):
        authored = {text.casefold() for text in getattr(one.ask.answer, "accepted", ())}
        assert one.reply.text.casefold() not in authored


def test_a_grade_costs_no_more_than_a_few_embeddings(slug: str, graded: Rows, embed: Embed) -> None:
    """By the processor, not by the clock: others may use the machine."""
    took, floor = [], []
    for one in [one for one, _ in graded if one.reply.text][::5]:
        # A trailing dot makes it a text that the embedder has not seen, as a learner's is.
        fresh = Reply(text=f"{one.reply.text} .")
        start = time.process_time()
        grade(one.ask, fresh, language=lesson_of(slug).meta.language, embed=embed)
        took.append(time.process_time() - start)
        start = time.process_time()
        embed([f"{one.reply.text} !"])
        floor.append(time.process_time() - start)
    assert statistics.median(took) < 8 * statistics.median(floor)
