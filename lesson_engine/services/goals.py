"""A session's plan: made when it begins, evaluated when it is finished. Sources: design.md; RF-007.

A session goes on without a plan as well, and a worker evaluates it.
"""

from datetime import timedelta
from functools import partial

import structlog
from django.db import transaction
from django.utils import timezone

from core.errors import RowThere
from core.operations.nudging import worker_nudge
from core.services import row_insert
from evaluation.contracts import Evaluation
from evaluation.layer import EvaluationLayer
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Session, SessionPlan
from lesson_engine.outcomes.goals import TASK_TYPE, result_of
from lesson_engine.player.state import PlayerState
from planning.contracts import TASK_LENGTH
from planning.layer import PlanningLayer
from planning.selectors import plan_read
from planning.services import plan_discard

LEASE = timedelta(seconds=60)
APP = "lesson_engine"
"""What a session concludes of its learner is told by the session alone: nobody else evaluates its plan."""
_log = structlog.get_logger(__name__)


def goals_set(session: Session) -> None:
    """Make the plan of a session that begins, from its lesson's policy; once, also when two do it at the same time.

    No transaction may be open. Where no plan can be made, the session goes on without.
    """
    lesson = outline_of(session.lesson_version_id).lesson
    meta = lesson.meta
    title = meta.title if any(sign.isalnum() for sign in meta.title) else meta.slug.replace("-", " ")
    try:
        plan = PlanningLayer().create_plan(
            title[:TASK_LENGTH],
            session.user,
            task_type=TASK_TYPE,
            criteria=lesson.policy.success_criteria,
            evaluated_by=APP,
        )
    except Exception:  # whatever it is: the session is there, and its learner waits
        _log.exception("a session has no plan", session=str(session.pk))
        return
    assert plan.id is not None
    try:
        with transaction.atomic():
            row_insert(SessionPlan(session=session, plan_id=plan.id))
    except RowThere:
        plan_discard(plan_id=plan.id)


def goals_claim(*, limit: int) -> list[SessionPlan]:
    """Lease plans of finished sessions that are not evaluated yet for a minute; the longest waiting first.

    One whose evaluation fails comes again behind the others.
    """
    with transaction.atomic():
        due = SessionPlan.objects.filter(due_at__lte=timezone.now(), evaluation=None).order_by("due_at")
        claimed = list(due.select_for_update(skip_locked=True)[:limit])
        SessionPlan.objects.filter(pk__in=[goals.pk for goals in claimed]).update(due_at=timezone.now() + LEASE)
    return claimed


def goals_due(session: Session) -> None:
    """The session is finished, or its result has changed since: it is to be evaluated. Needs the transaction."""
    due = SessionPlan.objects.filter(session=session).update(due_at=timezone.now(), evaluation=None)
    if due:
        transaction.on_commit(partial(worker_nudge, "lesson_engine.tasks.evaluate_goals"))


def goals_evaluate(goals: SessionPlan) -> Evaluation:
    """Evaluate a finished session, once for each version of its result. No transaction may be open."""
    session = Session.objects.get(pk=goals.session_id)
    outline = outline_of(session.lesson_version_id)
    result = result_of(outline, PlayerState.model_validate(session.state))
    key = f"session:{session.pk}:{session.version}"
    evaluation = EvaluationLayer().evaluate_result(plan_read(goals.plan_id), result, key=key, latest=True, by=APP)
    mine = SessionPlan.objects.filter(pk=goals.pk, session__version=session.version)
    mine.update(evaluation_id=evaluation.id)
    return evaluation
