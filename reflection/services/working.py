"""Failures that wait to be reflected on: each once, though workers die. Source: design.md, "Work in the background"."""

from datetime import UTC, datetime, time, timedelta

import structlog
from django.db import transaction
from django.utils import timezone

from evaluation.models import Evaluation as EvaluationRow
from evaluation.models import PendingReflection
from evaluation.selectors import evaluation_of
from evaluation.services import reflection_close, reflection_postpone
from gateway.errors import MetacognitionCostExceeded
from planning.errors import PlanNotFound
from planning.selectors import plan_of
from planning.services import plan_hold, tell
from reflection.errors import ReflectionRefused
from reflection.layer import ReflectionLayer
from telemetry.contracts import EventLevel, EventName

TAKES_WITH_MODEL, TAKES_AT_MOST = 2, 5
"""After two takes that came to nothing no model is asked any more; after five nobody tries again."""
_log = structlog.get_logger(__name__)


def pending_reflect(pending: PendingReflection) -> None:
    """Reflect on a failure that this worker has claimed. What goes wrong leaves it claimed: it comes again."""
    found = EvaluationRow.objects.select_related("plan")
    row = found.prefetch_related("checks", "plan__steps", "plan__criteria").filter(pk=pending.evaluation_id).first()
    if row is None:
        return
    if pending.takes > TAKES_AT_MOST:
        _abandon(row, "takes")
        return
    try:
        ReflectionLayer().reflect_on_result(
            plan_of(row.plan),
            evaluation_of(row),
            result=row.execution_result,
            with_model=pending.takes <= TAKES_WITH_MODEL,
        )
    except MetacognitionCostExceeded as error:
        _log.warning("no money to reflect today", evaluation=str(row.pk), error=str(error))
        reflection_postpone(pending_id=pending.pk, until=_tomorrow())
    except ReflectionRefused:
        _abandon(row, "nothing_failed")
    except PlanNotFound:
        _log.info("a plan has gone before it was reflected on", evaluation=str(row.pk))


def _tomorrow() -> datetime:
    """When the budgets of a day begin anew."""
    now = timezone.now().astimezone(UTC)
    return datetime.combine(now.date() + timedelta(days=1), time(), UTC)


@transaction.atomic
def _abandon(row: EvaluationRow, why: str) -> None:
    """Nobody reflects on it any more, which stands on record."""
    plan_hold(plan_id=row.plan_id)
    if reflection_close(evaluation_id=row.pk):
        data = {"evaluation": str(row.pk), "why": why}
        tell(row.plan_id, EventName.REFLECTION_ABANDONED, data, level=EventLevel.WARNING)
