"""How answers fared: every count from really walked sessions, the wordings, and the cost with 200,000 turns."""

import json
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from accounts.services import guest_create
from lesson_engine.authoring import answer_statistics as statistics_module
from lesson_engine.authoring.answer_statistics import AskStatistics, Statistics, answer_statistics
from lesson_engine.models import LessonVersion, Session, Turn
from lesson_engine.services.lessons import lesson_publish
from lesson_engine.services.words import words_erase
from tests.conftest import LessonMaker, ask, number
from tests.lesson_engine.admin.conftest import Walk
from tests.lesson_engine.authoring.conftest import MakeDraft
from tests.lesson_engine.network import unsure_network, wrong_network

__all__ = ("unsure_network", "wrong_network")

pytestmark = pytest.mark.django_db

RIGHT = "Plants use light to make sugar from water and carbon dioxide."
MISSED = "They have batteries inside"


def of(version: LessonVersion) -> Statistics:
    return answer_statistics("version", version.pk)


def learners(count: int) -> list[User]:
    return [User.objects.create_user(f"learner-{n}") for n in range(count)]


def test_a_version_that_nobody_took_has_nothing_to_tell(make_draft: MakeDraft) -> None:
    assert of(make_draft()) == Statistics(sessions=0, turns=0, asks={})


@pytest.mark.usefixtures("wrong_network")
def test_every_way_a_question_can_go_is_counted(make_lesson: LessonMaker) -> None:
    version, missed = make_lesson(), "Plants have batteries"
    first, second, third = learners(3)
    Walk(first, version).go_on().answer(RIGHT)
    Walk(second, version).go_on().hint().answer("no sé").answer(missed).answer("")
    Walk(second, version).skip()
    Walk(third, version).go_on().hint().hint().answer(missed).answer(missed).answer("asdfgh").answer("plants eat")
    told = of(version)
    assert told.sessions == 3
    assert told.turns == sum(session.version for session in Session.objects.all())
    light = told.asks["ASK_001"]
    assert (light.sessions, light.mastered, light.shown, light.skipped) == (3, 1, 1, 1)
    assert light.hints == 3
    assert light.accepted == 1
    assert light.not_gradable == 2
    assert light.rejected + light.partial == 5
    assert light.answers == Turn.objects.filter(kind="answer", ask_code="ASK_001").count()
    assert light.doubtful == Turn.objects.filter(verdict__doubtful=True).count()
    assert light.median_attempts == 2  # of 1, 2 and 3


def test_wordings_that_were_not_understood_are_grouped_and_ranked(make_lesson: LessonMaker) -> None:
    version = make_lesson()
    for user, text in zip(learners(4), (MISSED, "THEY HAVE batteries, inside!", MISSED, "a bicycle pump"), strict=True):
        Walk(user, version).go_on().answer(text).answer("no sé")
    listed = of(version).asks["ASK_001"].wordings
    assert [(wording.text, wording.count) for wording in listed] == [(MISSED, 3), ("a bicycle pump", 1)]
    assert all(set(wording.results) <= {"REJECT", "NOT_SURE"} for wording in listed)


def test_what_a_rule_understood_is_not_listed(make_lesson: LessonMaker, learner: User) -> None:
    wrong = {"code": "eat", "examples": ["They eat the light."], "feedback": "No."}
    version = make_lesson(ask(misconceptions=[wrong]), number())
    walk = Walk(learner, version).go_on().answer("no sé").answer("They eat the light.").answer(RIGHT).go_on()
    walk.answer("7").answer("not a number")
    told = of(version).asks
    assert told["ASK_001"].wordings == ()
    assert [wording.text for wording in told["ASK_002"].wordings] == ["not a number"]


@pytest.mark.usefixtures("wrong_network")
def test_only_so_many_wordings_are_listed(make_lesson: LessonMaker) -> None:
    version = make_lesson(policy={"attempts": 10})
    for n, user in enumerate(learners(2)):
        walk = Walk(user, version).go_on()
        for m in range(8):
            walk.answer(f"plants {n} pump {m}")
    light = of(version).asks["ASK_001"]
    assert len(light.wordings) == statistics_module.WORDINGS_SHOWN
    assert light.more == 6


def test_erased_words_are_gone_and_their_verdicts_stay(make_lesson: LessonMaker, learner: User) -> None:
    version = make_lesson()
    Walk(learner, version).go_on().answer(MISSED)
    before = of(version).asks["ASK_001"]
    words_erase(user_id=learner.pk)
    after = of(version).asks["ASK_001"]
    assert (before.wordings[0].text, after.wordings) == (MISSED, ())
    assert after.answers == before.answers == 1


def test_a_lesson_adds_up_its_versions(make_draft: MakeDraft) -> None:
    versions = [make_draft(), make_draft(ask(), number("NEW"))]
    for version, user in zip(versions, learners(2), strict=True):
        lesson_publish(version=version)
        version.lesson.refresh_from_db()
        Walk(user, version).go_on().answer(RIGHT).go_on().answer("6")
    assert set(of(versions[0]).asks) == {"ASK_001", "ASK_002"}
    together = answer_statistics("lesson", versions[0].lesson_id)
    assert {code: one.accepted for code, one in together.asks.items()} == {"ASK_001": 2, "ASK_002": 1, "NEW": 1}


def test_a_question_that_was_withdrawn_before_it_was_met_does_not_count(
    make_lesson: LessonMaker, learner: User
) -> None:
    version = make_lesson()
    session = Walk(learner, version).session
    asks = {"ASK_001": {"outcome": "voided"}, "ASK_002": {"outcome": "voided", "attempts": 2}}
    Session.objects.filter(pk=session.pk).update(state={**session.state, "asks": asks})
    assert of(version).asks == {"ASK_002": AskStatistics("ASK_002", sessions=1)}


def test_only_the_latest_sessions_count(make_lesson: LessonMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    version = make_lesson()
    for user in learners(4):
        Walk(user, version).go_on().answer(RIGHT)
    monkeypatch.setattr(statistics_module, "MOST_TURNS", 3)
    told = of(version)
    assert (told.sessions, told.turns) == (2, 4)  # the second begins below the bound
    assert told.asks["ASK_001"].accepted == 2
    monkeypatch.setattr(statistics_module, "MOST_SESSIONS", 1)
    assert of(version).sessions == 1


_SESSIONS = """
INSERT INTO lesson_engine_session (id, user_id, lesson_id, lesson_version_id, mode, status, version, state, started_at,
    active_at, doubtful, dead_ends, attacks)
SELECT gen_random_uuid(), %s, %s, %s, 'deterministic', 'set_aside', 40, %s, now() - n * interval '1 minute', now(),
    0, 0, 0
FROM generate_series(1, 5000) AS n
"""
_TURNS = """
INSERT INTO lesson_engine_turn (session_id, version, kind, key, fingerprint, mode, ask_code, result, deviation, verdict,
    started_at, finished_at, state, takes)
SELECT id, n, 'answer', n, '', 'deterministic', 'ASK_00' || (1 + n %% 2), 'REJECT', 'ON_TOPIC', %s, now(), now(),
    'done', 1
FROM lesson_engine_session, generate_series(0, 39) AS n
"""
_WORDS = """
INSERT INTO lesson_engine_learnertext (turn_id, text, choices, salt)
SELECT id, 'wording ' || (id % 50), '[]', '\\x00' FROM lesson_engine_turn
"""


def nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for child in plan.get("Plans", ()) for node in nodes(child))]


@pytest.mark.hard
def test_two_hundred_thousand_turns_cost_no_more_than_the_latest(make_lesson: LessonMaker) -> None:
    version = make_lesson()
    verdict = {"result": "REJECT", "rule": "open.semantic", "score": 0.1, "grader": "rules-1"}
    state = {"asks": {code: {"attempts": 3, "outcome": "shown", "hints": 1} for code in ("ASK_001", "ASK_002")}}
    with connection.cursor() as cursor:
        values: list[Any] = [guest_create().pk, version.lesson_id, version.pk, json.dumps(state)]
        cursor.execute(_SESSIONS, values)
        cursor.execute(_TURNS, [json.dumps(verdict)])
        cursor.execute(_WORDS)
        cursor.execute("ANALYZE lesson_engine_session, lesson_engine_turn, lesson_engine_learnertext")
    told = of(version)
    assert (told.sessions, told.turns) == (500, statistics_module.MOST_TURNS)
    light = told.asks["ASK_001"]
    assert (light.answers, light.shown, light.hints, light.median_attempts) == (10_000, 500, 500, 3)
    assert (
        sum(wording.count for ask in told.asks.values() for wording in ask.wordings) <= statistics_module.MOST_WORDINGS
    )
    for query in (statistics_module._VERDICTS, statistics_module._WORDINGS):
        for scope, pk in (("version", version.pk), ("lesson", version.lesson_id)):
            read = rows_read(query, scope, pk)
            assert read["lesson_engine_turn"] <= 1.1 * statistics_module.MOST_TURNS
            assert read.get("lesson_engine_learnertext", 0) <= 1.1 * statistics_module.MOST_TURNS
            assert read["lesson_engine_session"] <= 5_000


def rows_read(query: str, scope: Any, pk: int) -> dict[str, float]:
    """How many rows of each table PostgreSQL looks at to answer the query."""
    with connection.cursor() as cursor:
        explain = f"EXPLAIN (ANALYZE, FORMAT JSON) {statistics_module.statement(scope, query)}"
        cursor.execute(explain, statistics_module.parameters(pk))
        ((plans,),) = cursor.fetchall()
    read: dict[str, float] = {}
    for node in nodes(plans[0]["Plan"]):
        if table := node.get("Relation Name"):
            rows = (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
            read[table] = read.get(table, 0) + rows
    return read


@pytest.mark.usefixtures("unsure_network")
def test_what_the_grader_doubted_is_counted_apart(make_lesson: LessonMaker, learner: User) -> None:
    version = make_lesson()
    Walk(learner, version).go_on().answer(MISSED)
    light = of(version).asks["ASK_001"]
    assert (light.doubtful, light.partial, light.rejected, light.answers) == (1, 0, 0, 1)
    assert light.wordings[0].results == ("NOT_SURE",)
