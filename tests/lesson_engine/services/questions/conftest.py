"""Sessions of several learners, and questions that go wrong."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from lesson_engine.models import LessonVersion, QuestionReport, Session
from lesson_engine.player.state import PlayerState
from lesson_engine.selectors import voids_waiting
from lesson_engine.services import turns
from lesson_engine.services.questions import question_report
from lesson_engine.services.rescoring import void_work
from lesson_engine.services.sessions import session_start
from lesson_engine.services.turns import state_of
from telemetry.selectors import events_of
from tests.conftest import LessonMaker
from tests.lesson_engine.services.conftest import RIGHT, WRONG, answer, fresh, key

__all__ = ("RIGHT", "WRONG", "answer", "fresh", "key")

Start = Callable[..., Session]


def state(session: Session) -> PlayerState:
    return state_of(fresh(session))


def go_on(session: Session) -> Session:
    """Continue; from a comparison with "No"."""
    now = fresh(session)
    if state_of(now).phase == "comparing":
        return turns.session_self_assess(session=now, version=now.version, key=key(), word="no")
    return turns.session_continue(session=now, version=now.version, key=key())


def report(session: Session, kind: str = "unclear", comment: str = "", **more: Any) -> Session:
    """Report the question that the session asks now."""
    now = fresh(session)
    given = {"version": now.version, "key": key(), **more}
    return question_report(session=now, kind=QuestionReport.Kind(kind), comment=comment, **given)


def events(session: Session, *names: str) -> list[tuple[str, dict[str, Any]]]:
    """The events of a session's chain, or those of these names."""
    return [(event.event, event.data) for event in events_of(str(session.pk)) if not names or event.event in names]


def work() -> None:
    """What the worker does until there is nothing left to do at once."""
    while [void for void in voids_waiting(limit=20) if void_work(void=void)]:
        pass


def finished(session: Session, first: str = RIGHT) -> Session:
    """Walk to the end: the first question with this answer, the second right."""
    while state(session).phase == "asking":
        answer(session, first)
    while state(session).phase != "asking":
        go_on(session)
    answer(session, "6")
    go_on(session)
    return fresh(session)


@pytest.fixture
def light(make_lesson: LessonMaker) -> LessonVersion:
    """A reading, an open question and one for a number."""
    return make_lesson()


@pytest.fixture
def start(db: None) -> Start:
    """Somebody new at the first question of the lesson, or elsewhere."""
    people = iter(range(1000))

    def begin(version: LessonVersion, *, at: str = "ASK_001", user: User | None = None) -> Session:
        learner = user or User.objects.create_user(f"learner{next(people)}")
        session = session_start(user=learner, lesson=version.lesson)
        while at and state(session).phase == "reading":
            go_on(session)
        if at == "ASK_002":
            answer(session, RIGHT)
            go_on(session)
        return fresh(session)

    return begin


@pytest.fixture
def asking(light: LessonVersion, start: Start) -> Session:
    """Somebody before the first question."""
    return start(light)
