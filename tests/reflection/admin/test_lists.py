"""The queue of what waits for review, the list of all reflections, and patterns."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from evaluation.models import Evaluation
from memory.models import Episode
from memory.services import episodes_forget
from reflection.models import Pattern
from reflection.models import Reflection as ReflectionRow
from reflection.services import reflection_edit
from tests.gateway.admin_pages import HOSTILE, assert_escaped, text_of
from tests.hands import tampering
from tests.lesson_engine.learn.pages import Page
from tests.reflection.past_made import QUALITY
from tests.reflection.patterns_made import DOMAIN, figures, remember
from tests.reflection.reflections_made import plan_make, reflections_make, tried
from tests.reflection.reviews_made import DEEP, SHALLOW, SPECIFIC, attempt, held_back, page_of, url_of, waiting

LIST = "admin:reflection_reflection_changelist"


def listed(desk: Client, **query: str) -> list[ReflectionRow]:
    response = desk.get(reverse(LIST), query)
    assert response.status_code == 200, query
    return list(response.context["cl"].result_list)


@pytest.fixture
def many(learner: User, stranger: User, staff: User) -> dict[str, ReflectionRow]:
    """Reflections of every decision, review and author, the oldest first."""
    plan, other = plan_make(learner), plan_make(stranger)
    made: dict[str, ReflectionRow] = {}
    wanted: list[tuple[str, Any, dict[str, Any], dict[str, Any]]] = [
        ("old", plan, tried(0.6, "accepted_with_warnings"), {}),
        ("accepted", plan, tried(), {"in_force": True}),
        ("rejected", other, tried(0.3, "rejected", "model", model="o3-mini"), {}),
        ("new", other, tried(0.7, "accepted_with_warnings"), {}),
        ("approved", plan, tried(0.7, "accepted_with_warnings"), {"review": "approved", "reviewed_at": timezone.now()}),
        ("refused", plan, tried(0.7, "accepted_with_warnings"), {"review": "rejected", "reviewed_at": timezone.now()}),
    ]
    for number, (name, about, one, changes) in enumerate(wanted):
        at = timezone.now() - timedelta(days=20 - number)
        made[name] = reflections_make(about, [one], at=at, **changes)[0]
    made["edited"] = waiting(learner, task="Book hotel in Lima")
    reflection_edit(reflection_id=made["edited"].pk, by=staff, reason="So.", adjustments=SPECIFIC, patterns=[], **DEEP)
    return made


def test_the_list_opens_with_what_waits_and_finds_all_others(desk: Client, many: dict[str, ReflectionRow]) -> None:
    def names(**query: str) -> list[str]:
        by_pk = {row.pk: name for name, row in many.items()}
        return [by_pk[row.pk] for row in listed(desk, **query)]

    assert names() == names(review="waiting") == ["old", "new"], "the oldest first"
    assert names(review="all") == list(reversed(many)), "the latest first"
    assert names(review="approved") == ["edited", "approved"]
    assert names(review="rejected") == ["refused"]
    assert names(review="none") == ["new", "rejected", "accepted", "old"]
    assert names(decision="accepted") == ["accepted"], "whoever asks for a decision asks for more than the queue"
    assert names(decision="accepted_with_warnings", review="waiting") == ["old", "new"]
    assert names(author="staff", review="all") == ["edited"]
    assert names(author="model", review="all") == ["rejected"]
    assert set(names(author="facts", review="all")) == set(many) - {"edited", "rejected"}
    assert names(task_type="hotel_booking") == ["old", "new"]
    assert names(task_type="lesson", review="all") == []
    assert names(q="BERTO") == ["new", "rejected"]
    new = many["new"]
    assert names(q=str(new.pk)) == names(q=str(new.evaluation_id)) == ["new"]
    assert names(q=str(new.evaluation.plan_id)) == ["new", "rejected"]
    assert names(q="in lima") == names(q="flawed approach") == ["edited"]
    assert names(q="strategy put the price first") == list(reversed([name for name in many if name != "edited"]))
    assert names(q=str(uuid.uuid4())) == names(q="%") == []
    assert set(names(q="\0", review="all")) == set(names(review="x", author="x")) == set(many)
    assert "Reflections that wait for review" in text_of(desk.get(reverse(LIST)))


def test_an_empty_queue_says_so(desk: Client, learner: User) -> None:
    [row] = reflections_make(plan_make(learner), [tried()])
    page = Page(desk.get(reverse(LIST)))
    assert "Nothing waits for review." in page.words
    assert "No other reflection waits for review." in page_of(desk, row).words


def test_patterns_have_a_page_with_figures_and_episodes(desk: Client, learner: User, stranger: User) -> None:
    remember(learner, 4, QUALITY, at=timezone.now())
    remember(learner, 1, ("Hotel quality >= 7", True), at=timezone.now() - timedelta(hours=1))
    now = timezone.now()
    row = Pattern.objects.create(
        user=learner, domain=DOMAIN, digest="x", condition=["priority=price"], outcome="fails:quality >= 7",
        text=f"Budget first ends badly {HOSTILE}", language="en", support=4, contrary=1, total=5, confidence=0.8,
        lower_bound=0.376, state="provisional", created_at=now, validated_at=now,
    )  # fmt: skip
    url = reverse("admin:reflection_pattern_change", args=[row.pk])
    response = desk.get(url)
    assert_escaped(response)
    page = Page(response)
    said = page.tree.one("article", class_="rf-pattern")
    assert "provisional Seen in 4 of 5 episodes Confidence 0.80 Lower bound at 95 % 0.38 Contrary 1" in said.text()
    assert "Ended otherwise" in said.text()
    assert len(said.find("a")) == 5
    assert "Episodes have come or gone" not in page.words
    episodes_forget(user=learner, ids=[Episode.objects.filter(outcome="failure")[0].pk])
    assert "counted now it is seen in 3 of 4, and 1 ended otherwise" in Page(desk.get(url)).words
    assert figures(row)[1:] == (4, 1, 5), "looking changes nothing"
    for query, found in ((learner.username, 1), (stranger.username, 0), (str(row.pk), 1), ("ends badly", 1), ("%%", 0)):
        shown = desk.get(reverse("admin:reflection_pattern_changelist"), {"q": query})
        assert len(shown.context["cl"].result_list) == found, query
    for filtered in ({"state": "provisional"}, {"domain": DOMAIN}):
        assert len(desk.get(reverse("admin:reflection_pattern_changelist"), filtered).context["cl"].result_list) == 1


def test_lists_and_pages_ask_few_questions_however_many_rows(
    desk: Client, learner: User, staff: User, django_assert_num_queries: Any
) -> None:
    remember(learner, 4, QUALITY, at=timezone.now())
    rows = [held_back(learner, attempt(**SHALLOW), attempt(), task=f"Book hotel in {n} Town") for n in range(3)]
    reflection_edit(reflection_id=rows[0].pk, by=staff, reason="So.", adjustments=SPECIFIC, patterns=[], **DEEP)
    for query in ({}, {"review": "all"}, {"review": "all", "author": "staff"}):
        with django_assert_num_queries(4) as asked:  # the browser's session, its user, the count, the rows
            listed(desk, **query)
        rows_sql = asked.captured_queries[-1]["sql"]
        assert not any(long in rows_sql for long in ("execution_result", '"analysis"', '"patterns"', "desired_result"))
    # 3. the row; 4. its attempts; 5. its reviews; 6. its checks; 7. steps; 8. criteria; 9. episodes; 10. what it set;
    # 11. what waits next; of the later ones 12. the failures behind a pattern that were never learned from
    for row, queries in zip(rows, (11, 12, 12), strict=True):
        with django_assert_num_queries(queries):
            page_of(desk, row)
    # 3. the row; 4. steps; 5. criteria
    for page in ("approve", "reject", "edit"):
        with django_assert_num_queries(5):
            desk.get(url_of(rows[0], page))


_MANY = """
WITH failures AS (
    INSERT INTO evaluation_evaluation (id, plan_id, key, execution_result, success, verified, errors, warnings,
        relevancy_score, completeness_score, cost, created_at)
    SELECT gen_random_uuid(), %(plan)s, '', '{}', false, 1, '[]', '[]', 0, 0, 0, now() - n * interval '1 second'
    FROM generate_series(1, %(count)s) AS n RETURNING id, created_at
), reflections AS (
    INSERT INTO reflection_reflection (id, evaluation_id, task_type, language, is_first, decision, review, in_force,
        version, features, fallback, cost, created_at)
    SELECT gen_random_uuid(), id, 'hotel_booking', 'en', false, 'accepted', '', false, 1, '[]', '', 0, created_at
    FROM failures RETURNING id, created_at
)
INSERT INTO reflection_attempt (reflection_id, number, author, model, analysis, patterns, adjustments, learning,
    decision, is_valid, quality_score, metrics, violations, created_at)
SELECT id, 1, 'facts', '', 'Analysis of ' || extract(epoch FROM now() - created_at)::int || ' seconds ago', '[]', '[]',
    repeat('Quality comes before price. ', 4), 'accepted', true, 0.9, '{"depth_score": 0.9}', '[]', created_at
FROM reflections
"""
MANY = 12_000
_KEPT = "UPDATE reflection_reflection r SET kept_id = a.id FROM reflection_attempt a WHERE a.reflection_id = r.id"


def test_lists_of_many_are_read_by_their_indexes(desk: Client, learner: User) -> None:
    plan = plan_make(learner)
    with tampering(), connection.cursor() as cursor:  # without what is checked of each
        cursor.execute(_MANY, {"plan": plan.pk, "count": MANY})
        cursor.execute(_KEPT)
        for table in ("evaluation_evaluation", "reflection_reflection", "reflection_attempt"):
            cursor.execute(f"ANALYZE {table}")
    waits = waiting(learner, task="Book hotel in Rome")
    assert Evaluation.objects.count() > MANY
    for query, index in (({}, "reflection_to_review"), ({"review": "all"}, "reflection_by_time")):
        with CaptureQueriesContext(connection) as asked:
            assert len(listed(desk, **query)) == (50 if query else 1)
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {asked.captured_queries[-1]['sql']}")
            explained = "\n".join(line for (line,) in cursor.fetchall())
        assert index in explained, explained
        assert "Seq Scan on reflection_reflection" not in explained
    assert len(listed(desk, review="all", p="150")) == 50
    assert listed(desk, q="Analysis of 11999 seconds") == [], "not among the latest 10,000"
    assert len(listed(desk, q="Analysis of 9990 seconds")) == 1
    for query in ({"decision": "rejected"}, {"review": "approved"}, {"task_type": "lesson"}):
        assert listed(desk, **{"review": "all", **query}) == []
    for author in ("staff", "model"):
        assert listed(desk, review="all", author=author) == []
    assert len(listed(desk, q=learner.username)) == 50
    assert desk.get(url_of(waits)).status_code == 200
    assert "at most 10000 are listed, filter for others" in text_of(desk.get(reverse(LIST), {"review": "all"}))
