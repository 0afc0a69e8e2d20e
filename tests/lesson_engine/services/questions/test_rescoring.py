"""What becomes of the sessions there are, and of those that begin, when a question is withdrawn."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from accounts.models import User
from lesson_engine.contracts import Reply
from lesson_engine.errors import ActionNotPossible, StaleSession
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LessonVersion, QuestionReport, QuestionVoid, Session, Turn
from lesson_engine.outcomes.results import outcomes_of
from lesson_engine.selectors import session_turns_page, voids_waiting
from lesson_engine.services import rescoring, turns
from lesson_engine.services.rescoring import session_rescore, void_work
from lesson_engine.services.sessions import session_start
from lesson_engine.services.words import words_erase
from lesson_engine.tasks import rescore_voids, take_up_turns
from lesson_engine.timeline.replay import replay
from telemetry.chains.verification import chains_verify
from tests.conftest import LessonMaker, ask, number
from tests.lesson_engine.services.conftest import turn_begun
from tests.lesson_engine.services.questions.conftest import (
    RIGHT,
    WRONG,
    Start,
    answer,
    events,
    finished,
    fresh,
    go_on,
    key,
    report,
    state,
    work,
)
from tests.lesson_engine.services.questions.test_withdrawing import withdraw
from tests.lesson_engine.services.threads import at_once


def test_whoever_stands_before_it_is_led_on(light: LessonVersion, asking: Session) -> None:
    answer(asking, WRONG)
    withdraw(light)
    work()
    now = state(asking)
    assert (now.phase, now.record("ASK_001").outcome, now.record("ASK_001").attempts) == ("closed", "voided", 1)
    assert now.notice is not None
    assert now.notice.closed_as == "voided"
    go_on(asking)
    answer(asking, "6")
    go_on(asking)
    assert fresh(asking).status == Session.Status.FINISHED


def test_whoever_has_not_come_to_it_is_never_asked(light: LessonVersion, start: Start) -> None:
    reading, asking = start(light, at=""), start(light)
    withdraw(light, "ASK_002")
    work()
    for session in (reading, asking):
        assert state(session).record("ASK_002").outcome == "voided"
        while state(session).phase == "reading":
            go_on(session)
        assert state(session).phase == "asking"
        answer(session, RIGHT)
        go_on(session)
        assert fresh(session).status == Session.Status.FINISHED


def test_a_finished_session_stays_finished_with_another_result(light: LessonVersion, start: Start) -> None:
    done = finished(start(light), WRONG)
    assert (done.dead_ends, done.status) == (1, "finished")
    withdraw(light)
    work()
    now = fresh(done)
    assert (now.status, now.finished_at, now.active_at) == ("finished", done.finished_at, done.active_at)
    assert (now.version, now.dead_ends) == (done.version + 1, 0)
    outcomes = outcomes_of(outline_of(light.pk), state(done))
    assert (outcomes.questions, outcomes.mastered, outcomes.percent) == (1, 1, 100)


def test_the_trail_tells_the_result_before_and_after(light: LessonVersion, start: Start) -> None:
    done = finished(start(light), WRONG)
    withdraw(light)
    work()
    none = {"skipped": 0, "reported": 0, "missed": 0, "byOwnWord": 0}
    before = {"questions": 2, "mastered": 1, "shown": 1, "percent": 50, **none}
    after = {"questions": 1, "mastered": 1, "shown": 0, "percent": 100, **none}
    assert events(done)[-2:] == [
        ("question.voided", {"turn": done.version, "askCode": "ASK_001", "outcome": "shown"}),
        ("result.rescored", {"askCode": "ASK_001", "before": before, "after": after}),
    ]
    turn = Turn.objects.get(session=done, kind="void")
    assert (turn.version, turn.ask_code, turn.state, turn.mode) == (done.version, "ASK_001", "done", done.mode)
    assert {check.fault for check in chains_verify()} == {None}


def test_sessions_set_aside_and_sessions_of_other_versions(make_lesson: LessonMaker, start: Start) -> None:
    old = make_lesson()
    aside = start(old)
    Session.objects.filter(pk=aside.pk).update(status=Session.Status.SET_ASIDE)
    here = start(make_lesson(ask(), number(value=7)))
    there = start(make_lesson(ask(hints=[]), number()))
    withdraw(old)
    work()
    assert state(aside).record("ASK_001").outcome == state(here).record("ASK_001").outcome == "voided"
    assert fresh(aside).status == Session.Status.SET_ASIDE
    assert state(there).record("ASK_001").outcome == "open"
    assert set(QuestionVoid.objects.values_list("state", "rescored")) == {("done", 1)}


def test_a_session_whose_answer_is_being_judged_waits_for_it(light: LessonVersion, start: Start) -> None:
    judged, other = start(light), start(light)
    turn_begun(judged, WRONG, lease=turns.LEASE)
    withdraw(light)
    work()
    assert state(other).record("ASK_001").outcome == "voided"
    void = QuestionVoid.objects.get()
    assert (void.state, void.rescored) == ("running", 1)
    Turn.objects.filter(session=judged, state="running").update(lease_until=timezone.now() - timedelta(seconds=1))
    take_up_turns()
    assert state(judged).record("ASK_001").attempts == 1
    work()
    assert state(judged).record("ASK_001").outcome == "voided"
    assert QuestionVoid.objects.get().state == "done"


def test_working_again_changes_nothing(light: LessonVersion, asking: Session) -> None:
    withdraw(light)
    work()
    version = fresh(asking).version
    QuestionVoid.objects.update(state="running", lease_until=timezone.now())
    work()
    assert fresh(asking).version == version
    assert session_rescore(session=fresh(asking), void=QuestionVoid.objects.get()) is False
    assert QuestionVoid.objects.get().rescored == 1


def test_the_task_takes_some_sessions_at_a_time_and_goes_on(
    light: LessonVersion, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = [start(light, at="") for _ in range(5)]
    withdraw(light)
    monkeypatch.setattr(rescoring, "_PAGE", 2)
    void = QuestionVoid.objects.select_related("lesson_version").get()
    assert void_work(void=void, limit=2) is True
    assert QuestionVoid.objects.get().rescored == 2
    rescore_voids()
    assert QuestionVoid.objects.get().state == "done"
    assert {state(session).record("ASK_001").outcome for session in sessions} == {"voided"}


def test_nobody_works_on_what_somebody_holds(light: LessonVersion, asking: Session) -> None:
    withdraw(light)
    QuestionVoid.objects.update(lease_until=timezone.now() + rescoring.LEASE)
    assert voids_waiting(limit=20) == []
    assert void_work(void=QuestionVoid.objects.get()) is False
    assert state(asking).record("ASK_001").outcome == "open"


def test_what_a_killed_worker_left_is_taken_up(light: LessonVersion, start: Start) -> None:
    sessions = [start(light, at="") for _ in range(4)]
    withdraw(light)
    void = QuestionVoid.objects.get()
    for session in sessions[:2]:
        session_rescore(session=session, void=void)
    QuestionVoid.objects.update(takes=9, lease_until=timezone.now() - timedelta(seconds=1))
    work()
    void.refresh_from_db()
    assert (void.state, void.rescored, void.lease_until) == ("done", 4, None)
    assert Turn.objects.filter(kind="void").count() == 4


def test_one_session_with_a_fault_keeps_no_other_waiting(light: LessonVersion, start: Start) -> None:
    broken, whole = start(light), start(light)
    Session.objects.filter(pk=broken.pk).update(state={"phase": "nowhere"})
    withdraw(light)
    work()
    assert state(whole).record("ASK_001").outcome == "voided"
    assert QuestionVoid.objects.get().state == "running"
    Session.objects.filter(pk=broken.pk).update(state=broken.state)
    work()
    assert QuestionVoid.objects.get().state == "done"


def test_a_report_that_came_meanwhile_is_upheld_in_the_end(light: LessonVersion, asking: Session) -> None:
    withdraw(light)
    report(asking)
    assert QuestionReport.objects.get().state == "open"
    work()
    assert QuestionReport.objects.get().state == "upheld"
    assert state(asking).record("ASK_001").outcome == "voided"


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_do_it_once(light: LessonVersion, start: Start) -> None:
    sessions = [start(light, at="") for _ in range(6)]
    withdraw(light)
    void = QuestionVoid.objects.select_related("lesson_version").get()
    workers: list[Callable[[], object]] = [partial(void_work, void=void), partial(void_work, void=void), rescore_voids]
    at_once(workers)
    # Also without the lease between them: each session is a transaction of its own.
    QuestionVoid.objects.update(state="running", lease_until=timezone.now())
    withdraw(light, "ASK_002")
    second = QuestionVoid.objects.get(ask_code="ASK_002")

    def rescore_all() -> None:
        for session in sessions:
            try:
                session_rescore(session=fresh(session), void=second)
            except StaleSession:
                session_rescore(session=fresh(session), void=second)

    at_once([rescore_all] * 2)
    work()
    for session in sessions:
        assert list(Turn.objects.filter(session=session, kind="void").order_by("version").values_list("ask_code")) == [
            ("ASK_001",),
            ("ASK_002",),
        ]
    assert {check.fault for check in chains_verify()} == {None}
    assert set(QuestionVoid.objects.values_list("rescored", flat=True)) == {6}


@pytest.mark.django_db(transaction=True)
def test_learners_who_act_at_the_same_time_lose_nothing(light: LessonVersion, start: Start) -> None:
    sessions = [start(light) for _ in range(4)]
    withdraw(light, "ASK_002")

    def act(session: Session) -> None:
        for _ in range(3):
            now = fresh(session)
            try:
                turns.session_answer(session=now, version=now.version, key=key(), reply=Reply(text=WRONG))
            except StaleSession:
                continue

    works: list[Callable[[], object]] = [work, *(partial(act, session) for session in sessions)]
    at_once(works)
    work()
    for session in sessions:
        answers = Turn.objects.filter(session=session, kind="answer").count()
        assert state(session).record("ASK_001").attempts == answers > 0
        assert state(session).record("ASK_002").outcome == "voided"
        assert fresh(session).version == Turn.objects.filter(session=session).count()
    assert {check.fault for check in chains_verify()} == {None}


@pytest.mark.django_db(transaction=True)
def test_sessions_that_begin_at_the_same_moment_begin_or_end_up_without_it(light: LessonVersion) -> None:
    people = [User.objects.create_user(f"new{n}") for n in range(6)]
    starts: list[Callable[[], object]] = [partial(session_start, user=user, lesson=light.lesson) for user in people]
    at_once([*starts[:3], lambda: withdraw(light), *starts[3:]])
    work()
    assert QuestionVoid.objects.get().state == "done"
    assert {state(session).record("ASK_001").outcome for session in Session.objects.all()} == {"voided"}
    assert Session.objects.count() == 6


def test_a_session_begins_with_what_was_withdrawn(light: LessonVersion, start: Start) -> None:
    withdraw(light)
    work()
    session = start(light, at="")
    assert events(session)[0][1]["voided"] == ["ASK_001"]
    while state(session).phase == "reading":
        go_on(session)
    answer(session, "6")
    go_on(session)
    assert fresh(session).status == Session.Status.FINISHED
    assert outcomes_of(outline_of(light.pk), state(session)).percent == 100


def test_a_lesson_with_nothing_left_is_over_when_it_begins(make_lesson: LessonMaker, learner: User) -> None:
    lesson = make_lesson(moments=[{"title": "Only questions", "steps": [ask()]}])
    withdraw(lesson)
    session = session_start(user=learner, lesson=lesson.lesson)
    assert (session.status, session.finished_at is not None, session.version) == ("finished", True, 0)
    assert outcomes_of(outline_of(lesson.pk), state(session)).percent is None


def test_the_replay_knows_what_was_withdrawn_before_and_what_since(light: LessonVersion, start: Start) -> None:
    early = start(light)
    withdraw(light)
    work()
    late = start(light)
    withdraw(light, "ASK_002")
    work()
    for session, before in ((early, set()), (late, {"ASK_001"})):
        page = session_turns_page(fresh(session), 1)
        assert page.voided == before
        *_, last = replay(outline_of(light.pk), page.turns, page.voided)
        assert last.after == state(session)


def test_words_erased_in_between_do_not_come_back(light: LessonVersion, asking: Session) -> None:
    answer(asking, "Plants do not make sugar with light")
    read_before = fresh(asking)
    words_erase(user_id=asking.user_id)
    withdraw(light, "ASK_002")
    with pytest.raises(StaleSession):
        session_rescore(session=read_before, void=QuestionVoid.objects.get())
    work()
    notice = fresh(asking).state["notice"]
    assert "details" not in notice["verdict"]


def test_an_answer_to_what_was_just_withdrawn_is_not_counted(light: LessonVersion, asking: Session) -> None:
    withdraw(light)
    work()
    with pytest.raises(ActionNotPossible):
        turns.session_answer(session=fresh(asking), version=asking.version, key=key(), reply=Reply(text=RIGHT))
    assert not Turn.objects.filter(kind="answer").exists()


def test_whoever_is_busy_with_another_question_notices_nothing(light: LessonVersion, asking: Session) -> None:
    withdraw(light, "ASK_002")
    work()
    for _ in range(2):
        turns.session_answer(session=fresh(asking), version=asking.version, key="click", reply=Reply(text=RIGHT))
    assert state(asking).record("ASK_001").outcome == "mastered"
    assert Turn.objects.filter(kind="answer").count() == 1
    with pytest.raises(StaleSession):
        turns.session_answer(session=fresh(asking), version=asking.version, key=key(), reply=Reply(text=RIGHT))


@pytest.mark.parametrize("version", [-1, 0, 99])
def test_other_pages_that_are_behind_are_still_behind(light: LessonVersion, asking: Session, version: int) -> None:
    withdraw(light, "ASK_002")
    work()
    with pytest.raises(StaleSession):
        turns.session_answer(session=fresh(asking), version=version, key=key(), reply=Reply(text=RIGHT))
