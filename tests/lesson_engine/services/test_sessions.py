"""Starting sessions, the version they stay on, and the rules the database holds."""

from collections.abc import Callable

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from accounts.models import User
from gateway.selectors import budget_of
from lesson_engine.models import LessonVersion, Session, Turn
from lesson_engine.services.sessions import session_start, sessions_transfer
from lesson_engine.services.turns import state_of
from tests.conftest import LessonMaker, ask
from tests.lesson_engine.services.conftest import RIGHT, answer, fresh
from tests.lesson_engine.services.threads import at_once


def test_a_session_gets_the_servers_budget_or_the_authors(make_lesson: LessonMaker, learner: User) -> None:
    free = make_lesson(policy={"budget_cents": 7, "escalations": 2})
    other = make_lesson(meta={**_meta(), "slug": "other"})
    found = [
        budget_of("session", str(session_start(user=learner, lesson=version.lesson).pk)) for version in (free, other)
    ]
    assert [(budget.limit_cents, budget.left_cents, budget.escalations_limit) for budget in found] == [
        (7, 7, 2),
        (100, 100, 5),
    ]


def _meta() -> dict[str, object]:
    return {"slug": "light", "title": "Light", "language": "en", "summary": "Light.", "objectives": ["Know."]}


@pytest.mark.django_db(transaction=True)
def test_starts_at_once_make_one_session_and_one_chain(make_lesson: LessonMaker, learner: User) -> None:
    lesson = make_lesson().lesson
    found = at_once([lambda: session_start(user=learner, lesson=lesson)] * 6)
    assert len({session.pk for session in found}) == 1
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), (SELECT count(*) FROM gateway_account) FROM telemetry_chain WHERE key NOT LIKE '%:%'"
        )
        assert cursor.fetchone() == (1, 1)


def test_a_session_stays_on_its_version_when_a_newer_one_comes(
    make_lesson: LessonMaker, start: Callable[[LessonVersion], Session], stranger: User
) -> None:
    old = make_lesson()
    session = start(old)
    new = make_lesson(ask(question="Something else entirely?", hints=[]))
    assert (new.lesson_id, new.number) == (old.lesson_id, 2)
    answer(session, RIGHT)
    now = fresh(session)
    assert (now.lesson_version_id, state_of(now).record("ASK_001").outcome) == (old.pk, "mastered")
    new.lesson.refresh_from_db()
    assert session_start(user=now.user, lesson=new.lesson).pk == session.pk
    assert session_start(user=stranger, lesson=new.lesson).lesson_version_id == new.pk


@pytest.mark.parametrize(
    "statement", ["UPDATE lesson_engine_lessonversion SET title = 'x'", "DELETE FROM lesson_engine_lessonversion"]
)
def test_the_database_refuses_to_change_a_version(make_lesson: LessonMaker, statement: str) -> None:
    make_lesson()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert LessonVersion.objects.get().title == "Light"


def test_the_database_refuses_a_second_active_session(asking: Session) -> None:
    with pytest.raises(IntegrityError, match="session_one_active_per_lesson"), transaction.atomic():
        Session.objects.create(
            user=asking.user,
            lesson=asking.lesson,
            lesson_version=asking.lesson_version,
            state={},
            started_at=asking.started_at,
            active_at=asking.active_at,
        )


def test_the_database_refuses_two_turns_on_one_version_and_a_key_twice(asking: Session) -> None:
    first = Turn.objects.get()
    for changes in ({"key": "other"}, {"version": 7}):
        copy = Turn.objects.get()
        copy.pk = None
        for name, value in changes.items():
            setattr(copy, name, value)
        with pytest.raises(IntegrityError), transaction.atomic():
            copy.save(force_insert=True)
    assert Turn.objects.get() == first


def test_transferring_sessions_says_how_many(asking: Session, stranger: User) -> None:
    assert sessions_transfer(source=asking.user, target=stranger) == 1
    assert sessions_transfer(source=asking.user, target=stranger) == 0
    assert fresh(asking).user == stranger
