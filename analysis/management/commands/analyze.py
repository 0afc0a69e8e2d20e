"""`manage.py analyze --data FILE`: questions over files, answered. Source: design.md, "Batch commands"."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import override

from analysis.contracts.results import Analysis
from analysis.errors import FileRefused, RequirementsUnserved
from analysis.execution.failures import ExecutionStopped, StepFailed
from analysis.files.opening import files_open
from analysis.requirements.charting import chart_of
from analysis.requirements.reading import questions_embed
from analysis.services import analysis_record, question_answer, refusal_record
from core.batch.command import BatchCommand, BatchRow, RowRefused


class Row(BatchRow):
    """A question over the files; `satisfied`, for `--record`: whether the answer was what the person wanted."""

    question: str
    satisfied: bool | None = None


class Command(BatchCommand[Row]):
    help = (
        "Answer questions over files. Reads JSON lines from standard input (question) and writes a JSON line for each,"
        " in order: requirements, plan, coverage, repairs, sql, table (columns, rows), chart and notes; or error, with"
        " the coverage where no tool can do a part of the question."
    )
    row = Row

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--data",
            metavar="FILE",
            action="append",
            required=True,
            help="A table: CSV, Parquet or JSON lines. Questions are about the first; others are joined by a key.",
        )
        parser.add_argument(
            "--record", action="store_true", help="Write the metrics of each answer to the trail; needs the database."
        )

    def begin(self, **options: Any) -> None:
        self._records: bool = options["record"]
        try:
            self._files = files_open([Path(path) for path in options["data"]])
        except FileRefused as error:
            raise CommandError(error.message) from error

    def prepare(self, rows: Sequence[Row]) -> None:
        questions_embed([row.question for row in rows])

    def answer(self, row: Row) -> Mapping[str, Any]:
        if not row.question.strip():
            raise RowRefused("question: words are expected, and there are none")
        try:
            analysis = question_answer(row.question, source=self._files, schemas=self._files.schemas)
        except (RequirementsUnserved, StepFailed, ExecutionStopped) as error:
            if self._records:
                refusal_record(error=error)
            if isinstance(error, RequirementsUnserved):
                return {"error": error.message, "coverage": error.coverage.model_dump(mode="json")}
            raise RowRefused(error.message) from error
        if self._records:
            analysis_record(analysis=analysis, satisfied=row.satisfied)
        return answer_values(analysis, self._files.notes)


def answer_values(analysis: Analysis, notes: Sequence[str] = ()) -> Mapping[str, Any]:
    """An analysis as the command writes it; `notes` are those on its files."""
    execution = analysis.execution
    chart = execution.charts[0].model_dump(mode="json") if execution.charts else None
    return {
        "requirements": analysis.reading.requirements.model_dump(mode="json"),
        "plan": analysis.plan.model_dump(mode="json"),
        "coverage": analysis.coverage.model_dump(mode="json"),
        "repairs": [repair.model_dump(mode="json") for repair in execution.repairs],
        "sql": list(execution.sql),
        "table": {"columns": execution.table.columns, "rows": execution.table.rows},
        "chart": chart or chart_of(analysis.reading).model_dump(mode="json"),
        "statistics": [statistic.model_dump(mode="json") for statistic in execution.statistics],
        "notes": [*notes, *_cut_notes(analysis)],
        "timings": analysis.timings,
    }


def _cut_notes(analysis: Analysis) -> Iterator[str]:
    table = analysis.execution.table
    if table.cut:
        with override(analysis.reading.details.language):
            yield _("Only the first %(count)d rows are given; there are more.") % {"count": len(table.rows)}
