"""`manage.py import_lesson FILE...`"""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from lesson_engine.errors import LessonRefused
from lesson_engine.management.lesson_sources import lesson_source
from lesson_engine.services.lessons import Import, lesson_import


class Command(BaseCommand):
    """Each file is taken or refused whole; the exit code is 1 when any was refused."""

    help = "Import lesson files and make each the current version of its lesson."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument(
            "--give-way",
            action="store_true",
            help="leave it a draft where a person has published another version, or retired the lesson",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        refused = [path for path in options["files"] if not self._import(path, give_way=options["give_way"])]
        if refused:
            raise CommandError(f"{len(refused)} of {len(options['files'])} files refused")

    def _import(self, path: Path, *, give_way: bool) -> bool:
        try:
            done = lesson_import(source=lesson_source(path), give_way=give_way)
        except OSError as error:
            self.stderr.write(f"{path}: {error.strerror}")
            return False
        except LessonRefused as error:
            for fault in error.faults:
                self.stderr.write(f"{path}: {fault}")
            return False
        self.stdout.write(f"{path}: {_what_came_of(done)}")
        return True


def _what_came_of(done: Import) -> str:
    verb = "imported as" if done.created else "is already"
    told = f"{verb} version {done.version.number} of {done.version.lesson.slug}"
    return told if done.published else f"{told}; it stays a draft, because a person decided what learners get"
