"""Reads of the lesson engine."""

import uuid
from dataclasses import dataclass

from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.models import User
from lesson_engine.models import LearnerText, LessonVersion, Session, Turn


@dataclass(frozen=True)
class LessonCard:
    """A lesson on offer, and the viewer's latest session of it, if there is one."""

    version: LessonVersion
    session: Session | None


def lesson_cards(user: User | None) -> list[LessonCard]:
    """Every lesson with a current version, by title. Two queries; one for somebody who has no session yet."""
    versions = current_versions().order_by("title")
    latest = _latest_sessions(user) if user is not None else {}
    return [LessonCard(version, latest.get(version.lesson_id)) for version in versions]


def current_versions() -> QuerySet[LessonVersion]:
    """The version of each lesson that new sessions get, without the file's bytes."""
    return LessonVersion.objects.filter(lesson__current=F("pk")).select_related("lesson").defer("source")


def _latest_sessions(user: User) -> dict[int, Session]:
    mine = (
        Session.objects.filter(user=user)
        .exclude(status=Session.Status.SET_ASIDE)
        .order_by("lesson_id", "-active_at")
        .distinct("lesson_id")
    )
    return {session.lesson_id: session for session in mine}


def latest_session(user: User, lesson_id: int) -> Session | None:
    """The user's session of the lesson that was active last; None before the first."""
    return _latest_sessions(user).get(lesson_id)


def session_of(user: User, session_id: uuid.UUID) -> Session:
    """The user's own session, with its lesson. Raises `Session.DoesNotExist`, also for somebody else's."""
    return Session.objects.select_related("lesson").get(pk=session_id, user=user)


def last_answer(session: Session) -> tuple[str, ...]:
    """What the session's last turn answered, as the form's fields had it; empty when it was erased or no answer."""
    words = LearnerText.objects.filter(turn__session=session, turn__version=session.version - 1).first()
    if words is None or words.text is None:
        return ()
    return tuple(words.choices) if words.choices else (words.text,)


def turns_abandoned(*, limit: int) -> list[Turn]:
    """Running turns whose lease is over, the oldest first."""
    overdue = Turn.objects.filter(state=Turn.State.RUNNING, lease_until__lt=timezone.now())
    return list(overdue.order_by("lease_until")[:limit])


def session_turns(session_id: uuid.UUID) -> QuerySet[Turn]:
    """The turns of a session in order, with the learner's words."""
    return Turn.objects.filter(session_id=session_id).select_related("words").order_by("version")
