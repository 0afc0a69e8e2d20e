"""`manage.py import_course FILE...`"""

from typing import Any

from lesson_engine.management.files import FilesCommand
from lesson_engine.services.courses import course_import


class Command(FilesCommand):
    help = "Import course files: each names lessons in an order. A course with the same slug is made anew."

    def take(self, source: bytes, **options: Any) -> str:
        course = course_import(source=source)
        assert course is not None
        return f"imported as {course.slug}, {course.places.count()} lessons"
