"""Lessons that no fit has seen: how often the grader is sure there, and how often it is then wrong.

`make bench-grading` measures all of it; this holds floors a little under what it says, so that nothing slides back.
"""

import pytest

from benchmarks.grading.data import PARTLY, RIGHT, WRONG, Row, written_rows
from benchmarks.grading.splits import LEFT_OUT, left_out
from lesson_engine.contracts import Reply
from lesson_engine.grading import Embed, grade
from tests.lesson_engine.grading.agreement import LabelledVerdict, assert_agreement

LABELS = {RIGHT: "right", PARTLY: "partial", WRONG: "wrong"}
LEAST_SURE, MOST_OPPOSITE, MOST_DIFFERENT = 0.4, 0.08, 0.16


def verdicts(rows: list[Row], embed: Embed) -> list[LabelledVerdict]:
    return [
        LabelledVerdict(
            LABELS[row.label],
            grade(row.ask, Reply(text=row.answer), language=row.language, embed=embed, vocabulary=row.vocabulary),
            f"{row.question}: {row.answer}",
        )
        for row in rows
    ]


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return written_rows(LEFT_OUT)


def test_no_lesson_left_out_is_one_to_learn_from(rows: list[Row]) -> None:
    assert {row.lesson for row in rows} == left_out(rows)
    learned = {path.stem for path in LEFT_OUT.parent.glob("*.jsonl")}
    assert len(learned) > 200
    assert learned.isdisjoint({row.lesson for row in rows})


def test_a_teacher_agrees_where_the_grader_is_sure_of_some(rows: list[Row], embed: Embed) -> None:
    told = verdicts(rows[::8], embed)
    assert_agreement(told, least_sure=LEAST_SURE, most_opposite=MOST_OPPOSITE, most_different=MOST_DIFFERENT)


@pytest.mark.hard
def test_a_teacher_agrees_where_the_grader_is_sure(rows: list[Row], embed: Embed) -> None:
    told = verdicts(rows, embed)
    assert_agreement(told, least_sure=LEAST_SURE, most_opposite=MOST_OPPOSITE, most_different=MOST_DIFFERENT)
