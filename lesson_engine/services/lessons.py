"""Importing lessons."""

import hashlib
from dataclasses import dataclass

from django.db import transaction

from lesson_engine.contracts import Lesson as LessonContract
from lesson_engine.lesson_file import lesson_read
from lesson_engine.models import Lesson, LessonVersion
from lesson_engine.player.outline import Outline


@dataclass(frozen=True)
class Import:
    """What an import did. `created` is false for bytes that were known already."""

    version: LessonVersion
    created: bool


def lesson_import(*, source: bytes) -> Import:
    """Check a lesson file and make it the current version of its lesson.

    The same bytes again change nothing but, where a newer version had come, which version is current.
    Raises `LessonRefused` with every fault; then nothing is stored. Sessions stay on the version they began with.
    """
    lesson = lesson_read(source)
    with transaction.atomic():
        Lesson.objects.bulk_create([Lesson(slug=lesson.meta.slug)], ignore_conflicts=True)
        row = Lesson.objects.select_for_update().get(slug=lesson.meta.slug)
        version, created = _version_ensure(row, lesson, source)
        if row.current_id != version.pk:
            row.current = version
            row.save(update_fields=["current"])
    return Import(version=version, created=created)


def _version_ensure(row: Lesson, lesson: LessonContract, source: bytes) -> tuple[LessonVersion, bool]:
    outline = Outline(lesson)
    latest = row.versions.order_by("-number").values_list("number", flat=True).first()
    return LessonVersion.objects.get_or_create(
        sha256=hashlib.sha256(source).hexdigest(),
        defaults={
            "lesson": row,
            "number": (latest or 0) + 1,
            "source": source,
            "title": lesson.meta.title,
            "language": lesson.meta.language,
            "summary": lesson.meta.summary,
            "steps": len(outline.places),
            "questions": len(outline.asks),
        },
    )
