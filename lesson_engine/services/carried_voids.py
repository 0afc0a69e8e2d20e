"""A new version of a lesson takes over what was withdrawn from the ones before."""

from django.utils import timezone

from lesson_engine.catalogue import outline_of
from lesson_engine.models import LessonVersion, QuestionVoid
from telemetry.contracts import EventDraft, EventName
from telemetry.services import events_append


def voids_carry_over(*, version: LessonVersion, chain: str) -> list[QuestionVoid]:
    """Withdraw from a version that has just come what was withdrawn from earlier ones and is in it unchanged.

    Whoever puts a question right changes it, and then it is asked again. Needs the transaction that stores the version,
    with the lesson's row locked. Nobody has a session of it yet, so there is nothing to re-score. `chain` is that of
    the lesson.
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
    events_append(chain=chain, course=version.lesson.slug, mode="", drafts=drafts, now=now)
    return QuestionVoid.objects.bulk_create(made)


def _unchanged(version: LessonVersion) -> list[QuestionVoid]:
    """The latest withdrawal of each question that the version has exactly as it was withdrawn."""
    earlier = QuestionVoid.objects.filter(lesson_version__lesson_id=version.lesson_id).exclude(lesson_version=version)
    found: dict[str, QuestionVoid] = {}
    for void in earlier.select_related("lesson_version", "by").defer("lesson_version__source").order_by("pk"):
        here, there = outline_of(version.pk).asks, outline_of(void.lesson_version_id).asks
        if void.ask_code in here and here[void.ask_code].step == there[void.ask_code].step:
            found[void.ask_code] = void
    return list(found.values())
