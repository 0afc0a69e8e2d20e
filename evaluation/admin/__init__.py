"""A plan on one page: its steps as a graph, its criteria and where each comes from, and what came of them each time."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.db.models import CharField, F, Func, Q, QuerySet
from django.db.models.functions import Left
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from core.admin.tools import ROWS_SHOWN, AnyAdmin, Lookups, ReadOnlyAdmin, ValueFilter, is_list, link, moment
from core.contracts import uuid_of
from evaluation.admin.plan_graph import plan_graph
from evaluation.models import CriterionCheck, Evaluation, PendingReflection
from planning.contracts import PlanMetadata, PlanOutcome
from planning.models import OUTCOME_LABELS, Plan
from planning.selectors import STRANGER, name_planned_for, plan_of, task_types

EVALUATIONS_SHOWN = 10
_RESULT_SHOWN, _VALUE_SHOWN, _WORDS_SHOWN = 5_000, 120, 400
_LONG = ("desired_result", "config", "constraints", "metadata")


class TaskTypeFilter(ValueFilter):
    title, parameter_name = _("task type"), "task_type"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [(name, name) for name in task_types()]


class OutcomeFilter(admin.SimpleListFilter):
    title, parameter_name = _("outcome"), "outcome"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        none: tuple[str, str | Promise] = ("none", pgettext_lazy("plan", "not evaluated"))
        return [*((outcome.value, label) for outcome, label in OUTCOME_LABELS.items()), none]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Plan]) -> QuerySet[Plan]:
        value = self.value()
        if value == "none":
            return queryset.filter(outcome="")
        return queryset.filter(outcome=value) if value in list(PlanOutcome) else queryset


class InfluenceFilter(admin.SimpleListFilter):
    title, parameter_name = _("what shaped it"), "shaped"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [("experience", _("experience")), ("adjustments", _("adjustments"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Plan]) -> QuerySet[Plan]:
        if self.value() == "experience":
            return queryset.filter(metadata__influenced_by_experience=True)
        return queryset.exclude(metadata__applied_adjustments=[]) if self.value() == "adjustments" else queryset


@dataclass(frozen=True)
class Checked:
    """What came of a criterion, as the page shows it: `value` is the beginning of what was read, empty for nothing."""

    check: CriterionCheck
    value: str
    words: str


@dataclass(frozen=True)
class Judged:
    """A criterion with what came of it in each evaluation shown, the latest first; None where it was not checked."""

    criterion: Any
    checks: list[Checked | None]


@admin.register(Plan)
class PlanAdmin(ReadOnlyAdmin):
    list_display = ("made", "task_short", "outcome_shown", "task_type", "source", "who")
    list_display_links = ("task_short",)
    list_filter = ("source", OutcomeFilter, InfluenceFilter, TaskTypeFilter)
    ordering = ("-created_at",)
    sortable_by = ()
    search_fields = ("owner__exact",)  # what is searched is decided in get_search_results
    search_help_text = _("A user's whole name, a plan's whole id, or words of the latest 10,000")
    list_select_related = ("user",)
    fields = (
        *("task", "task_type", "language", "source", "who", "created_at"),
        *("outcome_shown", "evaluated_at", "cost_shown"),
    )
    readonly_fields = fields
    change_form_template = "admin/planning/plan/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Plan]:
        plans = super().get_queryset(request)
        if is_list(request):
            return plans.defer(*_LONG)
        return plans.select_related("user").prefetch_related("steps", "criteria")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Plan], search_term: str
    ) -> tuple[QuerySet[Plan], bool]:
        """A person or a plan by their index; else words, in the latest rows alone."""
        term = search_term.strip().replace("\0", "")
        if not term:
            return queryset, False
        if (plan_id := uuid_of(term)) is not None:
            return queryset.filter(pk=plan_id), False
        person = User.objects.filter(username__iexact=term).values_list("pk", flat=True).first()
        if person is not None:
            return queryset.filter(user=person), False
        latest = Plan.objects.order_by("-created_at").values("pk")[:ROWS_SHOWN]
        return queryset.filter(Q(task__icontains=term) | Q(owner=STRANGER + term), pk__in=latest), False

    @admin.display(description=_("task"))
    def task_short(self, plan: Plan) -> str:
        return str(plan)

    @admin.display(description=_("outcome"))
    def outcome_shown(self, plan: Plan) -> str | Promise:
        return plan.get_outcome_display() if plan.outcome else pgettext_lazy("plan", "not evaluated")

    @admin.display(description=_("for"))
    def who(self, plan: Plan) -> str:
        return name_planned_for(plan)

    @admin.display(description=_("time"))
    def made(self, plan: Plan) -> str:
        return moment(plan.created_at)

    @admin.display(description=_("cost, cents"))
    def cost_shown(self, plan: Plan) -> str:
        return f"{plan.cost / 1_000_000:.6f}".rstrip("0").rstrip(".")

    def page_context(self, request: HttpRequest, obj: Plan) -> dict[str, Any]:
        plan = plan_of(obj)
        text = Func(F("execution_result"), function="jsonb_pretty", output_field=CharField())
        evaluations = list(
            Evaluation.objects.filter(plan=obj)
            .annotate(result=Left(text, _RESULT_SHOWN))
            .defer("execution_result")
            .select_related("pending_reflection")
            .prefetch_related("checks")
            .order_by("-created_at")[: EVALUATIONS_SHOWN + 1]
        )
        shown = evaluations[:EVALUATIONS_SHOWN]
        return {
            "plan": plan,
            "graph": plan_graph(plan.steps),
            "evaluations": shown,
            "earlier": len(evaluations) > EVALUATIONS_SHOWN,
            "judged": _judged(obj, shown),
            "cached_from_url": _plan_url(plan.metadata.cached_from),
            "shaped": bool(plan.config.priority or plan.constraints or _shaping(plan.metadata)),
        }


def _shaping(metadata: PlanMetadata) -> list[Any]:
    sources = (metadata.past_learnings, metadata.preferences, metadata.applied_adjustments)
    return [source for source in (*sources, metadata.cached_from, metadata.model, metadata.fallback) if source]


def _judged(plan: Plan, evaluations: Sequence[Evaluation]) -> list[Judged]:
    by_evaluation = [{check.position: check for check in evaluation.checks.all()} for evaluation in evaluations]
    return [
        Judged(criterion, [_checked(checks.get(criterion.position)) for checks in by_evaluation])
        for criterion in plan.criteria.all()
    ]


def _checked(check: CriterionCheck | None) -> Checked | None:
    if check is None:
        return None
    value = check.actual
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    shown = "" if value is None else Truncator(text).chars(_VALUE_SHOWN)
    return Checked(check, shown, Truncator(check.explanation).chars(_WORDS_SHOWN))


def _plan_url(plan_id: str | None) -> str:
    return reverse("admin:planning_plan_change", args=[plan_id]) if plan_id else ""


_STATES: dict[str, Promise] = {
    PendingReflection.State.RUNNING: pgettext_lazy("failure", "to be reflected on"),
    PendingReflection.State.DONE: pgettext_lazy("failure", "reflected on"),
}


class StateFilter(ValueFilter):
    title, parameter_name = _("state"), "state"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return list(_STATES.items())


@admin.register(PendingReflection)
class PendingReflectionAdmin(ReadOnlyAdmin):
    """Failures that are to be reflected on, and those that were."""

    list_display = ("since", "task_short", "state_shown")
    list_display_links = ("task_short",)
    list_filter = (StateFilter,)
    ordering = ("-id",)
    sortable_by = ()
    fields = ("plan", "state_shown", "created_at", "takes", "lease_until")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[PendingReflection]:
        """With the task of its plan, and without what is long and not shown."""
        pending = super().get_queryset(request).select_related("evaluation__plan")
        return pending.only(*(field.name for field in self.opts.fields), "evaluation__plan__task")

    @admin.display(description=_("since"))
    def since(self, pending: PendingReflection) -> str:
        return moment(pending.created_at)

    @admin.display(description=_("task"))
    def task_short(self, pending: PendingReflection) -> str:
        return str(pending)

    @admin.display(description=_("plan"))
    def plan(self, pending: PendingReflection) -> str:
        plan = pending.evaluation.plan
        return link(_plan_url(str(plan.pk)), str(plan))

    @admin.display(description=_("state"))
    def state_shown(self, pending: PendingReflection) -> Promise:
        return _STATES[pending.state]
