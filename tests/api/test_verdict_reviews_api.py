"""Confirming and overruling verdicts through the API: what follows, that it counts once, and two people at once."""

import json
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from accounts.models import User
from core.models import IdempotentRequest
from lesson_engine.models import Session, Turn, VerdictReview
from lesson_engine.player.state import AskRecord
from lesson_engine.services import turns
from lesson_engine.services.turns import state_of
from telemetry.chains.verification import chains_verify
from telemetry.models import Event
from tests.api.sessions import Answer, Program, Walk, integrator_create
from tests.api.verdicts import VERDICTS, Grader, judged, staff_create
from tests.conftest import LessonMaker
from tests.lesson_engine.services.conftest import RIGHT, WRONG, turn_begun
from tests.lesson_engine.services.threads import at_once

Queries = Callable[[int], AbstractContextManager[Any]]
RESULTS = ("ACCEPT", "PARTIAL", "REJECT", "NOT_GRADABLE")


@pytest.fixture
def grader(staff: User) -> Grader:
    """The program of carla of the staff; its token has been used this minute."""
    one = Grader(staff)
    one.get(VERDICTS)
    return one


@pytest.fixture
def walk(make_lesson: LessonMaker) -> Walk:
    """A learner at the first question of the small lesson, of three attempts."""
    make_lesson()
    one = Program(integrator_create()).start("light", learner="7")
    one.go_to_question()
    return one


def record() -> AskRecord:
    return state_of(Session.objects.get()).record("ASK_001")


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json["code"]


@pytest.mark.parametrize("result", RESULTS)
def test_a_review_is_answered_with_itself_and_the_sessions_result(grader: Grader, walk: Walk, result: str) -> None:
    turn = judged(walk, WRONG)
    answer = grader.review(turn, result, note="as I see it")
    review = VerdictReview.objects.get()
    assert answer.status == 201
    assert answer.json["review"] == {
        "id": review.pk,
        "graded": "REJECT",
        "result": result,
        "by": "carla",
        "at": review.at.isoformat().replace("+00:00", "Z"),
        "drawn": False,
        "takes_back": None,
    }
    assert (review.turn_id, review.result, review.note, review.current) == (turn.pk, result, "as I see it", True)
    session = answer.json["session"]
    assert (session["id"], session["version"]) == (str(turn.session_id), Session.objects.get().version)
    assert session["outcome"] == ("mastered" if result == "ACCEPT" else "open")
    assert (session["questions"], session["mastered"]) == (2, int(result == "ACCEPT"))
    assert session["percent"] == (50 if result == "ACCEPT" else 0)


def test_confirming_scores_nothing_anew(grader: Grader, walk: Walk) -> None:
    answer = grader.review(judged(walk), "REJECT")
    assert (answer.json["rescored"], answer.json["session"]["version"]) == (False, 2)
    assert not Turn.objects.filter(kind="review").exists()


def test_a_learner_whose_answer_is_accepted_after_all_goes_on(grader: Grader, walk: Walk) -> None:
    answer = grader.review(judged(walk), "ACCEPT")
    assert (answer.json["rescored"], answer.json["session"]["version"]) == (True, 3)
    now = walk.look()
    assert (now["phase"], now["version"]) == ("closed", 3)
    last = now["last_turn"]
    assert (last["question"], last["outcome"], last["reviewed"]) == ("ASK_001", "mastered", True)
    trail = walk.program.get(f"{walk.path}turns/").json["items"]
    assert [(turn["kind"], turn["question"], turn["verdict"]) for turn in trail[2:]] == [("review", "ASK_001", None)]
    end = walk.to_the_end(lambda one: one.act("answers", dont_know=True))
    assert (end["results"]["mastered"], end["results"]["reviewed"], end["results"]["missed"]) == (1, 1, 0)


def test_a_right_answer_that_was_none_is_missed_in_what_the_learner_sees(grader: Grader, walk: Walk) -> None:
    turn = judged(walk, RIGHT)
    walk.to_the_end(lambda one: one.act("answers", dont_know=True))
    assert walk.now["results"]["mastered"] == 1
    answer = grader.review(turn, "REJECT")
    assert answer.json["session"]["outcome"] == "missed"
    assert (answer.json["session"]["mastered"], answer.json["session"]["missed"]) == (0, 1)
    results = walk.look()["results"]
    assert (results["mastered"], results["missed"], results["reviewed"]) == (0, 1, 1)
    item = next(item for item in results["review"] if item["code"] == "ASK_001")
    assert (item["outcome"], item["reviewed"], item["expected"]["markdown"]) == ("missed", True, RIGHT)


def test_the_trail_says_who_overruled_what(grader: Grader, walk: Walk, staff: User) -> None:
    turn = judged(walk)
    grader.review(turn, "ACCEPT", note="zanahorias are light, too")
    event = Event.objects.get(event="verdict.reviewed")
    assert (event.chain_id, event.data["graded"], event.data["result"]) == (str(turn.session_id), "REJECT", "ACCEPT")
    assert event.data["by"] == staff.pk
    assert "zanahorias" not in json.dumps(list(Event.objects.values_list("data", flat=True)))
    assert all(check.fault is None for check in chains_verify())


def test_saying_the_same_again_adds_nothing(grader: Grader, walk: Walk) -> None:
    turn = judged(walk)
    first = grader.review(turn, "ACCEPT")
    again = Grader(staff_create("dora")).review(turn, "ACCEPT", seen=None)
    assert (first.status, again.status) == (201, 200)
    assert again.json == first.json
    assert VerdictReview.objects.count() == 1


def test_a_later_review_takes_the_place_of_the_one_before(grader: Grader, walk: Walk) -> None:
    turn = judged(walk)
    first = grader.review(turn, "ACCEPT").json
    second = grader.review(turn, "PARTIAL", seen=first["review"]["id"])
    assert second.status == 201
    assert second.json["review"]["id"] > first["review"]["id"]
    assert list(VerdictReview.objects.order_by("pk").values_list("result", "current")) == [
        ("ACCEPT", False),
        ("PARTIAL", True),
    ]
    assert record().outcome != "mastered"


def test_nobody_overrules_a_review_that_they_have_not_seen(grader: Grader, walk: Walk) -> None:
    turn, dora = judged(walk), Grader(staff_create("dora"))
    first = grader.review(turn, "ACCEPT", seen=None).json["review"]["id"]
    for seen in (None, first + 1, 2**63 - 1):
        answer = dora.review(turn, "REJECT", seen=seen)
        assert refusal(answer) == (409, "reviewed-meanwhile")
        assert answer.places() == {"/seen": f"the review that counts is {first}"}
    assert VerdictReview.objects.get().result == "ACCEPT"
    assert dora.review(turn, "REJECT", seen=first).status == 201


def test_a_review_of_what_nobody_reviewed_names_none(grader: Grader, walk: Walk) -> None:
    answer = grader.review(judged(walk), "ACCEPT", seen=7)
    assert refusal(answer) == (409, "reviewed-meanwhile")
    assert answer.places() == {"/seen": "there is no review"}
    assert not VerdictReview.objects.exists()


def test_what_chance_chose_stays_so_when_it_is_reviewed_again(grader: Grader, walk: Walk) -> None:
    turn = judged(walk)
    assert grader.review(turn, "ACCEPT", drawn=True).json["review"]["drawn"] is True
    assert grader.review(turn, "PARTIAL").json["review"]["drawn"] is True
    assert [review["drawn"] for review in grader.get(f"{VERDICTS}{turn.pk}/").json["reviews"]] == [True, True]


def test_without_seen_the_last_one_counts(grader: Grader, walk: Walk) -> None:
    turn = judged(walk)
    assert [grader.review(turn, result).status for result in ("ACCEPT", "REJECT")] == [201, 201]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/result"),
        ([], ""),
        ({"result": "accept"}, "/result"),
        ({"result": None}, "/result"),
        ({"result": "ACCEPT", "note": None}, "/note"),
        ({"result": "ACCEPT", "note": "x" * 2001}, "/note"),
        ({"result": "ACCEPT", "note": "a\0b"}, "/note"),
        ({"result": "ACCEPT", "seen": "7"}, "/seen"),
        ({"result": "ACCEPT", "seen": 0}, "/seen"),
        ({"result": "ACCEPT", "seen": -1}, "/seen"),
        ({"result": "ACCEPT", "seen": 1.5}, "/seen"),
        ({"result": "ACCEPT", "seen": True}, "/seen"),
        ({"result": "ACCEPT", "seen": 2**63}, "/seen"),
        ({"result": "ACCEPT", "drawn": "yes"}, "/drawn"),
        ({"result": "ACCEPT", "by": "carla"}, "/by"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_where_it_stands(
    grader: Grader, walk: Walk, body: object, pointer: str
) -> None:
    answer = grader.post(f"{VERDICTS}{judged(walk).pk}/reviews/", body)
    assert refusal(answer) == (422, "invalid-request")
    assert list(answer.places()) == [pointer]
    assert not VerdictReview.objects.exists()


@pytest.mark.parametrize("note", ["</script>", "'; DROP TABLE x; --", "\u202e", "🌱" * 1000, "%s {own}", "  kept  "])
def test_any_text_is_a_note(grader: Grader, walk: Walk, note: str) -> None:
    turn = judged(walk)
    assert grader.review(turn, "ACCEPT", note=note).status == 201
    assert grader.get(f"{VERDICTS}{turn.pk}/").json["reviews"][0]["note"] == note.strip()


def test_half_a_character_is_no_note(grader: Grader, walk: Walk) -> None:
    answer = grader.review(judged(walk), "ACCEPT", note="\ud83c")
    assert refusal(answer) == (400, "malformed-request")


def test_the_same_key_counts_once_and_is_answered_the_same(grader: Grader, walk: Walk) -> None:
    turn = judged(walk)
    first, second = (grader.review(turn, "ACCEPT", key="mine", seen=None) for _ in range(2))
    assert (first.status, second.status, first.json) == (201, 201, second.json)
    assert second.headers["Idempotent-Replayed"] == "true"
    assert refusal(grader.review(turn, "REJECT", key="mine")) == (422, "idempotency-key-reused")
    assert VerdictReview.objects.count() == 1


def test_the_same_request_counts_once_also_when_the_kept_answer_is_gone(grader: Grader, walk: Walk) -> None:
    """As after a day, or when a worker was killed between the review and keeping its answer."""
    turn = judged(walk)
    first = grader.review(turn, "ACCEPT", key="mine", seen=None)
    IdempotentRequest.objects.all().delete()
    again = grader.review(turn, "ACCEPT", key="mine", seen=None)
    assert (again.status, again.json) == (200, first.json)
    assert VerdictReview.objects.count() == 1


def test_a_refusal_leaves_the_key_free(grader: Grader, walk: Walk) -> None:
    turn = judged(walk)
    assert grader.review(turn, "ACCEPT", key="mine", seen=7).status == 409
    assert grader.review(turn, "ACCEPT", key="mine", seen=None).status == 201


def test_what_is_kept_of_requests_holds_no_words(grader: Grader, walk: Walk) -> None:
    turn = judged(walk, "They need zanahorias to sleep")
    grader.review(turn, "ACCEPT", key=uuid.uuid4().hex, note="zanahorias are fine")
    for kept in IdempotentRequest.objects.all():
        assert b"zanahorias" not in bytes(kept.body or b"")
    assert VerdictReview.objects.get().note == "zanahorias are fine"


def test_an_answer_that_is_being_judged_is_no_verdict_yet(grader: Grader, walk: Walk) -> None:
    running = turn_begun(Session.objects.select_related("lesson").get(), WRONG, lease=timedelta(minutes=5))
    assert refusal(grader.review(running, "ACCEPT")) == (404, "not-found")
    assert grader.get(f"{VERDICTS}{running.pk}/").status == 404


def test_while_the_learner_is_being_answered_one_comes_again(
    grader: Grader, walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = judged(walk)
    monkeypatch.setattr(turns, "_PATIENCE_SECONDS", 0.05)
    turn_begun(Session.objects.select_related("lesson").get(), WRONG, lease=timedelta(minutes=5))
    answer = grader.review(turn, "ACCEPT")
    assert refusal(answer) == (409, "turn-still-running")
    assert int(answer.headers["Retry-After"]) >= 1
    assert not VerdictReview.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_who_have_seen_nothing_one_is_told(grader: Grader, walk: Walk) -> None:
    turn = judged(walk)
    people = [grader, *(Grader(staff_create(name)) for name in ("dora", "emil", "fina"))]
    works = [partial(one.review, turn, RESULTS[at], seen=None) for at, one in enumerate(people)]
    answers = at_once(works)
    assert sorted(answer.status for answer in answers) == [201, 409, 409, 409]
    assert {answer.json["code"] for answer in answers if answer.status == 409} == {"reviewed-meanwhile"}
    [won] = [answer.json for answer in answers if answer.status == 201]
    review = VerdictReview.objects.get()
    assert (won["review"]["id"], review.current) == (review.pk, True)
    assert record().outcome == ("mastered" if review.result == "ACCEPT" else "open")
    assert all(check.fault is None for check in chains_verify())


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_who_do_not_ask_all_are_kept_and_one_counts(grader: Grader, walk: Walk) -> None:
    turn = judged(walk)
    answers = at_once([partial(grader.review, turn, RESULTS[at % 2]) for at in range(6)])
    assert {answer.status for answer in answers} <= {200, 201, 409}
    stored = list(VerdictReview.objects.order_by("pk"))
    assert [review.current for review in stored] == [False] * (len(stored) - 1) + [True]
    assert all(before.result != after.result for before, after in pairwise(stored))
    assert (record().outcome == "mastered") == (stored[-1].result == "ACCEPT")
    assert all(check.fault is None for check in chains_verify())


@pytest.mark.django_db(transaction=True)
def test_the_same_request_many_times_at_once_counts_once(grader: Grader, walk: Walk) -> None:
    turn = judged(walk)
    answers = at_once([partial(grader.review, turn, "ACCEPT", "mine", seen=None)] * 6)
    assert {answer.status for answer in answers} <= {201, 409}
    assert {answer.json["code"] for answer in answers if answer.status == 409} <= {"request-still-running"}
    assert VerdictReview.objects.count() == 1
    assert Turn.objects.filter(kind="review").count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_learner_who_answers_at_the_same_moment_and_a_review_both_count(grader: Grader, walk: Walk) -> None:
    turn = judged(walk)
    reviewed, answered = at_once(
        [partial(grader.review, turn, "PARTIAL"), partial(walk.send, "answers", text=WRONG.upper())]
    )
    assert (reviewed.status, answered.status) == (201, 200)
    assert record().attempts == 2
    assert VerdictReview.objects.get().result == "PARTIAL"
    assert all(check.fault is None for check in chains_verify())


@pytest.mark.parametrize("answers", [1, 2])
def test_statements_do_not_grow_with_answers(
    grader: Grader, walk: Walk, django_assert_max_num_queries: Queries, answers: int
) -> None:
    given = [judged(walk, f"They need it to sleep {n}") for n in range(answers)]
    with django_assert_max_num_queries(20):
        assert grader.review(given[0], "ACCEPT").status == 201
