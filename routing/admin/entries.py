"""The audit trail of the consult in the administration: entries, their chains, and a check at one click."""

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.admin.utils import quote
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from accounts.staff.access import staff_of
from core.admin.tools import ReadOnlyAdmin, is_list, link, moment
from core.contracts import uuid_of
from routing.admin.entry_page import entry_page, verification_text
from routing.admin.filters import AgeFilter, ChainStateFilter, StatusFilter
from routing.admin.values import beginning, list_url, page_url, words_shown
from routing.audit.document import entry_standing
from routing.models import AuditChain, AuditEntry
from telemetry.chains.signatures import Head
from telemetry.chains.wording import signed_text

_SHOWN = (
    *("timestamp", "status", "subject", "query_plan", "warnings", "model_used", "seq"),
    *("chain__broken_at", "chain__key", "question__user__username"),
)
_LINKED = ("chain", "question__user")


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("time", "question_short", "status_shown", "who", "place", "plan", "warned", "model_shown")
    list_display_links = ("question_short",)
    list_filter = (StatusFilter, ChainStateFilter, AgeFilter)
    ordering = ("-timestamp",)
    sortable_by = ()
    search_fields = ("pk__exact",)  # what is searched is decided in get_search_results
    search_help_text = _("The whole id of an entry, a plan or a question, a correlation id, or a user's whole name")
    fields = readonly_fields = ("time",)  # the template shows what there is
    change_form_template = "admin/routing/auditentry/change_form.html"
    change_list_template = "admin/routing/change_list.html"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.verify)
        return [path("<uuid:object_id>/verify/", view, name="routing_auditentry_verify"), *super().get_urls()]

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuditEntry]:
        """In the list without snapshots, hashes and message, which only the page of one shows."""
        rows: QuerySet[AuditEntry] = super().get_queryset(request).select_related(*_LINKED)
        return rows.only(*_SHOWN).annotate(beginning=beginning()) if is_list(request) else rows

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[AuditEntry], search_term: str
    ) -> tuple[QuerySet[AuditEntry], bool]:
        """By id or user, each by its index; questions are not searched by their words."""
        term = search_term.strip().replace("\0", "")
        if not term:
            return queryset, False
        if (id_ := uuid_of(term)) is not None:
            ids = Q(pk=id_) | Q(correlation_id=id_) | Q(query_plan_id=id_) | Q(question_id=id_)
            return queryset.filter(ids), False
        person = User.objects.filter(username__iexact=term).values_list("pk", flat=True).first()
        return (queryset.none() if person is None else queryset.filter(question__user=person)), False

    def page_context(self, request: HttpRequest, obj: AuditEntry) -> dict[str, Any]:
        may_see_users = request.user.has_perm("accounts.view_user")
        return {
            "title": _("Audit entry"),
            "subtitle": words_shown(obj.question.message),
            "page": entry_page(obj, may_see_users=may_see_users),
        }

    def verify(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        """Check the chain of an entry now, with a message on its page."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        staff_of(self, request)
        entry = AuditEntry.objects.filter(pk=object_id).only("chain", "seq").first()
        if entry is None:
            raise Http404
        standing = entry_standing(entry)
        level = messages.SUCCESS if standing.whole else messages.ERROR
        self.message_user(request, verification_text(standing), level)
        return redirect(page_url("auditentry", entry.pk))

    @admin.display(description=_("time"))
    def time(self, entry: AuditEntry) -> str:
        return moment(entry.timestamp)

    @admin.display(description=_("question"))
    def question_short(self, entry: AuditEntry) -> str:
        return words_shown(entry.beginning)  # type: ignore[attr-defined]  # annotated

    @admin.display(description=_("status"))
    def status_shown(self, entry: AuditEntry) -> str:
        return format_html('<span class="cq-status cq-{}">{}</span>', entry.status, entry.get_status_display())

    @admin.display(description=_("user"))
    def who(self, entry: AuditEntry) -> str:
        return entry.question.user.get_username()

    @admin.display(description=_("plan"), empty_value="")
    def plan(self, entry: AuditEntry) -> str:
        return link(page_url("queryplan", entry.query_plan_id), _("Show")) if entry.query_plan_id else ""

    @admin.display(description=_("warnings"), empty_value="")
    def warned(self, entry: AuditEntry) -> int | str:
        return len(entry.warnings) or ""

    @admin.display(description=_("model"), empty_value="")
    def model_shown(self, entry: AuditEntry) -> str:
        return entry.model_used

    @admin.display(description=_("place in its chain"))
    def place(self, entry: AuditEntry) -> str:
        """Marked from the first broken row of a chain on."""
        where = f"{entry.chain_id} · {entry.seq}"
        broken = entry.chain.broken_at
        if broken is None:
            return where
        words = _("broken here, or before") if entry.seq >= broken else _("chain broken further on")
        return format_html('{} <span class="cq-broken">{}</span>', where, words)


@admin.register(AuditChain)
class AuditChainAdmin(ReadOnlyAdmin):
    list_display = ("key", "length", "state", "verified_at")
    list_filter = (ChainStateFilter,)
    ordering = ("key",)
    sortable_by = ()
    search_fields = ("key__exact",)
    search_help_text = _("A chain's whole key: consult: and a user's id")
    fields = ("key", "length", "head_hash", "signed", "state", "verified_at", "verified_length", "broken", "entries")
    readonly_fields = fields
    change_list_template = "admin/routing/change_list.html"

    @admin.display(description=_("state"))
    def state(self, chain: AuditChain) -> str | Promise:
        if chain.broken_at is not None:
            words = _("Broken at entry %(seq)s") % {"seq": chain.broken_at}
            return format_html('<span class="cq-broken">{}</span>', words)
        if chain.verified_at is None:
            return capfirst(_("never checked so far"))
        if chain.length > chain.verified_length:
            return _("Grown since the last check")
        return pgettext_lazy("chain", "Whole")

    @admin.display(description=_("signature"))
    def signed(self, chain: AuditChain) -> str | Promise:
        return signed_text(AuditChain._meta.db_table, chain.key, Head(chain.length, chain.head_hash, chain.signature))

    @admin.display(description=_("first broken entry"))
    def broken(self, chain: AuditChain) -> str:
        if chain.broken_at is None:
            return "–"
        entry_id = AuditEntry.objects.filter(chain=chain, seq=chain.broken_at).values_list("pk", flat=True).first()
        missing = _("%(seq)s, which is missing") % {"seq": chain.broken_at}
        return link(page_url("auditentry", entry_id), str(chain.broken_at)) if entry_id else missing

    @admin.display(description=_("entries"))
    def entries(self, chain: AuditChain) -> str:
        """Links to the latest and to all."""
        latest = chain.entries.order_by("-seq").values_list("pk", "question__user__username").first()
        if latest is None:
            return ""
        person = f"{list_url('auditentry')}?q={quote(latest[1])}"
        return format_html("{} · {}", link(page_url("auditentry", latest[0]), _("Latest")), link(person, _("All")))
