"""Questions that learners report and staff withdraw, and the pages that ask before they are dismissed or withdrawn."""

from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.db.models import Case, OuterRef, QuerySet, Value, When
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from accounts.staff.access import staff_of
from core.admin.tools import ROWS_SHOWN, BoundedCount, column, link
from lesson_engine.admin.base import QuestionAdmin, ReportKindFilter, ReportStateFilter, VersionLessonFilter
from lesson_engine.authoring.pages import author_page
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LessonVersion, QuestionReport, QuestionVoid, Session
from lesson_engine.services.questions import (
    MAX_NOTE,
    MAX_REASON,
    question_void,
    reports_dismiss,
    versions_with_the_same,
)
from lesson_engine.workbench.addresses import is_key
from lesson_engine.workbench.cards import question_view, report_view

AT_ONCE = 100
"""How many reports are dismissed with one note."""


class WithdrawForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=MAX_REASON,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("What is wrong with the question. It stays on record for good: name no learner here."),
    )


@admin.register(QuestionVoid)
class QuestionVoidAdmin(QuestionAdmin):
    list_display = ("ask_code", "lesson", "progress", "rescored", "reason", "by", "at")
    list_filter = (VersionLessonFilter,)
    ordering = ("-pk",)
    fields = readonly_fields = ("ask_code", "version", "reason", "by", "at", "progress", "rescored")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.withdraw_page)
        return [path("withdraw/", view, name="lesson_engine_questionvoid_withdraw"), *super().get_urls()]

    @admin.display(description=_("re-scoring"))
    def progress(self, void: QuestionVoid) -> str | Promise:
        done = void.state == QuestionVoid.State.DONE
        return pgettext_lazy("re-scoring", "done") if done else pgettext_lazy("re-scoring", "under way")

    def withdraw_page(self, request: HttpRequest) -> HttpResponse:
        """Asks for the reason, and withdraws the question `ask` of the version `version`."""
        by = staff_of(self, request)
        version, code = _question(request)
        form = WithdrawForm(request.POST or None)
        if form.is_valid():
            made = question_void(version=version, ask_code=code, by=by, reason=form.cleaned_data["reason"])
            text = _("The question is withdrawn. Results are being re-scored; this list says when that is done.")
            before = _("This question was withdrawn before.")
            self.message_user(request, text if made else before, messages.SUCCESS if made else messages.WARNING)
            return redirect("admin:lesson_engine_questionvoid_changelist")
        same = versions_with_the_same(version, code)
        context = {
            "form": form,
            "version": version,
            "question": question_view(outline_of(version.pk), code),
            "same": same,
            "sessions": Session.objects.filter(lesson_version__in=same).order_by()[:ROWS_SHOWN].count(),
            "most": ROWS_SHOWN,
        }
        status, title = 422 if form.errors else 200, _("Withdraw this question for everybody?")
        return author_page(request, QuestionVoid, "questionvoid/withdraw", title, context, status=status)


def withdraw_url(version_id: int, ask_code: str) -> str:
    """The page that asks before this question is withdrawn."""
    query = urlencode({"version": version_id, "ask": ask_code})
    return f"{reverse('admin:lesson_engine_questionvoid_withdraw')}?{query}"


def _question(request: HttpRequest) -> tuple[LessonVersion, str]:
    key, code = request.GET.get("version", ""), request.GET.get("ask", "")
    version: Any = None
    if is_key(key):
        version = LessonVersion.objects.select_related("lesson").defer("source").filter(pk=int(key)).first()
    if version is None or code not in outline_of(version.pk).asks:
        raise Http404
    return version, code


class DismissForm(forms.Form):
    note = forms.CharField(
        label=_("Note"),
        max_length=MAX_NOTE,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("Why the question stays as it is. Staff read it; learners are only told that somebody looked."),
    )


@admin.register(QuestionReport)
class QuestionReportAdmin(QuestionAdmin):
    list_display = ("ask_code", "lesson", "kind", "comment_given", "others", "state", "reported_at")
    list_filter = (ReportStateFilter, ReportKindFilter, VersionLessonFilter)
    list_select_related = ("lesson_version__lesson", "session__user", "resolved_by")
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
        same = QuestionReport.objects.filter(lesson_version=OuterRef("lesson_version"), ask_code=OuterRef("ask_code"))
        queryset: QuerySet[QuestionReport] = super().get_queryset(request).defer("session__state")
        return queryset.annotate(same_count=BoundedCount(same))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.dismiss_page)
        return [path("dismiss/", view, name="lesson_engine_questionreport_dismiss"), *super().get_urls()]

    def page_context(self, request: HttpRequest, obj: QuestionReport) -> dict[str, Any]:
        return {
            "subtitle": f"{obj.ask_code} · {obj.get_kind_display()}",
            "report": report_view(obj),
            "dismiss_url": _dismiss_url([obj.pk]),
            "withdraw_url": withdraw_url(obj.lesson_version_id, obj.ask_code),
        }

    @admin.display(description=_("comment"), boolean=True)
    def comment_given(self, report: QuestionReport) -> bool:
        return bool(report.comment)

    said = column(
        _("comment"), lambda report: _("The learner's words were erased.") if report.comment is None else report.comment
    )

    others = column(_("others who reported it"), lambda report: int(report.same_count) - 1)

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
        ids = [int(key) for key in request.GET.get("ids", "").split(",")[:AT_ONCE] if is_key(key)]
        reports = list(self.get_queryset(request).filter(pk__in=ids, state=QuestionReport.State.OPEN))
        form = DismissForm(request.POST or None)
        if reports and form.is_valid():
            count = reports_dismiss(reports=reports, by=by, note=form.cleaned_data["note"])
            text = ngettext("%(n)s report was dismissed.", "%(n)s reports were dismissed.", count) % {"n": count}
            self.message_user(request, text, messages.SUCCESS)
            return redirect("admin:lesson_engine_questionreport_changelist")
        context, status = {"form": form, "reports": reports}, 422 if form.errors else 200
        title = _("Dismiss these reports?")
        return author_page(request, QuestionReport, "questionreport/dismiss", title, context, status=status)


def _dismiss_url(ids: Any) -> str:
    return f"{reverse('admin:lesson_engine_questionreport_dismiss')}?ids={','.join(map(str, ids))}"
