"""`manage.py requirements`: questions of a file, each with what it asks of a table. Source: design.md."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from analysis.contracts.tables import TableSchema
from analysis.errors import RequirementsUnserved
from analysis.requirements.reading import chart_read, question_read, questions_embed
from analysis.requirements.sampling import schema_of_sample
from analysis.services import question_plan
from core.batch.command import BatchCommand, BatchRow, RowRefused


class Sample(BatchRow):
    """A table by the names of its columns and some of its rows, whose cells are texts or other JSON values."""

    table: str = "data"
    columns: tuple[str, ...] = Field(min_length=1, max_length=1_000)
    sample: tuple[tuple[Any, ...], ...] = ()

    def read(self) -> TableSchema:
        return schema_of_sample(self.table, self.columns, self.sample)


class Row(BatchRow):
    """A question over a table."""

    question: str
    table: Sample = Field(alias="schema")


class Command(BatchCommand[Row]):
    help = (
        "Tell what questions ask of a table. Reads JSON lines from standard input (question, and schema with table,"
        " columns and sample) and writes a JSON line for each, in order: metrics, group_by, time, analysis, outputs,"
        " constraints, details, plan (null where no tool can do a part of it) and chart; or error."
    )
    row = Row

    def prepare(self, rows: Sequence[Row]) -> None:
        questions_embed([row.question for row in rows])

    def answer(self, row: Row) -> Mapping[str, Any]:
        if not row.question.strip():
            raise RowRefused("question: words are expected, and there are none")
        schema = row.table.read()
        reading = question_read(row.question, schema)
        try:
            plan = question_plan(row.question, reading).plan.model_dump(mode="json")
        except RequirementsUnserved:
            plan = None
        return {
            **reading.requirements.model_dump(mode="json"),
            "details": reading.details.model_dump(mode="json"),
            "plan": plan,
            "chart": chart_read(row.question, schema).model_dump(mode="json"),
        }
