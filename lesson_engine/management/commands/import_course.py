"""`manage.py import_course FILE...`"""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from lesson_engine.errors import CourseRefused
from lesson_engine.services.courses import course_import


class Command(BaseCommand):
    """Each file is taken or refused whole; the exit code is 1 when any was refused."""

    help = "Import course files: each names lessons in an order. A course with the same slug is made anew."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        refused = [path for path in options["files"] if not self._import(path)]
        if refused:
            raise CommandError(f"{len(refused)} of {len(options['files'])} files refused")

    def _import(self, path: Path) -> bool:
        try:
            course = course_import(source=path.read_bytes())
        except OSError as error:
            self.stderr.write(f"{path}: {error.strerror}")
            return False
        except CourseRefused as error:
            for fault in error.faults:
                self.stderr.write(f"{path}: {fault}")
            return False
        assert course is not None
        self.stdout.write(f"{path}: imported as {course.slug}, {course.places.count()} lessons")
        return True
