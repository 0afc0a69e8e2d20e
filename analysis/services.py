"""From a question to a result, and what is written down of it."""

from collections.abc import Mapping, Sequence
from time import monotonic

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from analysis.adaptation.planning import Planned, plan_make, tools_by_name
from analysis.adaptation.proposing import tools_lacking
from analysis.catalog.reading import catalog_shipped
from analysis.contracts.plans import Coverage, Template, Tool
from analysis.contracts.requirements import Reading
from analysis.contracts.results import Analysis
from analysis.contracts.tables import TableSchema
from analysis.coverage.checking import ORDER_FIELD
from analysis.coverage.serving import key_parts
from analysis.errors import RequirementsUnserved
from analysis.events import analysis_event, satisfaction_event
from analysis.execution.limits import Cancel, Limits
from analysis.execution.running import plan_execute
from analysis.execution.source import Source
from analysis.narrowing.index import index_of
from analysis.narrowing.narrow import MOST, tools_narrow, tools_widen
from analysis.requirements.joining import reading_joined, tables_joined
from analysis.requirements.reading import question_read
from analysis.templates.choosing import template_choose
from telemetry.services import events_append

CHAIN = "analysis"
"""The chain of events that no session has."""


def question_plan(question: str, reading: Reading, *, tools: tuple[Tool, ...] = (), tables: int = 1) -> Planned:
    """The plan for a reading, with tools narrowed from a catalog; where a requirement is missing, from a wider choice,
    then with the tools that what has to be done still lacks, and at last from all of them. `first` is the check of the
    first plan, `attempts` how many were made.

    Raises `RequirementsUnserved` where even then no tool serves one, or the table does not have what is asked for.
    """
    if reading.details.unmatched:
        raise _unmatched_error(reading)
    catalog = tools or catalog_shipped()
    index, template = index_of(catalog), template_choose(reading)
    narrowed = tools_narrow(reading, index=index, template=template, question=question)
    planned = first = _planned(reading, template, narrowed.tools, tables)
    if planned.coverage.missing:
        narrowed = tools_widen(planned.coverage.missing, index=index, narrowed=narrowed)
        planned = _planned(reading, template, narrowed.tools, tables)._replace(attempts=2)
    if lacking := tools_lacking(reading, narrowed.tools, catalog):
        completed = [*lacking, *narrowed.tools][: max(MOST, len(lacking))]
        planned = _planned(reading, template, completed, tables)._replace(attempts=planned.attempts + 1)
    if planned.coverage.missing:
        planned = _planned(reading, template, catalog, tables)._replace(attempts=planned.attempts + 1)
    if not planned.coverage.valid:
        raise RequirementsUnserved(_unserved_text(planned, reading), planned.coverage)
    return planned._replace(first=first.first, first_steps=first.first_steps)


def _unmatched_error(reading: Reading) -> RequirementsUnserved:
    """The refusal of a question about what the table does not have, with the columns that are nearest."""
    missing: dict[str, tuple[str, ...]] = {
        unmatched.field: (unmatched.phrase,) for unmatched in reading.details.unmatched
    }
    fields = ", ".join(f"{field}=[{', '.join(phrases)}]" for field, phrases in missing.items())
    first = reading.details.unmatched[0]
    with override(reading.details.language):
        text = _("The table has nothing for “%(phrase)s”. Its nearest columns: %(columns)s.")
        message = text % {"phrase": first.phrase, "columns": ", ".join(first.nearest)}
    return RequirementsUnserved(
        message, Coverage(valid=False, rate=0.0, missing=missing, message=f"Missing coverage: {fields}")
    )


def _planned(reading: Reading, template: Template, tools: Sequence[Tool], tables: int) -> Planned:
    with override(reading.details.language):  # reasons are for the person who asked
        return plan_make(reading, template, tools_by_name(tools), tables=tables)


def _unserved_text(planned: Planned, reading: Reading) -> str:
    """What cannot be done, in the words of the question where it has some. A plot that comes too early is a chart."""
    phrases = {item.requirement: item.phrase for item in reading.details.justifications}
    missing = [
        "outputs=chart" if field == ORDER_FIELD else f"{field}={value}"
        for field, values in planned.coverage.missing.items()
        for value in values
    ]
    with override(reading.details.language):
        words = [f"“{phrases.get(key) or key_parts(key)[1]}”" for key in dict.fromkeys(missing)]
        return _("No tool here can do this part of the question: %(words)s.") % {
            "words": ", ".join(words) or planned.coverage.message
        }


def question_answer(
    question: str,
    *,
    source: Source,
    schemas: Mapping[str, TableSchema],
    table: str = "",
    limits: Limits | None = None,
    cancel: Cancel | None = None,
    tools: tuple[Tool, ...] = (),
) -> Analysis:
    """Read, plan, check and run a question over the tables of a source; `table` is the first one where it is left out.

    Raises `RequirementsUnserved`, `StepFailed` and `ExecutionStopped`.
    """
    catalog = tools or catalog_shipped()
    name, started = table or next(iter(schemas)), monotonic()
    schema, joins = tables_joined(schemas, name)
    reading = reading_joined(question_read(question, schema), joins)
    read = monotonic()
    planned = question_plan(question, reading, tools=catalog, tables=len(schemas))
    made = monotonic()
    execution = plan_execute(
        planned.plan, reading, source=source, table=name, tools=tools_by_name(catalog),
        limits=limits or Limits(), cancel=cancel,
    )  # fmt: skip
    marks = {"read": read - started, "plan": made - read, "run": monotonic() - made}
    return Analysis(
        question=question,
        reading=reading,
        plan=execution.plan,
        coverage=execution.coverage,
        first_coverage=planned.first,
        first_steps=planned.first_steps,
        attempts=planned.attempts,
        execution=execution,
        timings={part: round(seconds * 1000, 3) for part, seconds in marks.items()},
    )


@transaction.atomic
def analysis_record(*, analysis: Analysis, satisfied: bool | None = None) -> None:
    """Write the metrics of an analysis, and whether the person was satisfied where they said so. No word of the
    question is written, nor anything of the data.
    """
    drafts = [analysis_event(analysis)]
    if satisfied is not None:
        drafts.append(satisfaction_event(analysis, is_satisfied=satisfied))
    events_append(chain=CHAIN, course="", mode="", drafts=drafts)
