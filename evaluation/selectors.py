"""Reads of evaluation."""

from evaluation.contracts import CriterionResult, Evaluation
from evaluation.models import CriterionCheck
from evaluation.models import Evaluation as EvaluationRow


def evaluation_of(row: EvaluationRow) -> Evaluation:
    """The value that a row and its checks hold; prefetch `checks` for several."""
    checks = [check_of(check) for check in row.checks.all()]
    return Evaluation.from_object(row, criteria_met=checks, cost_microcents=row.cost)


def check_of(row: CriterionCheck) -> CriterionResult:
    empty_is_none = ("expected", "error", "reason", "path")
    return CriterionResult.from_object(row, **{name: getattr(row, name) or None for name in empty_is_none})
