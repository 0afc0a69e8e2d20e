"""A verdict is given again from what it was given from; where something of that is gone, it is said."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from structlog.testing import capture_logs

from accounts.models import User
from lesson_engine.contracts import Reply, VerdictResult
from lesson_engine.models import AnswerExample, LessonVersion, Session, Turn
from lesson_engine.services import replaying, turns
from lesson_engine.services.replaying import Replay, verdict_replay
from lesson_engine.services.reviewing import review_undo
from lesson_engine.services.words import words_erase
from lesson_engine.workbench.queue import turn_shown
from lesson_engine.workbench.replayed import replay_text
from tests.conftest import LessonMaker, ask
from tests.lesson_engine.workbench.conftest import RIGHT, WRONG, Start, answer, answers, key, review

Queries = Callable[[int], AbstractContextManager[Any]]
OTHER = "They need it to rest"


def judged(session: Session, text: str, ask_code: str = "ASK_001") -> Turn:
    answer(session, text)
    turn = answers(session, ask_code).last()
    assert turn is not None
    return turn


def replayed(turn: Turn) -> Replay:
    shown = turn_shown(turn.pk)
    assert shown is not None
    return verdict_replay(shown)


def told(turn: Turn) -> str:
    shown = turn_shown(turn.pk)
    assert shown is not None
    return replay_text(shown)


def with_verdict(turn: Turn, **changes: Any) -> Turn:
    """The stored verdict with other values, as an earlier release might have left it."""
    Turn.objects.filter(pk=turn.pk).update(verdict={**(turn.verdict or {}), **changes})
    return turn


@pytest.fixture
def learned(light: LessonVersion, start: Start, staff: User) -> tuple[Session, Turn]:
    """A session whose answer staff accepted, and an answer of somebody else that was judged by it."""
    session = start(light)
    answer(session, WRONG)
    review(session, "ACCEPT", staff)
    return session, judged(start(light), WRONG)


@pytest.mark.parametrize("text", [RIGHT, WRONG, OTHER, "", "I don't know"])
def test_a_verdict_is_the_same_again(asking: Session, text: str) -> None:
    turn = judged(asking, text)
    assert turn.verdict is not None
    again = replayed(turn)
    assert (again.state, again.result) == ("same", turn.result)
    assert told(turn) == "Graded again from the same, it comes out the same."


def test_a_number_too(light: LessonVersion, start: Start) -> None:
    session = start(light, at="ASK_002")
    assert replayed(judged(session, "7", "ASK_002")).state == "same"


def test_it_is_given_with_the_examples_that_it_was_given_with(learned: tuple[Session, Turn]) -> None:
    assert replayed(learned[1]) == Replay("same", VerdictResult.ACCEPT, 1.0)
    assert told(learned[1]) == (
        "It was held against 1 answer that staff had judged. Graded again from the same, it comes out the same."
    )


def test_what_staff_said_since_changes_nothing_of_it(
    learned: tuple[Session, Turn], light: LessonVersion, start: Start, staff: User
) -> None:
    session, turn = learned
    review(session, "REJECT", staff)
    assert replayed(turn).state == "same"
    assert judged(start(light), WRONG).result == "REJECT"


def test_nor_that_it_was_taken_back(learned: tuple[Session, Turn], staff: User) -> None:
    example = AnswerExample.objects.get()
    review_undo(review=example.review, by=staff)
    assert replayed(learned[1]).state == "same"


def test_an_example_that_came_later_is_not_looked_at(light: LessonVersion, start: Start, staff: User) -> None:
    first = judged(start(light), WRONG)
    session = start(light)
    answer(session, WRONG)
    review(session, "ACCEPT", staff)
    assert replayed(first) == Replay("same", VerdictResult.REJECT, replayed(first).score)


def test_once_an_example_is_erased_it_says_so(learned: tuple[Session, Turn]) -> None:
    session, turn = learned
    words_erase(user_id=session.user_id)
    assert replayed(turn) == Replay("incomplete")
    assert "was erased" in told(turn)
    turn.refresh_from_db()
    assert turn.result == "ACCEPT"  # what was given stays given


def test_once_the_answer_itself_is_erased_it_says_so(learned: tuple[Session, Turn]) -> None:
    turn = learned[1]
    words_erase(user_id=turn.session.user_id)
    assert replayed(turn) == Replay("incomplete")


def test_examples_that_are_not_those_of_then_are_none(learned: tuple[Session, Turn]) -> None:
    turn = learned[1]
    assert turn.verdict is not None
    with_verdict(turn, details={**turn.verdict["details"], "examples_digest": "0" * 16})
    assert replayed(turn).state == "incomplete"


@pytest.mark.parametrize("changes", [{"result": "ACCEPT"}, {"score": 0.9}])
def test_a_verdict_that_comes_out_otherwise_says_what_it_would_be(asking: Session, changes: dict[str, Any]) -> None:
    turn = judged(asking, WRONG)
    again = replayed(with_verdict(turn, **changes))
    assert (again.state, again.result) == ("other", VerdictResult.REJECT)
    assert told(turn).startswith("Graded again from the same, it comes out as “Wrong”, ")


def test_another_version_s_verdict_is_shown_as_it_was_stored(asking: Session) -> None:
    turn = with_verdict(judged(asking, WRONG), grader="andamio-1")
    assert replayed(turn) == Replay("former")
    assert "as it was stored" in told(turn)


def test_of_a_second_opinion_the_rules_part_is_given_again(asking: Session) -> None:
    turn = judged(asking, WRONG)
    assert turn.verdict is not None
    rules = {name: turn.verdict.get(name, 0) for name in ("result", "rule", "score")}
    opinion = {"model": "m", "said": "ACCEPT", "confidence": "high", "deterministic": rules}
    with_verdict(turn, result="PARTIAL", rule="open.thinker", score=0.3, details={"thinker": opinion})
    assert replayed(turn).state == "same"
    with_verdict(turn, details={"thinker": {**opinion, "deterministic": {**rules, "result": "ACCEPT"}}})
    assert replayed(turn).state == "other"


def test_nothing_is_stored_and_one_query_reads_the_examples(
    learned: tuple[Session, Turn], django_assert_num_queries: Queries
) -> None:
    turn = turn_shown(learned[1].pk)
    assert turn is not None
    verdict_replay(turn)
    with django_assert_num_queries(1):
        verdict_replay(turn)


def test_a_choice_is_given_again_as_it_was_picked(make_lesson: LessonMaker, start: Start) -> None:
    choices = [{"code": "a", "text": "Sugar", "correct": True}, {"code": "b", "text": "Salt"}]
    session = start(make_lesson(ask(answer={"kind": "choice", "choices": choices})))
    turns.session_answer(session=session, version=session.version, key=key(), reply=Reply(choices=("a",)))
    assert replayed(answers(session)[0]) == Replay("same", VerdictResult.ACCEPT, 1.0)


def test_a_verdict_without_a_grade_is_none_to_give_again(asking: Session) -> None:
    turn = with_verdict(judged(asking, WRONG), rule="grader.failed", result="NOT_GRADABLE", score=0)
    assert replayed(turn) == Replay("failed")
    assert told(turn).startswith("Grading failed")


def test_grading_again_that_fails_is_logged_and_said(
    learned: tuple[Session, Turn], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no weights")

    monkeypatch.setattr(replaying, "answer_grade", broken)
    with capture_logs() as logs:
        assert replayed(learned[1]) == Replay("failed")
    assert [(line["event"], line["log_level"]) for line in logs] == [("grading again failed", "error")]
