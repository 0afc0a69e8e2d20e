"""A person of the staff says what an answer is worth, and the learner's session is scored by it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from accounts.models import User
from core.services import row_insert
from lesson_engine.contracts import Verdict, VerdictResult
from lesson_engine.errors import ActionNotPossible, ReviewedMeanwhile, StaleSession, TurnStillRunning
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LearnerText, Session, Turn, VerdictReview
from lesson_engine.player.histories import ask_history
from lesson_engine.player.overruling import overrule
from lesson_engine.selectors import turn_running
from lesson_engine.services.advancing import session_move
from lesson_engine.services.examples import example_keep, example_of
from lesson_engine.services.rescoring import rescored_event, session_free, staff_turn
from lesson_engine.services.turns import state_of, turn_wait
from lesson_engine.services.words import storable
from telemetry.contracts import EventDraft, EventName
from telemetry.services import events_append

MAX_NOTE = 2_000
_TRIES = 10


@dataclass(frozen=True)
class Reviewed:
    """The row that says what was wanted; `is_new` is False where it was there before, and nothing was stored."""

    review: VerdictReview
    is_new: bool


@dataclass(frozen=True)
class _Past:
    """All reviews of answers to one question of a session, in order."""

    rows: tuple[VerdictReview, ...]

    @property
    def current(self) -> dict[int, VerdictReview]:
        """Those that count, by the turns of their answers."""
        return {row.turn_id: row for row in self.rows if row.current}

    def results(self, review: VerdictReview) -> dict[int, VerdictResult]:
        """What staff say of answers, by their turns, once `review` counts as well, or takes another back."""
        rows = (self.current | {review.turn_id: review}).items()
        return {pk: VerdictResult(row.result) for pk, row in rows if row.takes_back_id is None}

    def is_drawn(self, review: VerdictReview) -> bool:
        """Whether its answer was taken at random: the first review says so."""
        return next((row.drawn for row in self.rows if row.turn_id == review.turn_id), review.drawn)


def verdict_review(
    *,
    turn: Turn,
    result: VerdictResult,
    by: User,
    note: str = "",
    seen: int | None = None,
    drawn: bool = False,
    patient: bool = True,
) -> Reviewed:
    """Say what an answer is worth: the grader's own result, which confirms it, or another, which overrules it.

    The review becomes the current one of its answer, and the answer an example of its question. When that changes the
    record of the question, the session is scored anew by a turn of its own, in the same transaction, also one that is
    finished or set aside; otherwise only the chain has it. The same result again, by any of them, adds nothing and
    gives the current review. Of the note the first `MAX_NOTE` characters are kept. `seen` is the id of the review
    that the page showed, 0 for none; with None it is not asked. `drawn`: the answer was taken at random; that stays so
    when it is reviewed again. Where the session is busy it is waited for and tried again, but not unless `patient`.

    Raises `ReviewedMeanwhile` where another review than the one that was seen counts, `ActionNotPossible` for what is
    no judged answer, or one whose words were erased, and `StaleSession` when the session is busy or stays so.
    """
    words = storable(note).strip()[:MAX_NOTE]

    def review() -> Reviewed:
        return _review(VerdictReview(turn_id=turn.pk, result=result.value, by=by, note=words, drawn=drawn), seen)

    return _once_free(turn.session_id, review) if patient else review()


def review_undo(*, review: VerdictReview, by: User) -> Reviewed:
    """Take a review back: the verdict is the grader's again, and waits for a look. Returns the row that says so.

    The review stays on record. The session is scored back as `verdict_review` scores it, so no question opens again,
    and the answer is no example any more. Taken back once, it is not taken back again: the same row comes. Raises
    `ReviewedMeanwhile` where another review counts by now, and otherwise as `verdict_review`.
    """
    return _once_free(review.turn.session_id, lambda: _undo(review, by))


def _once_free(session_id: UUID, store: Callable[[], Reviewed]) -> Reviewed:
    """Store a review; the learner, or others of the staff, may act at the same time."""
    for _ in range(_TRIES):
        try:
            return store()
        except StaleSession:
            _let_end(session_id)
    raise StaleSession("The session is busy. Nothing was done: try again in a moment.")


def _let_end(session_id: UUID) -> None:
    """Wait for an answer of the session that is being judged."""
    running = turn_running(Session.objects.get(pk=session_id))
    if running is None:
        return
    try:
        turn_wait(running)
    except TurnStillRunning as error:
        raise StaleSession("The session's last answer is still being judged. Try again in a moment.") from error


def _review(review: VerdictReview, seen: int | None) -> Reviewed:
    """Store a review that says what its answer is worth and why; the current one where that says the same."""
    answer = _judged_answer(review.turn_id)
    past = _past_of(answer)
    current = past.current.get(answer.pk)
    if current is not None and current.result == review.result:
        return Reviewed(current, is_new=False)
    _require_seen(seen, current)
    return _store(review, answer, past)


def _undo(review: VerdictReview, by: User) -> Reviewed:
    answer = _judged_answer(review.turn_id)
    past = _past_of(answer)
    undone = next((row for row in past.rows if row.takes_back_id == review.pk), None)
    if undone is not None:
        return Reviewed(undone, is_new=False)
    current = past.current.get(answer.pk)
    _require_seen(review.pk, current)
    return _store(
        VerdictReview(turn=answer, result=answer.result, by=by, takes_back=current, current=False), answer, past
    )


def _judged_answer(turn_id: int) -> Turn:
    answer = Turn.objects.select_related("session__lesson", "words").get(pk=turn_id)
    if answer.kind != Turn.Kind.ANSWER or answer.state != Turn.State.DONE:
        raise ActionNotPossible("Only an answer that was judged can be reviewed.")
    if answer.words.erased_at is not None:
        raise ActionNotPossible("The words of this answer were erased: there is nothing to judge any more.")
    return answer


def _require_seen(seen: int | None, current: VerdictReview | None) -> None:
    now = current.pk if current else 0
    if seen is not None and seen != now:
        raise ReviewedMeanwhile("Somebody else reviewed this answer meanwhile, and says otherwise.", now or None)


def _past_of(answer: Turn) -> _Past:
    same = VerdictReview.objects.filter(turn__session_id=answer.session_id, ask_code=answer.ask_code)
    return _Past(tuple(same.select_related("by").order_by("pk")))


def _store(review: VerdictReview, answer: Turn, past: _Past) -> Reviewed:
    """Store the review and what follows from it. Raises `StaleSession` where something has changed since `past`."""
    session, outline = answer.session, outline_of(answer.session.lesson_version_id)
    current, before, example = past.current.get(answer.pk), state_of(session), example_of(answer, review)
    after = overrule(outline, before, answer.ask_code, ask_history(_turns_of_ask(answer), past.results(review)))
    now = timezone.now()
    with session_free():
        scored = None if after is before else _turn(answer, review.result, now)
        if scored is not None:
            row_insert(scored)  # first, as every turn does: in another order two might wait for ever
        _lock(answer, past)
        _insert(review, answer, past, scored, now)
        example_keep(review=review, before=current, example=example, now=now)
        drafts = [_reviewed_event(answer, review, current)]
        if scored is None:
            events_append(
                chain=str(session.pk), course=session.lesson.slug, mode=session.mode, drafts=drafts, now=review.at
            )
        else:
            drafts.append(rescored_event(outline, answer.ask_code, before, after))
            session_move(session=session, turn=scored, outline=outline, after=after, drafts=drafts, also_finished=True)
    return Reviewed(review, is_new=True)


def _turns_of_ask(answer: Turn) -> list[Turn]:
    kinds = (Turn.Kind.ANSWER, Turn.Kind.HINT, Turn.Kind.SELF)
    turns = Turn.objects.filter(session_id=answer.session_id, ask_code=answer.ask_code, kind__in=kinds)
    return list(turns.filter(state=Turn.State.DONE).order_by("version"))


def _lock(answer: Turn, past: _Past) -> None:
    """Lock words and session until the transaction ends. Raises `StaleSession` where something has changed since.

    In this order, which is that of erasing. Reviews that score nothing anew make no turn, so the session's version does
    not show them.
    """
    words = LearnerText.objects.select_for_update(no_key=True).get(pk=answer.pk)
    if words.erased_at is not None:
        raise StaleSession("The words of this answer were erased meanwhile.")
    same = Session.objects.select_for_update(no_key=True).filter(pk=answer.session_id, version=answer.session.version)
    if not list(same.values_list("pk")):
        raise StaleSession("The session has moved on.")
    if len(_past_of(answer).rows) != len(past.rows):
        raise StaleSession("Somebody else reviewed an answer to this question.")


def _turn(answer: Turn, result: str, now: datetime) -> Turn:
    key, body = f"{answer.pk}:{answer.session.version}", [answer.pk, result]
    return staff_turn(answer.session, Turn.Kind.REVIEW, answer.ask_code, key=key, body=body, now=now)


def _insert(review: VerdictReview, answer: Turn, past: _Past, scored: Turn | None, now: datetime) -> None:
    verdict = Verdict.model_validate(answer.verdict)
    review.lesson_version_id, review.ask_code = answer.session.lesson_version_id, answer.ask_code
    review.grader, review.graded = verdict.grader, verdict.result.value
    review.score, review.doubtful = verdict.score, verdict.doubtful
    review.at, review.rescoring = now, scored
    review.drawn = past.is_drawn(review)
    if (current := past.current.get(answer.pk)) is not None:
        VerdictReview.objects.filter(pk=current.pk).update(current=False)
    review.save(force_insert=True)


def _reviewed_event(answer: Turn, review: VerdictReview, before: VerdictReview | None) -> EventDraft:
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
    taken_back = {"takenBack": True} if review.takes_back_id else {}
    return EventDraft(event=EventName.VERDICT_REVIEWED, data=turn | data | taken_back)
