"""`manage.py import_lesson FILE...`"""

from typing import Any

from django.core.management.base import CommandParser

from lesson_engine.management.files import FilesCommand
from lesson_engine.services.lessons import lesson_import


class Command(FilesCommand):
    help = "Import lesson files and make each the current version of its lesson."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--give-way",
            action="store_true",
            help="leave it a draft where a person has published another version, or retired the lesson",
        )

    def take(self, source: bytes, **options: Any) -> str:
        done = lesson_import(source=source, give_way=options["give_way"])
        verb = "imported as" if done.created else "is already"
        text = f"{verb} version {done.version.number} of {done.version.lesson.slug}"
        return text if done.published else f"{text}; it stays a draft, because a person decided what learners get"
