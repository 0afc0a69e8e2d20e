"""Taking a turn: claim it, work without a transaction, commit it once. Source: design.md, "A turn"."""

import hashlib
import json
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from lesson_engine.catalogue import outline_of
from lesson_engine.contracts import Reply
from lesson_engine.errors import KeyReused, StaleSession, TurnStillRunning
from lesson_engine.models import LearnerText, Mode, Session, Turn
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from lesson_engine.services import turn_events
from lesson_engine.services.answering import judge
from lesson_engine.services.words import words_keep, words_reply
from telemetry.contracts import EventDraft
from telemetry.services import events_append

LEASE = timedelta(seconds=15)
"""Far longer than grading takes; after it, anyone may take an unfinished turn up."""
MOST_TAKES = 5
_PATIENCE_SECONDS, _POLL_SECONDS = 5.0, 0.02

Change = Callable[[Outline, PlayerState], PlayerState]


def session_continue(*, session: Session, version: int, key: str) -> Session:
    """Go on. Raises `StaleSession`, `ActionNotPossible`, or `KeyReused`; the same key again changes nothing."""
    return _act(session, version, key, Turn.Kind.CONTINUE, machine.proceed)


def session_hint(*, session: Session, version: int, key: str) -> Session:
    """Show the next hint. Raises as `session_continue`."""
    return _act(session, version, key, Turn.Kind.HINT, machine.show_hint)


def session_skip(*, session: Session, version: int, key: str) -> Session:
    """Give up the current question. Raises as `session_continue`."""
    return _act(session, version, key, Turn.Kind.SKIP, machine.skip)


def session_set_mode(*, session: Session, mode: Mode, key: str) -> Session:
    """Switch the mode, whatever state of the session the learner saw; no-op when it is set already."""
    if session.mode == mode or session.status != Session.Status.ACTIVE:
        return session
    return _act(session, session.version, key, Turn.Kind.MODE, lambda _, state: state, mode=mode)


def session_answer(*, session: Session, version: int, key: str, reply: Reply) -> Session:
    """Judge a reply and move on as it deserves.

    The same key with the same reply again waits for the first and changes nothing. Raises `StaleSession` when the
    session has moved on since `version`, `KeyReused` when the key came with another request, `ActionNotPossible` when
    no answer is awaited, and `TurnStillRunning` when the turn is not done in time.
    """
    fingerprint = _fingerprint(Turn.Kind.ANSWER, reply.model_dump(mode="json"))
    if version != session.version:
        return _settled(session, key, fingerprint)
    outline, state = outline_of(session.lesson_version_id), state_of(session)
    machine.require_answer_awaited(state)
    turn = _turn(session, outline, state, Turn.Kind.ANSWER, key, fingerprint)
    turn.lease_until = turn.started_at + LEASE
    try:
        with transaction.atomic():
            turn.save(force_insert=True)
            words = words_keep(turn=turn, reply=reply)
    except IntegrityError as error:
        _raise_unless_race(error)
        return _settled(session, key, fingerprint)
    try:
        return _complete(session, turn, words)
    except StaleSession:  # grading outlived the lease, and somebody took the turn up
        return _settled(session, key, fingerprint)


def turn_take_up(*, turn: Turn) -> bool:
    """Finish a turn whose worker is gone; whether it was this call that did. Safe to call from many places at once."""
    now = timezone.now()
    taken = Turn.objects.filter(pk=turn.pk, state=Turn.State.RUNNING, takes=turn.takes, lease_until__lt=now).update(
        takes=turn.takes + 1, lease_until=now + LEASE
    )
    if not taken:
        return False
    turn.refresh_from_db()
    session = Session.objects.select_related("lesson").get(pk=turn.session_id)
    words = LearnerText.objects.get(pk=turn.pk)
    try:
        _complete(session, turn, words)
    except StaleSession:
        return False
    return True


def state_of(session: Session) -> PlayerState:
    """The session's state as a value."""
    return PlayerState.model_validate(session.state)


def _act(
    session: Session, version: int, key: str, kind: Turn.Kind, change: Change, mode: Mode | None = None
) -> Session:
    """An action that waits for nothing: turn, session and events in one transaction."""
    fingerprint = _fingerprint(kind, mode)
    if version != session.version:
        return _settled(session, key, fingerprint)
    outline, before = outline_of(session.lesson_version_id), state_of(session)
    after = change(outline, before)
    turn = _turn(session, outline, before, kind, key, fingerprint)
    turn.mode, turn.state, turn.finished_at = mode or session.mode, Turn.State.DONE, turn.started_at
    try:
        with transaction.atomic():
            turn.save(force_insert=True)
            _advance(session, turn, after, turn_events.of_action(outline, turn, before, after))
    except IntegrityError as error:
        _raise_unless_race(error)
        return _settled(session, key, fingerprint)
    return session


def _turn(session: Session, outline: Outline, state: PlayerState, kind: Turn.Kind, key: str, fingerprint: str) -> Turn:
    ask = machine.current_ask(outline, state)
    return Turn(
        session=session,
        version=session.version,
        kind=kind,
        key=key,
        fingerprint=fingerprint,
        mode=session.mode,
        ask_code=ask.code if ask else "",
        started_at=timezone.now(),
    )


def _raise_unless_race(error: IntegrityError) -> None:
    """Two at once break one of these constraints, and the later one settles; anything else is a fault of ours."""
    broken = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None)
    if broken not in ("turn_one_per_session_version", "turn_key_once_per_session"):
        raise error


def _complete(session: Session, turn: Turn, words: LearnerText) -> Session:
    outline, before = outline_of(session.lesson_version_id), state_of(session)
    # What failed so often would fail for ever, and a session waits for its turn: it ends as one we could not grade.
    done = judge(outline, before, session, words_reply(words), give_up=turn.takes > MOST_TAKES)
    turn.state, turn.finished_at, turn.lease_until = Turn.State.DONE, timezone.now(), None
    turn.result, turn.deviation = done.verdict.result.value, done.deviation.value
    turn.verdict = done.verdict.model_dump(mode="json", exclude_defaults=True)
    turn.command = done.command.model_dump(mode="json", by_alias=True, exclude_none=True) if done.command else None
    with transaction.atomic():
        _finish(turn)
        _advance(session, turn, done.state, turn_events.of_answer(outline, turn, words, before, done))
    return session


def _finish(turn: Turn) -> None:
    """Write the turn's outcome, unless somebody else took it up in the meantime: a late write is refused."""
    fields = ("state", "finished_at", "lease_until", "result", "deviation", "verdict", "command")
    mine = Turn.objects.filter(pk=turn.pk, state=Turn.State.RUNNING, takes=turn.takes)
    if not mine.update(**{name: getattr(turn, name) for name in fields}):
        raise StaleSession("Somebody else finished this turn.")


def _advance(session: Session, turn: Turn, after: PlayerState, drafts: list[EventDraft]) -> None:
    """Move the session from the turn's version to the next. Raises `StaleSession` when it is no longer there."""
    finished = after.phase == "finished"
    changes: dict[str, Any] = {
        "version": turn.version + 1,
        "state": after.model_dump(mode="json", exclude_defaults=True),
        "mode": turn.mode,
        "active_at": turn.finished_at,
    }
    if finished:
        changes |= {"status": Session.Status.FINISHED, "finished_at": turn.finished_at}
    # The state too: words that were erased from it meanwhile must not come back.
    here = Session.objects.filter(pk=session.pk, version=turn.version, state=session.state)
    here = here.exclude(status=Session.Status.FINISHED)
    if not here.update(**changes):
        raise StaleSession("The session has moved on.")
    events_append(
        chain=str(session.pk), course=session.lesson.slug, mode=turn.mode, drafts=drafts, now=turn.finished_at
    )
    for name, value in changes.items():
        setattr(session, name, value)


def _settled(session: Session, key: str, fingerprint: str) -> Session:
    """The session once its running turn is done, when this request is that turn or an earlier one; stale otherwise."""
    turn = Turn.objects.filter(session=session, key=key).first()
    if turn is not None and turn.fingerprint != fingerprint:
        raise KeyReused("This idempotency key was used for another request of this session.")
    running = Turn.objects.filter(session=session, state=Turn.State.RUNNING).first()
    if running is not None:
        _wait(running)
    if turn is None:
        raise StaleSession("The session has moved on since this page was shown.")
    return Session.objects.select_related("lesson").get(pk=session.pk)


def _wait(turn: Turn) -> None:
    """Until the turn is done; take it up when its worker is gone."""
    give_up = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < give_up:
        turn.refresh_from_db()
        if turn.state == Turn.State.DONE:
            return
        if turn.lease_until and turn.lease_until < timezone.now() and turn_take_up(turn=turn):
            return
        time.sleep(_POLL_SECONDS)
    raise TurnStillRunning("Your last answer is still being checked. Try again in a moment.")


def _fingerprint(kind: str, body: object) -> str:
    return hashlib.sha256(json.dumps([kind, body], sort_keys=True).encode()).hexdigest()
