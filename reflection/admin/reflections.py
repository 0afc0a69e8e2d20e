"""Reflections in the administration: the queue of those that wait for review, and the page of each."""

from typing import Any

from django.contrib import admin
from django.db.models import Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from core.admin.tools import ROWS_SHOWN, is_list, moment
from core.contracts import uuid_of
from evaluation.models import Evaluation
from planning.selectors import STRANGER, name_planned_for
from reflection.admin.decisions import DecidingAdmin
from reflection.admin.filters import AuthorFilter, DecisionFilter, ReviewFilter, TaskTypeFilter, is_queue
from reflection.admin.page import reflection_page
from reflection.admin.values import author_shown, metric_names
from reflection.models import Reflection, ReflectionReview
from reflection.selectors import ATTEMPTS

_PERSON = ("evaluation__plan__owner", "evaluation__plan__user__username")
_SHOWN = (
    *("created_at", "decision", "review", "in_force", "task_type", "kept", "evaluation"),
    *("evaluation__plan", "evaluation__plan__task", "evaluation__plan__user", *_PERSON),
    *("kept__author", "kept__model", "kept__quality_score", "kept__violations", "kept__by", "kept__by__username"),
)
_REVIEWS = Prefetch("reviews", queryset=ReflectionReview.objects.select_related("by", "attempt"))


@admin.register(Reflection)
class ReflectionAdmin(DecidingAdmin):
    """Those that wait for review, the oldest first; of all others the latest."""

    list_display = ("time", "task_short", "gate", "reviewed", "quality", "author", "who")
    list_display_links = ("task_short",)
    list_filter = (ReviewFilter, DecisionFilter, AuthorFilter, TaskTypeFilter)
    sortable_by = ()
    search_fields = ("task_type__exact",)  # what is searched is decided in get_search_results
    search_help_text = _(
        "A user's whole name, the whole id of a reflection, a plan or an evaluation, or words of the latest 10,000"
    )
    fields = readonly_fields = ("task_type",)  # the template shows what there is
    change_form_template = "admin/reflection/reflection/change_form.html"
    change_list_template = "admin/reflection/reflection/change_list.html"

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        if is_queue(request):
            return ("time", "task_short", "quality", "falls_short", "author", "who")
        return self.list_display

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        return ("created_at",) if is_queue(request) else ("-created_at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Reflection]:
        rows: QuerySet[Reflection] = super().get_queryset(request)
        rows = rows.select_related("kept__by", "evaluation__plan__user")
        if is_list(request):
            return rows.only(*_SHOWN)
        parts = ("evaluation__checks", "evaluation__plan__steps", "evaluation__plan__criteria")
        return rows.defer("evaluation__execution_result").prefetch_related(ATTEMPTS, _REVIEWS, *parts)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Reflection], search_term: str
    ) -> tuple[QuerySet[Reflection], bool]:
        """By user or id, each by its index; else by words, in the latest rows alone."""
        term = search_term.strip().replace("\0", "")
        if not term:
            return queryset, False
        if (id_ := uuid_of(term)) is not None:
            is_plan = Evaluation.objects.filter(plan=id_).exists()
            condition = Q(evaluation__plan=id_) if is_plan else Q(pk=id_) | Q(evaluation=id_)
            return queryset.filter(condition), False
        person = User.objects.filter(username__iexact=term).values_list("pk", flat=True).first()
        if person is not None:
            return queryset.filter(evaluation__plan__user=person), False
        latest = Reflection.objects.order_by("-created_at").values("pk")[:ROWS_SHOWN]
        words = Q(kept__analysis__icontains=term) | Q(kept__learning__icontains=term)
        task = Q(evaluation__plan__task__icontains=term) | Q(evaluation__plan__owner=STRANGER + term)
        return queryset.filter(words | task, pk__in=latest), False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """With a title of its own for the queue."""
        all_url = f"{reverse('admin:reflection_reflection_changelist')}?review=all"
        context = {"queue": is_queue(request), "all_url": all_url}
        if context["queue"]:
            context["title"] = _("Reflections that wait for review")
        return super().changelist_view(request, {**context, **(extra_context or {})})

    def page_context(self, request: HttpRequest, obj: Reflection) -> dict[str, Any]:
        task = Truncator(obj.evaluation.plan.task).chars(80)
        return {"title": _("Reflection"), "subtitle": task, "language": obj.language, "page": reflection_page(obj)}

    @admin.display(description=_("time"))
    def time(self, row: Reflection) -> str:
        return moment(row.created_at)

    @admin.display(description=_("task"))
    def task_short(self, row: Reflection) -> str:
        return str(row.evaluation.plan)

    @admin.display(description=_("gate"))
    def gate(self, row: Reflection) -> str:
        return row.get_decision_display()

    @admin.display(description=_("quality"), empty_value="")
    def quality(self, row: Reflection) -> str | None:
        return number_format(round(row.kept.quality_score, 2), 2) if row.kept else None

    @admin.display(description=_("falls short in"), empty_value="")
    def falls_short(self, row: Reflection) -> str:
        return ", ".join(metric_names(row.kept)) if row.kept else ""

    @admin.display(description=_("review"))
    def reviewed(self, row: Reflection) -> str:
        return row.get_review_display()

    @admin.display(description=_("written by"), empty_value="")
    def author(self, row: Reflection) -> str | Promise:
        return author_shown(row.kept) if row.kept else ""

    @admin.display(description=_("for"))
    def who(self, row: Reflection) -> str:
        return name_planned_for(row.evaluation.plan)
