"""Commands that take lesson and course files."""

from abc import abstractmethod
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from lesson_engine.errors import FileRefused
from lesson_engine.lesson_file.lesson import MAX_BYTES


class FilesCommand(BaseCommand):
    """Takes each file by itself, or writes its faults, a line each; the exit code is 1 when any had one."""

    verdict = "refused"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, *, files: list[Path], **options: Any) -> None:
        faulty = [path for path in files if not self._take(path, options)]
        if faulty:
            raise CommandError(f"{len(faulty)} of {len(files)} files {self.verdict}")

    @abstractmethod
    def take(self, source: bytes, **options: Any) -> str:
        """Use a file's bytes, and return what to print of it. Raises `FileRefused`."""

    def _take(self, path: Path, options: dict[str, Any]) -> bool:
        try:
            with path.open("rb") as file:
                source = file.read(MAX_BYTES + 1)  # of one that is too big just enough to refuse it
            taken = self.take(source, **options)
        except OSError as error:
            self.stderr.write(f"{path}: {error.strerror}")
            return False
        except FileRefused as error:
            for fault in error.faults:
                self.stderr.write(f"{path}: {fault}")
            return False
        self.stdout.write(f"{path}: {taken}")
        return True
