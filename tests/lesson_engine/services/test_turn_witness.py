"""Finding 4: what a learner's page says of an answer is the turn's; the signed event must say the same."""

from collections.abc import Callable

import pytest

from accounts.models import User
from lesson_engine.contracts import VerdictResult
from lesson_engine.models import LessonVersion, Session, Turn, VerdictReview
from lesson_engine.services.questions import question_void
from lesson_engine.services.rescoring import void_work
from lesson_engine.services.reviewing import verdict_review
from lesson_engine.services.turns import session_hint, session_set_mode
from lesson_engine.services.words import words_erase
from telemetry.contracts import FaultKind
from telemetry.models import Event
from tests.lesson_engine.services.conftest import RIGHT, WRONG, answer, fresh, key
from tests.routing.audit_hands import faults, tamper


def answered(session: Session, text: str = WRONG) -> Turn:
    answer(session, text)
    return Turn.objects.filter(session=session, kind="answer").latest("version")


def evaluated(session: Session) -> Event:
    return Event.objects.filter(chain=str(session.pk), event="evaluation.result").latest("seq")


@pytest.mark.parametrize(
    "change",
    [
        "result = 'ACCEPT'",
        """verdict = verdict || '{"result": "ACCEPT"}'""",
        """result = 'ACCEPT', verdict = verdict || '{"result": "ACCEPT"}'""",
        """verdict = verdict || '{"score": 1}'""",
        """verdict = verdict || '{"score": "high"}'""",
        """verdict = verdict || '{"rule": "open.exact"}'""",
        """verdict = verdict || '{"grader": "0"}'""",
        """verdict = verdict || '{"doubtful": true}'""",
        """verdict = verdict || '{"misconception": "m"}'""",
        "verdict = '[]'",
        "deviation = 'OFF_TOPIC'",
    ],
)
def test_a_verdict_that_was_changed_is_named_by_the_event_that_tells_of_it(asking: Session, change: str) -> None:
    turn = answered(asking)
    assert faults() == {}
    tamper(f"UPDATE lesson_engine_turn SET {change} WHERE id = %s", turn.pk)
    fault = faults()[str(asking.pk)]
    assert (fault.kind, fault.seq) == (FaultKind.ALTERED, evaluated(asking).seq)
    assert fault.detail == f"the verdict of turn {turn.version} is not the one that it tells of"


@pytest.mark.parametrize("change", ["version = version + 100", "kind = 'hint'", "ask_code = 'ASK_002'"])
def test_a_turn_that_is_another_one_is_named(asking: Session, change: str) -> None:
    turn = answered(asking)
    tamper(f"UPDATE lesson_engine_turn SET {change} WHERE id = %s", turn.pk)
    assert "turn" in faults()[str(asking.pk)].detail


def test_a_turn_without_an_event_is_named(asking: Session) -> None:
    turn = answered(asking)
    turn.pk, turn.version, turn.key = None, 1000, "forged"
    turn.save(force_insert=True)
    fault = faults()[str(asking.pk)]
    assert (fault.kind, fault.row_id) == (FaultKind.TRUNCATED, None)
    assert fault.detail == "the event of turn 1000 is missing: it was cut off, or never written"


@pytest.mark.parametrize("change", ["result = 'REJECT'", "graded = 'ACCEPT'", "current = false", "by_id = %s"])
def test_a_review_that_was_changed_is_named_by_the_event_that_tells_of_it(
    asking: Session, staff: User, learner: User, change: str
) -> None:
    turn = answered(asking)
    verdict_review(turn=turn, result=VerdictResult.ACCEPT, by=staff)
    assert faults() == {}
    tamper(f"UPDATE lesson_engine_verdictreview SET {change}", *([learner.pk] if "%s" in change else []))
    fault = faults()[str(asking.pk)]
    assert fault.detail == f"the review of turn {turn.version} is not the one that it tells of"


def test_a_review_without_an_event_is_named(asking: Session, staff: User) -> None:
    turn = answered(asking)
    verdict_review(turn=turn, result=VerdictResult.ACCEPT, by=staff)
    VerdictReview.objects.filter(turn=turn).update(current=False)
    forged = VerdictReview.objects.get(turn=turn)
    forged.pk, forged.result, forged.current, forged.rescoring = None, "REJECT", True, None
    forged.save(force_insert=True)
    assert "review" in faults()[str(asking.pk)].detail


def test_what_may_lawfully_happen_to_a_session_is_no_fault(
    start: Callable[[LessonVersion], Session], make_lesson: Callable[[], LessonVersion], staff: User, learner: User
) -> None:
    version = make_lesson()
    session = start(version)
    turn = answered(session)
    session_hint(session=fresh(session), version=fresh(session).version, key=key())
    session_set_mode(session=fresh(session), mode="adaptive", key=key())  # type: ignore[arg-type]
    answered(session, RIGHT)
    for result in (VerdictResult.ACCEPT, VerdictResult.REJECT, VerdictResult.PARTIAL):
        verdict_review(turn=turn, result=result, by=staff)
    for void in question_void(version=version, ask_code=turn.ask_code, by=staff, reason="It is wrong."):
        void_work(void=void)
    words_erase(user_id=learner.pk)
    assert faults() == {}
    assert {row.kind for row in Turn.objects.all()} >= {"answer", "hint", "mode", "review", "void", "continue"}
