"""`manage.py validate_lesson FILE...`"""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from lesson_engine.errors import LessonRefused
from lesson_engine.lesson_file import lesson_read
from lesson_engine.management.lesson_sources import lesson_source
from lesson_engine.player.outline import Outline


class Command(BaseCommand):
    """Every fault is a line of its own; the exit code is 1 when any file has one."""

    help = "Check lesson files as import_lesson does, and store nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        faulty = [path for path in options["files"] if not self._is_good(path)]
        if faulty:
            raise CommandError(f"{len(faulty)} of {len(options['files'])} files have faults")

    def _is_good(self, path: Path) -> bool:
        try:
            outline = Outline(lesson_read(lesson_source(path)))
        except OSError as error:
            self.stderr.write(f"{path}: {error.strerror}")
            return False
        except LessonRefused as error:
            for fault in error.faults:
                self.stderr.write(f"{path}: {fault}")
            return False
        self.stdout.write(f"{path}: good, {len(outline.places)} steps with {len(outline.asks)} questions")
        return True
