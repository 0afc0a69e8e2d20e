"""A learner says that a question is wrong."""

import pytest

from accounts.models import User
from lesson_engine.errors import ActionNotPossible, KeyReused, StaleSession
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LessonVersion, QuestionReport, Session, Turn
from lesson_engine.outcomes.results import outcomes_of, results_of
from lesson_engine.services.questions import MAX_COMMENT, reports_dismiss
from lesson_engine.services.words import words_erase
from lesson_engine.timeline.replay import replay
from tests.lesson_engine.services.questions.conftest import (
    RIGHT,
    WRONG,
    Start,
    answer,
    events,
    fresh,
    go_on,
    report,
    state,
)
from tests.lesson_engine.services.threads import at_once


def test_an_open_question_closes_and_costs_no_attempt(asking: Session) -> None:
    answer(asking, WRONG)
    report(asking, "answer_wrong", "It is about sugar.")
    record = state(asking).record("ASK_001")
    assert (state(asking).phase, record.outcome, record.attempts) == ("closed", "reported", 1)
    filed = QuestionReport.objects.get()
    assert (filed.session_id, filed.lesson_version_id) == (asking.pk, asking.lesson_version_id)
    assert (filed.ask_code, filed.kind, filed.comment) == ("ASK_001", "answer_wrong", "It is about sugar.")
    assert filed.state == QuestionReport.State.OPEN
    go_on(asking)
    assert state(asking).phase == "asking"


def test_it_is_a_turn_with_its_events_and_never_the_comment(asking: Session) -> None:
    seen = len(events(asking))
    report(asking, "my_answer_right", "zanahorias")
    turn = Turn.objects.latest("version")
    assert (turn.kind, turn.ask_code, turn.version) == ("report", "ASK_001", 1)
    start, reported, rejected = events(asking)[seen:]
    assert (start[0], start[1]["kind"]) == ("engine.turn.start", "report")
    assert reported == ("question.reported", {"askCode": "ASK_001", "reason": "my_answer_right"})
    assert rejected == (
        "advancement.reject",
        {"askCode": "ASK_001", "attempts": 0, "closed": True, "outcome": "reported"},
    )
    assert "zanahorias" not in str(events(asking))


def test_a_closed_question_is_only_reported(asking: Session) -> None:
    answer(asking, RIGHT)
    seen = len(events(asking))
    report(asking, "other", "It was too easy.")
    assert (state(asking).phase, state(asking).record("ASK_001").outcome) == ("closed", "mastered")
    assert [name for name, _ in events(asking)[seen:]] == ["engine.turn.start", "question.reported"]
    assert QuestionReport.objects.get().ask_code == "ASK_001"


@pytest.mark.parametrize("closed", [False, True])
def test_each_question_is_reported_once_a_session(asking: Session, closed: bool) -> None:
    if closed:
        answer(asking, RIGHT)
    report(asking)
    with pytest.raises(ActionNotPossible):
        report(asking)
    assert QuestionReport.objects.count() == 1
    go_on(asking)
    report(asking)
    assert sorted(QuestionReport.objects.values_list("ask_code", flat=True)) == ["ASK_001", "ASK_002"]


def test_what_is_read_cannot_be_reported(light: LessonVersion, start: Start) -> None:
    with pytest.raises(ActionNotPossible):
        report(start(light, at=""))
    assert not QuestionReport.objects.exists()


def test_the_same_click_again_changes_nothing(asking: Session) -> None:
    for _ in range(2):
        report(asking, comment="once", key="click", version=1)
    assert QuestionReport.objects.count() == 1
    assert fresh(asking).version == 2
    with pytest.raises(KeyReused):
        report(asking, "other", key="click", version=1)


def test_a_page_that_is_behind_reports_nothing(asking: Session) -> None:
    answer(asking, WRONG)
    with pytest.raises(StaleSession):
        report(asking, version=1)
    assert not QuestionReport.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_once_file_one_report(asking: Session) -> None:
    at_once([lambda: report(asking, key="click", version=1)] * 4)
    assert QuestionReport.objects.count() == 1
    assert fresh(asking).version == 2


def test_a_comment_is_kept_as_far_as_it_can_be(asking: Session) -> None:
    report(asking, comment=" a\x00b\ud800 " + "x" * 5000)
    comment = QuestionReport.objects.get().comment
    assert comment is not None
    assert comment.startswith("ab?")
    assert len(comment) == MAX_COMMENT


def test_an_erased_comment_is_nowhere_any_more(asking: Session) -> None:
    report(asking, comment="zanahorias")
    words_erase(user_id=asking.user_id)
    assert QuestionReport.objects.get().comment is None
    assert "zanahorias" not in str(list(Turn.objects.values())) + str(fresh(asking).state)


def test_it_counts_as_not_answered_until_staff_decide(asking: Session) -> None:
    report(asking)
    go_on(asking)
    answer(asking, "6")
    go_on(asking)
    outline = outline_of(asking.lesson_version_id)
    outcomes = outcomes_of(outline, state(asking))
    assert (outcomes.questions, outcomes.mastered, outcomes.reported, outcomes.percent) == (2, 1, 1, 50)
    results = results_of(outline, state(asking))
    assert [(item.ask.code, item.outcome) for item in results.review] == [("ASK_001", "reported")]


def test_the_replay_tells_of_reports(asking: Session) -> None:
    report(asking)
    go_on(asking)
    answer(asking, "6")
    report(asking)
    go_on(asking)
    turns = Turn.objects.filter(session=asking).order_by("version")
    assert list(replay(outline_of(asking.lesson_version_id), turns))[-1].after == state(asking)


def test_staff_dismiss_reports_with_a_note(asking: Session, staff: User) -> None:
    report(asking)
    go_on(asking)
    report(asking)
    first, second = QuestionReport.objects.order_by("pk")
    assert reports_dismiss(reports=[first], by=staff, note=" It is right. ") == 1
    assert reports_dismiss(reports=[first, second], by=staff, note="Both are right.") == 1
    first.refresh_from_db()
    assert (first.state, first.note, first.resolved_by_id) == ("dismissed", "It is right.", staff.pk)
    assert first.resolved_at is not None
    assert state(asking).record("ASK_001").outcome == "reported"
