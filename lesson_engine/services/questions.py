"""Questions of a version that are wrong: learners report them, staff keep or withdraw them.

A withdrawn question is not asked any more and counts in no result. One transaction decides. What follows from it for
the sessions there are is leased work: see `rescoring`.
"""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core.operations.nudging import worker_nudge
from lesson_engine.errors import ActionNotPossible
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Lesson, LessonVersion, QuestionReport, QuestionVoid, Session, Turn
from lesson_engine.player import machine
from lesson_engine.services.turns import session_act
from lesson_engine.services.words import storable
from telemetry.contracts import EventDraft, EventName
from telemetry.services import events_append

MAX_COMMENT = 2_000
"""Characters of a comment that are kept."""
MAX_NOTE = 2_000
MAX_REASON = 2_000


def question_report(
    *, session: Session, version: int, key: str, kind: QuestionReport.Kind, comment: str = ""
) -> Session:
    """File that the session's current question is wrong, as a turn of the session.

    An open question closes at no attempt and with its answer, as a skipped one does, so that no learner is stuck; a
    closed one stays as it ended. Of the comment the first `MAX_COMMENT` characters are kept. Raises `StaleSession`,
    `ActionNotPossible` also when this question was reported before, or `KeyReused`; the same key again changes nothing.
    """
    words, reason = storable(comment).strip()[:MAX_COMMENT], QuestionReport.Kind(kind)

    def note(turn: Turn) -> list[EventDraft]:
        QuestionReport.objects.create(
            session=session,
            lesson_version_id=session.lesson_version_id,
            ask_code=turn.ask_code,
            kind=reason,
            comment=words,
            reported_at=turn.started_at,
        )
        # Never the comment: it is the learner's, and a chain cannot forget.
        data = {"askCode": turn.ask_code, "reason": reason.value}
        return [EventDraft(event=EventName.QUESTION_REPORTED, data=data)]

    # The fingerprint is made without the comment: what is erased must not be left as a hash to guess from.
    return session_act(session, version, key, Turn.Kind.REPORT, machine.report, body=reason.value, note=note)


@transaction.atomic
def reports_dismiss(*, reports: Iterable[QuestionReport], by: User, note: str) -> int:
    """Close those that are still open: the question stays as it is. Returns how many; `note` is for staff."""
    waiting = QuestionReport.objects.filter(pk__in=[report.pk for report in reports], state=QuestionReport.State.OPEN)
    return waiting.update(
        state=QuestionReport.State.DISMISSED, resolved_at=timezone.now(), resolved_by=by, note=storable(note).strip()
    )


def question_void(*, version: LessonVersion, ask_code: str, by: User | None, reason: str) -> list[QuestionVoid]:
    """Withdraw a question from this version and from every other of the lesson in which it is exactly the same.

    Returns a row of work for each of them; none where it was withdrawn already. Its reports are upheld, also those that
    were dismissed. Raises `ActionNotPossible` when there is no such question or no reason is given.
    """
    words = storable(reason).strip()[:MAX_REASON]
    if not words or ask_code not in outline_of(version.pk).asks:
        raise ActionNotPossible("A question of this version and a reason are needed to withdraw it.")
    versions_with_the_same(version, ask_code)  # reads and keeps the files, before the lock
    with transaction.atomic():
        # Sessions that begin hold this row: each began before, and is re-scored, or after, and sees the void.
        lesson = Lesson.objects.select_for_update().get(pk=version.lesson_id)
        same = versions_with_the_same(version, ask_code)
        voids = QuestionVoid.objects.filter(lesson_version__in=same, ask_code=ask_code)
        withdrawn = set(voids.values_list("lesson_version_id", flat=True))
        new = [row for row in same if row.pk not in withdrawn]
        if not new:
            return []
        now = timezone.now()
        made = QuestionVoid.objects.bulk_create(
            QuestionVoid(lesson_version=row, ask_code=ask_code, reason=words, by=by, at=now, lease_until=now)
            for row in new
        )
        reports_uphold(versions=same, ask_code=ask_code, by=by)
        data = {"askCode": ask_code, "versions": [row.number for row in new], "reason": words, "by": by and by.pk}
        draft = EventDraft(event=EventName.QUESTION_VOIDED, data=data)
        events_append(chain=lesson.chain, course=lesson.slug, mode="", drafts=[draft], now=now)
        transaction.on_commit(rescoring_nudge)
        return made


def reports_uphold(*, versions: list[LessonVersion], ask_code: str, by: User | None) -> int:
    """Close every report of the question as right; returns how many there were."""
    mine = QuestionReport.objects.filter(lesson_version__in=versions, ask_code=ask_code)
    upheld = QuestionReport.State.UPHELD
    return mine.exclude(state=upheld).update(state=upheld, resolved_at=timezone.now(), resolved_by=by)


def rescoring_nudge() -> None:
    """Send a worker the nudge that there is work."""
    worker_nudge("lesson_engine.tasks.rescore_voids")


def versions_with_the_same(version: LessonVersion, ask_code: str) -> list[LessonVersion]:
    """The versions of the lesson that have exactly this ASK, in order; reads the file of each that is not cached."""
    ask = outline_of(version.pk).ask(ask_code)
    others = LessonVersion.objects.filter(lesson_id=version.lesson_id).defer("source").order_by("number")
    return [row for row in others if ask_code in (other := outline_of(row.pk)).asks and other.ask(ask_code) == ask]


def voids_carry_over(*, version: LessonVersion) -> list[QuestionVoid]:
    """Withdraw from a version that has just come what was withdrawn from earlier ones and is in it unchanged.

    A question that was put right has changed, and is asked again. Needs the transaction that stores the version, with
    the lesson's row locked. It has no session yet, so there is nothing to re-score.
    """
    same = _unchanged(version)
    now, done = timezone.now(), QuestionVoid.State.DONE
    made = [
        QuestionVoid(lesson_version=version, ask_code=void.ask_code, reason=void.reason, by=void.by, at=now, state=done)
        for void in same
    ]
    drafts = [
        EventDraft(
            event=EventName.QUESTION_VOIDED,
            data={
                "askCode": void.ask_code,
                "versions": [version.number],
                "reason": void.reason,
                "by": void.by_id,
                "carriedOverFrom": void.lesson_version.number,
            },
        )
        for void in same
    ]
    events_append(chain=version.lesson.chain, course=version.lesson.slug, mode="", drafts=drafts, now=now)
    return QuestionVoid.objects.bulk_create(made)


def _unchanged(version: LessonVersion) -> list[QuestionVoid]:
    """The latest withdrawal of each question that the version has exactly as it was withdrawn."""
    earlier = QuestionVoid.objects.filter(lesson_version__lesson_id=version.lesson_id).exclude(lesson_version=version)
    voids: dict[str, QuestionVoid] = {}
    for void in earlier.select_related("lesson_version", "by").defer("lesson_version__source").order_by("pk"):
        asks, asks_before = outline_of(version.pk).asks, outline_of(void.lesson_version_id).asks
        if void.ask_code in asks and asks[void.ask_code].step == asks_before[void.ask_code].step:
            voids[void.ask_code] = void
    return list(voids.values())
