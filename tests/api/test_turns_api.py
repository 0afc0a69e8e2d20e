"""Acting in a session through the API: each action, what it refuses, and that it counts once."""

import json
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from core.models import IdempotentRequest
from lesson_engine.models import LearnerText, QuestionReport, Session, Turn
from lesson_engine.services import turns
from lesson_engine.services.turns import state_of
from telemetry.chains.verification import chains_verify
from tests.api.sessions import Answer, Json, Program, Walk
from tests.conftest import LessonMaker, ask, number
from tests.lesson_engine.services.conftest import RIGHT, WRONG, turn_begun
from tests.lesson_engine.services.threads import at_once

Queries = Callable[[int], AbstractContextManager[Any]]
PICKS = [{"code": "a", "text": "Sugar", "correct": True}, {"code": "b", "text": "Salt"}]
OPEN, OVER = timedelta(minutes=5), timedelta(seconds=-1)


@pytest.fixture
def program(learner: User) -> Program:
    """The learner's program."""
    return Program(learner)


@pytest.fixture
def walk(make_lesson: LessonMaker, program: Program) -> Walk:
    """The small lesson at its first question, of three attempts."""
    make_lesson()
    one = program.start("light")
    one.go_to_question()
    return one


def counted() -> tuple[int, int]:
    """Attempts at the first question, and turns."""
    return state_of(Session.objects.get()).record("ASK_001").attempts, Turn.objects.count()


def test_going_on_shows_the_question_with_its_readings(walk: Walk) -> None:
    question = walk.now["question"]
    assert (walk.now["phase"], walk.now["step"], walk.now["version"]) == ("asking", None, 1)
    assert walk.now["actions"] == ["answer", "hint", "report"]
    assert (question["code"], question["kind"], question["control"]) == ("ASK_001", "open", "textarea")
    assert question["question"]["markdown"] == "What do plants need light for? (ASK_001)"
    assert (question["hints"], question["hints_left"]) == ([], 2)
    assert (question["attempt"], question["attempts"]) == (1, 3)
    assert [step["title"] for step in question["material"]] == ["Light"]
    assert walk.now["last_turn"] is None


def test_a_right_answer_closes_the_question(walk: Walk) -> None:
    now = walk.act("answers", text=RIGHT)
    assert (now["phase"], now["actions"], now["version"]) == ("closed", ["continue", "report"], 2)
    last = now["last_turn"]
    assert (last["question"], last["outcome"], last["expected"]) == ("ASK_001", "mastered", None)
    assert last["verdict"]["result"] == "ACCEPT"
    assert last["verdict"]["rule"].startswith("open.")
    assert last["verdict"]["score"] > 0.9
    assert last["verdict"]["deviation"] == "ON_TOPIC"


def test_a_wrong_answer_costs_an_attempt_and_the_last_one_shows_the_answer(walk: Walk) -> None:
    for attempt in (2, 3):
        now = walk.act("answers", text=WRONG)
        assert (now["phase"], now["question"]["attempt"]) == ("asking", attempt)
        assert (now["last_turn"]["outcome"], now["last_turn"]["verdict"]["result"]) == ("open", "REJECT")
        assert now["last_turn"]["expected"] is None
    assert walk.now["actions"] == ["answer", "hint", "skip", "report"]
    now = walk.act("answers", text=WRONG)
    assert (now["phase"], now["last_turn"]["outcome"]) == ("closed", "shown")
    assert now["last_turn"]["expected"]["markdown"] == RIGHT


def test_not_knowing_is_an_answer(walk: Walk) -> None:
    last = walk.act("answers", dont_know=True)["last_turn"]
    assert last["verdict"]["rule"] == "attempt.dont_know"
    assert counted() == (1, 2)


def test_what_cannot_be_graded_costs_nothing_at_first(walk: Walk) -> None:
    last = walk.act("answers", text="   ")["last_turn"]
    assert last["verdict"]["result"] == "NOT_GRADABLE"
    assert counted() == (0, 2)


def test_hints_come_one_by_one_until_there_is_none(walk: Walk) -> None:
    assert [hint["markdown"] for hint in walk.act("hint")["question"]["hints"]] == ["Think of what they take in."]
    assert walk.act("hint")["question"]["hints_left"] == 0
    refused = walk.send("hint")
    assert (refused.status, refused.json["code"]) == (409, "action-not-possible")


def test_skipping_shows_the_answer(walk: Walk) -> None:
    assert walk.send("skip").json["code"] == "action-not-possible"
    walk.act("answers", dont_know=True)
    walk.act("answers", dont_know=True)
    last = walk.act("skip")["last_turn"]
    assert (last["outcome"], last["verdict"], last["expected"]["markdown"]) == ("skipped", None, RIGHT)


def test_reporting_closes_the_question_at_no_attempt(walk: Walk) -> None:
    now = walk.act("report", kind="unclear", comment="what light?")
    assert (now["phase"], now["last_turn"]["outcome"], now["last_turn"]["reported"]) == ("closed", "reported", True)
    assert now["actions"] == ["continue"]
    report = QuestionReport.objects.get()
    assert (report.ask_code, report.kind, report.comment) == ("ASK_001", "unclear", "what light?")
    assert counted()[0] == 0


def test_choices_are_picked_by_their_codes(make_lesson: LessonMaker, program: Program) -> None:
    make_lesson(ask(answer={"kind": "choice", "choices": PICKS}))
    walk = program.start("light")
    question = walk.go_to_question()["question"]
    assert question["control"] == "radio"
    assert question["choices"] == [
        {"code": "a", "text": {"markdown": "Sugar", "html": "Sugar"}},
        {"code": "b", "text": {"markdown": "Salt", "html": "Salt"}},
    ]
    assert walk.act("answers", choices=["b"])["last_turn"]["verdict"]["result"] == "REJECT"
    assert walk.act("answers", choices=["a"])["last_turn"]["verdict"]["result"] == "ACCEPT"


def test_a_number_says_its_unit(make_lesson: LessonMaker, program: Program) -> None:
    make_lesson(number(value=6) | {"answer": {"kind": "numeric", "value": 6, "unit": "volt", "unit_required": True}})
    walk = program.start("light")
    question = walk.go_to_question()["question"]
    assert (question["control"], question["unit"]) == ("text", "volt")
    last = walk.act("answers", text="6")["last_turn"]
    assert (last["verdict"]["result"], last["explanation"]) == ("PARTIAL", ["Your number is right: now add its unit."])


def test_the_planner_moves_in_adaptive_mode_only(walk: Walk) -> None:
    assert walk.act("answers", text=WRONG)["last_turn"]["move"] is None
    walk.now = walk.program.patch(walk.path, {"mode": "adaptive"}).json
    move = walk.act("answers", text=WRONG)["last_turn"]["move"]
    assert move["op"] in ("reask", "hint", "goto", "repeat", "insert_micro")
    trail = walk.program.get(f"{walk.path}turns/").json["items"]
    assert [turn["command"] and turn["command"]["op"] for turn in trail] == [None, None, None, move["op"]]


BAD_BODIES: list[tuple[str, object, str]] = [
    ("continue", {}, "/version"),
    ("continue", {"version": -1}, "/version"),
    ("continue", {"version": "1"}, "/version"),
    ("continue", {"version": 1.5}, "/version"),
    ("continue", {"version": True}, "/version"),
    ("continue", {"version": 2**31}, "/version"),
    ("continue", {"version": 1, "text": "x"}, "/text"),
    ("hint", [], ""),
    ("answers", {"version": 1}, ""),
    ("answers", {"version": 1, "text": "x", "dont_know": True}, ""),
    ("answers", {"version": 1, "text": None}, "/text"),
    ("answers", {"version": 1, "text": "x" * 4001}, "/text"),
    ("answers", {"version": 1, "text": "a\0b"}, "/text"),
    ("answers", {"version": 1, "dont_know": False}, "/dont_know"),
    ("answers", {"version": 1, "choices": "a"}, "/choices"),
    ("answers", {"version": 1, "choices": ["a", 1]}, "/choices/1"),
    ("answers", {"version": 1, "choices": ["a"] * 51}, "/choices"),
    ("report", {"version": 1}, "/kind"),
    ("report", {"version": 1, "kind": "boring"}, "/kind"),
    ("report", {"version": 1, "kind": "other", "comment": "x" * 2001}, "/comment"),
]


@pytest.mark.parametrize(("action", "body", "pointer"), BAD_BODIES)
def test_a_body_that_does_not_fit_is_refused_where_it_stands(
    walk: Walk, action: str, body: object, pointer: str
) -> None:
    answer = walk.program.post(f"{walk.path}{action}/", body)
    assert (answer.status, answer.json["code"]) == (422, "invalid-request")
    assert list(answer.places()) == [pointer]
    assert counted() == (0, 1)


@pytest.mark.parametrize("text", ["🌱" * 2000, "\u202e\u200b", "\ud83c", "</script>", "'; DROP TABLE x; --", "\x1b[2J"])
def test_any_text_is_an_answer_and_comes_back_nowhere(walk: Walk, text: str) -> None:
    answer = walk.send("answers", text=text)
    if answer.status == 200:
        assert answer.json["version"] == 2
        assert json.dumps(text).strip('"') not in answer.text
    else:  # half a character is no text
        assert (answer.status, text) == (400, "\ud83c")


@pytest.mark.parametrize("action", ["answers", "hint", "skip", "continue", "report"])
def test_an_action_for_an_older_version_does_nothing_and_says_where_the_session_is(walk: Walk, action: str) -> None:
    walk.act("hint")
    more = {"answers": {"text": WRONG}, "report": {"kind": "other"}}.get(action, {})
    for version in (0, 1, 3):
        answer = walk.send(action, version=version, **more)
        assert (answer.status, answer.json["code"]) == (409, "stale-session")
        assert answer.places() == {"/version": "the session is at version 2"}
    assert counted() == (0, 2)


def test_nothing_can_be_done_in_a_finished_session(walk: Walk) -> None:
    walk.to_the_end(lambda one: one.act("answers", dont_know=True))
    for action, more in (("answers", {"text": "x"}), ("hint", {}), ("skip", {}), ("continue", {})):
        assert walk.send(action, **more).json["code"] == "action-not-possible"


def test_while_an_answer_is_judged_nothing_else_is_done(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "_PATIENCE_SECONDS", 0.05)
    turn_begun(Session.objects.select_related("lesson").get(), WRONG, lease=OPEN)
    for action, more in (("answers", {"text": RIGHT}), ("hint", {})):
        answer = walk.send(action, **more)
        assert (answer.status, answer.json["code"]) == (409, "turn-still-running")
        assert int(answer.headers["Retry-After"]) >= 1
    assert walk.look()["version"] == 1
    trail = walk.program.get(f"{walk.path}turns/").json["items"]
    assert [(turn["kind"], turn["running"], turn["verdict"]) for turn in trail][1:] == [("answer", True, None)]


def test_an_answer_whose_worker_was_killed_is_done_when_the_session_is_read(walk: Walk) -> None:
    turn_begun(Session.objects.select_related("lesson").get(), WRONG, lease=OVER)
    now = walk.look()
    assert (now["version"], now["last_turn"]["verdict"]["result"]) == (2, "REJECT")


def test_the_same_key_counts_once_and_is_answered_the_same(walk: Walk) -> None:
    first, second = (walk.send("answers", text=WRONG, key="mine") for _ in range(2))
    assert (first.status, first.json) == (200, second.json)
    assert "Idempotent-Replayed" not in first.headers
    assert second.headers["Idempotent-Replayed"] == "true"
    other = walk.send("answers", text=RIGHT, key="mine")
    assert (other.status, other.json["code"]) == (422, "idempotency-key-reused")
    assert walk.send("hint", key="mine").json["code"] == "idempotency-key-reused"
    assert counted() == (1, 2)


def test_the_same_key_counts_once_also_when_the_kept_answer_is_gone(walk: Walk) -> None:
    """As after a day, or when a worker was killed between the turn and keeping its answer."""
    long = "k" * 255
    for action, body in (("answers", {"text": WRONG}), ("hint", {})):
        key = f"{action}-{long}"[:255]
        first = walk.send(action, key=key, **body)
        IdempotentRequest.objects.all().delete()
        again = walk.send(action, key=key, **body)
        assert (again.status, again.json) == (200, first.json)
        assert walk.send(action, key=key, version=0, **body).json["code"] == "idempotency-key-reused"
        walk.now = first.json
    assert counted() == (1, 3)


def test_a_request_whose_worker_was_killed_is_finished_by_its_repetition(walk: Walk) -> None:
    key, body = "left", {"version": 1, "text": WRONG}
    walk.program.post(f"{walk.path}answers/", body, idempotency_key=key)
    kept = IdempotentRequest.objects.filter(key=key)
    over = timezone.now() - timedelta(seconds=1)
    kept.update(state="running", lease_until=over, status=None, headers=None, body=None)
    again = walk.program.post(f"{walk.path}answers/", body, idempotency_key=key)
    assert (again.status, again.json["version"], counted()) == (200, 2, (1, 2))


def test_without_a_key_each_request_is_its_own(walk: Walk) -> None:
    path, body = f"{walk.path}hint/", {"version": 1}
    assert walk.program.post(path, body).status == 200
    assert walk.program.post(path, body).json["code"] == "stale-session"


def test_a_refusal_leaves_the_key_free(walk: Walk) -> None:
    assert walk.send("skip", key="mine").status == 409
    assert walk.send("hint", key="mine").status == 200


def test_what_is_kept_of_requests_holds_no_words(walk: Walk) -> None:
    walk.act("answers", text="They need zanahorias to sleep")
    walk.act("report", kind="other", comment="zanahorias are right")
    assert IdempotentRequest.objects.count() == 3
    for kept in IdempotentRequest.objects.all():
        assert b"zanahorias" not in bytes(kept.body or b"")
    assert LearnerText.objects.filter(text__contains="zanahorias").exists()


def test_verdicts_that_quote_the_learner_are_told_without_the_quotes(
    make_lesson: LessonMaker, program: Program
) -> None:
    make_lesson(ask(answer={"kind": "list", "items": [["light"], ["water"]]}))
    walk = program.start("light")
    walk.go_to_question()
    answer = walk.send("answers", text="light, zanahorias")
    assert "zanahorias" in json.dumps(Turn.objects.get(kind="answer").verdict)
    assert answer.json["last_turn"]["explanation"] == ["1 item is missing."]
    for response in (answer, program.get(walk.path), program.get(f"{walk.path}turns/")):
        assert "zanahorias" not in response.text


def test_the_trail_tells_every_turn(walk: Walk) -> None:
    walk.act("answers", text=WRONG)
    walk.act("hint")
    walk.now = walk.program.patch(walk.path, {"mode": "adaptive"}).json
    walk.act("answers", text=RIGHT)
    items = walk.program.get(f"{walk.path}turns/").json["items"]
    assert [item["version"] for item in items] == list(range(5))
    assert [item["kind"] for item in items] == ["continue", "answer", "hint", "mode", "answer"]
    assert [item["question"] for item in items] == [None, *["ASK_001"] * 4]
    assert [item["mode"] for item in items] == [*["deterministic"] * 3, "adaptive", "adaptive"]
    wrong = items[1]["verdict"]
    stored = Turn.objects.get(version=1).verdict
    assert stored is not None
    assert (wrong["result"], wrong["rule"], wrong["score"]) == ("REJECT", stored["rule"], stored["score"])
    assert set(wrong) == {
        *("result", "rule", "score", "grader", "doubtful", "zone", "provenance"),
        *("no_attempt", "misconception", "deviation"),
    }
    seen: list[int] = []
    address = f"{walk.path}turns/?limit=2"
    while address:
        page = walk.program.get(address).json
        seen += [item["version"] for item in page["items"]]
        address = page["next"]
    assert seen == list(range(5))


@pytest.mark.django_db(transaction=True)
def test_the_same_answer_many_times_at_once_counts_once(walk: Walk) -> None:
    answers = at_once([partial(walk.send, "answers", text=WRONG, key="mine")] * 6)
    assert {answer.status for answer in answers} <= {200, 409}
    done = [answer.json for answer in answers if answer.status == 200]
    assert done
    assert all(value == done[0] for value in done)
    assert {answer.json["code"] for answer in answers if answer.status == 409} <= {"request-still-running"}
    assert counted() == (1, 2)
    again = walk.send("answers", text=WRONG, key="mine")
    assert (again.status, again.json) == (200, done[0])
    assert not [check.fault for check in chains_verify() if check.fault]


@pytest.mark.django_db(transaction=True)
def test_of_different_actions_at_once_one_counts_and_the_others_are_told(walk: Walk) -> None:
    works: list[Callable[[], Answer]] = [partial(walk.send, "answers", text=WRONG) for _ in range(3)]
    works += [partial(walk.send, "hint") for _ in range(3)]
    answers = at_once(works)
    assert sorted(answer.status for answer in answers) == [200, *[409] * 5]
    late = [answer for answer in answers if answer.status == 409]
    assert {answer.json["code"] for answer in late} == {"stale-session"}
    assert {tuple(answer.places().items()) for answer in late} == {(("/version", "the session is at version 2"),)}
    assert Turn.objects.count() == 2
    assert not [check.fault for check in chains_verify() if check.fault]


def test_queries_of_acting(walk: Walk, django_assert_num_queries: Queries) -> None:
    def send(action: str, queries: int, **body: Any) -> Json:
        with django_assert_num_queries(queries):
            walk.act(action, **body)
        return walk.now

    # 1. the token with its user; 2. how often they asked this minute; 3.-5. the key, claimed; 6. the session;
    # 7. SAVEPOINT; 8. the turn; 9. the session's new state; 10. the chain's head, locked; 11. the events and the head;
    # 12. RELEASE; 13. the budget; 14.-16. the answer, kept
    acting = 16
    send("hint", acting)
    # the claim in a savepoint, with the words; whether there are examples; the turn's outcome
    send("answers", acting + 5, text=WRONG)
    send("answers", acting + 5, text=WRONG)
    send("skip", acting + 1)  # the last try, which is explained
    send("continue", acting)
    send("report", acting + 1, kind="other")  # the report
    with django_assert_num_queries(acting):
        walk.program.patch(walk.path, {"mode": "adaptive"}, idempotency_key=uuid.uuid4().hex)
    # the session; its turn by the key; a running one; where it is; and the key, claimed and released
    with django_assert_num_queries(2 + 4 + 6):
        assert walk.program.post(f"{walk.path}hint/", {"version": 0}, idempotency_key="x").status == 409
