"""Failures that wait to be reflected on: each once, though workers die. Source: design.md, "Work in the background"."""

from datetime import UTC, datetime, time, timedelta

import structlog
from asgiref.sync import async_to_sync
from django.db import transaction
from django.utils import timezone

from core.operations.nudging import worker_nudge
from evaluation.models import Evaluation as EvaluationRow
from evaluation.models import PendingReflection
from evaluation.selectors import evaluation_of
from evaluation.services import reflection_close, reflection_postpone
from gateway.errors import MetacognitionCostExceeded
from planning.errors import PlanNotFound
from planning.selectors import plan_of
from planning.services import plan_hold, tell
from reflection.errors import ReflectionRefused
from reflection.loop.reflecting import Collaborators, reflect
from telemetry.contracts import EventLevel, EventName

TAKES_WITH_MODEL, TAKES_AT_MOST = 2, 5
"""After two failed takes no model is asked any more; after five the failure is given up."""
NUDGED_AT_MOST_EVERY = 1.0
"""Seconds between two messages of a process: a thousand failures at once need one message."""
_log = structlog.get_logger(__name__)


def pending_reflect(pending: PendingReflection) -> None:
    """Reflect on a failure that this worker has claimed. After an error it stays claimed, and comes again."""
    rows = EvaluationRow.objects.select_related("plan")
    row = rows.prefetch_related("checks", "plan__steps", "plan__criteria").filter(pk=pending.evaluation_id).first()
    if row is None:
        return
    if pending.takes > TAKES_AT_MOST:
        _abandon(row, "takes")
        return
    try:
        async_to_sync(reflect)(
            Collaborators(),
            plan_of(row.plan),
            evaluation_of(row),
            row.execution_result,
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


def reflection_nudge(**_: object) -> None:
    """Nudge a worker for a waiting failure, unless this process has just done so."""
    worker_nudge("reflection.tasks.reflect", at_most_every=NUDGED_AT_MOST_EVERY)


@transaction.atomic
def _abandon(row: EvaluationRow, why: str) -> None:
    """Close a pending reflection without one, with an event that says why."""
    plan_hold(plan_id=row.plan_id)
    if reflection_close(evaluation_id=row.pk):
        data = {"evaluation": str(row.pk), "why": why}
        tell(row.plan_id, EventName.REFLECTION_ABANDONED, data, level=EventLevel.WARNING)
