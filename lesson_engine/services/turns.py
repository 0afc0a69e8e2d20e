"""Taking a turn: claim it, work without a transaction, commit it once. Source: design.md, "A turn"."""

import hashlib
import json
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from core.errors import RowThere
from core.operations.connections import waiting
from core.services import row_insert
from lesson_engine.contracts import Reply, Verdict
from lesson_engine.errors import ActionNotPossible, KeyReused, StaleSession, TurnStillRunning
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LearnerText, Mode, Session, Turn
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import OwnWord, PlayerState
from lesson_engine.player.zones import own_verdict
from lesson_engine.selectors import answer_compared
from lesson_engine.services import turn_events
from lesson_engine.services.advancing import session_advance
from lesson_engine.services.answering import judge
from lesson_engine.services.paying import payer_of, thinker_may_help
from lesson_engine.services.words import words_keep, words_reply
from telemetry.contracts import EventDraft

LEASE = timedelta(seconds=15)
"""Far longer than grading takes; after it, anyone may take an unfinished turn up."""
LEASE_WITH_THINKER = timedelta(seconds=30)
"""The same where the thinker may be asked on the way, which takes up to ten seconds more (`escalation.OPERATION`)."""
MOST_TAKES = 5
_PATIENCE_SECONDS = 5.0
_FIRST_POLL_SECONDS, _LAST_POLL_SECONDS, _SLOWER = 0.02, 0.25, 1.5
"""Grading takes milliseconds, the thinker seconds: each look comes after so many times the pause before the last."""

Change = Callable[[Outline, PlayerState], PlayerState]


def session_continue(*, session: Session, version: int, key: str) -> Session:
    """Go on. Raises `StaleSession`, `ActionNotPossible`, or `KeyReused`; the same key again changes nothing."""
    return session_act(session, version, key, Turn.Kind.CONTINUE, machine.proceed)


def session_hint(*, session: Session, version: int, key: str) -> Session:
    """Show the next hint. Raises as `session_continue`."""
    return session_act(session, version, key, Turn.Kind.HINT, machine.show_hint)


def session_skip(*, session: Session, version: int, key: str) -> Session:
    """Give up the current question. Raises as `session_continue`."""
    return session_act(session, version, key, Turn.Kind.SKIP, machine.skip)


def session_compare(*, session: Session, version: int, key: str) -> Session:
    """Show the author's answer beside the last one, of which the grader is not sure. Raises as `session_continue`."""
    return session_act(session, version, key, Turn.Kind.COMPARE, machine.compare)


def session_self_assess(*, session: Session, version: int, key: str, word: OwnWord) -> Session:
    """Take the learner's own word on the answer that they compared, which closes the question.

    It counts until staff look at that answer. Raises as `session_continue`.
    """

    def change(outline: Outline, state: PlayerState) -> PlayerState:
        return machine.self_assess(outline, state, word)

    return session_act(session, version, key, Turn.Kind.SELF, change, body=word, verdict=own_verdict(word))


def session_set_mode(*, session: Session, mode: Mode, key: str) -> Session:
    """Switch the mode, whatever state of the session the learner saw; no-op when it is set already.

    Raises as `session_continue`; `StaleSession` where another action came at the same moment.
    """
    if session.mode == mode:
        return session
    if session.status != Session.Status.ACTIVE:
        raise ActionNotPossible("The mode of a session that is over cannot be changed.")
    return session_act(session, session.version, key, Turn.Kind.MODE, lambda _, state: state, mode=mode)


def session_answer(*, session: Session, version: int, key: str, reply: Reply) -> Session:
    """Judge a reply and move on as it deserves.

    The same key with the same reply again waits for the first and changes nothing. Raises `StaleSession` when the
    session has moved on since `version`, `KeyReused` when the key came with another request, `ActionNotPossible` when
    no answer is awaited, and `TurnStillRunning` when the turn is not done in time.
    """
    fingerprint = fingerprint_of(Turn.Kind.ANSWER, reply.model_dump(mode="json"))
    if version != session.version and not _only_staff_since(version, session):
        return _settled(session, key, fingerprint)
    outline, state = outline_of(session.lesson_version_id), state_of(session)
    machine.require_answer_awaited(state)
    turn = _turn(session, outline, state, Turn.Kind.ANSWER, key, fingerprint)
    turn.lease_until = turn.started_at + (LEASE_WITH_THINKER if thinker_may_help(session) else LEASE)
    try:
        with transaction.atomic():
            row_insert(turn)
            words = words_keep(turn=turn, reply=reply)
    except RowThere:
        return _settled(session, key, fingerprint)
    try:
        return _complete(session, turn, words)
    except StaleSession:  # grading outlived the lease, and another process took the turn up
        return _settled(session, key, fingerprint)


def turn_take_up(*, turn: Turn) -> bool:
    """Finish a turn whose worker is gone; whether it was this call that did. Safe to call from many places at once."""
    now = timezone.now()
    free = Turn.objects.filter(Turn.lease_over(now), pk=turn.pk, takes=turn.takes)
    taken = free.update(takes=turn.takes + 1, lease_until=now + LEASE)
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


def turn_key(given: str) -> str:
    """A client's key as it is stored: its digest, for a client makes it of what it likes, of words or of a name."""
    return salted_hmac("lesson_engine.turn_key", given, algorithm="sha256").hexdigest()


def state_of(session: Session) -> PlayerState:
    """The session's state as a value."""
    return PlayerState.model_validate(session.state)


def session_act(
    session: Session,
    version: int,
    key: str,
    kind: Turn.Kind,
    change: Change,
    *,
    mode: Mode | None = None,
    body: object = None,
    verdict: Verdict | None = None,
    note: Callable[[Turn], list[EventDraft]] | None = None,
) -> Session:
    """An action that waits for nothing: turn, session and events in one transaction.

    `body` is what else the request said; `verdict` is the learner's own on their last answer to the question; `note`
    writes down more in the same transaction and gives further events. Raises as `session_continue`.
    """
    fingerprint = fingerprint_of(kind, body if mode is None else mode)
    if version != session.version and not _only_staff_since(version, session):
        return _settled(session, key, fingerprint)
    outline, before = outline_of(session.lesson_version_id), state_of(session)
    after = change(outline, before)
    turn = _turn(session, outline, before, kind, key, fingerprint)
    turn.mode, turn.state, turn.finished_at = mode or session.mode, Turn.State.DONE, turn.started_at
    if verdict is not None:
        turn.about = answer_compared(session, turn.ask_code)
        turn.result, turn.verdict = verdict.result.value, verdict.model_dump(mode="json", exclude_defaults=True)
    try:
        with transaction.atomic():
            row_insert(turn)
            noted = note(turn) if note else []
            drafts = turn_events.of_action(outline, turn, before, after, session.step_at, noted)
            session_advance(session=session, turn=turn, outline=outline, before=before, after=after, drafts=drafts)
    except RowThere:
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


def _complete(session: Session, turn: Turn, words: LearnerText) -> Session:
    outline, before = outline_of(session.lesson_version_id), state_of(session)
    # What failed so often would fail for ever, and a session waits for its turn: it ends as one we could not grade.
    give_up = turn.takes > MOST_TAKES
    # Who was killed may have asked the thinker already: an answer that is taken up again is judged by the rules.
    who_pays = partial(payer_of, session, turn) if turn.takes == 1 else None
    reply, version_id = words_reply(words), session.lesson_version_id
    done = judge(outline, before, session.mode, reply, give_up=give_up, who_pays=who_pays, version_id=version_id)
    turn.state, turn.finished_at, turn.lease_until = Turn.State.DONE, timezone.now(), None
    turn.result, turn.deviation = done.verdict.result.value, done.deviation.value
    turn.verdict = done.verdict.model_dump(mode="json", exclude_defaults=True)
    turn.command = done.command.model_dump(mode="json", by_alias=True, exclude_none=True) if done.command else None
    with transaction.atomic():
        _finish(turn)
        drafts = turn_events.of_answer(outline, turn, words, before, done, session.step_at)
        session_advance(
            session=session, turn=turn, outline=outline, before=before, after=done.state, drafts=drafts, done=done
        )
    return session


def _finish(turn: Turn) -> None:
    """Write the turn's outcome, unless another process took it up in the meantime: a late write is refused."""
    fields = ("state", "finished_at", "lease_until", "result", "deviation", "verdict", "command")
    mine = Turn.objects.filter(pk=turn.pk, state=Turn.State.RUNNING, takes=turn.takes)
    if not mine.update(**{name: getattr(turn, name) for name in fields}):
        raise StaleSession("Somebody else finished this turn.")


def _only_staff_since(version: int, session: Session) -> bool:
    """Whether the learner saw the session as it is but for what staff did since: withdraw questions, review verdicts.

    That moves no learner, so what they do is meant for where they are; and at a question that is closed or gone the
    player refuses it. Asks the database only where staff did something.
    """
    if not 0 <= version < session.version or not _scored_by_staff(session):
        return False
    since = Turn.objects.filter(session=session, version__gte=version, version__lt=session.version)
    return not since.exclude(kind__in=(Turn.Kind.VOID, Turn.Kind.REVIEW)).exists()


def _scored_by_staff(session: Session) -> bool:
    records = session.state.get("asks", {}).values()
    return bool(session.state.get("rescored")) or any(record.get("outcome") == "voided" for record in records)


def _settled(session: Session, key: str, fingerprint: str) -> Session:
    """The session once its running turn is done, when this request is that turn or an earlier one; stale otherwise."""
    turn = Turn.objects.filter(session=session, key=key).first()
    if turn is not None and turn.fingerprint not in (fingerprint, ""):  # empty: erased with the learner's words
        raise KeyReused("This idempotency key was used for another request of this session.")
    running = Turn.objects.filter(session=session, state=Turn.State.RUNNING).first()
    if running is not None:
        turn_wait(running)
    if turn is None:
        raise StaleSession("The session has moved on since this page was shown.")
    return Session.objects.select_related("lesson").get(pk=session.pk)


def turn_wait(turn: Turn) -> None:
    """Until the turn is done; take it up when its worker is gone. Raises `TurnStillRunning` when that takes long.

    While it waits, others have its thread and its connection.
    """
    give_up, pause = time.monotonic() + _PATIENCE_SECONDS, _FIRST_POLL_SECONDS
    while time.monotonic() < give_up:
        turn.refresh_from_db()
        if turn.state == Turn.State.DONE:
            return
        if turn.lease_until and turn.lease_until < timezone.now() and turn_take_up(turn=turn):
            return
        with waiting():
            time.sleep(pause)
        pause = min(_LAST_POLL_SECONDS, _SLOWER * pause)
    raise TurnStillRunning("Your last answer is still being checked. Try again in a moment.")


def fingerprint_of(kind: str, body: object) -> str:
    """SHA-256 of what a request asks for."""
    return hashlib.sha256(json.dumps([kind, body], sort_keys=True).encode()).hexdigest()
