"""The queue of questions that learners say are wrong, and the page that asks before reports are dismissed."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import Case, OuterRef, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.staff import staff_of
from core.admin_tools import BoundedCount, ReadOnlyAdmin, link
from lesson_engine.admin_filters import ReportKindFilter, ReportStateFilter, VersionLessonFilter
from lesson_engine.admin_pages import version_link
from lesson_engine.admin_voids import withdraw_url
from lesson_engine.models import QuestionReport
from lesson_engine.reported import report_shown
from lesson_engine.services.reports import MAX_NOTE, reports_dismiss

AT_ONCE = 100
"""How many reports are dismissed with one note."""


class DismissForm(forms.Form):
    note = forms.CharField(
        label=_("Note"),
        max_length=MAX_NOTE,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("Why the question stays as it is. Staff read it; learners are only told that somebody looked."),
    )


@admin.register(QuestionReport)
class QuestionReportAdmin(ReadOnlyAdmin):
    list_display = ("ask_code", "lesson", "kind", "comment_given", "others", "state", "reported_at")
    list_filter = (ReportStateFilter, ReportKindFilter, VersionLessonFilter)
    list_select_related = ("lesson_version__lesson", "session__user", "resolved_by")
    sortable_by = ()
    search_fields = ("ask_code__exact",)
    search_help_text = _("A question's whole code")
    fields = readonly_fields = (
        *("ask_code", "version", "kind", "said", "reported_at", "others", "timeline"),
        *("state", "resolved_at", "resolved_by", "note"),
    )
    actions: Any = ("dismiss", "withdraw")
    _OPEN_FIRST: ClassVar = Case(When(state=QuestionReport.State.OPEN, then=Value(0)), default=Value(1)).asc()

    def get_ordering(self, request: HttpRequest) -> Any:
        """Open ones first and the oldest on top. Of one state alone the index has them in order."""
        oldest = ("reported_at", "pk")
        return (self._OPEN_FIRST, *oldest) if ReportStateFilter.all_wanted(request) else oldest

    def get_queryset(self, request: HttpRequest) -> QuerySet[QuestionReport]:
        queryset: QuerySet[QuestionReport] = super().get_queryset(request).select_related(*self.list_select_related)
        same = QuestionReport.objects.filter(lesson_version=OuterRef("lesson_version"), ask_code=OuterRef("ask_code"))
        heavy = ("lesson_version__source", "lesson_version__summary", "session__state")
        return queryset.defer(*heavy).annotate(same_count=BoundedCount(same))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.dismiss_page)
        return [path("dismiss/", view, name="lesson_engine_questionreport_dismiss"), *super().get_urls()]

    def page_context(self, request: HttpRequest, obj: QuestionReport) -> dict[str, Any]:
        return {
            "subtitle": f"{obj.ask_code} · {obj.get_kind_display()}",
            "report": report_shown(obj),
            "dismiss_url": _dismiss_url([obj.pk]),
            "withdraw_url": withdraw_url(obj.lesson_version_id, obj.ask_code),
        }

    @admin.display(description=_("lesson"))
    def lesson(self, report: QuestionReport) -> str:
        return f"{report.lesson_version.lesson.slug} · {report.lesson_version.number}"

    @admin.display(description=_("lesson version"))
    def version(self, report: QuestionReport) -> str:
        return version_link(report.lesson_version)

    @admin.display(description=_("comment"), boolean=True)
    def comment_given(self, report: QuestionReport) -> bool:
        return bool(report.comment)

    @admin.display(description=_("comment"))
    def said(self, report: QuestionReport) -> str | Promise:
        return _("The learner's words were erased.") if report.comment is None else report.comment

    @admin.display(description=_("others who reported it"))
    def others(self, report: Any) -> int:
        return int(report.same_count) - 1

    @admin.display(description=_("session"))
    def timeline(self, report: QuestionReport) -> str:
        name = {"name": report.session.user.get_username()}
        url = reverse("admin:lesson_engine_session_change", args=[report.session_id])
        return link(url, _("The whole session of %(name)s") % name)

    @admin.action(description=_("Dismiss: the question stays as it is"))
    def dismiss(self, request: HttpRequest, queryset: QuerySet[QuestionReport]) -> HttpResponse:
        return redirect(_dismiss_url(queryset.order_by().values_list("pk", flat=True)[:AT_ONCE]))

    @admin.action(description=_("Withdraw the question for everybody"))
    def withdraw(self, request: HttpRequest, queryset: QuerySet[QuestionReport]) -> HttpResponse | None:
        questions = list(queryset.order_by().values_list("lesson_version_id", "ask_code").distinct()[:2])
        if len(questions) > 1:
            self.message_user(request, _("Choose reports of one question: each gets its own reason."), messages.ERROR)
            return None
        return redirect(withdraw_url(*questions[0]))

    def dismiss_page(self, request: HttpRequest) -> HttpResponse:
        """Asks for the note, and dismisses those of `ids` that are still open."""
        by = staff_of(self, request)
        ids = [int(given) for given in request.GET.get("ids", "").split(",")[:AT_ONCE] if _is_id(given)]
        reports = list(self.get_queryset(request).filter(pk__in=ids, state=QuestionReport.State.OPEN))
        form = DismissForm(request.POST or None)
        if reports and form.is_valid():
            count = reports_dismiss(reports=reports, by=by, note=form.cleaned_data["note"])
            text = ngettext("%(n)s report was dismissed.", "%(n)s reports were dismissed.", count) % {"n": count}
            self.message_user(request, text, messages.SUCCESS)
            return redirect("admin:lesson_engine_questionreport_changelist")
        context = {
            **self.admin_site.each_context(request),
            "title": _("Dismiss these reports?"),
            "opts": self.opts,
            "form": form,
            "reports": reports,
        }
        status = 422 if form.errors else 200
        return TemplateResponse(request, "admin/lesson_engine/questionreport/dismiss.html", context, status=status)


def _dismiss_url(ids: Any) -> str:
    return f"{reverse('admin:lesson_engine_questionreport_dismiss')}?ids={','.join(map(str, ids))}"


def _is_id(given: str) -> bool:
    return given.isascii() and given.isdecimal() and len(given) < 19
