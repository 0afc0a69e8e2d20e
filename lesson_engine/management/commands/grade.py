"""`manage.py grade`: answers of a file, graded as those of an open question or of a lesson's questions.

Source: design.md, "Batch commands".
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from django.core.management.base import CommandError, CommandParser
from pydantic import FailFast, Field, StringConstraints

from core.batch.command import BatchCommand, BatchRow, RowRefused
from gateway.services import texts_embed_locally
from language.detect import language_of
from lesson_engine.contracts import MAX_ANSWER, Ask, Reply, Verdict
from lesson_engine.contracts.fields import Language
from lesson_engine.errors import FileRefused
from lesson_engine.grading import grade
from lesson_engine.grading.plain import plain_ask
from lesson_engine.lesson_file.lesson import MAX_BYTES, lesson_read
from lesson_engine.player.outline import Outline

CODES_LISTED: Final = 50
_Text = Annotated[str, StringConstraints(max_length=20_000)]
_Reference = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]


class Row(BatchRow):
    """An answer with its question. Without `lang`, the language is that of the question and the references."""

    question: _Text
    # The first fault is enough: half a million of them would take gigabytes.
    reference_answers: Annotated[tuple[_Reference, ...], FailFast()] = Field(min_length=1, max_length=100)
    student_answer: str = Field(max_length=MAX_ANSWER)
    lang: Language | None = None
    objective: _Text | None = None


class LessonRow(BatchRow):
    """An answer with the code of its question in the lesson. Choices are answered by their text."""

    ask: str
    student_answer: str = Field(max_length=MAX_ANSWER)


class Command(BatchCommand[Row | LessonRow]):
    help = (
        "Grade answers in the learner's own words. Reads JSON lines from standard input (question, reference_answers,"
        " student_answer, and if you like lang and objective; with --lesson FILE: ask and student_answer) and writes a"
        " JSON line for each, in order: label (accept, partial, reject or not_gradable), score from 0 to 1, sure, the"
        " rule that decided, and with --lesson the misconception that was recognised; or error."
    )
    row: type[Row | LessonRow] = Row
    _outline: Outline | None = None

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--lesson", metavar="FILE", type=Path, help="A lesson file whose questions are answered.")

    def begin(self, **options: Any) -> None:
        if options["lesson"] is not None:
            self._outline, self.row = _outline_of(options["lesson"]), LessonRow

    def answer(self, row: Row | LessonRow) -> Mapping[str, Any]:
        if isinstance(row, Row):
            verdict = _grade(_ask(row), row.student_answer, _language(row))
            return _told(verdict)
        outline = self._lesson
        if row.ask not in outline.asks:
            raise RowRefused(_unknown_ask(row.ask, [*outline.asks]))
        ask, language = outline.ask(row.ask), outline.lesson.meta.language
        verdict = _grade(ask, row.student_answer, language, outline.vocabulary)
        return {**_told(verdict), "misconception": verdict.misconception}

    @property
    def _lesson(self) -> Outline:
        assert self._outline is not None  # there are rows of a lesson with a lesson only
        return self._outline


def _grade(ask: Ask, text: str, language: str, vocabulary: frozenset[str] = frozenset()) -> Verdict:
    return grade(ask, Reply(text=text), language=language, embed=texts_embed_locally, vocabulary=vocabulary)


def _told(verdict: Verdict) -> dict[str, Any]:
    """The answer to a row."""
    label = verdict.result.value.lower()
    return {"label": label, "score": verdict.score, "sure": not verdict.doubtful, "rule": verdict.rule}


def _outline_of(path: Path) -> Outline:
    """The lesson of a file. Raises `CommandError` with every fault of one that cannot be used."""
    try:
        with path.open("rb") as file:
            return Outline(lesson_read(file.read(MAX_BYTES + 1)))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    except FileRefused as error:
        faults = "\n".join(str(fault) for fault in error.faults)
        raise CommandError(f"{path} cannot be used:\n{faults}") from error


def _unknown_ask(code: str, codes: Sequence[str]) -> str:
    more = len(codes) - CODES_LISTED
    listed = ", ".join(codes[:CODES_LISTED]) + (f" and {more} more" if more > 0 else "")
    return f"the lesson has no ask {code[:100]!r}; there are: {listed}"


def _ask(row: Row) -> Ask:
    return plain_ask(row.question, row.reference_answers, row.objective or "")


def _language(row: Row) -> str:
    return row.lang or language_of(" ".join((row.question, *row.reference_answers)))
