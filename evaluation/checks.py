"""One criterion held against one result, by rules alone. Sources: RF-007; design.md, "Settled", 6 and 7."""

import logging

from evaluation.checking import result_read
from evaluation.checking.dispatch import outcome_of
from evaluation.checking.outcome import Outcome
from evaluation.checking.walk import ResultReading
from evaluation.checking.wording import result_of, warning_of
from evaluation.contracts import CriterionResult, Reason
from planning.contracts import SuccessCriterion

__all__ = ("ResultReading", "criterion_check", "result_read", "warning_of")

_log = logging.getLogger(__name__)


def criterion_check(criterion: SuccessCriterion, result: object) -> CriterionResult:
    """Whether the result meets the criterion, with the value read and its place; None where it does not say, and why.

    `result` may be of any shape, or a `ResultReading` when several criteria are held against the same one. Nothing in
    it is called, changed or used up. Never raises: a fault of ours is CHECK_FAILED, in this check alone.
    """
    try:
        reading = result if type(result) is ResultReading else result_read(result)
        return result_of(criterion, outcome_of(criterion, reading))
    except Exception:
        _log.exception("the check of a criterion failed")
        return result_of(criterion, Outcome(None, Reason.CHECK_FAILED))
