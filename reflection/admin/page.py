"""One reflection on one page: the decision to take, the failure, the attempts, and the reviews."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.formats import localize

from core.contracts import uuid_of
from evaluation.models import CriterionCheck
from gateway.contracts import MICROCENTS
from planning.contracts import Plan
from planning.selectors import name_planned_for, plan_of
from planning.services import chain_of
from reflection.admin.decisions import page_url
from reflection.admin.diff import Strategy
from reflection.admin.filters import WAITS
from reflection.admin.values import AttemptsView, AttemptView, author_shown, metric_names, value_shown
from reflection.contracts import Decision
from reflection.models import Attempt, Reflection, ReflectionReview, Review
from reflection.selectors import adjustments_set_last


class Standing(StrEnum):
    """The state of a reflection, from which follows what there is to decide."""

    WAITS = "waits"
    IN_FORCE = "in_force"
    REFUSED = "refused"  # by the gate, and not reviewed
    REJECTED = "rejected"  # by staff
    SUPERSEDED = "superseded"  # another result of the plan counts: no decision is possible any more
    IDLE = "idle"  # it was let through, and there is no user for whom it could change anything


@dataclass(frozen=True)
class CheckView:
    """A criterion with the beginning of the value that was read."""

    check: CriterionCheck
    value: str


@dataclass(frozen=True)
class ReflectionPage:
    """All that the page shows. `applied` are the adjustments of earlier reflections in the plan, each with its address;
    `checks` begin with those that failed, `attempts` with the one that counts.
    """

    reflection: Reflection
    standing: Standing
    lacks: Sequence[str]
    who: str
    author: Any
    cost: str
    plan: Plan
    applied: Sequence[tuple[str, str]]
    checks: Sequence[CheckView]
    attempts: Sequence[AttemptView]
    reviews: Sequence[ReflectionReview]
    next: Reflection | None
    urls: dict[str, str]

    @property
    def first(self) -> AttemptView:
        """The attempt that counts."""
        return self.attempts[0]


def reflection_page(row: Reflection) -> ReflectionPage:
    """The page of a row selected with attempts, reviews, checks, steps and criteria. At most four queries."""
    kept = row.kept
    assert kept is not None
    plan_row = row.evaluation.plan
    plan = plan_of(plan_row)
    return ReflectionPage(
        reflection=row,
        standing=standing_of(row),
        lacks=metric_names(kept),
        who=name_planned_for(plan_row),
        author=author_shown(kept),
        cost=localize(Decimal(row.cost) / MICROCENTS),
        plan=plan,
        applied=[_applied(label) for label in plan.metadata.applied_adjustments],
        checks=_checks(row.evaluation.checks.all()),
        attempts=_attempts(row, kept, plan, plan_row.user_id),
        reviews=list(row.reviews.all()),
        next=_next(row),
        urls=_urls(row),
    )


def standing_of(row: Reflection) -> Standing:
    if row.in_force:
        return Standing.IN_FORCE
    if row.review == Review.SUPERSEDED:
        return Standing.SUPERSEDED
    if row.review == Review.REJECTED:
        return Standing.REJECTED
    if row.review == Review.APPROVED or row.decision == Decision.ACCEPTED:
        return Standing.IDLE
    return Standing.REFUSED if row.decision == Decision.REJECTED else Standing.WAITS


def _applied(label: str) -> tuple[str, str]:
    """Address and words of an adjustment of an earlier reflection; no address for a label that names none."""
    key, _, words = label.partition(": ")
    reflection_id = uuid_of(key.partition("/")[0])
    return (
        (reverse("admin:reflection_reflection_change", args=[reflection_id]), words) if reflection_id else ("", label)
    )


def _checks(checks: Iterable[CriterionCheck]) -> list[CheckView]:
    """Those that failed, then the unknown ones, then those that were met."""
    order = {False: 0, None: 1, True: 2}
    ordered = sorted(checks, key=lambda check: (order[check.met], check.position))
    return [CheckView(check, value_shown(check.actual)) for check in ordered]


def _attempts(row: Reflection, kept: Attempt, plan: Plan, user_id: int | None) -> list[AttemptView]:
    attempts = sorted(row.attempts.all(), key=lambda attempt: (attempt.pk != kept.pk, -attempt.number))
    views, strategy = AttemptsView(attempts, user_id), Strategy(plan)
    by_it = adjustments_set_last(row)[1] if user_id is not None and kept.adjustments else []
    return [
        views.attempt(attempt, strategy, kept=attempt.pk == kept.pk, by_it=by_it if attempt.pk == kept.pk else ())
        for attempt in attempts
    ]


def _next(row: Reflection) -> Reflection | None:
    """The reflection that waits longest for review, this one aside."""
    others = Reflection.objects.filter(WAITS).exclude(pk=row.pk).order_by("created_at")
    slim = others.only("evaluation", "evaluation__plan", "evaluation__plan__task")
    return slim.select_related("evaluation__plan").first()


def _urls(row: Reflection) -> dict[str, str]:
    events = urlencode({"q": chain_of(row.evaluation.plan_id)})
    return {
        **{name: page_url(row, name) for name in ("approve", "reject", "edit")},
        "plan": reverse("admin:planning_plan_change", args=[row.evaluation.plan_id]),
        "events": f"{reverse('admin:telemetry_event_changelist')}?{events}",
    }
