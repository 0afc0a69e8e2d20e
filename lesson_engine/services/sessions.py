"""Starting sessions and moving them between owners."""

import uuid
from dataclasses import dataclass

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from core.errors import RowThere
from core.services import row_insert
from gateway.contracts import Limits
from gateway.services import account_open
from lesson_engine.contracts import Policy
from lesson_engine.errors import LessonRetired
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Lesson, Mode, Session
from lesson_engine.player import machine
from lesson_engine.selectors import voided_codes
from lesson_engine.services.goals import goals_set
from telemetry.contracts import EventDraft, EventName
from telemetry.services import events_append

BUDGET_SCOPE = "session"


@dataclass(frozen=True)
class Entry:
    """A session and whether it has just been made."""

    session: Session
    created: bool


def session_start(*, user: User, lesson: Lesson) -> Session:
    """The session of `session_enter`, in deterministic mode when it is new."""
    return session_enter(user=user, lesson=lesson).session


def session_enter(*, user: User, lesson: Lesson, mode: Mode = Mode.DETERMINISTIC) -> Entry:
    """The user's active session of the lesson, or a new one on its current version, with its budget account.

    Two at once get the same session. `mode` is for a new session only. Raises `LessonRetired` when there is none to
    resume and the lesson has no current version.
    """
    active = _active(user, lesson)
    if active is not None:
        return Entry(active, created=False)
    try:
        session = _session_create(user, lesson, mode)
        goals_set(session)
        return Entry(session, created=True)
    except RowThere:
        active = _active(user, lesson)
        if active is None:
            raise
        return Entry(active, created=False)


def _active(user: User, lesson: Lesson) -> Session | None:
    return Session.objects.filter(user=user, lesson=lesson, status=Session.Status.ACTIVE).first()


@transaction.atomic
def _session_create(user: User, lesson: Lesson, mode: Mode) -> Session:
    version_id = _current_version_held(lesson)
    outline, voided = outline_of(version_id), voided_codes(version_id)
    policy, now, state = outline.lesson.policy, timezone.now(), machine.begin(outline, voided)
    finished = state.phase == "finished"  # every question was withdrawn, and there is nothing to read
    session = Session(
        id=uuid.uuid4(),
        user=user,
        lesson=lesson,
        lesson_version_id=version_id,
        state=state.model_dump(mode="json", exclude_defaults=True),
        status=Session.Status.FINISHED if finished else Session.Status.ACTIVE,
        started_at=now,
        active_at=now,
        finished_at=now if finished else None,
        step_at=now,
        mode=mode,
    )
    row_insert(session)
    limits = budget_limits(policy)
    account_open(scope=BUDGET_SCOPE, key=str(session.pk), limits=limits)
    data = {"lessonVersion": version_id, "limitCents": limits.cents, **({"voided": sorted(voided)} if voided else {})}
    started = EventDraft(event=EventName.SESSION_STARTED, data=data)
    events_append(chain=str(session.pk), course=lesson.slug, mode=session.mode, drafts=[started], now=now)
    return session


def budget_limits(policy: Policy) -> Limits:
    """What a session of a lesson may spend: what its author says, or else the server's. Source: spec/3 "Límites"."""

    def limit(own: int | None, servers: int) -> int:
        return servers if own is None else own

    return Limits(
        cents=limit(policy.budget_cents, settings.SESSION_BUDGET_CENTS),
        escalations=limit(policy.escalations, settings.MAX_ESCALATIONS_PER_SESSION),
        thinker_floor_cents=limit(policy.escalation_threshold_cents, settings.ESCALATION_THRESHOLD_CENTS),
        economy_floor_cents=limit(policy.economy_threshold_cents, settings.ECONOMY_THRESHOLD_CENTS),
    )


def _current_version_held(lesson: Lesson) -> int:
    """The version of a session that begins now. Raises `LessonRetired` when there is none.

    Until the transaction ends, publishing and retiring the lesson and withdrawing one of its questions wait: they lock
    the lesson's row. A foreign key alone would not do, it is checked when the transaction ends.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_id FROM lesson_engine_lesson WHERE id = %s FOR KEY SHARE", [lesson.pk])
        version_id = (cursor.fetchone() or (None,))[0]
    if version_id is None:
        raise LessonRetired("No session of this lesson can begin.")
    return int(version_id)


@transaction.atomic
def sessions_transfer(*, source: User, target: User) -> int:
    """Give all sessions of `source` to `target`, return how many. Of two active of a lesson the later used stays."""
    locked = Session.objects.select_for_update().defer("state")
    moving = list(locked.filter(user=source))
    theirs = {session.lesson_id: session for session in locked.filter(user=target, status=Session.Status.ACTIVE)}
    pairs = [(s, theirs.get(s.lesson_id)) for s in moving if s.status == Session.Status.ACTIVE]
    older = [min(mine, rival, key=lambda s: s.active_at).pk for mine, rival in pairs if rival is not None]
    Session.objects.filter(pk__in=older).update(status=Session.Status.SET_ASIDE)
    return Session.objects.filter(pk__in=[session.pk for session in moving]).update(user=target)
