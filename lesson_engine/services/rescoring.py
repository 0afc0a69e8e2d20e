"""What follows from a withdrawn question: every session of the version gets a turn that takes it out of its result."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import structlog
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from lesson_engine.catalogue import outline_of
from lesson_engine.errors import StaleSession
from lesson_engine.models import QuestionVoid, Session, Turn
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from lesson_engine.results import outcomes_of
from lesson_engine.services.advancing import session_move
from lesson_engine.services.turns import fingerprint_of, raise_unless_race, state_of
from lesson_engine.services.voids import reports_uphold
from telemetry.contracts import EventDraft, EventName

LEASE = timedelta(seconds=60)
"""Far longer than a page of sessions takes; after it, anyone may go on."""
SESSIONS_PER_RUN, _PAGE, _TRIES, _TAKES_ROUND = 500, 100, 3, 30_000
_log = structlog.get_logger(__name__)


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
            return False  # somebody took the work up: this process was away for too long
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
    turn = _turn(session, void)
    drafts = _drafts(outline, turn, before, after)
    try:
        with transaction.atomic():
            turn.save(force_insert=True)  # first, as every turn does: two that lock in another order wait for ever
            session_move(session=session, turn=turn, outline=outline, after=after, drafts=drafts, also_finished=True)
            QuestionVoid.objects.filter(pk=void.pk).update(rescored=F("rescored") + 1)
    except IntegrityError as error:
        raise_unless_race(error)
        raise StaleSession("The session is taking a turn.") from error
    return True


def _turn(session: Session, void: QuestionVoid) -> Turn:
    now = timezone.now()
    # Always the same for a void, and nothing that a client could have sent as the key of an action.
    key = salted_hmac("lesson_engine.void", str(void.pk), algorithm="sha256").hexdigest()
    return Turn(
        session=session,
        version=session.version,
        kind=Turn.Kind.VOID,
        key=key,
        fingerprint=fingerprint_of(Turn.Kind.VOID, [void.lesson_version_id, void.ask_code]),
        mode=session.mode,
        ask_code=void.ask_code,
        state=Turn.State.DONE,
        started_at=now,
        finished_at=now,
    )


def _drafts(outline: Outline, turn: Turn, before: PlayerState, after: PlayerState) -> list[EventDraft]:
    code = turn.ask_code
    voided = {"turn": turn.version, "askCode": code, "outcome": before.record(code).outcome}
    rescored = {
        "askCode": code,
        "before": outcomes_of(outline, before).as_data(),
        "after": outcomes_of(outline, after).as_data(),
    }
    return [
        EventDraft(event=EventName.QUESTION_VOIDED, data=voided),
        EventDraft(event=EventName.RESULT_RESCORED, data=rescored),
    ]
