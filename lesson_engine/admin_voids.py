"""Questions that were withdrawn, how far their results are re-scored, and the page that asks before."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.staff import staff_of
from core.admin_tools import ROWS_SHOWN, ReadOnlyAdmin
from lesson_engine.admin_filters import VersionLessonFilter
from lesson_engine.admin_pages import version_link
from lesson_engine.catalogue import outline_of
from lesson_engine.models import LessonVersion, QuestionVoid, Session
from lesson_engine.reported import question_shown
from lesson_engine.services.voids import MAX_REASON, question_void, versions_with_the_same


class WithdrawForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=MAX_REASON,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("What is wrong with the question. It stays on record for good: name no learner here."),
    )


@admin.register(QuestionVoid)
class QuestionVoidAdmin(ReadOnlyAdmin):
    list_display = ("ask_code", "lesson", "progress", "rescored", "reason", "by", "at")
    list_filter = (VersionLessonFilter,)
    list_select_related = ("lesson_version__lesson", "by")
    ordering = ("-pk",)
    sortable_by = ()
    search_fields = ("ask_code__exact",)
    search_help_text = _("A question's whole code")
    fields = readonly_fields = ("ask_code", "version", "reason", "by", "at", "progress", "rescored")

    def get_queryset(self, request: HttpRequest) -> QuerySet[QuestionVoid]:
        queryset: QuerySet[QuestionVoid] = super().get_queryset(request).select_related(*self.list_select_related)
        return queryset.defer("lesson_version__source", "lesson_version__summary")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.withdraw_page)
        return [path("withdraw/", view, name="lesson_engine_questionvoid_withdraw"), *super().get_urls()]

    @admin.display(description=_("lesson"))
    def lesson(self, void: QuestionVoid) -> str:
        return f"{void.lesson_version.lesson.slug} · {void.lesson_version.number}"

    @admin.display(description=_("lesson version"))
    def version(self, void: QuestionVoid) -> str:
        return version_link(void.lesson_version)

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
            known = _("This question was withdrawn before.")
            self.message_user(request, text if made else known, messages.SUCCESS if made else messages.WARNING)
            return redirect("admin:lesson_engine_questionvoid_changelist")
        same = versions_with_the_same(version, code)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Withdraw this question for everybody?"),
            "opts": self.opts,
            "form": form,
            "version": version,
            "question": question_shown(outline_of(version.pk), code),
            "same": same,
            "sessions": Session.objects.filter(lesson_version__in=same).order_by()[:ROWS_SHOWN].count(),
            "most": ROWS_SHOWN,
        }
        status = 422 if form.errors else 200
        return TemplateResponse(request, "admin/lesson_engine/questionvoid/withdraw.html", context, status=status)


def withdraw_url(version_id: int, ask_code: str) -> str:
    """The page that asks before this question is withdrawn."""
    query = urlencode({"version": version_id, "ask": ask_code})
    return f"{reverse('admin:lesson_engine_questionvoid_withdraw')}?{query}"


def _question(request: HttpRequest) -> tuple[LessonVersion, str]:
    given, code = request.GET.get("version", ""), request.GET.get("ask", "")
    found: Any = None
    if given.isascii() and given.isdecimal() and len(given) < 19:
        found = LessonVersion.objects.select_related("lesson").defer("source").filter(pk=int(given)).first()
    if found is None or code not in outline_of(found.pk).asks:
        raise Http404
    return found, code
