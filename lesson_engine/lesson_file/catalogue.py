"""Lessons ready to be played. A version never changes, so each process keeps what it has read once."""

from functools import lru_cache

from lesson_engine.lesson_file.lesson import lesson_stored
from lesson_engine.models import LessonVersion
from lesson_engine.player.outline import Outline


@lru_cache(maxsize=128)
def outline_of(version_id: int) -> Outline:
    """The outline of a lesson version. One query the first time, none after."""
    source = LessonVersion.objects.values_list("source", flat=True).get(pk=version_id)
    return Outline(lesson_stored(bytes(source)))
