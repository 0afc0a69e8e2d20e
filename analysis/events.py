"""What Analyze writes to the trail: the five metrics of spec 5, "Metrics and Evaluation"."""

from collections import Counter
from typing import Final

from analysis.contracts.results import Analysis
from telemetry.contracts import EventDraft, EventName

_RATE_DIGITS: Final = 4


def analysis_event(analysis: Analysis) -> EventDraft:
    """Event analysis.answered. Coverage and unjustified steps are those of the first proposal, before any retry."""
    first, execution = analysis.first_coverage, analysis.execution
    repaired = {repair.step for repair in execution.repairs}
    missed = sum(len(values) for values in first.missing.values())
    return EventDraft(
        event=EventName.ANALYSIS_ANSWERED,
        data={
            "template": analysis.plan.template,
            "language": analysis.reading.details.language,
            "requirements": len(analysis.reading.requirements.keys()),
            "coverage_rate": round(first.rate, _RATE_DIGITS),
            "unjustified_rate": round(len(first.unjustified) / max(1, analysis.first_steps), _RATE_DIGITS),
            "retrieval_missed": missed,
            "attempts": analysis.attempts,
            "steps": len(analysis.plan.steps),
            "repaired_steps": len(repaired),
            "repair_rate": round(len(repaired) / max(1, len(analysis.plan.steps)), _RATE_DIGITS),
            "tools": dict(Counter(step.tool for step in analysis.plan.steps)),
            "milliseconds": round(sum(analysis.timings.values())),
        },
    )


def satisfaction_event(analysis: Analysis, *, is_satisfied: bool) -> EventDraft:
    """Event analysis.rated: whether the person who asked was satisfied with what came out."""
    return EventDraft(
        event=EventName.ANALYSIS_RATED, data={"template": analysis.plan.template, "satisfied": is_satisfied}
    )
