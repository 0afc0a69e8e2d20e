"""The bundled lessons against a teacher's labels: every answer in the learner's own words is right, partial or wrong.

Two sorts of answers: those that the lessons were written with (`<slug>_answers.json`), and those of a teacher who had
not seen the grader (`<slug>_practice.json`). The verdict must be the teacher's, not a neighbour's. Answers that stand
in the lesson word for word are left out: they are looked up, which proves nothing of how others are graded. The demo
lesson meets what is asked of the grader; the floors of the others are what they reach, so that nothing slides back.
"""

from collections import Counter

import pytest

from benchmarks.grading.data import Row, lesson_rows
from lesson_engine.contracts import Reply
from tests.lesson_engine.grading.conftest import GradedOnce
from tests.lesson_engine.grading.labelled import EXPECTED, LESSONS, usual_or_hard

DEMO = "fotosintesis"
AGREEMENT = {DEMO: 0.9, "fractions": 0.84, "ley-de-ohm": 0.88, "ohms-law": 0.9}
"""Least share of answers whose verdict is the teacher's."""
ACCEPTED_WRONG = {DEMO: 0.01, "fractions": 0.01, "ley-de-ohm": 0.01, "ohms-law": 0.01}
"""Most of all answers that may be wrong and accepted."""
ANSWERS = 60
SAID = {result: label for label, results in EXPECTED.items() for result in results}
pytestmark = pytest.mark.parametrize("slug", [*map(usual_or_hard, LESSONS)], scope="module")


@pytest.fixture(scope="module")
def rows(slug: str) -> list[Row]:
    return [row for row in lesson_rows() if row.domain == f"lessons:{slug}" and not is_in_the_lesson(row)]


def is_in_the_lesson(row: Row) -> bool:
    assert row.ask is not None
    wrong = (example for one in row.ask.misconceptions for example in one.examples)
    return row.answer.casefold().strip(" .") in {text.casefold().strip(" .") for text in (*row.references, *wrong)}


@pytest.fixture(scope="module")
def graded(rows: list[Row], graded_once: GradedOnce) -> list[tuple[Row, str, str]]:
    """Each answer, what the grader makes of it in the teacher's words, and a line to read."""
    found = []
    for row in rows:
        assert row.ask is not None
        verdict = graded_once(row.ask, Reply(text=row.answer), row.language)
        said = SAID[verdict.result]
        line = f"{row.ask.code}: {row.label} graded {said} by {verdict.rule} ({verdict.score:.2f}): {row.answer}"
        found.append((row, said, line))
    return found


def report(graded: list[tuple[Row, str, str]]) -> str:
    """How often each label was graded how, and every failure."""
    table = Counter((row.label, said) for row, said, _ in graded)
    counts = [f"{label} graded {said}: {count}" for (label, said), count in sorted(table.items())]
    return "\n".join([*counts, *(line for row, said, line in graded if row.label != said)])


def test_a_teacher_agrees(slug: str, graded: list[tuple[Row, str, str]]) -> None:
    agreed = sum(row.label == said for row, said, _ in graded)
    assert agreed >= AGREEMENT[slug] * len(graded), f"{agreed} of {len(graded)}\n{report(graded)}"


def test_hardly_any_wrong_answer_is_accepted(slug: str, graded: list[tuple[Row, str, str]]) -> None:
    accepted = sum(row.label == "wrong" and said == "right" for row, said, _ in graded)
    assert accepted <= ACCEPTED_WRONG[slug] * len(graded), f"{accepted} of {len(graded)}\n{report(graded)}"


def test_there_are_many_answers_of_every_sort(slug: str, rows: list[Row]) -> None:
    labels = Counter(row.label for row in rows)
    assert len(rows) >= ANSWERS
    assert all(labels[label] >= 10 for label in ("right", "partial", "wrong"))
