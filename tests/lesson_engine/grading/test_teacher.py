"""The bundled lessons against a teacher's labels: every answer in the learner's own words is right, partial or wrong.

Two sorts of answers: those that the lessons were written with (`<slug>_answers.json`), and those of a teacher who had
not seen the grader (`<slug>_practice.json`). Answers that are in the lesson word for word are left out: they are looked
up, which proves nothing of how others are graded. Not sure is no mistake, but it must not be the rule.
"""

from collections import Counter
from functools import cache

import pytest

from benchmarks.grading.data import PARTLY, RIGHT, WRONG, Row, bundled_rows
from lesson_engine.contracts import Reply
from tests.lesson_engine.grading.agreement import LabelledVerdict, assert_agreement
from tests.lesson_engine.grading.conftest import GradedOnce
from tests.lesson_engine.grading.labelled import LESSONS, usual_or_hard

LEAST_SURE, MOST_OPPOSITE, MOST_DIFFERENT = 0.4, 0.05, 0.1
"""Floors a little under what is measured, so that nothing slides back."""
ANSWERS = 60
LABELS = {RIGHT: "right", PARTLY: "partial", WRONG: "wrong"}
pytestmark = pytest.mark.parametrize("slug", [*map(usual_or_hard, LESSONS)], scope="module")


@cache
def all_rows() -> list[Row]:
    return bundled_rows()


@pytest.fixture(scope="module")
def rows(slug: str) -> list[Row]:
    return [row for row in all_rows() if row.lesson == slug and not is_in_the_lesson(row)]


def is_in_the_lesson(row: Row) -> bool:
    wrong = (example for misconception in row.ask.misconceptions for example in misconception.examples)
    authored = (*getattr(row.ask.answer, "accepted", ()), *wrong)
    return row.answer.casefold().strip(" .") in {text.casefold().strip(" .") for text in authored}


@pytest.fixture(scope="module")
def graded(rows: list[Row], graded_once: GradedOnce) -> list[LabelledVerdict]:
    return [
        LabelledVerdict(
            LABELS[row.label],
            graded_once(row.ask, Reply(text=row.answer), row.language, row.vocabulary),
            f"{row.ask.code}: {row.answer}",
        )
        for row in rows
    ]


def test_a_teacher_agrees_where_the_grader_is_sure(slug: str, graded: list[LabelledVerdict]) -> None:
    assert_agreement(graded, least_sure=LEAST_SURE, most_opposite=MOST_OPPOSITE, most_different=MOST_DIFFERENT)


def test_right_answers_score_higher_than_partly_right_ones_and_those_than_wrong_ones(
    slug: str, graded: list[LabelledVerdict]
) -> None:
    scores = {label: [row.verdict.score for row in graded if row.label == label] for label in LABELS.values()}
    right, partial, wrong = (sum(scores[label]) / len(scores[label]) for label in ("right", "partial", "wrong"))
    assert right > partial + 0.05
    assert partial > wrong + 0.05


def test_there_are_many_answers_of_every_sort(slug: str, rows: list[Row]) -> None:
    labels = Counter(row.label for row in rows)
    assert len(rows) >= ANSWERS
    assert all(labels[label] >= 10 for label in LABELS)
