"""Several of the staff and the learner at the same time: nothing is lost, nothing waits for ever."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from accounts.models import Role, User
from lesson_engine.contracts import Reply, VerdictResult
from lesson_engine.errors import ActionNotPossible, StaleSession
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LearnerText, LessonVersion, Session, Turn, VerdictReview
from lesson_engine.player.histories import ask_history
from lesson_engine.player.overruling import rescored
from lesson_engine.services import turns
from lesson_engine.services.reviewing import verdict_review
from lesson_engine.services.turns import state_of
from lesson_engine.services.words import words_erase
from telemetry.chains.verification import chains_verify
from tests.lesson_engine.services.conftest import turn_begun
from tests.lesson_engine.services.threads import at_once
from tests.lesson_engine.workbench.conftest import (
    RIGHT,
    WRONG,
    Start,
    answer,
    answers,
    finished,
    fresh,
    key,
    report,
    review,
    state,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people(db: None) -> list[User]:
    return [User.objects.create_user(f"staff{n}", role=Role.STAFF) for n in range(4)]


def sound(session: Session) -> None:
    """One review counts for each answer, the record is what they make, the chain is whole, no version is missing."""
    now = fresh(session)
    mine = VerdictReview.objects.filter(turn__session=session)
    counted = mine.filter(current=True)
    results = {said.turn_id: VerdictResult(said.result) for said in counted}
    assert len(results) == counted.count() == mine.values("turn").distinct().count()
    most = outline_of(session.lesson_version_id).lesson.policy.attempts
    for code, record in state_of(now).asks.items():
        past = Turn.objects.filter(session=session, ask_code=code, state="done").order_by("version")
        assert rescored(record, ask_history(past, results), most) == record
    assert now.version == Turn.objects.filter(session=session, state="done").count()
    assert {check.fault for check in chains_verify()} == {None}


def test_two_of_the_staff_say_the_same_of_one_answer(asking: Session, people: list[User]) -> None:
    answer(asking, WRONG)
    said = at_once([partial(review, asking, "ACCEPT", person) for person in people])
    assert len({one.pk for one in said}) == VerdictReview.objects.count() == 1
    assert Turn.objects.filter(kind="review").count() == 1
    sound(asking)


@pytest.mark.parametrize("results", [("ACCEPT", "PARTIAL", "NOT_GRADABLE", "REJECT"), ("PARTIAL", "REJECT") * 2])
def test_they_say_different_things(asking: Session, people: list[User], results: tuple[str, ...]) -> None:
    answer(asking, WRONG)
    at_once([partial(review, asking, result, person) for result, person in zip(results, people, strict=True)])
    assert VerdictReview.objects.filter(current=True).count() == 1
    sound(asking)


def test_they_say_things_of_different_answers(light: LessonVersion, start: Start, people: list[User]) -> None:
    done = finished(start(light), WRONG)
    first, second, third = answers(done)
    works: list[Callable[[], object]] = []
    for turn, results in ((first, "ACCEPT REJECT"), (second, "ACCEPT PARTIAL"), (third, "NOT_GRADABLE ACCEPT")):

        def say(turn: Turn = turn, results: str = results) -> None:
            for result in results.split():
                verdict_review(turn=turn, result=VerdictResult(result), by=people[0])

        works.append(say)
    at_once(works)
    sound(done)
    assert [said.result for said in VerdictReview.objects.filter(current=True).order_by("turn__version")] == [
        *("REJECT", "PARTIAL", "ACCEPT")
    ]
    assert state(done).record("ASK_001").outcome == "mastered"


def test_the_learner_acts_at_the_same_time(light: LessonVersion, start: Start, people: list[User]) -> None:
    sessions = [start(light) for _ in range(4)]
    for session in sessions:
        answer(session, "")

    def act(session: Session) -> None:
        for text in ("", WRONG, WRONG):
            now = fresh(session)
            try:
                turns.session_answer(session=now, version=now.version, key=key(), reply=Reply(text=text))
            except (StaleSession, ActionNotPossible):
                continue

    def say(session: Session) -> None:
        for result in ("REJECT", "ACCEPT", "NOT_GRADABLE"):
            review(session, result, people[0])

    works: list[Callable[[], object]] = []
    for session in sessions:
        works += [partial(act, session), partial(say, session)]
    at_once(works)
    for session in sessions:
        assert VerdictReview.objects.filter(turn__session=session).count() == 3
        sound(session)


def test_a_report_and_a_review_of_the_same_question(light: LessonVersion, start: Start, people: list[User]) -> None:
    session = start(light)
    answer(session, WRONG)

    def complain() -> None:
        for _ in range(3):
            try:
                report(session)
            except (StaleSession, ActionNotPossible):
                continue
            return

    works: list[Callable[[], object]] = [complain, partial(review, session, "ACCEPT", people[0])]
    at_once(works)
    sound(session)
    assert state(session).record("ASK_001").outcome == "mastered"


def test_erasing_and_reviewing_at_once_leave_no_reasons(light: LessonVersion, start: Start, people: list[User]) -> None:
    sessions = [start(light) for _ in range(4)]
    for session in sessions:
        answer(session, WRONG)

    def say(session: Session, result: str) -> None:
        try:
            review(session, result, people[0], note=f"They wrote: {WRONG}")
        except ActionNotPossible:  # the words went first
            assert LearnerText.objects.get(turn__session=session).erased_at is not None

    works: list[Callable[[], object]] = []
    for session, result in zip(sessions, ("ACCEPT", "REJECT") * 2, strict=True):
        works += [partial(say, session, result), partial(words_erase, user_id=session.user_id)]
    at_once(works)
    assert not VerdictReview.objects.exclude(note="").exists()
    for session in sessions:
        sound(session)


def test_an_answer_that_is_being_judged_is_waited_for(asking: Session, people: list[User]) -> None:
    answer(asking, WRONG)
    turn_begun(fresh(asking), RIGHT, lease=turns.LEASE, key_="late")
    Turn.objects.filter(session=asking, state="running").update(lease_until=timezone.now() - timedelta(seconds=1))
    said = review(asking, "NOT_GRADABLE", people[0])  # whoever waits takes up what was left behind
    assert said.rescoring is not None
    record = state(asking).record("ASK_001")
    assert (record.outcome, record.attempts) == ("mastered", 1)
    sound(asking)


def test_one_that_stays_busy_is_told_and_nothing_is_stored(
    asking: Session, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(asking, WRONG)
    turn_begun(fresh(asking), RIGHT, lease=turns.LEASE)
    monkeypatch.setattr(turns, "_PATIENCE_SECONDS", 0.05)
    with pytest.raises(StaleSession, match="still being judged"):
        review(asking, "ACCEPT", people[0])
    assert not VerdictReview.objects.exists()
    confirmed = review(asking, "REJECT", people[0])  # takes no turn, so it need not wait
    assert confirmed.rescoring is None
