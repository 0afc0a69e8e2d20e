"""Starting sessions and moving them between owners."""

import uuid

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from gateway.services import account_open
from lesson_engine.catalogue import outline_of
from lesson_engine.models import Lesson, Mode, Session
from lesson_engine.player import machine
from telemetry.contracts import EventDraft, EventName
from telemetry.services import events_append

BUDGET_SCOPE = "session"


def session_start(*, user: User, lesson: Lesson) -> Session:
    """The user's active session of the lesson, or a new one on its current version, with its budget account.

    Two at once get the same session. The lesson must have a current version.
    """
    active = _active(user, lesson)
    if active is not None:
        return active
    try:
        return _session_create(user, lesson)
    except IntegrityError:
        active = _active(user, lesson)
        if active is None:
            raise
        return active


def _active(user: User, lesson: Lesson) -> Session | None:
    return Session.objects.filter(user=user, lesson=lesson, status=Session.Status.ACTIVE).first()


@transaction.atomic
def _session_create(user: User, lesson: Lesson) -> Session:
    assert lesson.current_id is not None
    outline = outline_of(lesson.current_id)
    policy, now = outline.lesson.policy, timezone.now()
    session = Session.objects.create(
        id=uuid.uuid4(),
        user=user,
        lesson=lesson,
        lesson_version_id=lesson.current_id,
        state=machine.begin(outline).model_dump(mode="json", exclude_defaults=True),
        started_at=now,
        active_at=now,
        mode=Mode.DETERMINISTIC,
    )
    limit = settings.SESSION_BUDGET_CENTS if policy.budget_cents is None else policy.budget_cents
    escalations = settings.MAX_ESCALATIONS_PER_SESSION if policy.escalations is None else policy.escalations
    account_open(scope=BUDGET_SCOPE, key=str(session.pk), limit_cents=limit, escalations=escalations)
    started = EventDraft(
        event=EventName.SESSION_STARTED, data={"lessonVersion": lesson.current_id, "limitCents": limit}
    )
    events_append(chain=str(session.pk), course=lesson.slug, mode=session.mode, drafts=[started], now=now)
    return session


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
