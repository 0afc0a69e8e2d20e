"""`manage.py grade`: answers of a file, graded as those of an open question. Source: design.md, "Batch commands"."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import FailFast, Field, StringConstraints

from core.batch.command import BatchCommand, BatchRow
from gateway.services import texts_embed_locally
from language.detect import language_of
from lesson_engine.contracts import MAX_ANSWER, Ask, Reply
from lesson_engine.contracts.fields import Language
from lesson_engine.grading import grade
from lesson_engine.grading.plain import plain_ask, texts_to_embed

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


class Command(BatchCommand[Row]):
    help = (
        "Grade answers in the learner's own words. Reads JSON lines from standard input (question, reference_answers,"
        " student_answer, and if you like lang and objective) and writes a JSON line for each, in order: label (accept,"
        " partial, reject or not_gradable), score from 0 to 1, and the rule that decided; or error."
    )
    row = Row

    def prepare(self, rows: Sequence[Row]) -> None:
        """Embeds the texts of all rows at once. They are kept: a file is often graded again."""
        wanted = (texts_to_embed(_ask(row), row.student_answer, _language(row)) for row in rows)
        texts = list(dict.fromkeys(text for row_texts in wanted for text in row_texts))
        texts_embed_locally(texts, keep=texts)

    def answer(self, row: Row) -> Mapping[str, Any]:
        reply = Reply(text=row.student_answer)
        verdict = grade(_ask(row), reply, language=_language(row), embed=texts_embed_locally)
        return {"label": verdict.result.value.lower(), "score": verdict.score, "rule": verdict.rule}


def _ask(row: Row) -> Ask:
    return plain_ask(row.question, row.reference_answers, row.objective or "")


def _language(row: Row) -> str:
    return row.lang or language_of(" ".join((row.question, *row.reference_answers)))
