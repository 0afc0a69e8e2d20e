"""What happens to lessons: a version is uploaded, published, and in the end the lesson is retired."""

import hashlib
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts.models import User
from lesson_engine.contracts import Lesson as LessonContract
from lesson_engine.errors import LessonMovedOn
from lesson_engine.lesson_file.lesson import lesson_read
from lesson_engine.models import Lesson, LessonVersion, Publication
from lesson_engine.player.outline import Outline
from lesson_engine.services.questions import voids_carry_over
from telemetry.contracts import EventDraft, EventName
from telemetry.services import events_append


@dataclass(frozen=True)
class Import:
    """What an upload did. `created` is false for bytes that were known already; `published`: new sessions get it."""

    version: LessonVersion
    created: bool
    published: bool


def lesson_upload(*, source: bytes, by: User | None = None) -> Import:
    """Check a lesson file and store it as a version of its lesson, a draft until it is published.

    Bytes that are known already change nothing. Raises `LessonRefused` with every fault; then nothing is stored.
    """
    lesson = lesson_read(source)
    with transaction.atomic():
        return _upload(lesson, source, by)


def lesson_publish(*, version: LessonVersion, by: User | None = None, seen: int | None = None) -> Publication | None:
    """Give this version to every session that begins from now on; None when that is so already.

    Sessions under way stay on the version they began with. A retired lesson is back with it. `seen` is the number of
    the version that was current when this was decided, 0 for none: raises `LessonMovedOn` when it is another by
    now. None decides over whatever is current.
    """
    with transaction.atomic():
        row = _lesson_locked(version.lesson_id)
        if row.current_id != version.pk:
            _require_seen(row, seen)
        return _publish(row, version, by)


def lesson_retire(*, lesson: Lesson, by: User | None = None, seen: int | None = None) -> Publication | None:
    """Retire the lesson: no session begins any more, those under way go on. None when none could begin.

    `seen` as in `lesson_publish`.
    """
    with transaction.atomic():
        row = _lesson_locked(lesson.pk)
        if row.current is None:
            return None
        _require_seen(row, seen)
        return _publication(row, None, by, EventName.LESSON_RETIRED, row.current)


def lesson_import(*, source: bytes, by: User | None = None, give_way: bool = False) -> Import:
    """Upload a lesson file and publish it. Raises as `lesson_upload`.

    With `give_way` it stays a draft where the last word on the lesson was a person's: they published or retired it, and
    a file that came with a release does not take that back.
    """
    lesson = lesson_read(source)
    with transaction.atomic():
        done = _upload(lesson, source, by)
        if not (give_way and _decided_by_a_person(done.version.lesson)):
            _publish(done.version.lesson, done.version, by)
        return Import(done.version, done.created, published=done.version.lesson.current_id == done.version.pk)


def _require_seen(row: Lesson, seen: int | None) -> None:
    now = row.current.number if row.current else 0
    if seen is not None and seen != now:
        raise LessonMovedOn("Somebody else has published or retired this lesson since.")


def _lesson_locked(pk: int) -> Lesson:
    return Lesson.objects.select_for_update(of=("self",)).select_related("current").defer("current__source").get(pk=pk)


def _upload(lesson: LessonContract, source: bytes, by: User | None) -> Import:
    Lesson.objects.bulk_create([Lesson(slug=lesson.meta.slug)], ignore_conflicts=True)
    row = Lesson.objects.select_for_update().get(slug=lesson.meta.slug)
    version, created = _version_ensure(row, lesson, source, by)
    version.lesson = row
    if created:
        _event(row, EventName.LESSON_UPLOADED, version, by)
        voids_carry_over(version=version)
    return Import(version, created, published=row.current_id == version.pk)


def _version_ensure(row: Lesson, lesson: LessonContract, source: bytes, by: User | None) -> tuple[LessonVersion, bool]:
    outline = Outline(lesson)
    latest = row.versions.order_by("-number").values_list("number", flat=True).first()
    defaults: dict[str, Any] = {
        "lesson": row,
        "number": (latest or 0) + 1,
        "source": source,
        "title": lesson.meta.title,
        "language": lesson.meta.language,
        "summary": lesson.meta.summary,
        "steps": len(outline.places),
        "questions": len(outline.asks),
        "uploaded_by": by,
    }
    return LessonVersion.objects.get_or_create(sha256=hashlib.sha256(source).hexdigest(), defaults=defaults)


def _publish(locked: Lesson, version: LessonVersion, by: User | None) -> Publication | None:
    if locked.current_id == version.pk:
        return None
    return _publication(locked, version, by, EventName.LESSON_PUBLISHED, version)


def _publication(
    locked: Lesson, current: LessonVersion | None, by: User | None, event: EventName, named: LessonVersion
) -> Publication:
    """Make `current` what new sessions get, with its row and its event, which names `named`."""
    locked.current = current
    locked.save(update_fields=["current"])
    _event(locked, event, named, by)
    return Publication.objects.create(lesson=locked, version=current, by=by)


def _event(lesson: Lesson, event: EventName, version: LessonVersion, by: User | None) -> None:
    data = {"version": version.number, "sha256": version.sha256, "by": by.pk if by else None}
    events_append(chain=lesson.chain, course=lesson.slug, mode="", drafts=[EventDraft(event=event, data=data)])


def _decided_by_a_person(lesson: Lesson) -> bool:
    last = Publication.objects.filter(lesson=lesson).order_by("-pk").first()
    return last is not None and last.by_id is not None
