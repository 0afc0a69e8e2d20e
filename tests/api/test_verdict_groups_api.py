"""One decision for several verdicts, taking reviews back, and grading once more, through the API."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import pytest

from accounts.models import User
from core.models import IdempotentRequest
from lesson_engine.models import AnswerExample, Session, Turn, VerdictReview
from lesson_engine.services.turns import state_of
from lesson_engine.services.words import words_erase
from telemetry.chains.verification import chains_verify
from tests.api.sessions import Answer, Program, Walk, integrator_create
from tests.api.verdicts import VERDICTS, Grader, judged, staff_create
from tests.conftest import LessonMaker
from tests.lesson_engine.services.conftest import WRONG
from tests.lesson_engine.services.threads import at_once

GROUP = f"{VERDICTS}reviews/"
Queries = Callable[[int], AbstractContextManager[Any]]
Learner = Callable[[], Walk]


@pytest.fixture
def grader(staff: User) -> Grader:
    """The program of carla of the staff; its token has been used this minute."""
    one = Grader(staff)
    one.get(VERDICTS)
    return one


@pytest.fixture
def learner(make_lesson: LessonMaker) -> Learner:
    """Somebody new at the first question of the small lesson."""
    make_lesson()
    program, names = Program(integrator_create()), iter(range(100))

    def begin() -> Walk:
        walk = program.start("light", learner=str(next(names)))
        walk.go_to_question()
        return walk

    return begin


@pytest.fixture
def three(learner: Learner) -> list[Turn]:
    return [judged(learner()) for _ in range(3)]


def decide(grader: Grader, ids: list[int], result: str = "ACCEPT", key: str = "", **body: Any) -> Answer:
    headers = {"idempotency_key": key} if key else {}
    return grader.post(GROUP, {"ids": ids, "result": result, **body}, **headers)


def undo(grader: Grader, turn: Turn, seen: object, key: str = "") -> Answer:
    headers = {"idempotency_key": key} if key else {}
    return grader.post(f"{VERDICTS}{turn.pk}/reviews/undo/", {"seen": seen}, **headers)


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json["code"]


def outcome(turn: Turn) -> str:
    return state_of(Session.objects.get(pk=turn.session_id)).record("ASK_001").outcome


def test_each_of_a_group_gets_a_review_of_its_own(grader: Grader, three: list[Turn]) -> None:
    ids = [turn.pk for turn in reversed(three)]
    answer = decide(grader, ids, note="Sleep is meant.")
    assert answer.status == 200
    members = answer.json["results"]
    assert [member["id"] for member in members] == ids
    assert {(member["stored"], member["refusal"]) for member in members} == {(True, None)}
    for member, turn in zip(members, reversed(three), strict=True):
        review = VerdictReview.objects.get(turn=turn)
        assert (review.result, review.note, review.by.username) == ("ACCEPT", "Sleep is meant.", "carla")
        assert member["outcome"]["review"]["id"] == review.pk
        assert member["outcome"]["rescored"] is True
        session = member["outcome"]["session"]
        assert (session["id"], session["outcome"], session["mastered"]) == (str(turn.session_id), "mastered", 1)
    assert all(check.fault is None for check in chains_verify())


def test_what_is_refused_for_one_is_told_and_keeps_no_other(
    grader: Grader, three: list[Turn], learner: Learner
) -> None:
    decided, erased, free = three
    same = judged(learner())
    dora = Grader(staff_create("dora"))
    dora.review(decided, "PARTIAL")
    dora.review(same, "ACCEPT")
    words_erase(user_id=erased.session.user_id)
    answer = decide(grader, [decided.pk, erased.pk, 10**15, same.pk, free.pk])
    told = [(member["stored"], (member["refusal"] or {}).get("code")) for member in answer.json["results"]]
    assert told == [
        (False, "reviewed-meanwhile"),
        (False, "action-not-possible"),
        (False, "not-found"),
        (False, None),
        (True, None),
    ]
    assert all((member["outcome"] is None) == (member["refusal"] is not None) for member in answer.json["results"])
    counting = dict(VerdictReview.objects.filter(current=True).values_list("turn_id", "result"))
    assert counting == {decided.pk: "PARTIAL", same.pk: "ACCEPT", free.pk: "ACCEPT"}


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/ids"),
        ({"ids": []}, "/ids"),
        ({"ids": [1, 1]}, "/ids"),
        ({"ids": ["1"]}, "/ids/0"),
        ({"ids": [0]}, "/ids/0"),
        ({"ids": [2**63]}, "/ids/0"),
        ({"ids": list(range(1, 52))}, "/ids"),
        ({"ids": [1], "result": "accept"}, "/result"),
        ({"ids": [1], "note": "x" * 2001}, "/note"),
        ({"ids": [1], "seen": 3}, "/seen"),
    ],
)
def test_a_body_that_does_not_fit_is_refused(grader: Grader, three: list[Turn], body: Any, pointer: str) -> None:
    answer = grader.post(GROUP, {"result": "ACCEPT", **body})
    assert refusal(answer) == (422, "invalid-request")
    assert pointer in answer.places()
    assert not VerdictReview.objects.exists()


def test_the_same_request_counts_once(grader: Grader, three: list[Turn]) -> None:
    ids = [turn.pk for turn in three]
    first, second = (decide(grader, ids, key="mine", note="zanahorias") for _ in range(2))
    assert first.json == second.json
    assert second.headers["Idempotent-Replayed"] == "true"
    assert refusal(decide(grader, ids, "REJECT", key="mine")) == (422, "idempotency-key-reused")
    IdempotentRequest.objects.all().delete()
    again = decide(grader, ids, key="mine", note="zanahorias")
    assert [member["stored"] for member in again.json["results"]] == [False] * 3
    assert VerdictReview.objects.count() == 3
    assert b"zanahorias" not in b"".join(bytes(kept.body or b"") for kept in IdempotentRequest.objects.all())


@pytest.mark.django_db(transaction=True)
def test_the_same_group_by_many_at_once_is_decided_once(grader: Grader, three: list[Turn]) -> None:
    people = [grader, *(Grader(staff_create(name)) for name in ("dora", "emil"))]
    ids = [turn.pk for turn in three]
    answers = at_once([partial(decide, one, ids) for one in people])
    stored = [member["stored"] for answer in answers for member in answer.json["results"]]
    assert (stored.count(True), VerdictReview.objects.count()) == (3, 3)
    assert all(check.fault is None for check in chains_verify())


def test_a_review_is_taken_back_and_the_session_scored_back(grader: Grader, three: list[Turn]) -> None:
    turn = three[0]
    said = grader.review(turn, "ACCEPT").json["review"]["id"]
    answer = undo(Grader(staff_create("dora")), turn, said)
    assert (answer.status, answer.json["rescored"]) == (201, True)
    review = answer.json["review"]
    assert (review["result"], review["takes_back"], review["by"]) == ("REJECT", said, "dora")
    assert answer.json["session"]["mastered"] == 0
    detail = grader.get(f"{VERDICTS}{turn.pk}/").json
    assert detail["review"] is None
    told = [(one["id"], one["takes_back"], one["current"]) for one in detail["reviews"]]
    assert told == [(review["id"], said, False), (said, None, False)]
    assert turn.pk in grader.listed()
    assert AnswerExample.objects.get().removed_at is not None
    assert grader.review(turn, "PARTIAL", seen=None).status == 201


def test_taken_back_twice_is_once(grader: Grader, three: list[Turn]) -> None:
    said = grader.review(three[0], "ACCEPT").json["review"]["id"]
    first, second = (undo(grader, three[0], said) for _ in range(2))
    assert (first.status, second.status, first.json) == (201, 200, second.json)
    assert VerdictReview.objects.count() == 2


def test_only_the_review_that_counts_is_taken_back(grader: Grader, three: list[Turn]) -> None:
    turn, other = three[:2]
    first = grader.review(turn, "ACCEPT").json["review"]["id"]
    second = grader.review(turn, "PARTIAL").json["review"]["id"]
    elsewhere = grader.review(other, "ACCEPT").json["review"]["id"]
    for seen in (first, elsewhere, 2**63 - 1):
        answer = undo(grader, turn, seen)
        assert refusal(answer) == (409, "reviewed-meanwhile")
        assert answer.places() == {"/seen": f"the review that counts is {second}"}
    assert outcome(other) == "mastered"
    assert undo(grader, turn, second).status == 201


@pytest.mark.parametrize("seen", [None, 0, "1", 2**63])
def test_a_review_is_named_by_its_id(grader: Grader, three: list[Turn], seen: object) -> None:
    assert refusal(undo(grader, three[0], seen)) == (422, "invalid-request")


def test_erased_words_are_not_taken_back(grader: Grader, three: list[Turn]) -> None:
    said = grader.review(three[0], "ACCEPT").json["review"]["id"]
    words_erase(user_id=three[0].session.user_id)
    assert refusal(undo(grader, three[0], said)) == (409, "action-not-possible")


def test_a_verdict_is_told_with_what_comes_of_grading_it_again(
    grader: Grader, three: list[Turn], learner: Learner
) -> None:
    grader.review(three[0], "ACCEPT")
    turn = judged(learner(), WRONG)
    path = f"{VERDICTS}{turn.pk}/"
    assert grader.get(path).json["verdict"]["rule"] == "open.example"
    assert grader.get(path).json["replay"] == {"state": "same", "result": "ACCEPT"}
    words_erase(user_id=three[0].session.user_id)
    assert grader.get(path).json["replay"] == {"state": "incomplete", "result": None}
    assert turn.verdict is not None
    Turn.objects.filter(pk=turn.pk).update(verdict={**turn.verdict, "grader": "andamio-1"})
    assert grader.get(path).json["replay"] == {"state": "former", "result": None}
    assert all("replay" not in item for page in grader.pages() for item in page)


def test_a_group_takes_as_many_statements_for_each(
    grader: Grader, three: list[Turn], django_assert_max_num_queries: Queries
) -> None:
    with django_assert_max_num_queries(8 + 3 * 16):
        assert decide(grader, [turn.pk for turn in three]).status == 200
