"""The lists: what they say, how they are searched, and that their cost does not grow with the table."""

import json
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from accounts.services import guest_create
from core import admin_tools
from gateway.models import Account
from lesson_engine.models import LessonVersion, Mode
from tests.admin.conftest import Walk
from tests.conftest import LessonMaker, lesson_data

SESSIONS = "admin:lesson_engine_session_changelist"
RIGHT = "Plants use light to make sugar from water and carbon dioxide."


def rows(desk: Client, url: str = SESSIONS, **query: str) -> list[Any]:
    response = desk.get(reverse(url), query)
    assert response.status_code == 200
    return list(response.context["cl"].result_list)


_MANY = """
INSERT INTO lesson_engine_session
    (id, user_id, lesson_id, lesson_version_id, mode, status, version, state, started_at, active_at)
SELECT gen_random_uuid(), %s, %s, %s, 'deterministic', 'set_aside', 30, %s, now() - interval '9 days',
       now() - n * interval '1 second'
FROM generate_series(1, %s) AS n
"""


def many_sessions(version: LessonVersion, count: int) -> None:
    asks = {f"ASK_{n:03}": {"attempts": 1, "outcome": "mastered"} for n in range(12)}
    state = json.dumps({"asks": asks, "notice": {"feedback": "x" * 500}})
    with connection.cursor() as cursor:
        cursor.execute(_MANY, [guest_create().pk, version.lesson_id, version.pk, state, count])


def test_a_session_is_summed_up_in_a_row(desk: Client, learner: User, make_lesson: LessonMaker) -> None:
    guest = guest_create()
    version = make_lesson()
    Walk(learner, version).go_on().answer(RIGHT).mode(Mode.ADAPTIVE)
    Walk(guest, version)
    page = desk.get(reverse(SESSIONS)).content.decode()
    assert f"{guest.username} (guest)" in page
    assert "1 of 2, 1 right" in page
    assert "0 of 2, 0 right" in page
    assert [row.user for row in rows(desk)] == [guest, learner]


def test_sessions_are_filtered_and_found(
    desk: Client, learner: User, stranger: User, make_lesson: LessonMaker, photosynthesis: LessonVersion
) -> None:
    light = Walk(learner, make_lesson()).mode(Mode.ADAPTIVE).session
    leaf = Walk(stranger, photosynthesis).session
    assert rows(desk, lesson="light") == [light]
    assert rows(desk, lesson=photosynthesis.lesson.slug) == [leaf]
    assert rows(desk, lesson="nowhere") == []
    assert rows(desk, mode__exact="adaptive") == [light]
    assert rows(desk, status__exact="finished") == []
    assert rows(desk, q="ana") == [light]
    assert rows(desk, q="an") == []
    assert rows(desk, q=f" {leaf.pk} ") == [leaf]
    assert rows(desk, q=str(leaf.pk).upper().replace("-", "")) == [leaf]
    assert rows(desk, q=str(uuid.uuid4())) == []
    assert rows(desk, q="ana", lesson=photosynthesis.lesson.slug) == []
    assert rows(desk, q="a' OR 1=1 --") == []


def test_a_list_takes_as_many_queries_for_thirty_sessions_as_for_three(
    desk: Client, make_lesson: LessonMaker, django_assert_num_queries: Any
) -> None:
    version = make_lesson()
    for count in (3, 27):
        many_sessions(version, count)
        with django_assert_num_queries(5):  # session, user, lessons to filter by, count, rows
            assert len(rows(desk)) in (3, 30)


@pytest.mark.parametrize(
    ("model", "queries"), [("lesson_engine_lesson", 4), ("lesson_engine_lessonversion", 5), ("gateway_account", 4)]
)
def test_the_other_lists_too(
    desk: Client, learner: User, make_lesson: LessonMaker, model: str, queries: int, django_assert_num_queries: Any
) -> None:
    url, meta = f"admin:{model}_changelist", lesson_data()["meta"]
    for count in (3, 12):
        for n in range(count):
            Walk(learner, make_lesson(meta={**meta, "slug": f"light-{n}"}))
        with django_assert_num_queries(queries):
            assert len(rows(desk, url)) == count


def test_twenty_thousand_sessions_do_not_slow_the_list_down(desk: Client, make_lesson: LessonMaker) -> None:
    many_sessions(make_lesson(), 20_000)
    rows(desk)
    with CaptureQueriesContext(connection) as captured:
        response = desk.get(reverse(SESSIONS))
    assert len(captured) == 5
    assert response.context["cl"].result_count == admin_tools.ROWS_SHOWN
    assert "at most 10000 are listed" in response.context["title"]
    counts = [query["sql"] for query in captured if "COUNT(" in query["sql"]]
    assert len(counts) == 1
    assert f"LIMIT {admin_tools.ROWS_SHOWN}" in counts[0]
    assert "JOIN" not in counts[0]
    listed = next(query["sql"] for query in captured if "ORDER BY" in query["sql"] and "active_at" in query["sql"])
    assert "LIMIT 50" in listed
    for heavy in ('"source"', '"lesson_engine_session"."state",', '"summary"'):
        assert heavy not in listed


def test_nobody_can_ask_for_counts_of_everything(
    desk: Client, make_lesson: LessonMaker, django_assert_num_queries: Any
) -> None:
    many_sessions(make_lesson(), 3)
    with django_assert_num_queries(5):
        assert "Show counts" not in desk.get(reverse(SESSIONS), {"_facets": "True"}).content.decode()


def test_lessons_count_versions_and_sessions_up_to_the_bound(
    desk: Client, make_lesson: LessonMaker, photosynthesis: LessonVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin_tools, "ROWS_SHOWN", 7)
    many_sessions(make_lesson(), 9)
    lessons = rows(desk, "admin:lesson_engine_lesson_changelist")
    found = {row.slug: (row.version_count, row.session_count) for row in lessons}
    assert found == {"light": (1, 7), photosynthesis.lesson.slug: (1, 0)}


def test_budgets_are_exact_cents(desk: Client) -> None:
    Account.objects.create(scope="session", key="k", limit=100_000_000, spent=21_500_001, held=3, escalations_limit=5)
    page = desk.get(reverse("admin:gateway_account_changelist"), {"q": "k"}).content.decode()
    for text in (">100<", ">21.500001<", ">0.000003<", ">78.499996<", "0 of 5"):
        assert text in page
