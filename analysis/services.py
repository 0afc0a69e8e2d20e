"""From a question to a result, and what is written down of it."""

from collections.abc import Mapping
from time import monotonic

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from analysis.adaptation.planning import Planned, Proposer, plan_make, tools_by_name
from analysis.catalog.reading import catalog_shipped
from analysis.contracts.plans import AnalysisPlan, Coverage, Tool
from analysis.contracts.requirements import GRAINS, Reading
from analysis.contracts.results import Analysis, Execution
from analysis.contracts.tables import TableSchema
from analysis.coverage.checking import INPUT_FIELD, ORDER_FIELD
from analysis.coverage.serving import key_parts
from analysis.errors import RequirementsUnserved
from analysis.events import analysis_event, refusal_event, satisfaction_event
from analysis.execution.limits import Cancel, Limits
from analysis.execution.running import plan_execute
from analysis.execution.source import Source
from analysis.narrowing.index import index_of
from analysis.narrowing.narrow import tools_narrow, tools_widen
from analysis.requirements.joining import reading_joined, tables_joined
from analysis.requirements.reading import question_read
from analysis.templates.choosing import template_choose
from core.errors import AndamioError
from telemetry.services import events_append

CHAIN = "analysis"
"""The chain of events that no session has."""


def question_plan(
    question: str,
    reading: Reading,
    *,
    tools: tuple[Tool, ...] = (),
    tables: int = 1,
    proposer: Proposer | None = None,
) -> Planned:
    """The plan for a reading, with tools narrowed from a catalog; where something is missing, with a wider choice of
    them, made once by a query for just that; at last the plan that rules make of the whole catalog. At most three
    proposals in all, by rules or by a `proposer`.

    Raises `RequirementsUnserved` where even then no tool serves one, or the table does not have what is asked for.
    """
    if reading.details.unmatched:
        raise _unmatched_error(reading)
    catalog = tools or catalog_shipped()
    index, template = index_of(catalog), template_choose(reading)
    narrowed = tools_narrow(reading, index=index, template=template, question=question)
    with override(reading.details.language):  # reasons are for the person who asked
        planned = plan_make(
            reading, template, tools_by_name(narrowed.tools), tables=tables, proposer=proposer,
            catalog=tools_by_name(catalog),
            wider=lambda missing: tools_by_name(tools_widen(missing, index=index, narrowed=narrowed).tools),
        )  # fmt: skip
    if not planned.coverage.valid:
        raise _unserved_error(planned.coverage, planned.plan, reading)
    return planned


def _unmatched_error(reading: Reading) -> RequirementsUnserved:
    """The refusal of a question about what the table does not have, with the columns that are nearest."""
    unmatched = reading.details.unmatched
    missing: dict[str, tuple[str, ...]] = {
        field: tuple(each.phrase for each in unmatched if each.field == field)
        for field in dict.fromkeys(each.field for each in unmatched)
    }
    fields = ", ".join(f"{field}=[{', '.join(phrases)}]" for field, phrases in missing.items())
    nearest = dict.fromkeys(name for each in unmatched for name in each.nearest)
    with override(reading.details.language):
        message = _("The table has nothing for “%(phrase)s”.") % {
            "phrase": "”, “".join(each.phrase for each in unmatched)
        }
        if nearest:
            message += " " + _("Its nearest columns: %(columns)s.") % {"columns": ", ".join(nearest)}
    return RequirementsUnserved(
        message, Coverage(valid=False, rate=0.0, missing=missing, message=f"Missing coverage: {fields}")
    )


def _unserved_error(coverage: Coverage, plan: AnalysisPlan, reading: Reading) -> RequirementsUnserved:
    """The refusal of what cannot be done, in the words of the question where it has some."""
    phrases = {item.requirement: item.phrase for item in reading.details.justifications}
    keys = dict.fromkeys(
        key for field, values in coverage.missing.items() for value in values for key in _keys_of(field, value, plan)
    )
    with override(reading.details.language):
        words = [f"“{phrases.get(key) or key_parts(key)[1]}”" for key in keys]
        message = _("No tool here can do this part of the question: %(words)s.") % {
            "words": ", ".join(words) or coverage.message
        }
    return RequirementsUnserved(message, coverage)


def _keys_of(field: str, value: str, plan: AnalysisPlan) -> tuple[str, ...]:
    """The requirement that is missing; of a plot that comes too early the chart, of a step without its input what the
    step is for.
    """
    if field == ORDER_FIELD:
        return ("outputs=chart",)
    if field == INPUT_FIELD:
        tool = value.partition(".")[0]
        return next((step.requirement[:1] for step in plan.steps if step.tool == tool), ())
    return (f"{field}={value}",)


def question_answer(
    question: str,
    *,
    source: Source,
    schemas: Mapping[str, TableSchema],
    table: str = "",
    limits: Limits | None = None,
    cancel: Cancel | None = None,
    tools: tuple[Tool, ...] = (),
    proposer: Proposer | None = None,
) -> Analysis:
    """Read a question over the tables of a source, and answer it; `table` is the first one where it is left out.

    Raises as `reading_answer`.
    """
    name, started = table or next(iter(schemas)), monotonic()
    schema, joins = tables_joined(schemas, name)
    reading = reading_joined(question_read(question, schema), joins)
    read = _milliseconds(started)
    analysis = reading_answer(
        question, reading, source=source, table=name, tables=len(schemas), limits=limits, cancel=cancel, tools=tools,
        proposer=proposer,
    )  # fmt: skip
    return analysis.model_copy(update={"timings": {"read": read, **analysis.timings}})


def reading_answer(
    question: str,
    reading: Reading,
    *,
    source: Source,
    table: str,
    tables: int = 1,
    limits: Limits | None = None,
    cancel: Cancel | None = None,
    tools: tuple[Tool, ...] = (),
    proposer: Proposer | None = None,
) -> Analysis:
    """Plan, check and run what a question was read as; `tables` is how many the source has, `proposer` who makes the
    plan beside rules.

    Raises `StepFailed`, `ExecutionStopped`, and `RequirementsUnserved` where no tool serves a requirement, or the plan
    that ran does so no longer since a step was repaired.
    """
    catalog, started = tools or catalog_shipped(), monotonic()
    planned = question_plan(question, reading, tools=catalog, tables=tables, proposer=proposer)
    timings, made = {"plan": _milliseconds(started)}, monotonic()
    execution = plan_execute(
        planned.plan, reading, source=source, table=table, tools=tools_by_name(catalog),
        limits=limits or Limits(), cancel=cancel,
    )  # fmt: skip
    if not _is_still_served(execution):
        raise _unserved_error(execution.coverage, execution.plan, reading)
    return Analysis(
        question=question,
        reading=reading,
        plan=execution.plan,
        coverage=execution.coverage,
        first_coverage=planned.first,
        first_steps=planned.first_steps,
        attempts=planned.attempts,
        retrieval_missed=len(planned.unretrieved),
        execution=execution,
        timings={**timings, "run": _milliseconds(made)},
    )


def _milliseconds(since: float) -> float:
    return round((monotonic() - since) * 1000, 3)


def _is_still_served(execution: Execution) -> bool:
    """Whether repairs left every requirement served. Another period than the one asked for, since the data has nothing
    finer, is still an answer: the check and the record of the repair say so.
    """
    is_other_period = any(repair.before in GRAINS and repair.after in GRAINS for repair in execution.repairs)
    return execution.coverage.valid or (is_other_period and set(execution.coverage.missing) <= {"time"})


@transaction.atomic
def analysis_record(*, analysis: Analysis, satisfied: bool | None = None) -> None:
    """Write the metrics of an analysis, and whether the person was satisfied where they said so. No word of the
    question is written, nor anything of the data.
    """
    (answered,) = events_append(chain=CHAIN, course="", mode="", drafts=[analysis_event(analysis)])
    if satisfied is not None:
        rated = satisfaction_event(analysis, is_satisfied=satisfied, answer=answered.seq)
        events_append(chain=CHAIN, course="", mode="", drafts=[rated])


@transaction.atomic
def refusal_record(*, error: AndamioError) -> None:
    """Write that a question got no answer, so that rates are of all questions. Nothing of its message is written."""
    events_append(chain=CHAIN, course="", mode="", drafts=[refusal_event(error)])
