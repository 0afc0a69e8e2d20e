"""`manage.py evaluate`: results of a file, held against their criteria. Source: design.md, "Batch commands"."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import FailFast, Field, StringConstraints

from core.batch.command import BatchCommand, BatchRow
from evaluation.checking.check import criterion_check, evaluation_of, result_read
from evaluation.relevance import relevance_of, relevance_weighed
from planning.contracts import CRITERIA_AT_MOST, LINE_LENGTH, TASK_LENGTH, SuccessCriterion

_Task = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=TASK_LENGTH)]
_Criterion = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LINE_LENGTH)]


class Row(BatchRow):
    """A result with what it was to achieve. The result may be any JSON value."""

    task: _Task
    # The first fault is enough.
    success_criteria: Annotated[list[_Criterion], FailFast()] = Field(min_length=1, max_length=CRITERIA_AT_MOST)
    execution_result: Any


class Command(BatchCommand[Row]):
    help = (
        "Hold results against success criteria, by rules alone. Reads JSON lines from standard input (task,"
        " success_criteria, execution_result) and writes an evaluation for each, in order: success, criteria_met (met"
        " is true, false or null, with the value read, its path, and the reason where nobody knows), errors, warnings,"
        " relevancy_score and completeness_score; or error."
    )
    row = Row

    def answer(self, row: Row) -> Mapping[str, Any]:
        reading = result_read(row.execution_result)
        checks = [criterion_check(SuccessCriterion(text=text), reading) for text in row.success_criteria]
        relevance = relevance_weighed(relevance_of(row.task, reading), checks)
        return evaluation_of(checks, relevance).model_dump(mode="json", exclude={"id", "plan_id"})
