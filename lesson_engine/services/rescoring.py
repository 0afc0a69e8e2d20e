"""Turns by which staff score a session anew: a question was withdrawn, or a verdict reviewed."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from core.errors import RowThere
from core.services import row_insert
from lesson_engine.errors import StaleSession
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import QuestionVoid, Session, Turn
from lesson_engine.outcomes.results import outcomes_of
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from lesson_engine.services.advancing import session_move
from lesson_engine.services.questions import reports_uphold
from lesson_engine.services.turns import fingerprint_of, state_of
from telemetry.contracts import EventDraft, EventName

LEASE = timedelta(seconds=60)
"""Far longer than a page of sessions takes; after it, any worker may go on."""
SESSIONS_PER_RUN, _PAGE, _TRIES, _TAKES_ROUND = 500, 100, 3, 30_000
_log = structlog.get_logger(__name__)


def staff_turn(session: Session, kind: Turn.Kind, ask_code: str, *, key: str, body: object, now: datetime) -> Turn:
    """The turn, not saved yet. `key` becomes a key that no client could send for an action."""
    return Turn(
        session=session,
        version=session.version,
        kind=kind,
        key=salted_hmac(f"lesson_engine.{kind.value}", key, algorithm="sha256").hexdigest(),
        fingerprint=fingerprint_of(kind, body),
        mode=session.mode,
        ask_code=ask_code,
        state=Turn.State.DONE,
        started_at=now,
        finished_at=now,
    )


def rescored_event(outline: Outline, ask_code: str, before: PlayerState, after: PlayerState) -> EventDraft:
    """The session's result before and after the question was scored anew."""
    data = {
        "askCode": ask_code,
        "before": outcomes_of(outline, before).as_data(),
        "after": outcomes_of(outline, after).as_data(),
    }
    return EventDraft(event=EventName.RESULT_RESCORED, data=data)


@contextmanager
def session_free() -> Iterator[None]:
    """A transaction for a turn. Raises `StaleSession` where the session takes another turn at the same moment."""
    try:
        with transaction.atomic():
            yield
    except RowThere as error:
        raise StaleSession("The session is taking a turn.") from error


def void_work(*, void: QuestionVoid, limit: int = SESSIONS_PER_RUN) -> bool:
    """Re-score at most `limit` sessions of the void's version; whether there are more that could be done at once.

    Safe to call from many places at once and to be killed anywhere: each session is one transaction, and one that has
    its turn is left alone. A session whose answer is being judged is left for a later call.
    """
    takes = void.takes % _TAKES_ROUND + 1
    free = QuestionVoid.objects.filter(pk=void.pk, state=QuestionVoid.State.RUNNING, takes=void.takes)
    if not free.filter(lease_until__lte=timezone.now()).update(takes=takes, lease_until=timezone.now() + LEASE):
        return False
    mine = QuestionVoid.objects.filter(pk=void.pk, state=QuestionVoid.State.RUNNING, takes=takes)
    done = left = 0
    for page in _pages(void):
        if not mine.update(lease_until=timezone.now() + LEASE):
            return False  # another worker has the lease: this process was away for too long
        for session_id in page:
            if _session_rescored(session_id, void):
                done += 1
            else:
                left += 1
        if done >= limit:
            mine.update(lease_until=timezone.now())
            return True
    if left:
        mine.update(lease_until=timezone.now())
        return False
    with transaction.atomic():
        reports_uphold(versions=[void.lesson_version], ask_code=void.ask_code, by=void.by)  # those that came meanwhile
        mine.update(state=QuestionVoid.State.DONE, lease_until=None)
    return False


def _pages(void: QuestionVoid) -> Iterator[list[UUID]]:
    """The sessions that are not re-scored yet, each once. None can join them: what begins now begins with the void."""
    voided = {"asks": {void.ask_code: {"outcome": "voided"}}}
    waiting = Session.objects.filter(lesson_version_id=void.lesson_version_id).exclude(state__contains=voided)
    ids = waiting.order_by("pk").values_list("pk", flat=True)
    page = list(ids[:_PAGE])
    while page:
        yield page
        page = list(ids.filter(pk__gt=page[-1])[:_PAGE])


def _session_rescored(session_id: UUID, void: QuestionVoid) -> bool:
    """Whether the session is re-scored now; a fault of one must not keep the others waiting."""
    try:
        for _ in range(_TRIES):  # the learner may act at the same time
            try:
                session_rescore(session=Session.objects.select_related("lesson").get(pk=session_id), void=void)
            except StaleSession:
                continue
            return True
    except Exception:
        _log.exception("re-scoring a session failed", session=session_id, void=void.pk)
    return False


def session_rescore(*, session: Session, void: QuestionVoid) -> bool:
    """Take the question out of the session's result, as a turn of its own; False when that was done before.

    A finished session stays finished, and one that was set aside stays so. Raises `StaleSession` when the session is
    taking a turn.
    """
    outline, before = outline_of(session.lesson_version_id), state_of(session)
    after = machine.void(outline, before, void.ask_code)
    if after is before:
        return False
    # The key is always the same for a void.
    body = [void.lesson_version_id, void.ask_code]
    turn = staff_turn(session, Turn.Kind.VOID, void.ask_code, key=str(void.pk), body=body, now=timezone.now())
    data = {"turn": turn.version, "askCode": void.ask_code, "outcome": before.record(void.ask_code).outcome}
    drafts = [
        EventDraft(event=EventName.QUESTION_VOIDED, data=data),
        rescored_event(outline, void.ask_code, before, after),
    ]
    with session_free():
        row_insert(turn)  # first, as every turn does: two that lock in another order wait for ever
        session_move(session=session, turn=turn, outline=outline, after=after, drafts=drafts, also_finished=True)
        QuestionVoid.objects.filter(pk=void.pk).update(rescored=F("rescored") + 1)
    return True
