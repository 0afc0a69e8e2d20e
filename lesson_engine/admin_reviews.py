"""What staff said of verdicts, to look at; and the way to the pages on which they say it."""

from typing import Any

from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.staff import staff_required
from core.admin_tools import AnyAdmin, Lookups, ReadOnlyAdmin, ValueFilter, is_list, link
from lesson_engine.admin_filters import LISTED, VersionLessonFilter
from lesson_engine.admin_pages import version_link
from lesson_engine.contracts import VerdictResult
from lesson_engine.models import VerdictReview
from lesson_engine.workbench import pages, views
from lesson_engine.workbench.addresses import timeline_url
from lesson_engine.workbench.cards import RESULTS


class GraderFilter(ValueFilter):
    title, parameter_name = _("grader version"), "grader"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        known = VerdictReview.objects.order_by("-grader").values_list("grader", flat=True).distinct()
        return [(version, version) for version in known[:LISTED]]


class AgreesFilter(admin.SimpleListFilter):
    """Whether staff said the same as the grader."""

    title, parameter_name = _("agreement"), "agrees"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [("yes", _("Confirmed")), ("no", _("Overruled"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "yes":
            return queryset.filter(graded=F("result"))
        return queryset.exclude(graded=F("result")) if self.value() == "no" else queryset


class ResultFilter(ValueFilter):
    title, parameter_name = _("what it is worth"), "result"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [(value.value, RESULTS[value]) for value in VerdictResult]


class DoubtFilter(admin.SimpleListFilter):
    """Whether the grader was unsure."""

    title, parameter_name = _("the grader was"), "doubtful"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [("yes", _("in doubt")), ("no", _("sure"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(doubtful=self.value() == "yes") if self.value() in ("yes", "no") else queryset


class MineFilter(admin.SimpleListFilter):
    """What one said oneself."""

    title, parameter_name = _("reviewer"), "mine"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [("yes", _("Mine"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(by_id=request.user.pk) if self.value() == "yes" else queryset


@admin.register(VerdictReview)
class VerdictReviewAdmin(ReadOnlyAdmin):
    list_display = ("ask_code", "lesson", "said", "by_grader", "by", "at")
    list_filter = (AgreesFilter, ResultFilter, DoubtFilter, MineFilter, GraderFilter, VersionLessonFilter)
    list_select_related = ("lesson_version__lesson", "by")
    ordering = ("-pk",)
    sortable_by = ()
    search_fields = ("ask_code__exact",)
    search_help_text = _("A question's whole code")
    fields = readonly_fields = (
        *("ask_code", "version", "said", "by_grader", "score", "doubtful", "grader", "note"),
        *("by", "at", "current", "drawn", "verdict", "timeline"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[VerdictReview]:
        queryset: QuerySet[VerdictReview] = super().get_queryset(request).select_related(*self.list_select_related)
        slim = queryset.defer("lesson_version__source", "lesson_version__summary")
        return slim if is_list(request) else slim.select_related("turn")

    def get_urls(self) -> list[URLPattern]:
        return [
            self._path("workbench/", views.workbench, "workbench"),
            self._path("workbench/<int:turn_id>/", views.verdict, "verdict"),
            self._path("agreement/", pages.agreement, "agreement"),
            self._path("export/", pages.export, "export"),
            *super().get_urls(),
        ]

    def page_context(self, request: HttpRequest, obj: VerdictReview) -> dict[str, Any]:
        return {"subtitle": f"{obj.ask_code} · {RESULTS[obj.result]}"}

    def _path(self, route: str, view: Any, name: str) -> URLPattern:
        """A page for staff; others are shown the way, learners are refused."""
        guarded = staff_required(self.admin_site.admin_view(view))
        return path(route, guarded, name=f"lesson_engine_verdictreview_{name}")

    @admin.display(description=_("lesson"))
    def lesson(self, review: VerdictReview) -> str:
        return f"{review.lesson_version.lesson.slug} · {review.lesson_version.number}"

    @admin.display(description=_("lesson version"))
    def version(self, review: VerdictReview) -> str:
        return version_link(review.lesson_version)

    @admin.display(description=_("what it is worth"))
    def said(self, review: VerdictReview) -> str | Promise:
        return RESULTS[review.result]

    @admin.display(description=_("the grader said"))
    def by_grader(self, review: VerdictReview) -> str | Promise:
        return RESULTS[review.graded]

    @admin.display(description=_("the answer"))
    def verdict(self, review: VerdictReview) -> str:
        url = reverse("admin:lesson_engine_verdictreview_verdict", args=[review.turn_id])
        return link(url, _("With everything that staff said of it"))

    @admin.display(description=_("session"))
    def timeline(self, review: VerdictReview) -> str:
        return link(timeline_url(review.turn), _("The session's timeline, at this answer"))
