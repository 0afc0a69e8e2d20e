"""Query plans in the administration."""

from typing import Any

from django.contrib import admin
from django.db.models import Prefetch, Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from core.admin.tools import ReadOnlyAdmin, is_list, moment
from core.contracts import uuid_of
from routing.admin.filters import (
    LANGUAGES,
    AgeFilter,
    ConfidenceFilter,
    CorrectedFilter,
    DomainFilter,
    FlagFilter,
    LanguageFilter,
    ModeFilter,
    PhaseFilter,
)
from routing.admin.plan_page import plan_page
from routing.admin.values import beginning, domain_name, domains_named, flags_tagged, share_shown, words_shown
from routing.models import AuditEntry, QueryPlan

_SHOWN = (
    *("created_at", "domains", "confidence", "probability", "mode", "flags", "phase", "corrects"),
    *("question__language", "pack__name", "pack__version", "corrected_by__corrects", "corrected_by__domains"),
)
_ENTRIES = Prefetch(
    "audit_entries",
    AuditEntry.objects.only("timestamp", "status", "seq", "chain", "query_plan").order_by("timestamp", "seq"),
)


@admin.register(QueryPlan)
class QueryPlanAdmin(ReadOnlyAdmin):
    list_display = (
        *("time", "question_short", "domains_shown", "confidence_shown", "mode_shown"),
        *("flags_shown", "corrected", "language", "pack_shown"),
    )
    list_display_links = ("question_short",)
    list_filter = (
        *(ConfidenceFilter, DomainFilter, FlagFilter, ModeFilter, LanguageFilter),
        *(PhaseFilter, CorrectedFilter, AgeFilter),
    )
    ordering = ("-created_at",)
    sortable_by = ()
    search_fields = ("pk__exact",)  # what is searched is decided in get_search_results
    search_help_text = _("The whole id of a plan or of its question, or a correlation id")
    fields = readonly_fields = ("time",)  # the template shows what there is
    change_form_template = "admin/routing/queryplan/change_form.html"
    change_list_template = "admin/routing/change_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[QueryPlan]:
        """In the list without plan, reading and message, which only the page of one shows."""
        rows: QuerySet[QueryPlan] = super().get_queryset(request)
        if is_list(request):
            near = rows.select_related("question", "pack", "corrected_by").only(*_SHOWN)
            return near.annotate(beginning=beginning())
        linked = ("question__user", "question__labelled", "pack", "corrects", "corrected_by")
        return rows.select_related(*linked).defer("pack__content").prefetch_related(_ENTRIES)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[QueryPlan], search_term: str
    ) -> tuple[QuerySet[QueryPlan], bool]:
        """By ids alone: questions are not searched by their words."""
        if not search_term.strip():
            return queryset, False
        id_ = uuid_of(search_term)
        return queryset.filter(
            Q(pk=id_) | Q(correlation_id=id_) | Q(question_id=id_)
        ) if id_ else queryset.none(), False

    def page_context(self, request: HttpRequest, obj: QueryPlan) -> dict[str, Any]:
        may_see_users = request.user.has_perm("accounts.view_user")
        return {
            "title": _("Query plan"),
            "subtitle": words_shown(obj.question.message),
            "page": plan_page(obj, may_see_users=may_see_users),
        }

    @admin.display(description=_("time"))
    def time(self, row: QueryPlan) -> str:
        return moment(row.created_at)

    @admin.display(description=_("question"))
    def question_short(self, row: QueryPlan) -> str:
        return words_shown(row.beginning)  # type: ignore[attr-defined]  # annotated

    @admin.display(description=_("domains"))
    def domains_shown(self, row: QueryPlan) -> str:
        return domains_named(row.domains)

    @admin.display(description=_("confidence"))
    def confidence_shown(self, row: QueryPlan) -> str:
        return f"{row.get_confidence_display()} · {share_shown(row.probability)}"

    @admin.display(description=_("mode"))
    def mode_shown(self, row: QueryPlan) -> str:
        return row.get_mode_display()

    @admin.display(description=_("flags"), empty_value="")
    def flags_shown(self, row: QueryPlan) -> SafeString:
        return flags_tagged(row.flags)

    @admin.display(description=_("language"))
    def language(self, row: QueryPlan) -> str | Promise:
        return LANGUAGES.get(row.question.language, row.question.language)

    @admin.display(description=_("corrected"), empty_value="")
    def corrected(self, row: QueryPlan) -> str:
        later = getattr(row, "corrected_by", None)
        if later is not None:
            return _("to: %(domain)s") % {"domain": domain_name(later.domains[0])}
        return str(_("corrects another")) if row.corrects_id else ""

    @admin.display(description=_("pack"))
    def pack_shown(self, row: QueryPlan) -> str:
        return str(row.pack)
