"""The workbench costs the same however many answers there are; its queries are pinned."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from lesson_engine.models import Turn, VerdictReview
from tests.conftest import LessonMaker
from tests.lesson_engine.admin.bench import AGREEMENT, EXPORT, Bench, decide, judged, pupils, verdict_page
from tests.lesson_engine.admin.conftest import Walk
from tests.lesson_engine.admin.test_lists import plan_of
from tests.lesson_engine.workbench.many import many_answers, many_own_words, many_reviews

Queries = Callable[[int], AbstractContextManager[Any]]

WHO = 2
"""1. the browser's session
2. its user"""
FORM = WHO + 2
"""3. lessons to choose from
4. versions of the grader"""
CARD = 1
"""What staff said of it."""
ALIKE = 1
"""Answers like the one that is shown."""
EXPECTED = {
    # what learners compared; the doubtful; the sure, as far as the page has room; the learner's name
    "": FORM + 3 + 1 + CARD + ALIKE,
    "show=doubtful": FORM + 2 + 1 + CARD + ALIKE,
    "show=sure": FORM + 1 + 1 + CARD + ALIKE,
    "show=sample": FORM + 2 + CARD,  # the latest; the one that is shown, with its learner
    "show=reviewed": FORM + 2 + CARD,  # the latest reviews; their answers, with their learners
    "show=doubtful&lesson=light": FORM + 5 + 1 + CARD + ALIKE,  # the lesson, twice; its latest version's questions
    "show=doubtful&done=1": FORM + 3 + 1 + CARD + ALIKE,  # what was decided last
}


def test_a_page_takes_as_many_queries_for_thirty_answers_as_for_four(
    desk: Client, make_lesson: LessonMaker, django_assert_num_queries: Queries
) -> None:
    version = make_lesson()
    for begin, count in ((0, 4), (4, 28)):
        for number, user in enumerate(pupils(count, begin)):
            turn = judged(user, version, doubtful=number % 4 == 1)
            if number % 4 == 0:
                decide(desk, turn, "ACCEPT")
        for query, queries in EXPECTED.items():
            address = query.replace("done=1", f"done={VerdictReview.objects.earliest('pk').pk}")
            assert Bench(desk, address).turns  # the outline of a version is read once in the life of a process
            with django_assert_num_queries(queries):
                Bench(desk, address)


def test_one_verdict_takes_few_queries(
    desk: Client, make_lesson: LessonMaker, django_assert_num_queries: Queries
) -> None:
    turn = judged(pupils(1)[0], make_lesson())
    with django_assert_num_queries(WHO + 1 + CARD):
        desk.get(verdict_page(turn))


def test_the_figures_take_as_many_queries_for_many_reviews(
    desk: Client, make_lesson: LessonMaker, django_assert_num_queries: Queries
) -> None:
    version = make_lesson()
    for count in (1, 6):
        for user in pupils(count, 10 * count):
            decide(desk, judged(user, version), "ACCEPT")
        with django_assert_num_queries(FORM + 6):  # questions and graders: in doubt, at random, chosen
            desk.get(AGREEMENT)
        with django_assert_num_queries(FORM + 1):  # how many there are
            desk.get(EXPORT)


PLANS = [
    ("", "turn_doubtful"),
    ("show=doubtful", "turn_doubtful"),
    ("show=doubtful&lesson=light", "turn_doubtful"),
    ("show=sure", "lesson_engine_turn_pkey"),
    ("show=sure&result=ACCEPT", "lesson_engine_turn_pkey"),
    ("show=sample", "lesson_engine_turn_pkey"),
    ("show=reviewed", "lesson_engine_verdictreview_pkey"),
]


@pytest.mark.hard
@pytest.mark.parametrize("own_words", [0, 2_500])
def test_no_page_of_the_queue_reads_all_of_a_hundred_thousand_answers(
    desk: Client, staff: User, learner: User, make_lesson: LessonMaker, own_words: int
) -> None:
    walk = Walk(learner, make_lesson()).go_on().answer("They need it to sleep")
    many_answers(walk.session, sessions=10_000, each=10)
    many_reviews(by=staff.pk, count=2_000)
    if own_words:
        many_own_words(count=own_words)
    assert Turn.objects.count() > 100_000
    # What was compared comes first, and fills the page where staff have not looked at it.
    own = {"": "turn_own_word_once", "show=doubtful": "turn_own_word_once"} if own_words else {}
    for query, index in (dict(PLANS) | own).items():
        Bench(desk, query)
        with CaptureQueriesContext(connection) as captured:
            assert Bench(desk, query).turns
        listed = [one["sql"] for one in captured if "LIMIT" in one["sql"] and "DESC LIMIT" in one["sql"]]
        plan = "\n".join(plan_of(sql) for sql in listed)
        assert index in plan, (query, plan)
        assert "Seq Scan on lesson_engine_turn" not in plan, (query, plan)
        assert "Seq Scan on lesson_engine_learnertext" not in plan, (query, plan)
