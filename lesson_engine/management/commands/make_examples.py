"""`manage.py make_examples`"""

from typing import Any

from django.core.management.base import BaseCommand

from lesson_engine.services.examples import examples_make


class Command(BaseCommand):
    """Once, after the upgrade to the release that learns from reviews; later reviews do it by themselves."""

    help = "Make examples for the grader of what staff said of answers before the grader learned from it."

    def handle(self, **options: Any) -> None:
        self.stdout.write(f"made {examples_make()} examples")
