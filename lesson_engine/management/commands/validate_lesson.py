"""`manage.py validate_lesson FILE...`"""

from typing import Any

from django.core.management.base import CommandParser

from gateway.services import texts_embed_locally
from lesson_engine.lesson_file.lesson import lesson_read
from lesson_engine.management.files import FilesCommand
from lesson_engine.player.outline import Outline
from lesson_engine.trial import is_tried, question_trial, suggestion_text, warning_text


class Command(FilesCommand):
    help = "Check lesson files as import_lesson does, and store nothing."
    verdict = "have faults"
    requires_system_checks = []  # it runs in a bare clone

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--trial",
            action="store_true",
            help="also try each open question and definition, and print a line for each warning, with what to add;"
            " about a second a question",
        )

    def take(self, source: bytes, **options: Any) -> str:
        outline = Outline(lesson_read(source))
        counted = f"good, {len(outline.places)} steps with {len(outline.asks)} questions"
        return "\n".join([counted, *_warnings(outline)]) if options["trial"] else counted


def _warnings(outline: Outline) -> list[str]:
    """A line for each warning: the question's code, what was found, and what to add."""
    lines = []
    for code in outline.asks:
        ask = outline.ask(code)
        if not is_tried(ask):
            continue
        language = outline.lesson.meta.language
        trial = question_trial(ask, language=language, embed=texts_embed_locally, vocabulary=outline.vocabulary)
        lines += [f"  {code}: {warning_text(warning)} {suggestion_text(warning)}" for warning in trial.warnings]
    return lines
