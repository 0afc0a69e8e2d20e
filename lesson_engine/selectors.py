"""Reads of the lesson engine."""

import hashlib
import uuid
from dataclasses import dataclass
from math import ceil

from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.models import User
from lesson_engine.models import LearnerText, LessonVersion, Session, Turn

TURNS_PER_PAGE = 200


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


def stored_version(source: bytes) -> LessonVersion | None:
    """The version that a lesson file with exactly these bytes became, with its lesson; None when it never came."""
    digest = hashlib.sha256(source).hexdigest()
    return LessonVersion.objects.select_related("lesson__current").filter(sha256=digest).first()


def _latest_sessions(user: User) -> dict[int, Session]:
    """By lesson, without the state: pages of lessons tell only how far a session is."""
    mine = (
        Session.objects.filter(user=user)
        .exclude(status=Session.Status.SET_ASIDE)
        .order_by("lesson_id", "-active_at")
        .distinct("lesson_id")
        .defer("state")
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


def turn_running(session: Session) -> Turn | None:
    """The session's answer that is still being judged, if there is one."""
    return Turn.objects.filter(session=session, version=session.version, state=Turn.State.RUNNING).first()


def turns_abandoned(*, limit: int) -> list[Turn]:
    """Running turns whose lease is over, the oldest first."""
    overdue = Turn.objects.filter(state=Turn.State.RUNNING, lease_until__lt=timezone.now())
    return list(overdue.order_by("lease_until")[:limit])


@dataclass(frozen=True)
class TurnsPage:
    """The turns of a session from version `start` on, and those before them as far as they moved the session."""

    page: int
    pages: int
    start: int
    earlier: tuple[Turn, ...]
    turns: tuple[Turn, ...]


def session_turns_page(session: Session, page: int) -> TurnsPage:
    """A page of a session's turns in order, with the learner's words; the nearest page for one that is not there.

    Two queries. A session's version is the number of its turns, so nothing is counted. `earlier` comes without words
    and without changes of mode, of which there is no end: what is left is bounded by the lesson.
    """
    pages = max(1, ceil(session.version / TURNS_PER_PAGE))
    page = min(max(1, page), pages)
    start = (page - 1) * TURNS_PER_PAGE
    turns = Turn.objects.filter(session_id=session.pk).order_by("version")
    earlier = turns.filter(version__lt=start).exclude(kind=Turn.Kind.MODE)
    here = turns.filter(version__gte=start).select_related("words")[: TURNS_PER_PAGE + 1]  # one may still be running
    return TurnsPage(page, pages, start, tuple(earlier), tuple(here) if page == pages else tuple(here)[:TURNS_PER_PAGE])
