"""Sessions through the API: beginning, finding and reading them, and whose they are."""

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client

from accounts.models import Scope, User
from accounts.services import learner_of, managed_learner_erase
from lesson_engine.models import QuestionReport, Session, SessionPlan
from lesson_engine.services.lessons import lesson_retire
from lesson_engine.services.questions import reports_dismiss
from lesson_engine.services.sessions import session_start
from lesson_engine.tasks import evaluate_goals
from tests.api.sessions import LEARNING, Answer, Program, Walk, integrator_create, meta
from tests.conftest import LessonMaker, ask
from tests.lesson_engine.services.threads import at_once

Queries = Callable[[int], AbstractContextManager[Any]]
WHO = 2
"""1. the token with its user; 2. how often they asked this minute"""
ACTIONS = ("answers", "continue", "hint", "skip", "report")


@pytest.fixture
def program(learner: User) -> Program:
    """The learner's program; its token has been used this minute."""
    one = Program(learner)
    one.get("sessions/")
    return one


@pytest.fixture
def school(db: None) -> Program:
    """An integrator's program."""
    one = Program(integrator_create())
    one.get("sessions/")
    return one


def test_beginning_makes_a_session_and_says_where_it_is(make_lesson: LessonMaker, program: Program) -> None:
    make_lesson()
    answer = program.post("sessions/", {"lesson": "light"})
    session = Session.objects.get()
    assert answer.status == 201
    assert answer.headers["Location"] == f"http://testserver/api/v1/sessions/{session.pk}/"
    assert program.get(answer.headers["Location"]).json == answer.json
    assert answer.json["id"] == str(session.pk)
    assert answer.json["lesson"] == {"slug": "light", "title": "Light", "language": "en", "version": 1}
    assert (answer.json["learner"], answer.json["mode"], answer.json["status"]) == (None, "deterministic", "active")
    assert (answer.json["version"], answer.json["phase"], answer.json["actions"]) == (0, "reading", ["continue"])
    assert answer.json["step"] == {
        "type": "CONTENT",
        "name": "Reading",
        "title": "Light",
        "body": {"markdown": "Plants make sugar with light.", "html": "<p>Plants make sugar with light.</p>\n"},
        "items": [],
    }
    assert answer.json["budget"] == {
        "limit": 100_000_000,
        "spent": 0,
        "held": 0,
        "left": 100_000_000,
        "escalations_limit": 5,
        "escalations_used": 0,
        "mode": "full",
        "spent_by_tier": {"cheap": 0, "embed": 0, "thinker": 0},
    }


def test_beginning_again_resumes(make_lesson: LessonMaker, program: Program) -> None:
    make_lesson()
    first = program.start("light")
    first.act("continue")
    again = program.post("sessions/", {"lesson": "light", "mode": "adaptive"})
    assert (again.status, again.json) == (200, first.now)
    assert again.headers["Location"].endswith(f"/api/v1/{first.path}")
    assert Session.objects.count() == 1


def test_a_new_session_begins_in_the_mode_that_is_asked_for(make_lesson: LessonMaker, program: Program) -> None:
    make_lesson()
    assert program.start("light", mode="adaptive").now["mode"] == "adaptive"


def test_a_finished_lesson_can_be_taken_again(make_lesson: LessonMaker, program: Program) -> None:
    make_lesson()
    first = program.start("light").to_the_end(lambda walk: walk.act("answers", dont_know=True))
    answer = program.post("sessions/", {"lesson": "light"})
    assert answer.status == 201
    assert answer.json["id"] != first["id"]


def test_a_session_stays_on_its_version(make_lesson: LessonMaker, program: Program) -> None:
    make_lesson()
    walk = program.start("light")
    make_lesson(ask(question="Why?"))
    assert walk.look()["lesson"]["version"] == 1
    assert program.start("light").now["lesson"]["version"] == 1
    walk.to_the_end(lambda one: one.act("answers", dont_know=True))
    assert program.start("light").now["lesson"]["version"] == 2


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/lesson"),
        ({"lesson": "Light"}, "/lesson"),
        ({"lesson": 7}, "/lesson"),
        ({"lesson": "light", "mode": "fast"}, "/mode"),
        ({"lesson": "light", "learner": ""}, "/learner"),
        ({"lesson": "light", "learner": " ana"}, "/learner"),
        ({"lesson": "light", "learner": "a\u200bb"}, "/learner"),
        ({"lesson": "light", "learner": "x" * 121}, "/learner"),
        ({"lesson": "light", "user": "ana"}, "/user"),
    ],
)
def test_what_cannot_be_begun_is_refused_where_it_stands(
    make_lesson: LessonMaker, school: Program, body: dict[str, Any], pointer: str
) -> None:
    make_lesson()
    answer = school.post("sessions/", body)
    assert (answer.status, answer.json["code"]) == (422, "invalid-request")
    assert list(answer.places()) == [pointer]
    assert not Session.objects.exists()


def test_a_lesson_that_is_not_on_offer_cannot_be_begun(make_lesson: LessonMaker, program: Program) -> None:
    unknown = program.post("sessions/", {"lesson": "nowhere"})
    assert (unknown.status, unknown.json["code"]) == (404, "lesson-not-found")
    lesson = make_lesson().lesson
    walk = program.start("light")
    lesson_retire(lesson=lesson)
    assert program.post("sessions/", {"lesson": "light"}).status == 200
    walk.to_the_end(lambda one: one.act("answers", dont_know=True))
    retired = program.post("sessions/", {"lesson": "light"})
    assert (retired.status, retired.json["code"]) == (409, "lesson-retired")


def test_an_integrator_begins_for_learners_under_their_pseudonyms(make_lesson: LessonMaker, school: Program) -> None:
    make_lesson()
    names = ["María 3", "maría 3", "7"]
    walks = [school.start("light", learner=name) for name in names]
    assert [walk.now["learner"] for walk in walks] == names
    assert len({walk.now["id"] for walk in walks}) == 3
    assert school.start("light", learner="7").now["id"] == walks[2].now["id"]
    assert User.objects.filter(managed_by__username="imas").count() == 3
    for walk in walks:
        walk.go_to_question()
        assert walk.act("answers", dont_know=True)["last_turn"]["verdict"]["rule"] == "attempt.dont_know"


def test_the_same_pseudonym_of_another_integrator_is_somebody_else(make_lesson: LessonMaker, school: Program) -> None:
    make_lesson()
    mine = school.start("light", learner="7")
    theirs = Program(integrator_create("otro")).start("light", learner="7")
    assert mine.now["id"] != theirs.now["id"]
    assert school.get(theirs.path).status == 404


def test_a_learner_has_no_learners(make_lesson: LessonMaker, program: Program) -> None:
    make_lesson()
    answer = program.post("sessions/", {"lesson": "light", "learner": "7"})
    assert (answer.status, answer.json["code"]) == (403, "learners-not-managed")
    assert not Session.objects.exists()


def test_nobody_elses_session_is_there(
    make_lesson: LessonMaker, learner: User, stranger: User, school: Program
) -> None:
    lesson = make_lesson().lesson
    own = session_start(user=learner, lesson=lesson)
    for other in (Program(stranger), school):
        for path in (f"sessions/{own.pk}/", f"sessions/{own.pk}/turns/", f"sessions/{uuid.uuid4()}/"):
            assert (other.get(path).status, other.get(path).json["code"]) == (404, "not-found")
        assert other.patch(f"sessions/{own.pk}/", {"mode": "adaptive"}).status == 404
        for action in ACTIONS:
            body = {"version": 0} | ({"text": "x"} if action == "answers" else {})
            body |= {"kind": "other"} if action == "report" else {}
            assert other.post(f"sessions/{own.pk}/{action}/", body).status == 404
        assert other.get("sessions/").json["items"] == []
    own.refresh_from_db()
    assert own.version == 0


def test_a_learner_who_is_managed_is_seen_by_their_integrator_alone(
    make_lesson: LessonMaker, school: Program, staff: User
) -> None:
    make_lesson()
    walk = school.start("light", learner="7")
    assert Program(staff).get(walk.path).status == 404


def test_sessions_of_an_erased_learner_are_gone(make_lesson: LessonMaker, school: Program) -> None:
    make_lesson()
    walk, other = school.start("light", learner="7"), school.start("light", learner="8")
    assert managed_learner_erase(integrator=User.objects.get(username="imas"), pseudonym="7")
    assert (school.get(walk.path).status, walk.send("continue").status) == (404, 404)
    assert [item["id"] for item in school.get("sessions/").json["items"]] == [other.now["id"]]
    assert school.start("light", learner="7").now["id"] != walk.now["id"]


def test_what_staff_said_of_a_reported_question_is_told_with_the_results(
    make_lesson: LessonMaker, program: Program, staff: User
) -> None:
    make_lesson()
    walk = program.start("light")
    walk.go_to_question()
    walk.act("report", kind="unclear")
    before = walk.to_the_end(lambda one: one.act("answers", dont_know=True))["results"]
    reports_dismiss(reports=QuestionReport.objects.all(), by=staff, note="It is clear.")
    after = walk.look()["results"]
    assert (before["reported"], after["reported"]) == (1, 1)
    reasons = [results["review"][0]["reason"] for results in (before, after)]
    assert reasons[0] != reasons[1]
    assert "It is clear." not in str(after)


def test_sessions_are_listed_the_latest_first(make_lesson: LessonMaker, school: Program) -> None:
    for slug in ("air", "light", "water"):
        make_lesson(meta=meta(slug))
        school.start(slug, learner="7")
    school.start("air", learner="8").to_the_end(lambda walk: walk.act("answers", dont_know=True))
    own = school.start("air")
    own.act("continue")

    def listed(query: str = "") -> list[tuple[str, str | None]]:
        items = school.get(f"sessions/{query}").json["items"]
        return [(item["lesson"]["slug"], item["learner"]) for item in items]

    everything = [("air", None), ("air", "8"), ("water", "7"), ("light", "7"), ("air", "7")]
    assert listed() == everything
    assert listed("?status=finished") == [("air", "8")]
    assert listed("?lesson=air") == [("air", None), ("air", "8"), ("air", "7")]
    assert listed("?learner=7") == [("water", "7"), ("light", "7"), ("air", "7")]
    assert listed("?learner=7&lesson=light&status=active") == [("light", "7")]
    assert listed("?learner=nobody") == []
    first = school.get("sessions/").json["items"][0]
    assert (first["id"], first["version"], first["percent"]) == (own.now["id"], 1, own.now["progress"]["percent"])
    assert school.get("sessions/?status=finished").json["items"][0]["percent"] == 100
    seen: list[str] = []
    address = "sessions/?limit=2"
    while address:
        page = school.get(address).json
        seen += [item["id"] for item in page["items"]]
        address = page["next"]
    assert len(seen) == len(set(seen)) == len(everything)


@pytest.mark.parametrize(("query", "pointer"), [("status=gone", "/status"), ("mode=adaptive", "/mode")])
def test_what_cannot_be_listed_is_refused_where_it_stands(program: Program, query: str, pointer: str) -> None:
    answer = program.get(f"sessions/?{query}")
    assert (answer.status, list(answer.places())) == (422, [pointer])


def test_who_waits_for_a_change_is_told_when_there_is_none(make_lesson: LessonMaker, program: Program) -> None:
    make_lesson()
    walk = program.start("light")
    first = program.get(walk.path)
    again = program.get(walk.path, if_none_match=first.headers["ETag"])
    assert (again.status, again.text) == (304, "")
    walk.act("continue")
    changed = program.get(walk.path, if_none_match=first.headers["ETag"])
    assert (changed.status, changed.json) == (200, walk.now)
    assert changed.headers["ETag"] != first.headers["ETag"]
    assert changed.headers["Cache-Control"] == "private, no-cache"


def test_the_tutors_own_texts_follow_the_language_that_is_asked_for(make_lesson: LessonMaker, program: Program) -> None:
    make_lesson()
    walk = program.start("light")
    walk.go_to_question()
    english = program.get(walk.path)
    spanish = program.get(walk.path, accept_language="es", if_none_match=english.headers["ETag"])
    assert (english.headers["Content-Language"], spanish.headers["Content-Language"]) == ("en", "es")
    assert spanish.status == 200
    instructions = [answer.json["question"]["instruction"] for answer in (english, spanish)]
    assert instructions[0] != instructions[1]
    assert english.json["question"]["question"] == spanish.json["question"]["question"]
    assert "Accept-Language" in english.headers["Vary"]


def test_the_mode_is_switched_and_switched_back(make_lesson: LessonMaker, program: Program) -> None:
    make_lesson()
    walk = program.start("light")
    for version, mode in ((1, "adaptive"), (1, "adaptive"), (2, "deterministic")):
        answer = program.patch(walk.path, {"mode": mode})
        assert (answer.status, answer.json["mode"], answer.json["version"]) == (200, mode, version)
    assert program.patch(walk.path, {"mode": "fast"}).places().keys() == {"/mode"}
    assert program.patch(walk.path, {}).places().keys() == {"/mode"}


def test_the_mode_of_a_finished_session_stays(make_lesson: LessonMaker, program: Program) -> None:
    make_lesson()
    walk = program.start("light")
    walk.to_the_end(lambda one: one.act("answers", dont_know=True))
    answer = program.patch(walk.path, {"mode": "adaptive"})
    assert (answer.status, answer.json["code"]) == (409, "action-not-possible")
    assert program.patch(walk.path, {"mode": "deterministic"}).status == 200


def test_a_finished_session_tells_its_results(make_lesson: LessonMaker, program: Program) -> None:
    make_lesson()
    walk = program.start("light")
    walk.go_to_question()
    walk.act("answers", text="Plants use light to make sugar from water and carbon dioxide.")
    end = walk.to_the_end(lambda one: one.act("answers", dont_know=True))
    assert (end["status"], end["phase"], end["actions"]) == ("finished", "finished", [])
    assert (end["step"], end["question"], end["progress"]["percent"]) == (None, None, 100)
    assert end["finished_at"]
    results = end["results"]
    assert (results["questions"], results["mastered"]) == (2, 1)
    assert results["skills"] == [{"title": "Light", "questions": 2, "mastered": 1, "at_once": 1, "by_own_word": 0}]
    [item] = results["review"]
    assert (item["code"], item["outcome"], item["attempts"]) == ("ASK_002", "shown", 3)
    assert item["expected"]["markdown"] == "6"


def test_a_session_names_its_plan_and_what_came_of_it_is_found_there(make_lesson: LessonMaker, learner: User) -> None:
    make_lesson()
    program = Program(learner, scopes=(*LEARNING, Scope.PLANS_READ))
    walk = program.start("light")
    plan = walk.now["plan"]
    assert [one["text"] for one in program.get(f"plans/{plan}/").json["success_criteria"]] == [
        "accuracy >= 0.7",
        "no more than 3 hints",
        "learner finishes",
    ]
    end = walk.to_the_end(lambda one: one.act("answers", dont_know=True))
    assert end["plan"] == walk.look()["plan"] == program.get("sessions/").json["items"][0]["plan"] == plan
    assert program.get(f"plans/{plan}/evaluations/").json["items"] == []
    evaluate_goals()  # a worker does, when it is finished
    [evaluation] = program.get(f"plans/{plan}/evaluations/").json["items"]
    assert [one["met"] for one in evaluation["criteria_met"]] == [False, True, True]
    assert program.get(f"plans/{plan}/").json["outcome"] == "failure"


def test_a_session_without_a_plan_says_so(make_lesson: LessonMaker, program: Program) -> None:
    make_lesson()
    walk = program.start("light")
    SessionPlan.objects.all().delete()
    assert walk.look()["plan"] is None
    assert walk.act("continue")["plan"] is None
    assert program.get("sessions/").json["items"][0]["plan"] is None


def test_reading_needs_another_scope_than_acting(make_lesson: LessonMaker, learner: User, program: Program) -> None:
    make_lesson()
    walk = program.start("light")
    reader = Program(learner, scopes=(Scope.SESSIONS_READ,))
    writer = Program(learner, scopes=(Scope.SESSIONS_WRITE,))
    for path in ("sessions/", walk.path, f"{walk.path}turns/"):
        assert (reader.get(path).status, writer.get(path).status) == (200, 403)
    assert reader.post("sessions/", {"lesson": "light"}).json["code"] == "scope-missing"
    assert reader.patch(walk.path, {"mode": "adaptive"}).status == 403
    for action in ACTIONS:
        assert reader.post(f"{walk.path}{action}/", {"version": 0}).status == 403
    assert writer.post(f"{walk.path}continue/", {"version": 0}).status == 200


def test_a_browser_may_use_it_with_the_csrf_token_of_its_page(make_lesson: LessonMaker, learner: User) -> None:
    make_lesson()
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    body: Any = {"data": '{"lesson": "light"}', "content_type": "application/json"}
    refused = Answer(browser.post("/api/v1/sessions/", **body))
    assert (refused.status, refused.json["code"]) == (403, "permission-denied")
    browser.get("/lessons/light/")
    token = browser.cookies["andamio_csrf"].value
    assert browser.post("/api/v1/sessions/", **body, headers={"X-CSRFToken": token}).status_code == 201


@pytest.mark.django_db(transaction=True)
def test_beginning_many_times_at_once_makes_one_session(make_lesson: LessonMaker, school: Program) -> None:
    make_lesson()
    answers = at_once([lambda: school.post("sessions/", {"lesson": "light", "learner": "7"})] * 6)
    assert sorted(answer.status for answer in answers) == [200] * 5 + [201]
    assert len({answer.json["id"] for answer in answers}) == 1
    assert User.objects.filter(pseudonym="7").count() == 1


def many(school: Program, make_lesson: LessonMaker, sessions: int) -> list[Walk]:
    for number in range(sessions):
        make_lesson(meta=meta(f"light-{number}"))
    walks = [school.start(f"light-{number}", learner=str(number)) for number in range(sessions)]
    for walk in walks:
        walk.act("continue")
    return walks


@pytest.mark.parametrize("sessions", [1, 4])
def test_queries_do_not_grow_with_sessions(
    make_lesson: LessonMaker, school: Program, django_assert_num_queries: Queries, sessions: int
) -> None:
    walks = many(school, make_lesson, sessions)
    with django_assert_num_queries(WHO + 1):  # sessions with lesson, version and learner
        assert len(school.get("sessions/?status=active").json["items"]) == sessions
    with django_assert_num_queries(WHO + 3):  # the session; a turn that is running, if there were one; its budget
        school.get(walks[0].path)
    with django_assert_num_queries(WHO + 2):  # the session; its turns
        school.get(f"{walks[0].path}turns/")


def test_queries_of_beginning(make_lesson: LessonMaker, school: Program, django_assert_num_queries: Queries) -> None:
    make_lesson()
    learner_of(integrator=User.objects.get(username="imas"), pseudonym="7")
    # First how many were started this minute. 3. the lesson; 4. the learner; 5. an active session, if there were one;
    # 6. SAVEPOINT; 7. the lesson's row, held; 8. its file, once in the life of a process; 9. its withdrawn questions;
    # 10. the session; 11. its account and the account's first entry; 12. the chain's head, if there were one; 13. the
    # chain; 14. its head, locked; 15. the event and the head; 16. RELEASE; 17. and 18. what is remembered of the
    # learner, 19. to 21. how long that took; 22. what was adjusted for them; 23. to 25. how long the steps took; 26.
    # SAVEPOINT; 27. the plan; 28. its steps; 29. its criteria; 30. to 33. its chain and event; 34. RELEASE; 35. to 37.
    # how long it took; 38. to 40. that it is the session's; 41. the session as it is shown; 42. its budget
    with django_assert_num_queries(WHO + 42):
        assert school.post("sessions/", {"lesson": "light", "learner": "7"}).status == 201
    # how many this minute; the lesson; the learner; the active session; the session as it is shown; its budget
    with django_assert_num_queries(WHO + 6):
        assert school.post("sessions/", {"lesson": "light", "learner": "7"}).status == 200
