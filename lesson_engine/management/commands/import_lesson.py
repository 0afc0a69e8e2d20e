"""`manage.py import_lesson FILE...`"""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from lesson_engine.errors import LessonRefused
from lesson_engine.lesson_file import MAX_BYTES
from lesson_engine.services.lessons import lesson_import


class Command(BaseCommand):
    """Each file is taken or refused whole; the exit code is 1 when any was refused."""

    help = "Import lesson files and make each the current version of its lesson."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        refused = [path for path in options["files"] if not self._import(path)]
        if refused:
            raise CommandError(f"{len(refused)} of {len(options['files'])} files refused")

    def _import(self, path: Path) -> bool:
        try:
            with path.open("rb") as file:
                source = file.read(
                    MAX_BYTES + 1
                )  # one byte more than allowed is enough to refuse, however big the file
            done = lesson_import(source=source)
        except OSError as error:
            self.stderr.write(f"{path}: {error.strerror}")
            return False
        except LessonRefused as error:
            for fault in error.faults:
                self.stderr.write(f"{path}: {fault}")
            return False
        verb = "imported as" if done.created else "is already"
        self.stdout.write(f"{path}: {verb} version {done.version.number} of {done.version.lesson.slug}")
        return True
