"""A session before its first question, without a browser."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from lesson_engine.contracts import Reply
from lesson_engine.models import LessonVersion, Session, Turn
from lesson_engine.services import sessions, turns
from lesson_engine.services.turns import state_of
from lesson_engine.services.words import words_keep
from tests.conftest import RIGHT, WRONG, LessonMaker
from tests.lesson_engine.network import right_network, unsure_network, wrong_network

__all__ = ("RIGHT", "WRONG", "right_network", "unsure_network", "wrong_network")

IN_OTHER_WORDS = "Plants use light to fly"
"""The author has not written this down: what it is worth is the network's word."""


def key() -> str:
    return uuid.uuid4().hex


def fresh(session: Session) -> Session:
    """The session as the database has it now."""
    return Session.objects.select_related("lesson").get(pk=session.pk)


def answer(session: Session, text: str, **changes: str) -> Session:
    """Answer what the session asks now."""
    now = fresh(session)
    return turns.session_answer(session=now, version=now.version, key=changes.get("key", key()), reply=Reply(text=text))


@pytest.fixture
def start(learner: User) -> Callable[[LessonVersion], Session]:
    """Start a lesson and read on to its first question."""

    def begin(version: LessonVersion) -> Session:
        session = sessions.session_start(user=learner, lesson=version.lesson)
        while state_of(fresh(session)).phase == "reading":
            now = fresh(session)
            turns.session_continue(session=now, version=now.version, key=key())
        return fresh(session)

    return begin


@pytest.fixture
def asking(make_lesson: LessonMaker, start: Callable[[LessonVersion], Session]) -> Session:
    """The small lesson at its first question."""
    return start(make_lesson())


def turn_begun(session: Session, text: str, *, lease: timedelta, key_: str = "begun") -> Turn:
    """What a worker leaves that is killed while it grades: the claimed turn and the learner's words."""
    now, reply = timezone.now(), Reply(text=text)
    turn = Turn.objects.create(
        session=session,
        version=session.version,
        kind=Turn.Kind.ANSWER,
        key=key_,
        fingerprint=turns.fingerprint_of(Turn.Kind.ANSWER, reply.model_dump(mode="json")),
        mode=session.mode,
        ask_code="ASK_001",
        started_at=now + lease - turns.LEASE,
        lease_until=now + lease,
    )
    words_keep(turn=turn, reply=reply)
    return turn
