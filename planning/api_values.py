"""Plans as the API tells of them."""

from typing import Any
from uuid import UUID

from planning.api_contracts import CriterionItem, PlanDetail, PlanItem
from planning.contracts import PlanOutcome, PlanSource, SuccessCriterion
from planning.models import Plan
from planning.selectors import plan_of


def plan_item(row: Plan) -> PlanItem:
    """A plan in short."""
    return PlanItem(**_short(row))


def plan_detail(row: Plan) -> PlanDetail:
    """A whole plan; needs `steps` and `criteria`."""
    plan = plan_of(row)
    metadata = plan.metadata
    return PlanDetail(
        **_short(row),
        desired_result=plan.desired_result,
        steps=plan.steps,
        success_criteria=[_criterion(one) for one in plan.success_criteria],
        config=plan.config,
        constraints=plan.constraints,
        influenced_by_experience=metadata.influenced_by_experience,
        past_learnings=metadata.past_learnings,
        preferences=metadata.preferences,
        applied_adjustments=metadata.applied_adjustments,
        cached_from=UUID(metadata.cached_from) if metadata.cached_from else None,
        cache_adjustments=metadata.cache_adjustments,
        similarity=metadata.similarity,
        model=metadata.model,
        fallback=metadata.fallback,
        cost_microcents=row.cost,
    )


def _short(row: Plan) -> dict[str, Any]:
    return {
        "id": row.pk,
        "task": row.task,
        "task_type": row.task_type,
        "language": row.language,
        "source": PlanSource(row.source),
        "outcome": PlanOutcome(row.outcome) if row.outcome else None,
        "created_at": row.created_at,
        "evaluated_at": row.evaluated_at,
    }


def _criterion(criterion: SuccessCriterion) -> CriterionItem:
    return CriterionItem(
        text=criterion.text,
        normal=criterion.normal,
        measurable=criterion.measurable,
        verifiable=criterion.verifiable,
        source=criterion.source,
        parse=criterion.parse,
    )
