"""Comparing through the API: what the session says, what may be done, what is refused, and that it counts once."""

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from accounts.models import Scope, User
from lesson_engine.models import Session, Turn
from lesson_engine.services.turns import state_of
from tests.api.sessions import Json, Program, Walk
from tests.api.verdicts import Grader, staff_create
from tests.conftest import LessonMaker
from tests.lesson_engine.comparing.conftest import ODD
from tests.lesson_engine.player.walks import verdict
from tests.lesson_engine.services.conftest import RIGHT, WRONG
from tests.lesson_engine.unsure import make_judged, make_unsure

Queries = Callable[[int], AbstractContextManager[Any]]


def not_understood(walk: Walk, text: str = ODD) -> Json:
    """What the session says after an answer of which the grader is not sure."""
    walk.act("answers", text=text)
    make_unsure(Session.objects.select_related("lesson").get(pk=walk.now["id"]))
    return walk.look()


@pytest.fixture
def walk(make_lesson: LessonMaker, learner: User) -> Walk:
    """The small lesson at its first question, whose answer is not understood."""
    make_lesson()
    one = Program(learner).start("light")
    one.go_to_question()
    not_understood(one)
    return one


def test_an_answer_in_doubt_says_so_and_may_be_compared(walk: Walk) -> None:
    assert (walk.now["phase"], walk.now["can_compare"], walk.now["expected_answer"]) == ("asking", True, None)
    assert walk.now["actions"] == ["answer", "hint", "compare", "report"]
    assert walk.now["question"]["attempt"] == 1
    last = walk.now["last_turn"]
    assert (last["headline"], last["outcome"], last["expected"]) == ("I'm not sure I understood you.", "open", None)
    assert last["message"]["markdown"] == "Can you say it another way? This answer cost you no attempt."
    assert (last["verdict"]["zone"], last["verdict"]["provenance"]) == ("not_sure", "rules")
    assert last["move"] == {"op": "reask", "words": ""}
    assert RIGHT not in str(walk.now)


def test_comparing_shows_the_answer_and_waits_for_a_word(walk: Walk) -> None:
    now = walk.act("compare")
    assert (now["phase"], now["can_compare"], now["expected_answer"]["markdown"]) == ("comparing", False, RIGHT)
    assert now["actions"] == ["self_assessment", "report"]
    assert now["question"]["code"] == "ASK_001"
    assert now["last_turn"]["expected"] == now["expected_answer"]
    assert ODD not in str(now)
    for action, body in (("answers", {"text": RIGHT}), ("hint", {}), ("skip", {}), ("continue", {}), ("compare", {})):
        assert walk.send(action, **body).json["code"] == "action-not-possible"


def test_a_second_doubt_compares_at_once(walk: Walk) -> None:
    assert not_understood(walk)["phase"] == "comparing"


@pytest.mark.parametrize(
    ("said", "result", "outcome"),
    [("yes", "ACCEPT", "mastered"), ("partly", "PARTIAL", "shown"), ("no", "REJECT", "shown")],
)
def test_the_own_word_closes_the_question(walk: Walk, said: str, result: str, outcome: str) -> None:
    walk.act("compare")
    now = walk.act("self-assessment", said=said)
    last = now["last_turn"]
    assert (now["phase"], last["outcome"]) == ("closed", outcome)
    verdict = last["verdict"]
    assert (verdict["result"], verdict["rule"], verdict["zone"], verdict["provenance"], verdict["grader"]) == (
        result,
        f"self.{said}",
        "self",
        "self",
        "learner",
    )
    assert (last["expected"] is None) == (said == "yes")
    trail = walk.program.get(f"{walk.path}turns/").json["items"]
    assert [turn["kind"] for turn in trail[-2:]] == ["compare", "self_assessment"]
    assert (trail[-2]["verdict"], trail[-1]["verdict"]["zone"], trail[-1]["verdict"]["deviation"]) == (
        None,
        "self",
        None,
    )
    assert trail[1]["command"] == {"op": "reask", "target": None, "reason": "SEM_LOW"}


def test_results_tell_own_words_apart(walk: Walk) -> None:
    walk.act("compare")
    walk.act("self-assessment", said="yes")
    walk.act("continue")
    walk.act("answers", text="6")
    results = walk.act("continue")["results"]
    assert (results["mastered"], results["by_own_word"]) == (2, 1)
    skills = [(skill["mastered"], skill["at_once"], skill["by_own_word"]) for skill in results["skills"]]
    assert skills == [(2, 1, 1)]


def test_what_was_said_stays_after_a_hint(walk: Walk) -> None:
    before = walk.now["last_turn"]
    assert walk.act("hint")["last_turn"] == before
    assert walk.now["can_compare"]


@pytest.mark.parametrize(
    ("action", "body", "pointer"),
    [
        ("compare", {}, "/version"),
        ("compare", {"version": 2, "said": "yes"}, "/said"),
        ("self-assessment", {"version": 2}, "/said"),
        ("self-assessment", {"version": 2, "said": "maybe"}, "/said"),
        ("self-assessment", {"version": 2, "said": True}, "/said"),
    ],
)
def test_a_body_that_does_not_fit_is_refused(walk: Walk, action: str, body: Json, pointer: str) -> None:
    answer = walk.program.post(f"{walk.path}{action}/", body)
    assert (answer.status, answer.json["code"], [*answer.places()]) == (422, "invalid-request", [pointer])


def test_nothing_is_compared_where_the_grader_is_sure(walk: Walk) -> None:
    walk.act("answers", text=WRONG)
    make_judged(Session.objects.select_related("lesson").get(pk=walk.now["id"]), verdict(provenance="rules"))
    walk.look()
    for action, body in (("compare", {}), ("self-assessment", {"said": "yes"})):
        answer = walk.send(action, **body)
        assert (answer.status, answer.json["code"]) == (409, "action-not-possible")


def test_the_same_key_counts_once_and_an_older_version_does_nothing(walk: Walk) -> None:
    walk.act("compare")
    key = uuid.uuid4().hex
    first, again = (walk.send("self-assessment", key=key, said="partly") for _ in range(2))
    assert (first.status, again.status, again.json) == (200, 200, first.json)
    assert Turn.objects.filter(kind=Turn.Kind.SELF).count() == 1
    assert walk.send("self-assessment", key=key, said="yes").json["code"] == "idempotency-key-reused"
    late = walk.send("self-assessment", said="yes")
    assert (late.status, late.json["code"]) == (409, "stale-session")
    assert state_of(Session.objects.get()).record("ASK_001").own_word == "partly"


def test_staff_see_the_word_with_the_verdict(walk: Walk, db: None) -> None:
    grader = Grader(staff_create("dora"))
    walk.act("compare")
    walk.act("self-assessment", said="no")
    (item,) = next(grader.pages())
    assert (item["own_word"], item["verdict"]["zone"]) == ("no", "not_sure")
    turn = Turn.objects.get(pk=item["id"])
    assert grader.get(f"/api/v1/verdicts/{turn.pk}/").json["own_word"] == "no"
    outcome = grader.review(turn, "ACCEPT").json["session"]
    assert (outcome["outcome"], outcome["mastered"], outcome["by_own_word"]) == ("mastered", 1, 0)
    (reviewed,) = next(grader.pages("state=reviewed"))
    assert reviewed["own_word"] == "no"


def test_a_token_that_may_only_read_cannot_compare(walk: Walk, learner: User) -> None:
    walk.program = Program(learner, scopes=(Scope.SESSIONS_READ,))
    assert walk.send("compare").status == 403


def test_queries_of_comparing(walk: Walk, django_assert_num_queries: Queries) -> None:
    # As for every action (`test_turns_api`), and the answer that the own word is about.
    with django_assert_num_queries(16):
        walk.act("compare")
    with django_assert_num_queries(17):
        walk.act("self-assessment", said="yes")
