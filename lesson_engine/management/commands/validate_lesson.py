"""`manage.py validate_lesson FILE...`"""

from typing import Any

from lesson_engine.lesson_file.lesson import lesson_read
from lesson_engine.management.files import FilesCommand
from lesson_engine.player.outline import Outline


class Command(FilesCommand):
    help = "Check lesson files as import_lesson does, and store nothing."
    verdict = "have faults"

    def take(self, source: bytes, **options: Any) -> str:
        outline = Outline(lesson_read(source))
        return f"good, {len(outline.places)} steps with {len(outline.asks)} questions"
