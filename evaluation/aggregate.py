"""What all checks of a result come to. Sources: RF-007, scenarios 6, 7 and 15; design.md, "Settled", 6 and 8."""

from collections.abc import Sequence

from evaluation.checking.wording import warning_of
from evaluation.contracts import CriterionResult, Evaluation, RelevanceScore

NOTHING_VERIFIED = "Nothing could be verified"


def evaluation_of(checks: Sequence[CriterionResult], relevance: RelevanceScore) -> Evaluation:
    """The evaluation, not stored. What nobody knows counts neither as met nor as failed, only as incomplete.

    Where nothing could be verified, or nothing was asked for, the result is no success, and a warning says so.
    """
    known = [one for one in checks if one.met is not None]
    warnings = [warning_of(one) for one in checks if one.met is None]
    return Evaluation(
        success=bool(known) and all(one.met for one in known),
        criteria_met=list(checks),
        errors=[one.error or one.explanation for one in known if not one.met],
        warnings=warnings if known else [*warnings, NOTHING_VERIFIED],
        relevancy_score=float(relevance),
        relevance=relevance.breakdown,
        completeness_score=len(known) / len(checks) if checks else 0.0,
    )
