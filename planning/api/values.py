"""Plans as the API shows them."""

from planning.api.contracts import CriterionItem, PlanDetail, PlanItem
from planning.contracts import PlanMetadata
from planning.models import Plan
from planning.selectors import plan_of

_METADATA = PlanDetail.model_fields.keys() & PlanMetadata.model_fields.keys()


def plan_item(row: Plan) -> PlanItem:
    return PlanItem.from_object(row, outcome=row.outcome or None)


def plan_detail(row: Plan) -> PlanDetail:
    """A whole plan; needs `steps` and `criteria`."""
    plan = plan_of(row)
    values = {name: getattr(plan.metadata, name) for name in _METADATA} | dict(plan_item(row))
    values |= {name: getattr(plan, name) for name in ("desired_result", "steps", "config", "constraints")}
    values["success_criteria"] = [CriterionItem.from_object(criterion) for criterion in plan.success_criteria]
    return PlanDetail(**values | {"cost_microcents": row.cost})
