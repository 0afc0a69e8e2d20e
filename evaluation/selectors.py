"""Reads of evaluation."""

from evaluation.contracts import CriterionResult, Evaluation, Reason
from evaluation.models import Evaluation as EvaluationRow


def evaluation_of(row: EvaluationRow) -> Evaluation:
    """The value that a row and its checks hold; prefetch `checks` for several."""
    return Evaluation(
        id=row.pk,
        plan_id=row.plan_id,
        success=row.success,
        criteria_met=[
            CriterionResult(
                criterion=check.criterion,
                source=check.source,
                met=check.met,
                actual=check.actual,
                expected=check.expected or None,
                explanation=check.explanation,
                error=check.error or None,
                reason=Reason(check.reason) if check.reason else None,
                path=check.path or None,
                checked_by=check.checked_by,
                votes=check.votes,
            )
            for check in row.checks.all()
        ],
        errors=row.errors,
        warnings=row.warnings,
        relevancy_score=row.relevancy_score,
        relevance=row.relevance,
        completeness_score=row.completeness_score,
        cost_microcents=row.cost,
    )
