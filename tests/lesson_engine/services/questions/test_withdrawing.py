"""Staff withdraw a question: which versions, which reports, and what is on record."""

import json
from typing import Any

import pytest

from accounts.models import User
from lesson_engine.errors import ActionNotPossible
from lesson_engine.models import Lesson, LessonVersion, QuestionReport, QuestionVoid, Session
from lesson_engine.services.lessons import lesson_import, lesson_upload
from lesson_engine.services.questions import question_void, reports_dismiss
from telemetry.chains.verification import chains_verify
from telemetry.selectors import events_of
from tests.conftest import LessonMaker, ask, lesson_data, number
from tests.lesson_engine.services.questions.conftest import report
from tests.lesson_engine.services.threads import at_once


def withdraw(version: LessonVersion, code: str = "ASK_001", **more: Any) -> list[QuestionVoid]:
    return question_void(version=version, ask_code=code, **{"by": None, "reason": "The answer is wrong.", **more})


def voided() -> set[tuple[int, str]]:
    return set(QuestionVoid.objects.values_list("lesson_version__number", "ask_code"))


def test_every_version_with_exactly_this_question_is_concerned(make_lesson: LessonMaker, staff: User) -> None:
    first = make_lesson()
    make_lesson(ask(), number(value=7))
    make_lesson(ask(hints=["Another hint."]), number())
    make_lesson(number("ASK_001"), number())
    other = {**lesson_data()["meta"], "slug": "other"}
    make_lesson(meta=other)
    made = withdraw(first, by=staff, reason="  It has two answers. ")
    assert voided() == {(1, "ASK_001"), (2, "ASK_001")}
    for void in made:
        void.refresh_from_db()
        assert (void.reason, void.by_id, void.state, void.rescored) == ("It has two answers.", staff.pk, "running", 0)


def test_it_is_on_record_in_the_lessons_chain(make_lesson: LessonMaker, staff: User) -> None:
    first = make_lesson()
    make_lesson(ask(), number(value=7))
    withdraw(first, by=staff, reason="It has two answers.")
    event = events_of(Lesson(slug="light").chain).last()
    assert event is not None
    assert (event.event, event.course) == ("question.voided", "light")
    assert event.data == {
        "askCode": "ASK_001",
        "versions": [1, 2],
        "reason": "It has two answers.",
        "by": staff.pk,
    }
    assert {check.fault for check in chains_verify()} == {None}


def test_once_is_enough(light: LessonVersion) -> None:
    assert len(withdraw(light)) == 1
    events = events_of(Lesson(slug="light").chain).count()
    assert withdraw(light) == []
    assert events_of(Lesson(slug="light").chain).count() == events


@pytest.mark.django_db(transaction=True)
def test_two_at_once_withdraw_it_once(light: LessonVersion) -> None:
    made = at_once([lambda: withdraw(light)] * 4)
    assert sorted(len(one) for one in made) == [0, 0, 0, 1]
    assert QuestionVoid.objects.count() == 1


@pytest.mark.parametrize(("code", "reason"), [("ASK_009", "It is wrong."), ("ASK_001", " "), ("ASK_001", "\x00")])
def test_it_takes_a_question_and_a_reason(light: LessonVersion, code: str, reason: str) -> None:
    with pytest.raises(ActionNotPossible):
        withdraw(light, code, reason=reason)
    assert not QuestionVoid.objects.exists()


def test_all_its_reports_are_upheld(light: LessonVersion, asking: Session, staff: User) -> None:
    report(asking)
    dismissed = QuestionReport.objects.get()
    reports_dismiss(reports=[dismissed], by=staff, note="No.")
    withdraw(light, by=staff)
    dismissed.refresh_from_db()
    assert (dismissed.state, dismissed.note, dismissed.resolved_by_id) == ("upheld", "No.", staff.pk)


def test_reports_of_other_questions_stay_open(light: LessonVersion, asking: Session) -> None:
    report(asking)
    withdraw(light, "ASK_002")
    assert QuestionReport.objects.get().state == "open"


def test_a_later_version_has_it_withdrawn_as_long_as_it_is_the_same(make_lesson: LessonMaker, staff: User) -> None:
    first = make_lesson()
    withdraw(first, by=staff)
    withdraw(first, "ASK_002", by=staff)
    lesson_upload(source=json.dumps(lesson_data(ask(), number(value=7), number("ASK_003"))).encode())
    assert voided() == {(1, "ASK_001"), (1, "ASK_002"), (2, "ASK_001")}
    carried = QuestionVoid.objects.get(lesson_version__number=2)
    assert (carried.state, carried.reason, carried.by_id) == ("done", "The answer is wrong.", staff.pk)
    events = events_of(Lesson(slug="light").chain).filter(event="question.voided").values_list("data", flat=True)
    assert list(events)[-1] == {
        "askCode": "ASK_001",
        "versions": [2],
        "reason": "The answer is wrong.",
        "by": staff.pk,
        "carriedOverFrom": 1,
    }
    lesson_import(source=json.dumps(lesson_data(ask(), number(), number("ASK_003", 9))).encode())
    assert {code for version, code in voided() if version == 3} == {"ASK_001", "ASK_002"}
