"""The queue of reported questions, and the two ways to decide."""

import re
from datetime import timedelta
from html import escape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Role, User
from lesson_engine.models import LessonVersion, QuestionReport, QuestionVoid, Session
from lesson_engine.services.words import words_erase
from lesson_engine.tasks import rescore_voids
from tests.conftest import LessonMaker, ask, lesson_data, number
from tests.lesson_engine.admin.conftest import Walk
from tests.lesson_engine.admin.test_lists import rows
from tests.lesson_engine.admin.test_timeline import in_order
from tests.lesson_engine.learn.pages import Page, parse

QUEUE = "admin:lesson_engine_questionreport_changelist"
VOIDS = "admin:lesson_engine_questionvoid_changelist"


def learners(count: int) -> list[User]:
    return [User.objects.create_user(f"pupil{number}") for number in range(count)]


def reported(version: LessonVersion, user: User, comment: str = "What is meant?") -> QuestionReport:
    walk = Walk(user, version).go_on().answer("They need it to sleep").report("unclear", comment)
    return QuestionReport.objects.get(session=walk.session)


def report_page(desk: Client, report: QuestionReport) -> str:
    response = desk.get(reverse("admin:lesson_engine_questionreport_change", args=[report.pk]))
    assert response.status_code == 200
    return response.content.decode()


def dismiss_address(*reports: QuestionReport) -> str:
    return f"{reverse('admin:lesson_engine_questionreport_dismiss')}?ids={','.join(str(one.pk) for one in reports)}"


def withdraw_address(version: LessonVersion, code: str = "ASK_001") -> str:
    return f"{reverse('admin:lesson_engine_questionvoid_withdraw')}?version={version.pk}&ask={code}"


def test_the_queue_has_open_reports_the_oldest_on_top(desk: Client, make_lesson: LessonMaker) -> None:
    version = make_lesson()
    first, second, third = (reported(version, user) for user in learners(3))
    QuestionReport.objects.filter(pk=third.pk).update(reported_at=timezone.now() - timedelta(days=3))
    QuestionReport.objects.filter(pk=second.pk).update(state="dismissed", resolved_at=timezone.now())
    assert rows(desk, QUEUE) == [third, first]
    assert rows(desk, QUEUE, state="dismissed") == [second]
    assert rows(desk, QUEUE, state="all") == [third, first, second]
    assert rows(desk, QUEUE, state="all", kind="unclear", lesson="light") == [third, first, second]
    assert rows(desk, QUEUE, kind="other") == []
    assert rows(desk, QUEUE, lesson="nowhere") == []
    assert rows(desk, QUEUE, q="ASK_001") == [third, first]
    assert rows(desk, QUEUE, q="ASK") == []
    listed = parse(desk.get(reverse(QUEUE)).content.decode()).one(id="result_list")
    assert [one.text() for one in listed.find(class_="field-others")] == ["2", "2"]


def test_the_queue_takes_as_many_queries_for_thirty_reports_as_for_three(
    desk: Client, make_lesson: LessonMaker, django_assert_num_queries: Any
) -> None:
    version, people = make_lesson(), learners(30)
    for some in (people[:3], people[3:]):
        for user in some:
            reported(version, user)
        with django_assert_num_queries(5):  # session, user; lessons to filter by; count, rows
            assert len(rows(desk, QUEUE)) in (3, 30)


def test_a_report_has_all_that_is_needed_to_decide(desk: Client, make_lesson: LessonMaker) -> None:
    version = make_lesson()
    mine, other = (
        reported(version, user, comment) for user, comment in zip(learners(2), ("<b>A</b>", "B"), strict=True)
    )
    page = report_page(desk, mine)
    in_order(
        page,
        *(
            "ASK_001 · I cannot tell what is asked",
            reverse("admin:lesson_engine_lessonversion_change", args=[version.pk]),
        ),
        *(escape("<b>A</b>"), "Others who reported it", "1", "The whole session of pupil0"),
        *("Withdraw the question for everybody", "Dismiss", "What do plants need light for? (ASK_001)"),
        *("Say what plants use light for", "The expected answer", "Plants use light to make sugar"),
        *("They need it to sleep", "Not right", "misconception.exact", "What others reported of it"),
        *(reverse("admin:lesson_engine_questionreport_change", args=[other.pk]), "<br>B"),
    )
    assert reverse("admin:lesson_engine_session_change", args=[mine.session_id]) in page
    words_erase(user_id=mine.session.user_id)
    erased = report_page(desk, mine)
    assert "They need it to sleep" not in erased
    assert escape("<b>A</b>") not in erased
    assert erased.count("The learner&#x27;s words were erased.") + erased.count("The learner's words were erased.") == 2


def test_a_report_before_any_answer_says_so(desk: Client, learner: User, make_lesson: LessonMaker) -> None:
    Walk(learner, make_lesson()).go_on().report()
    assert "Nothing: it was reported before it was answered." in report_page(desk, QuestionReport.objects.get())


def test_dismissing_asks_for_a_note_first(desk: Client, staff: User, make_lesson: LessonMaker) -> None:
    first, second = (reported(make_lesson(), user) for user in learners(2))
    address = dismiss_address(first, second)
    assert "These 2 reports are closed" in desk.get(address).content.decode()
    for nothing in ({}, {"note": "  "}):
        assert desk.post(address, nothing).status_code == (422 if nothing else 200)
    assert set(QuestionReport.objects.values_list("state", flat=True)) == {"open"}
    response = desk.post(address, {"note": "It is clear enough."}, follow=True)
    assert "2 reports were dismissed." in response.content.decode()
    assert set(QuestionReport.objects.values_list("state", "note", "resolved_by")) == {
        ("dismissed", "It is clear enough.", staff.pk)
    }
    assert "None of these reports is open any more." in desk.get(address).content.decode()
    desk.post(address, {"note": "Again."})
    assert not QuestionReport.objects.filter(note="Again.").exists()


def test_withdrawing_shows_what_it_does_and_asks_for_a_reason_first(
    desk: Client, staff: User, make_lesson: LessonMaker
) -> None:
    version = make_lesson()
    report = reported(version, learners(1)[0])
    make_lesson(ask(), number(value=7))
    page = desk.get(withdraw_address(version)).content.decode()
    in_order(
        page, "What do plants need light for?", "these 2 versions", "1, 2.", "The result of 1 session", "cannot be"
    )
    assert desk.post(withdraw_address(version), {"reason": " "}).status_code == 422
    assert not QuestionVoid.objects.exists()
    response = desk.post(withdraw_address(version), {"reason": "It has <b>two</b> answers."}, follow=True)
    page = response.content.decode()
    in_order(page, "The question is withdrawn.", "under way")
    assert escape("It has <b>two</b> answers.") in page
    assert set(QuestionVoid.objects.values_list("lesson_version__number", "by")) == {(1, staff.pk), (2, staff.pk)}
    rescore_voids()
    listed = parse(desk.get(reverse(VOIDS)).content.decode()).one(id="result_list")
    assert [one.text() for one in listed.find(class_="field-progress")] == ["done", "done"]
    assert [one.text() for one in listed.find(class_="field-rescored")] == ["0", "1"]
    decided = report_page(desk, report)
    in_order(decided, "upheld", "Staff withdrew this question for everybody.", "carla", "answers.")
    assert "Dismiss…" not in decided
    again = desk.post(withdraw_address(version), {"reason": "Once more."}, follow=True)
    assert "This question was withdrawn before." in again.content.decode()


@pytest.mark.parametrize(
    "query", ["", "version=1", "version=x&ask=ASK_001", "ask=ASK_001", "version=99999999999999999999"]
)
def test_there_is_nothing_to_withdraw_without_a_question(desk: Client, make_lesson: LessonMaker, query: str) -> None:
    version = make_lesson()
    address = reverse("admin:lesson_engine_questionvoid_withdraw")
    assert desk.get(f"{address}?{query}").status_code == 404
    assert desk.post(withdraw_address(version, "ASK_009"), {"reason": "x"}).status_code == 404


def test_reports_that_are_ticked_in_the_list(desk: Client, learner: User, make_lesson: LessonMaker) -> None:
    version = make_lesson()
    one = reported(version, learner)
    Walk(learner, version).session.refresh_from_db()
    walk = Walk(learner, version)
    walk.go_on().report()
    both = list(QuestionReport.objects.order_by("pk"))

    def act(action: str, *ticked: QuestionReport) -> Any:
        return desk.post(reverse(QUEUE), {"action": action, "_selected_action": [report.pk for report in ticked]})

    assert act("dismiss", *both).headers["Location"] in (dismiss_address(*both), dismiss_address(*both[::-1]))
    assert act("withdraw", one).headers["Location"] == withdraw_address(version)
    assert "Choose reports of one question" in desk.get(act("withdraw", *both).headers["Location"]).content.decode()
    assert not QuestionVoid.objects.exists()


def test_only_staff_decide(learner: User, make_lesson: LessonMaker, client: Client) -> None:
    version = make_lesson()
    report = reported(version, learner)
    for user in (None, learner, User.objects.create_user("ines", role=Role.INTEGRATOR)):
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        for address, form in ((dismiss_address(report), {"note": "x"}), (withdraw_address(version), {"reason": "x"})):
            assert client.get(address).status_code in (302, 403)
            assert client.post(address, form).status_code in (302, 403)
    assert QuestionReport.objects.get().state == "open"
    assert not QuestionVoid.objects.exists()


def test_a_form_of_another_site_decides_nothing(staff: User, learner: User, make_lesson: LessonMaker) -> None:
    version = make_lesson()
    report = reported(version, learner)
    client = Client(enforce_csrf_checks=True)
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    for address, form in ((dismiss_address(report), {"note": "x"}), (withdraw_address(version), {"reason": "x"})):
        assert client.post(address, form).status_code == 403
    assert QuestionReport.objects.get().state == "open"


def test_hostile_questions_stay_text(desk: Client, learner: User, make_lesson: LessonMaker) -> None:
    evil = "<script>alert(1)</script>"
    meta = {**lesson_data()["meta"], "title": evil}
    version = make_lesson(ask(question=evil, objective=evil), meta=meta)
    report = reported(version, learner, evil)
    for address in (
        reverse(QUEUE),
        reverse("admin:lesson_engine_questionreport_change", args=[report.pk]),
        dismiss_address(report),
        withdraw_address(version),
    ):
        page = Page(desk.get(address))
        assert "<script>alert" not in page.html
        assert not re.search(r"<[^>]+ on[a-z]+=", page.html)
    assert Session.objects.count() == 1
