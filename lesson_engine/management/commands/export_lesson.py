"""`manage.py export_lesson SLUG`"""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import F

from lesson_engine.models import LessonVersion


class Command(BaseCommand):
    """Writes to standard output, and nothing but the file's bytes."""

    help = "Write a lesson version as it was imported, byte by byte, to standard output."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--number", type=int, help="version number; the current version when left out")

    def handle(self, *args: Any, **options: Any) -> None:
        versions = LessonVersion.objects.filter(lesson__slug=options["slug"])
        if options["number"] is None:
            versions = versions.filter(lesson__current=F("pk"))
        else:
            versions = versions.filter(number=options["number"])
        version = versions.first()
        if version is None:
            raise CommandError(f"there is no such version of {options['slug']}")
        sys.stdout.buffer.write(bytes(version.source))
