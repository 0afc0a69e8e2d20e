"""One criterion held against one result, by rules alone, and what all checks of a result come to.

Sources: RF-007, scenarios 6, 7 and 15; design.md, "Settled", 6 to 8.
"""

import logging
from collections.abc import Sequence

from evaluation.checking.evaluators import evaluator_for
from evaluation.checking.outcome import Outcome
from evaluation.checking.walk import ResultReading, result_read
from evaluation.checking.wording import result_of, warning_of
from evaluation.contracts import CriterionResult, Evaluation, Reason, RelevanceScore
from planning.contracts import SuccessCriterion

__all__ = ("NOTHING_VERIFIED", "ResultReading", "criterion_check", "evaluation_of", "result_read", "warning_of")

NOTHING_VERIFIED = "Nothing could be verified"
_log = logging.getLogger(__name__)


def criterion_check(criterion: SuccessCriterion, result: object) -> CriterionResult:
    """Whether the result meets the criterion, with the value read and its place; None where it does not say, and why.

    `result` may be of any shape, or a `ResultReading` when several criteria are held against the same one. Nothing in
    it is called, changed or used up. Never raises: a fault of ours is CHECK_FAILED, in this check alone.
    """
    evaluator = None
    try:
        evaluator = evaluator_for(criterion)
        if evaluator is None:
            return result_of(criterion, Outcome(None, Reason.NOT_UNDERSTOOD))
        reading = result if type(result) is ResultReading else result_read(result)
        return evaluator.evaluate(criterion, reading)
    except Exception:
        _log.exception("the check of a criterion failed")
        return result_of(criterion, Outcome(None, Reason.CHECK_FAILED), evaluator.label if evaluator else "")


def evaluation_of(checks: Sequence[CriterionResult], relevance: RelevanceScore) -> Evaluation:
    """The evaluation, not stored. What is unknown counts neither as met nor as failed, only as incomplete.

    Where nothing could be verified, or nothing was asked for, the result is no success, and a warning says so.
    """
    known = [check for check in checks if check.met is not None]
    warnings = [warning_of(check) for check in checks if check.met is None]
    return Evaluation(
        success=bool(known) and all(check.met for check in known),
        criteria_met=list(checks),
        errors=[check.error or check.explanation for check in known if not check.met],
        warnings=warnings if known else [*warnings, NOTHING_VERIFIED],
        relevancy_score=float(relevance),
        relevance=relevance.breakdown,
        completeness_score=len(known) / len(checks) if checks else 0.0,
    )
