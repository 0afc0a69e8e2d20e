"""Withdrawing a question for everybody: nobody is asked it any more, and it counts in no result.

One transaction decides. What follows from it for the sessions there are is leased work: see `rescoring`.
"""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core.nudging import worker_nudge
from lesson_engine.catalogue import outline_of
from lesson_engine.errors import ActionNotPossible
from lesson_engine.models import Lesson, LessonVersion, QuestionReport, QuestionVoid
from lesson_engine.services.lessons import lesson_chain
from lesson_engine.services.words import storable
from telemetry.contracts import EventDraft, EventName
from telemetry.services import events_append

MAX_REASON = 2_000


def question_void(*, version: LessonVersion, ask_code: str, by: User | None, reason: str) -> list[QuestionVoid]:
    """Withdraw a question from this version and from every other of the lesson in which it is exactly the same.

    Returns a row of work for each of them; none where it was withdrawn already. Its reports are upheld, also those that
    were dismissed. Raises `ActionNotPossible` when there is no such question or no reason is given.
    """
    words = storable(reason).strip()[:MAX_REASON]
    if not words or ask_code not in outline_of(version.pk).asks:
        raise ActionNotPossible("A question of this version and a reason are needed to withdraw it.")
    versions_with_the_same(version, ask_code)  # reads and keeps the files, before anybody has to wait
    with transaction.atomic():
        # Sessions that begin hold this row: each began before, and is re-scored, or after, and sees the void.
        lesson = Lesson.objects.select_for_update().get(pk=version.lesson_id)
        same = versions_with_the_same(version, ask_code)
        known = QuestionVoid.objects.filter(lesson_version__in=same, ask_code=ask_code)
        gone = set(known.values_list("lesson_version_id", flat=True))
        new = [one for one in same if one.pk not in gone]
        if not new:
            return []
        now = timezone.now()
        made = QuestionVoid.objects.bulk_create(
            QuestionVoid(lesson_version=one, ask_code=ask_code, reason=words, by=by, at=now, lease_until=now)
            for one in new
        )
        reports_uphold(versions=same, ask_code=ask_code, by=by)
        data = {"askCode": ask_code, "versions": [one.number for one in new], "reason": words, "by": by and by.pk}
        draft = EventDraft(event=EventName.QUESTION_VOIDED, data=data)
        events_append(chain=lesson_chain(lesson.slug), course=lesson.slug, mode="", drafts=[draft], now=now)
        transaction.on_commit(rescoring_nudge)
        return made


def reports_uphold(*, versions: list[LessonVersion], ask_code: str, by: User | None) -> int:
    """Close every report of the question as right; returns how many there were."""
    mine = QuestionReport.objects.filter(lesson_version__in=versions, ask_code=ask_code)
    upheld = QuestionReport.State.UPHELD
    return mine.exclude(state=upheld).update(state=upheld, resolved_at=timezone.now(), resolved_by=by)


def rescoring_nudge() -> None:
    """Tell a worker that there is work."""
    worker_nudge("lesson_engine.tasks.rescore_voids")


def versions_with_the_same(version: LessonVersion, ask_code: str) -> list[LessonVersion]:
    """The versions of the lesson that have exactly this ASK, in order; reads the file of each one not known yet."""
    ask = outline_of(version.pk).ask(ask_code)
    others = LessonVersion.objects.filter(lesson_id=version.lesson_id).defer("source").order_by("number")
    return [one for one in others if ask_code in (found := outline_of(one.pk)).asks and found.ask(ask_code) == ask]
