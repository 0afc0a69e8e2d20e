"""Reviews in the timeline of a session, as staff read it, and in what is counted."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from lesson_engine import selectors
from lesson_engine.authoring.answer_statistics import answer_statistics
from lesson_engine.dashboard.register import MEASURES
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LessonVersion, Session
from lesson_engine.selectors import session_turns_page
from lesson_engine.timeline.replay import replay
from telemetry.panels import Filters
from telemetry.selectors import measure_read
from tests.lesson_engine.learn.pages import parse
from tests.lesson_engine.services.questions.test_withdrawing import withdraw
from tests.lesson_engine.workbench.conftest import (
    WRONG,
    Start,
    answer,
    finished,
    fresh,
    go_on,
    report,
    review,
    state,
    work,
)


def page_of(desk: Client, session: Session, **query: Any) -> str:
    response = desk.get(reverse("admin:lesson_engine_session_change", args=[session.pk]), query)
    assert response.status_code == 200
    return response.content.decode()


def test_who_said_what_and_why(desk: Client, asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    review(asking, "ACCEPT", staff, note="A way to\nsay it <b>")
    tree = parse(page_of(desk, asking))
    judged, scored = (
        tree.one("article", id=f"turn-{asking.version}"),
        tree.one("article", id=f"turn-{asking.version + 1}"),
    )
    assert "carla changed the verdict: Not right before, Right now." in judged.text()
    assert f"Scored anew: turn {asking.version + 1}" in judged.text()
    assert "A way to say it <b>" in judged.text()
    assert "Review of a verdict" in scored.text()
    assert "carla changed the verdict: Not right before, Right now." in scored.text()
    assert "Result before: 0 of 2 right; now: 1 of 2." in scored.text()
    assert "Your teacher looked at your answer again and accepted it." in scored.text()
    assert "The question is closed: answered." in scored.text()
    link = scored.find("a", href=f"?page=1#turn-{asking.version}")
    assert [one.text() for one in link] == [f"Answer: turn {asking.version}"]


def test_a_confirmation_stands_at_its_answer_alone(desk: Client, asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    review(asking, "REJECT", staff)
    page = page_of(desk, asking)
    assert "carla agrees with the grader: Not right." in page
    assert "turn-review" not in page
    assert "Scored anew" not in page


def test_what_no_longer_counts_is_still_there(desk: Client, light: LessonVersion, start: Start, staff: User) -> None:
    done = finished(start(light))
    review(done, "PARTIAL", staff)
    review(done, "ACCEPT", staff)
    text = parse(page_of(desk, done)).text()
    assert "carla changed the verdict: Right before, Partly right now. no longer counts" in text
    assert "carla agrees with the grader: Right." in text
    assert "Result before: 2 of 2 right; now: 1 of 2." in text
    assert "Result before: 1 of 2 right; now: 2 of 2." in text


def test_a_missed_question_is_counted_on_top_and_in_the_list(
    desk: Client,
    light: LessonVersion,
    start: Start,
    staff: User,
) -> None:
    done = finished(start(light))
    review(done, "PARTIAL", staff)
    assert "1 not right after a second look" in page_of(desk, done)
    listed = desk.get(reverse("admin:lesson_engine_session_changelist")).content.decode()
    assert "2 of 2, 1 right" in listed


def test_the_replay_ends_where_the_session_is(light: LessonVersion, start: Start, staff: User) -> None:
    session = start(light)
    answer(session, "")
    review(session, "REJECT", staff)
    answer(session, WRONG)
    review(session, "PARTIAL", staff, at=1)
    review(session, "ACCEPT", staff, at=1)
    review(session, "ACCEPT", staff, at=0)
    review(session, "REJECT", staff, at=1)
    review(session, "NOT_GRADABLE", staff, at=0)
    go_on(session)
    answer(session, "6")
    report(session)
    withdraw(light)
    work()
    go_on(session)
    review(session, "REJECT", staff, ask_code="ASK_002")
    page = session_turns_page(fresh(session), 1)
    played = list(replay(outline_of(light.pk), page.turns, page.voided, page.reviews))
    assert len(played) == fresh(session).version
    assert all(done.after is not None for done in played)
    assert played[-1].after == state(session)


def test_without_the_reviews_the_replay_says_that_it_cannot_tell(asking: Session, staff: User) -> None:
    """A page of the timeline never shows what it does not know."""
    answer(asking, WRONG)
    review(asking, "ACCEPT", staff)
    page = session_turns_page(fresh(asking), 1)
    assert page.reviews
    *_, last = replay(outline_of(asking.lesson_version_id), page.turns, page.voided)
    assert last.after is None


def test_answers_and_reviews_on_different_pages_lead_to_one_another(
    desk: Client,
    asking: Session,
    staff: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selectors, "TURNS_PER_PAGE", 2)
    monkeypatch.setattr("lesson_engine.timeline.values.TURNS_PER_PAGE", 2)
    answer(asking, WRONG)
    review(asking, "ACCEPT", staff)
    first, second = (parse(page_of(desk, asking, page=page)) for page in (1, 2))
    assert first.find("a", href="?page=2#turn-2")
    assert second.find("a", href="?page=1#turn-1")


def test_statistics_know_what_was_missed(light: LessonVersion, start: Start, staff: User) -> None:
    finished(start(light))
    done = finished(start(light))
    review(done, "REJECT", staff)
    numbers = answer_statistics("version", light.pk).asks["ASK_001"]
    assert (numbers.sessions, numbers.mastered, numbers.missed, numbers.median_attempts) == (2, 1, 1, 1)
    assert numbers.answers == 2


def test_the_dashboard_counts_nothing_twice(light: LessonVersion, start: Start, staff: User) -> None:
    done = finished(start(light), WRONG)
    ever = Filters(since=date(2020, 1, 1), until=date(2100, 1, 1))

    def counted() -> dict[str, int]:
        return {one.name: sum(cell.count for cell in measure_read(one.name, "label", filters=ever)) for one in MEASURES}

    before = counted()
    assert before["verdicts"] == 4
    for result in ("ACCEPT", "PARTIAL", "REJECT"):
        review(done, result, staff)
    assert counted() == before
