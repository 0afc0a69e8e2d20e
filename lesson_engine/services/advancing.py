"""Moving a session from one version to the next: one UPDATE, with what staff look for kept in it, and its events."""

from datetime import datetime
from typing import Any

from lesson_engine.errors import StaleSession
from lesson_engine.models import Session, Turn
from lesson_engine.outcomes.results import dead_ends_of
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from lesson_engine.services.answering import Judgement
from lesson_engine.services.goals import goals_due
from telemetry.contracts import EventDraft
from telemetry.services import events_append

_MOST = 32_767
"""What a count can hold."""


def session_advance(
    *,
    session: Session,
    turn: Turn,
    outline: Outline,
    before: PlayerState,
    after: PlayerState,
    drafts: list[EventDraft],
    done: Judgement | None = None,
) -> None:
    """Move the session from the turn's version to the next; `done` is what an answer came to.

    Needs the caller's transaction. Raises `StaleSession` when the session is no longer there, or is finished.
    """
    assert turn.finished_at is not None
    changes: dict[str, Any] = {
        "mode": turn.mode,
        "active_at": max(turn.finished_at, session.started_at),  # a clock may be set back
        "doubtful": min(_MOST, session.doubtful + (done is not None and done.verdict.doubtful)),
        "attacks": min(_MOST, session.attacks + (done is not None and done.attack_like)),
    }
    if after.cursor != before.cursor:
        changes["step_at"] = turn.finished_at
    if after.phase == "finished":
        changes |= {"status": Session.Status.FINISHED, "finished_at": turn.finished_at}
    session_move(session=session, turn=turn, outline=outline, after=after, drafts=drafts, changes=changes)


def session_move(
    *,
    session: Session,
    turn: Turn,
    outline: Outline,
    after: PlayerState,
    drafts: list[EventDraft],
    changes: dict[str, Any] | None = None,
    also_finished: bool = False,
) -> None:
    """The same without what only a learner's own turn changes; `also_finished` moves a finished session as well."""
    changed = {
        **(changes or {}),
        "version": turn.version + 1,
        "state": after.model_dump(mode="json", exclude_defaults=True),
        "dead_ends": min(_MOST, dead_ends_of(outline, after)),
    }
    # The state too: words that were erased from it meanwhile must not come back.
    sessions = Session.objects.filter(pk=session.pk, version=turn.version, state=session.state)
    if not also_finished:
        sessions = sessions.exclude(status=Session.Status.FINISHED)
    if not sessions.update(**changed):
        raise StaleSession("The session has moved on.")
    now: datetime | None = turn.finished_at
    events_append(chain=str(session.pk), course=session.lesson.slug, mode=turn.mode, drafts=drafts, now=now)
    if after.phase == "finished":
        goals_due(session)
    for name, value in changed.items():
        setattr(session, name, value)
