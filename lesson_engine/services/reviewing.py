"""A person of the staff says what an answer is worth, and the learner's session is scored by it."""

from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import User
from lesson_engine.catalogue import outline_of
from lesson_engine.contracts import Verdict, VerdictResult
from lesson_engine.errors import ActionNotPossible, ReviewedMeanwhile, StaleSession, TurnStillRunning
from lesson_engine.histories import ask_history
from lesson_engine.models import LearnerText, Session, Turn, VerdictReview
from lesson_engine.player.outline import Outline
from lesson_engine.player.overruling import overrule
from lesson_engine.player.state import PlayerState
from lesson_engine.results import outcomes_of
from lesson_engine.selectors import turn_running
from lesson_engine.services.advancing import session_move
from lesson_engine.services.turns import fingerprint_of, raise_unless_race, state_of, turn_wait
from lesson_engine.services.words import storable
from telemetry.contracts import EventDraft, EventName
from telemetry.services import events_append

MAX_NOTE = 2_000
_TRIES = 10


def verdict_review(
    *, turn: Turn, result: VerdictResult, by: User, note: str = "", seen: int | None = None, drawn: bool = False
) -> VerdictReview:
    """Say what an answer is worth: what the grader said, which confirms it, or something else, which overrules it.

    The review becomes the current one of its answer. When that changes the record of the question, the session is
    scored anew by a turn of its own, in the same transaction, also one that is finished or set aside; otherwise only
    the trail says it. The same result again, by whomever, adds nothing and returns the current review. Of the note
    the first `MAX_NOTE` characters are kept. `seen` is the id of the review that they decided upon, 0 for none; with
    None it is not asked. `drawn`: nobody chose the answer, chance did; that stays so when it is reviewed again.

    Raises `ReviewedMeanwhile` for somebody who would overrule a review that they have not seen, `ActionNotPossible` for
    what is no judged answer, or one whose words were erased, and `StaleSession` when the session stays busy.
    """
    given = _Given(VerdictResult(result), by, storable(note).strip()[:MAX_NOTE], seen, drawn)
    for _ in range(_TRIES):  # the learner, or others of the staff, may act at the same time
        try:
            return _review(turn.pk, given)
        except StaleSession:
            _let_end(turn)
    raise StaleSession("The session is busy. Nothing was done: try again in a moment.")


@dataclass(frozen=True)
class _Given:
    """What is said, and by whom."""

    result: VerdictResult
    by: User
    note: str
    seen: int | None
    drawn: bool


def _let_end(turn: Turn) -> None:
    """Wait for an answer of the session that is being judged."""
    running = turn_running(Session.objects.get(pk=turn.session_id))
    if running is None:
        return
    try:
        turn_wait(running)
    except TurnStillRunning as error:
        raise StaleSession("The session's last answer is still being judged. Try again in a moment.") from error


def _review(turn_id: int, given: _Given) -> VerdictReview:
    answer = Turn.objects.select_related("session__lesson").get(pk=turn_id)
    _require_judged(answer)
    session, outline = answer.session, outline_of(answer.session.lesson_version_id)
    known = _current_reviews(answer)
    current = known.get(answer.pk)
    if current is not None and current.result == given.result:
        return current
    _require_seen(given, current)
    before = state_of(session)
    results = {pk: VerdictResult(review.result) for pk, review in known.items()}
    history = ask_history(_turns_of_ask(answer), results | {answer.pk: given.result})
    after = overrule(outline, before, answer.ask_code, history)
    now = timezone.now()
    scored = None if after is before else _turn(answer, given.result, now)
    try:
        with transaction.atomic():
            if scored is not None:
                scored.save(force_insert=True)  # first, as every turn does: in another order two might wait for ever
            _hold(answer, known)
            review = _store(answer, given, current, scored, now)
            drafts = [_reviewed(answer, review, current)]
            if scored is None:
                _append(session, drafts, review)
            else:
                drafts.append(_rescored(outline, answer, before, after))
                session_move(
                    session=session, turn=scored, outline=outline, after=after, drafts=drafts, also_finished=True
                )
    except IntegrityError as error:
        raise_unless_race(error)
        raise StaleSession("The session is taking a turn.") from error
    return review


def _require_judged(answer: Turn) -> None:
    if answer.kind != Turn.Kind.ANSWER or answer.state != Turn.State.DONE:
        raise ActionNotPossible("Only an answer that was judged can be reviewed.")
    if LearnerText.objects.filter(pk=answer.pk, erased_at__isnull=False).exists():
        raise ActionNotPossible("The words of this answer were erased: there is nothing to judge any more.")


def _require_seen(given: _Given, current: VerdictReview | None) -> None:
    here = current.pk if current else 0
    if given.seen is not None and given.seen != here:
        raise ReviewedMeanwhile("Somebody else reviewed this answer meanwhile, and says otherwise.", here or None)


def _current_reviews(answer: Turn) -> dict[int, VerdictReview]:
    """Of all answers to the same question in this session, by the answer."""
    same = VerdictReview.objects.filter(turn__session_id=answer.session_id, ask_code=answer.ask_code, current=True)
    return {review.turn_id: review for review in same}


def _turns_of_ask(answer: Turn) -> list[Turn]:
    kinds = (Turn.Kind.ANSWER, Turn.Kind.HINT)
    turns = Turn.objects.filter(session_id=answer.session_id, ask_code=answer.ask_code, kind__in=kinds)
    return list(turns.filter(state=Turn.State.DONE).order_by("version"))


def _hold(answer: Turn, known: dict[int, VerdictReview]) -> None:
    """Keep words and session as they are until the transaction ends, if they still are what was decided upon.

    In this order, which is that of erasing. Reviews that score nothing anew make no turn, so the session's version does
    not tell of them.
    """
    words = LearnerText.objects.select_for_update(no_key=True).get(pk=answer.pk)
    if words.erased_at is not None:
        raise StaleSession("The words of this answer were erased meanwhile.")
    here = Session.objects.select_for_update(no_key=True).filter(pk=answer.session_id, version=answer.session.version)
    if not list(here.values_list("pk")):
        raise StaleSession("The session has moved on.")
    if {review.pk for review in _current_reviews(answer).values()} != {review.pk for review in known.values()}:
        raise StaleSession("Somebody else reviewed an answer to this question.")


def _turn(answer: Turn, result: VerdictResult, now: datetime) -> Turn:
    session = answer.session
    # Nothing that a client could have sent as the key of an action.
    body = f"{answer.pk}:{session.version}"
    return Turn(
        session=session,
        version=session.version,
        kind=Turn.Kind.REVIEW,
        key=salted_hmac("lesson_engine.review", body, algorithm="sha256").hexdigest(),
        fingerprint=fingerprint_of(Turn.Kind.REVIEW, [answer.pk, result.value]),
        mode=session.mode,
        ask_code=answer.ask_code,
        state=Turn.State.DONE,
        started_at=now,
        finished_at=now,
    )


def _store(
    answer: Turn, given: _Given, current: VerdictReview | None, scored: Turn | None, now: datetime
) -> VerdictReview:
    verdict = Verdict.model_validate(answer.verdict)
    if current is not None:
        VerdictReview.objects.filter(pk=current.pk).update(current=False)
    return VerdictReview.objects.create(
        turn=answer,
        lesson_version_id=answer.session.lesson_version_id,
        ask_code=answer.ask_code,
        grader=verdict.grader,
        graded=verdict.result.value,
        score=verdict.score,
        doubtful=verdict.doubtful,
        result=given.result.value,
        note=given.note,
        by=given.by,
        at=now,
        drawn=current.drawn if current else given.drawn,
        rescoring=scored,
    )


def _append(session: Session, drafts: list[EventDraft], review: VerdictReview) -> None:
    events_append(chain=str(session.pk), course=session.lesson.slug, mode=session.mode, drafts=drafts, now=review.at)


def _reviewed(answer: Turn, review: VerdictReview, before: VerdictReview | None) -> EventDraft:
    """`turn` is the one that scores the session anew. Never the note: it may quote, and a chain cannot forget."""
    data = {
        "answer": answer.version,
        "askCode": answer.ask_code,
        "grader": review.grader,
        "graded": review.graded,
        "before": before.result if before else review.graded,
        "result": review.result,
        "by": review.by_id,
    }
    turn = {"turn": review.rescoring.version} if review.rescoring else {}
    return EventDraft(event=EventName.VERDICT_REVIEWED, data=turn | data)


def _rescored(outline: Outline, answer: Turn, before: PlayerState, after: PlayerState) -> EventDraft:
    data = {
        "askCode": answer.ask_code,
        "before": outcomes_of(outline, before).as_data(),
        "after": outcomes_of(outline, after).as_data(),
    }
    return EventDraft(event=EventName.RESULT_RESCORED, data=data)
