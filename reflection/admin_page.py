"""One reflection on one page: what is to be decided, what failed, what was written of it, and who did what when."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.formats import localize

from evaluation.models import CriterionCheck
from gateway.contracts import MICROCENTS
from planning.contracts import Plan
from planning.selectors import name_planned_for, plan_of
from planning.services import chain_of
from reflection.admin_decisions import page_url
from reflection.admin_diff import Strategy
from reflection.admin_filters import WAITS
from reflection.admin_shown import AttemptShown, Shown, author_shown, metric_names, uuid_of, value_shown
from reflection.contracts import Decision
from reflection.models import Attempt, Reflection, ReflectionReview, Review
from reflection.selectors import adjustments_set_last


class Standing(StrEnum):
    """How a reflection stands, which says what there is to decide."""

    WAITS = "waits"
    IN_FORCE = "in_force"
    REFUSED = "refused"  # by the gate, and nobody looked at it
    REJECTED = "rejected"  # by staff
    SUPERSEDED = "superseded"  # another result of the plan counts, so that nobody can decide about it any more
    IDLE = "idle"  # it was let through, and there is nobody for whom it could change anything


@dataclass(frozen=True)
class CheckShown:
    """A criterion with the beginning of what was read."""

    check: CriterionCheck
    value: str


@dataclass(frozen=True)
class Page:
    """Everything on the page. `applied` is what earlier reflections adjusted in the plan, each with its address;
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
    checks: Sequence[CheckShown]
    attempts: Sequence[AttemptShown]
    reviews: Sequence[ReflectionReview]
    next: Reflection | None
    urls: dict[str, str]

    @property
    def first(self) -> AttemptShown:
        """The attempt that counts."""
        return self.attempts[0]


def page_of(row: Reflection) -> Page:
    """The page of a row that has its attempts, reviews, checks, steps and criteria with it. At most four queries."""
    kept = row.kept
    assert kept is not None
    plan_row = row.evaluation.plan
    plan = plan_of(plan_row)
    return Page(
        reflection=row,
        standing=standing_of(row),
        lacks=metric_names(kept),
        who=name_planned_for(plan_row),
        author=author_shown(kept),
        cost=localize(Decimal(row.cost) / MICROCENTS),
        plan=plan,
        applied=[_applied(one) for one in plan.metadata.applied_adjustments],
        checks=_checks(row.evaluation.checks.all()),
        attempts=_attempts(row, kept, plan, plan_row.user_id),
        reviews=list(row.reviews.all()),
        next=_next(row),
        urls=_urls(row),
    )


def standing_of(row: Reflection) -> Standing:
    """Whether it is in force, and if not, who said so."""
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
    """What an earlier reflection adjusted, with the way to that one; no way where that is none of ours."""
    key, _, words = label.partition(": ")
    known = uuid_of(key.partition("/")[0])
    return (reverse("admin:reflection_reflection_change", args=[known]), words) if known else ("", label)


def _checks(checks: Iterable[CriterionCheck]) -> list[CheckShown]:
    """Those that failed, then those of which nobody knows, then those that were met."""
    order = {False: 0, None: 1, True: 2}
    found = sorted(checks, key=lambda check: (order[check.met], check.position))
    return [CheckShown(check, value_shown(check.actual)) for check in found]


def _attempts(row: Reflection, kept: Attempt, plan: Plan, user_id: int | None) -> list[AttemptShown]:
    attempts = sorted(row.attempts.all(), key=lambda one: (one.pk != kept.pk, -one.number))
    shown, strategy = Shown(attempts, user_id), Strategy(plan)
    by_it = adjustments_set_last(row)[1] if user_id is not None and kept.adjustments else []
    return [
        shown.attempt(one, strategy, kept=one.pk == kept.pk, by_it=by_it if one.pk == kept.pk else ())
        for one in attempts
    ]


def _next(row: Reflection) -> Reflection | None:
    """What waits longest for review beside this one."""
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
