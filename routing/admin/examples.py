"""Labelled examples in the administration: corrections of users that staff accept, dismiss and export."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.staff.access import staff_of
from core.admin.tools import ReadOnlyAdmin, is_list, link, moment
from routing.admin.examples_export import examples_exported
from routing.admin.filters import LANGUAGES, ExampleStateFilter, SaidDomainFilter
from routing.admin.values import beginning, domain_name, list_url, page_url, words_shown
from routing.models import LabelledExample, QueryPlan
from routing.services import example_review

REVIEWED_AT_ONCE = 1_000
_WORDS = 200
_SHOWN = (
    *("was", "domain", "state", "plan", "created_at", "reviewed_at", "reviewed_by__username"),
    *("question__language", "question__erased_at"),
)
State = LabelledExample.State


@admin.register(LabelledExample)
class LabelledExampleAdmin(ReadOnlyAdmin):
    """Those that wait come first, the oldest of them on top."""

    list_display_links = ("words",)
    list_filter = (ExampleStateFilter, SaidDomainFilter)
    ordering = ("-state", "created_at")  # "waits" is the last of them by the alphabet, and the index goes both ways
    sortable_by = ()
    search_fields = ()
    fields = readonly_fields = ("state",)  # the template shows what there is
    actions: Any = ("accept_all", "dismiss_all")
    change_form_template = "admin/routing/labelledexample/change_form.html"
    change_list_template = "admin/routing/labelledexample/change_list.html"

    def get_urls(self) -> list[URLPattern]:
        site = self.admin_site
        return [
            path("export/", site.admin_view(self.export), name="routing_labelledexample_export"),
            path("<int:object_id>/accept/", site.admin_view(self.accept), name="routing_labelledexample_accept"),
            path("<int:object_id>/dismiss/", site.admin_view(self.dismiss), name="routing_labelledexample_dismiss"),
            *super().get_urls(),
        ]

    def get_list_display(self, request: HttpRequest) -> Any:
        """With buttons that lead back to the list as it is now."""
        back = request.GET.urlencode()

        @admin.display(description=_("decide"))
        def decide(row: LabelledExample) -> SafeString:
            return _buttons(row, back)

        return ("words", "about", decide, "state_shown", "language", "time", "plan_link")

    def get_queryset(self, request: HttpRequest) -> QuerySet[LabelledExample]:
        rows: QuerySet[LabelledExample] = super().get_queryset(request)
        if is_list(request):
            slim = rows.select_related("question", "reviewed_by").only(*_SHOWN)
            return slim.annotate(beginning=beginning())
        return rows.select_related("question__user", "plan", "reviewed_by")

    def page_context(self, request: HttpRequest, obj: LabelledExample) -> dict[str, Any]:
        first = QueryPlan.objects.filter(question=obj.question_id, corrects=None).only("pk").first()
        return {
            "title": _("Labelled example"),
            "subtitle": words_shown(obj.question.message),
            "example": obj,
            "question": obj.question.text,
            "was": domain_name(obj.was),
            "domain": domain_name(obj.domain),
            "language": obj.question.language,
            "plan_url": page_url("queryplan", obj.plan_id),
            "first_url": page_url("queryplan", first.pk) if first else "",
            **{name: reverse(f"admin:routing_labelledexample_{name}", args=[obj.pk]) for name in ("accept", "dismiss")},
        }

    def accept(self, request: HttpRequest, object_id: int) -> HttpResponse:
        return self._review(request, object_id, accept=True)

    def dismiss(self, request: HttpRequest, object_id: int) -> HttpResponse:
        return self._review(request, object_id, accept=False)

    def export(self, request: HttpRequest) -> HttpResponse:
        """Download the accepted ones as the lines of a pack."""
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        staff_of(self, request)
        headers = {"Content-Disposition": 'attachment; filename="corrected-examples.yaml"'}
        return HttpResponse(examples_exported(), content_type="application/yaml; charset=utf-8", headers=headers)

    @admin.action(description=_("Accept: good examples"))
    def accept_all(self, request: HttpRequest, queryset: QuerySet[LabelledExample]) -> None:
        self._review_all(request, queryset, accept=True)

    @admin.action(description=_("Dismiss"))
    def dismiss_all(self, request: HttpRequest, queryset: QuerySet[LabelledExample]) -> None:
        self._review_all(request, queryset, accept=False)

    @admin.display(description=_("question"))
    def words(self, row: LabelledExample) -> str:
        return words_shown(row.beginning, _WORDS)  # type: ignore[attr-defined]  # annotated

    @admin.display(description=_("understood as → is about"))
    def about(self, row: LabelledExample) -> str:
        return format_html("{} → <strong>{}</strong>", domain_name(row.was), domain_name(row.domain))

    @admin.display(description=_("state"))
    def state_shown(self, row: LabelledExample) -> str:
        """With reviewer and time."""
        state = format_html('<span class="cq-status cq-{}">{}</span>', row.state, row.get_state_display())
        if row.reviewed_at is None:
            return state
        by = row.reviewed_by.get_username() if row.reviewed_by else "–"
        return format_html('{} <span class="cq-quiet">{}, {}</span>', state, by, moment(row.reviewed_at))

    @admin.display(description=_("language"))
    def language(self, row: LabelledExample) -> Any:
        return LANGUAGES.get(row.question.language, row.question.language)

    @admin.display(description=_("time"))
    def time(self, row: LabelledExample) -> str:
        return moment(row.created_at)

    @admin.display(description=_("plan"))
    def plan_link(self, row: LabelledExample) -> str:
        return link(page_url("queryplan", row.plan_id), _("Show"))

    def _review(self, request: HttpRequest, object_id: int, *, accept: bool) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        by = staff_of(self, request)
        if _reviewed([object_id] if object_id < 2**63 else [], accept=accept, by=by) == 0:
            raise Http404
        self._say(request, 1, accept=accept)
        back = request.GET.urlencode()
        return redirect(f"{list_url('labelledexample')}?{back}" if back else list_url("labelledexample"))

    def _review_all(self, request: HttpRequest, queryset: QuerySet[LabelledExample], *, accept: bool) -> None:
        by = staff_of(self, request)
        ids = list(queryset.order_by().values_list("pk", flat=True)[:REVIEWED_AT_ONCE])
        self._say(request, _reviewed(ids, accept=accept, by=by), accept=accept)

    def _say(self, request: HttpRequest, count: int, *, accept: bool) -> None:
        accepted = ngettext("%(n)s example accepted.", "%(n)s examples accepted.", count)
        dismissed = ngettext("%(n)s example dismissed.", "%(n)s examples dismissed.", count)
        self.message_user(request, (accepted if accept else dismissed) % {"n": count}, messages.SUCCESS)


def _reviewed(ids: list[int], *, accept: bool, by: User) -> int:
    """How many of these examples exist, and are reviewed now."""
    count = 0
    for id_ in ids:
        try:
            example_review(example_id=id_, accept=accept, by=by)
        except LabelledExample.DoesNotExist:
            continue
        count += 1
    return count


def _buttons(row: LabelledExample, back: str) -> SafeString:
    """Buttons of the list's own form, which has the token; each sends it to its own address."""
    can_accept = row.state != State.ACCEPTED and not row.question.erased_at
    accept = _button(row, "accept", _("Accept"), back) if can_accept else ""
    dismiss = _button(row, "dismiss", _("Dismiss"), back) if row.state != State.DISMISSED else ""
    return format_html('<span class="cq-decide">{}{}</span>', accept, dismiss)


def _button(row: LabelledExample, name: str, words: Any, back: str) -> SafeString:
    url = reverse(f"admin:routing_labelledexample_{name}", args=[row.pk])
    return format_html(
        '<button type="submit" class="button cq-{}" formaction="{}" formnovalidate>{}</button>',
        name,
        f"{url}?{back}" if back else url,
        words,
    )
