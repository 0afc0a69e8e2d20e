"""A review is taken back: the verdict is the grader's again, and everything stays on record."""

from functools import partial

import pytest
from django.db import DatabaseError, transaction

from accounts.models import Role, User
from lesson_engine.contracts import VerdictResult
from lesson_engine.errors import ActionNotPossible, ReviewedMeanwhile
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import AnswerExample, LessonVersion, Session, VerdictReview
from lesson_engine.outcomes.results import outcomes_of
from lesson_engine.selectors import session_turns_page
from lesson_engine.services.reviewing import Reviewed, review_undo, verdict_review
from lesson_engine.services.words import words_erase
from lesson_engine.timeline.replay import replay
from lesson_engine.workbench.reviewed import agreement, labelled_rows, verdicts_waiting
from telemetry.chains.verification import chains_verify
from tests.hands import tampering
from tests.lesson_engine.services.threads import at_once
from tests.lesson_engine.workbench.conftest import (
    RIGHT,
    WRONG,
    Start,
    answer,
    answers,
    events,
    finished,
    fresh,
    review,
    state,
)


@pytest.fixture
def other(db: None) -> User:
    """Somebody else of the staff."""
    return User.objects.create_user("dora", role=Role.STAFF)


def whole() -> bool:
    return {check.fault for check in chains_verify()} == {None}


def test_the_session_is_scored_back(light: LessonVersion, start: Start, staff: User, other: User) -> None:
    done = finished(start(light), WRONG)
    said = review(done, "ACCEPT", staff)
    undone = review_undo(review=said, by=other).review
    now = fresh(done)
    assert (now.state["asks"], now.dead_ends, now.version) == (done.state["asks"], done.dead_ends, done.version + 2)
    assert (undone.takes_back, undone.result, undone.current, undone.by) == (said, "REJECT", False, other)
    assert undone.rescoring is not None
    assert undone.rescoring.kind == "review"
    said.refresh_from_db()
    assert (said.current, said.result) == (False, "ACCEPT")
    assert whole()


def test_the_verdict_waits_again_and_counts_for_nothing(light: LessonVersion, start: Start, staff: User) -> None:
    session = start(light)
    answer(session, WRONG)
    said = review(session, "ACCEPT", staff)
    assert not verdicts_waiting().exists()
    review_undo(review=said, by=staff)
    assert list(verdicts_waiting()) == list(answers(session))
    assert (agreement(), list(labelled_rows())) == ([], [])
    assert AnswerExample.objects.get().removed_at is not None
    assert review(session, "PARTIAL", staff).current
    assert AnswerExample.objects.get(removed_at=None).result == "PARTIAL"


def test_the_trail_says_who_took_what_back(asking: Session, staff: User, other: User) -> None:
    answer(asking, WRONG)
    said = review(asking, "ACCEPT", staff)
    undone = review_undo(review=said, by=other).review
    judged = answers(asking)[0]
    assert undone.rescoring is not None
    assert events(asking, "verdict.reviewed")[-1][1] == {
        "turn": undone.rescoring.version,
        "answer": judged.version,
        "askCode": "ASK_001",
        "grader": said.grader,
        "graded": "REJECT",
        "before": "ACCEPT",
        "result": "REJECT",
        "by": other.pk,
        "takenBack": True,
    }
    assert whole()


def test_what_closed_the_question_does_not_open_it_again(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    review_undo(review=review(asking, "ACCEPT", staff), by=staff)
    assert (state(asking).phase, state(asking).record("ASK_001").outcome) == ("closed", "missed")


def test_taking_a_confirmation_back_scores_nothing_anew(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    said, before = review(asking, "REJECT", staff), fresh(asking)
    undone = review_undo(review=said, by=staff).review
    assert (undone.rescoring, fresh(asking).version, fresh(asking).state) == (None, before.version, before.state)
    assert whole()


def test_the_one_before_does_not_come_back(light: LessonVersion, start: Start, staff: User) -> None:
    done = finished(start(light))
    review(done, "PARTIAL", staff)
    review_undo(review=review(done, "REJECT", staff), by=staff)
    assert not VerdictReview.objects.filter(current=True).exists()
    assert outcomes_of(outline_of(light.pk), state(done)).mastered == 2


def test_taken_back_once_is_taken_back(asking: Session, staff: User, other: User) -> None:
    answer(asking, WRONG)
    said = review(asking, "ACCEPT", staff)
    first = review_undo(review=said, by=staff).review
    version, chain = fresh(asking).version, len(events(asking))
    assert review_undo(review=said, by=other) == Reviewed(first, is_new=False)
    assert (VerdictReview.objects.count(), fresh(asking).version, len(events(asking))) == (2, version, chain)


def test_what_somebody_else_decided_since_is_not_taken_back(asking: Session, staff: User, other: User) -> None:
    answer(asking, WRONG)
    said = review(asking, "ACCEPT", staff)
    later = review(asking, "PARTIAL", other)
    with pytest.raises(ReviewedMeanwhile) as refused:
        review_undo(review=said, by=staff)
    assert refused.value.places == (("/seen", f"the review that counts is {later.pk}"),)
    later.refresh_from_db()
    assert later.current


def test_without_the_words_nothing_is_taken_back(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    said = review(asking, "ACCEPT", staff)
    words_erase(user_id=asking.user_id)
    with pytest.raises(ActionNotPossible, match="were erased"):
        review_undo(review=said, by=staff)


def test_what_chance_chose_stays_so_when_it_is_decided_again(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    turn = answers(asking)[0]
    said = verdict_review(turn=turn, result=VerdictResult.ACCEPT, by=staff, drawn=True).review
    assert review_undo(review=said, by=staff).review.drawn
    assert review(asking, "REJECT", staff).drawn


def test_what_somebody_chose_does_not_become_chance(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    review_undo(review=review(asking, "ACCEPT", staff), by=staff)
    assert not verdict_review(turn=answers(asking)[0], result=VerdictResult.ACCEPT, by=staff, drawn=True).review.drawn


def test_the_replay_of_the_session_ends_where_it_is(light: LessonVersion, start: Start, staff: User) -> None:
    session = start(light)
    answer(session, "")
    answer(session, WRONG)
    first = review(session, "REJECT", staff, at=0)
    said = review(session, "ACCEPT", staff, at=1)
    review_undo(review=first, by=staff)
    review_undo(review=said, by=staff)
    review(session, "PARTIAL", staff, at=1)
    review(session, "ACCEPT", staff, at=0)
    page = session_turns_page(fresh(session), 1)
    played = list(replay(outline_of(light.pk), page.turns, page.voided, page.reviews))
    assert all(done.after is not None for done in played)
    assert played[-1].after == state(session)


def test_the_witness_misses_what_was_taken_back_without_an_event(asking: Session, staff: User) -> None:
    answer(asking, RIGHT)
    said = review(asking, "PARTIAL", staff)
    assert whole()
    with tampering():
        VerdictReview.objects.filter(pk=said.pk).update(current=False)
    assert not whole()
    with tampering():
        VerdictReview.objects.filter(pk=said.pk).update(current=True)
    review_undo(review=said, by=staff)
    assert whole()
    with tampering():
        VerdictReview.objects.filter(pk=said.pk).update(current=True)
    assert not whole()


def test_a_row_that_takes_back_says_nothing_of_its_own(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    said = review(asking, "PARTIAL", staff)
    same = {"turn_id": said.turn_id, "lesson_version_id": said.lesson_version_id, "by": staff, "at": said.at}
    judged = {"ask_code": said.ask_code, "grader": said.grader, "graded": said.graded, "score": 0, "doubtful": False}
    for fields in ({"result": "ACCEPT", "current": False}, {"result": said.graded, "current": True}):
        VerdictReview.objects.filter(pk=said.pk).update(current=False)
        with pytest.raises(DatabaseError, match="verdict_review_taken_back"), transaction.atomic():
            VerdictReview.objects.create(**same, **judged, **fields, takes_back=said)


@pytest.mark.django_db(transaction=True)
def test_many_take_back_at_once(asking: Session, staff: User, other: User) -> None:
    answer(asking, WRONG)
    said = review(asking, "ACCEPT", staff)
    rows = at_once([partial(review_undo, review=said, by=person) for person in (staff, other) * 3])
    assert len({row.review.pk for row in rows}) == 1
    assert sum(row.is_new for row in rows) == 1
    assert VerdictReview.objects.count() == 2
    assert whole()
