"""Reads of evaluation."""

from evaluation.contracts import CheckedBy, CriterionResult, Evaluation, Reason
from evaluation.models import CriterionCheck
from evaluation.models import Evaluation as EvaluationRow


def evaluation_of(row: EvaluationRow) -> Evaluation:
    """The value that a row and its checks hold; prefetch `checks` for several."""
    return Evaluation(
        id=row.pk,
        plan_id=row.plan_id,
        success=row.success,
        criteria_met=[check_of(check) for check in row.checks.all()],
        errors=row.errors,
        warnings=row.warnings,
        relevancy_score=row.relevancy_score,
        relevance=row.relevance,
        completeness_score=row.completeness_score,
        cost_microcents=row.cost,
    )


def check_of(row: CriterionCheck) -> CriterionResult:
    """The value that a row holds."""
    return CriterionResult(
        criterion=row.criterion,
        source=row.source,
        met=row.met,
        actual=row.actual,
        expected=row.expected or None,
        explanation=row.explanation,
        error=row.error or None,
        reason=Reason(row.reason) if row.reason else None,
        path=row.path or None,
        checked_by=CheckedBy(row.checked_by),
        votes=row.votes,
    )
