"""What Analyze writes to the trail: the five metrics of spec 5, "Metrics and Evaluation"."""

from collections import Counter
from typing import Final

from analysis.contracts.results import Analysis
from analysis.errors import RequirementsUnserved
from core.errors import AndamioError
from telemetry.contracts import EventDraft, EventName

_RATE_DIGITS: Final = 4


def analysis_event(analysis: Analysis) -> EventDraft:
    """Event analysis.answered. Coverage and unjustified steps are those of the first proposal, before any retry."""
    first, execution = analysis.first_coverage, analysis.execution
    repaired = {repair.step for repair in execution.repairs}
    return EventDraft(
        event=EventName.ANALYSIS_ANSWERED,
        data={
            "template": analysis.plan.template,
            "language": analysis.reading.details.language,
            "requirements": len(analysis.reading.requirements.keys()),
            "coverage_rate": round(first.rate, _RATE_DIGITS),
            "unjustified_rate": round(len(first.unjustified) / max(1, analysis.first_steps), _RATE_DIGITS),
            "retrieval_missed": analysis.retrieval_missed,
            "attempts": analysis.attempts,
            "steps": len(analysis.plan.steps),
            "repaired_steps": len(repaired),
            "repair_rate": round(len(repaired) / max(1, len(analysis.plan.steps)), _RATE_DIGITS),
            "tools": dict(Counter(step.tool for step in analysis.plan.steps)),
            "milliseconds": round(sum(analysis.timings.values())),
        },
    )


def refusal_event(error: AndamioError) -> EventDraft:
    """Event analysis.refused: a question without an answer. Its coverage where the plan was refused, null where a plan
    could not run.
    """
    rate = round(error.coverage.rate, _RATE_DIGITS) if isinstance(error, RequirementsUnserved) else None
    return EventDraft(event=EventName.ANALYSIS_REFUSED, data={"reason": error.code, "coverage_rate": rate})


def satisfaction_event(analysis: Analysis, *, is_satisfied: bool, answer: int) -> EventDraft:
    """Event analysis.rated: whether the person who asked was satisfied with what came out. `answer` is the number of
    the analysis in the chain.
    """
    return EventDraft(
        event=EventName.ANALYSIS_RATED,
        data={"answer": answer, "template": analysis.plan.template, "satisfied": is_satisfied},
    )
