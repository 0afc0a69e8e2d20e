"""Reviews of verdicts, to look at; and the way to the pages on which staff review."""

from typing import Any

from django.contrib import admin
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, reverse
from django.utils.translation import gettext_lazy as _

from core.admin.tools import AnyAdmin, ConditionFilter, Lookups, ValueFilter, column, is_list, link
from lesson_engine.admin.base import LISTED, QuestionAdmin, VersionLessonFilter
from lesson_engine.models import VerdictReview
from lesson_engine.workbench import views
from lesson_engine.workbench.addresses import timeline_url
from lesson_engine.workbench.cards import RESULTS, graded_name
from lesson_engine.workbench.sentences import sentences


class GraderFilter(ValueFilter):
    title, parameter_name = _("grader version"), "grader"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        versions = VerdictReview.objects.order_by("-grader").values_list("grader", flat=True).distinct()
        return [(version, version) for version in versions[:LISTED]]


class AgreesFilter(ConditionFilter):
    """Whether staff agreed with the grader, where it was sure."""

    title, parameter_name = _("agreement"), "agrees"
    conditions = {
        "yes": (_("Confirmed"), Q(doubtful=False, graded=F("result"))),
        "no": (_("Overruled"), Q(doubtful=False) & ~Q(graded=F("result"))),
    }


class ResultFilter(ValueFilter):
    title, parameter_name, values = _("what it is worth"), "result", tuple(RESULTS.items())


class DoubtFilter(ConditionFilter):
    title, parameter_name = _("the grader was"), "doubtful"
    conditions = {"yes": (_("in doubt"), Q(doubtful=True)), "no": (_("sure"), Q(doubtful=False))}


class MineFilter(admin.SimpleListFilter):
    """The reader's own reviews."""

    title, parameter_name = _("reviewer"), "mine"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [("yes", _("Mine"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(by_id=request.user.pk) if self.value() == "yes" else queryset


@admin.register(VerdictReview)
class VerdictReviewAdmin(QuestionAdmin):
    list_display = ("ask_code", "lesson", "said", "by_grader", "by", "at")
    list_filter = (AgreesFilter, ResultFilter, DoubtFilter, MineFilter, GraderFilter, VersionLessonFilter)
    ordering = ("-pk",)
    fields = readonly_fields = (
        *("ask_code", "version", "said", "by_grader", "score", "doubtful", "grader", "note"),
        *("by", "at", "current", "drawn", "verdict", "timeline"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[VerdictReview]:
        queryset: QuerySet[VerdictReview] = super().get_queryset(request)
        return queryset if is_list(request) else queryset.select_related("turn")

    def get_urls(self) -> list[URLPattern]:
        return [
            self.staff_path("workbench/", views.workbench, "workbench"),
            self.staff_path("workbench/<int:turn_id>/", views.verdict, "verdict"),
            self.staff_path("workbench/<int:turn_id>/undo/", views.undo, "undo"),
            self.staff_path("agreement/", views.agreement, "agreement"),
            self.staff_path("export/", views.export, "export"),
            self.staff_path("sentences/", sentences, "sentences"),
            *super().get_urls(),
        ]

    def page_context(self, request: HttpRequest, obj: VerdictReview) -> dict[str, Any]:
        return {"subtitle": f"{obj.ask_code} · {_('taken back') if obj.takes_back_id else RESULTS[obj.result]}"}

    said = column(
        _("what it is worth"), lambda review: _("taken back") if review.takes_back_id else RESULTS[review.result]
    )

    by_grader = column(_("the grader said"), lambda review: graded_name(review.graded, doubtful=review.doubtful))

    @admin.display(description=_("the answer"))
    def verdict(self, review: VerdictReview) -> str:
        url = reverse("admin:lesson_engine_verdictreview_verdict", args=[review.turn_id])
        return link(url, _("With everything that staff said of it"))

    timeline = column(
        _("session"), lambda review: link(timeline_url(review.turn), _("The session's timeline, at this answer"))
    )
