"""What staff watch: models that fail and are left alone, and alerts."""

import json
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.staff.access import staff_of
from core.admin.tools import ConditionFilter, ReadOnlyAdmin, ValueFilter, column, link
from gateway.admin.tools import cents, list_url, moment, page_url, session_link
from gateway.client.breaker import breaker_close
from gateway.contracts import Tier
from gateway.ledger.owners import alert_page_of
from gateway.models import Alert, Breaker
from gateway.operations.alerts import alert_seen

SEEN_AT_ONCE = 1_000
_OF_SESSIONS = (Alert.Kind.BUDGET_LOW, Alert.Kind.ESCALATIONS_MANY)
_OF_TIMINGS = (
    *(Alert.Kind.DEGRADED, Alert.Kind.PLANNING_SLOW, Alert.Kind.EVALUATION_SLOW, Alert.Kind.REFLECTION_SLOW),
    *(Alert.Kind.CACHE_COLD, Alert.Kind.TIMEOUTS_MANY),
)
_MICROCENTS = "Microcents"


@admin.register(Breaker)
class BreakerAdmin(ReadOnlyAdmin):
    """Only models that failed lately have a row that says more than "asked"."""

    list_display = ("model", "state", "failures", "trips", "until", "last_failure", "changed")
    ordering = ("model",)
    sortable_by = ()
    search_fields = ("model__exact",)
    search_help_text = _("A model's whole name")
    fields = readonly_fields = (*("model", "state", "failures", "trips", "opened", "until", "last_failure", "changed"),)
    actions: Any = ("close",)

    @admin.display(description=_("state"))
    def state(self, breaker: Breaker) -> str | Promise:
        if breaker.open_until is None:
            return _("Asked, and fails") if breaker.failures else _("Asked")
        if breaker.open_until > timezone.now():
            return _("Left alone")
        return _("Left alone until one call has tried")

    opened = column(_("opened"), lambda breaker: moment(breaker.opened_at), empty="")
    until = column(_("left alone until"), lambda breaker: moment(breaker.open_until), empty="")
    changed = column(_("changed"), lambda breaker: moment(breaker.changed_at))

    @admin.action(description=_("Close: ask it again"))
    def close(self, request: HttpRequest, queryset: QuerySet[Breaker]) -> None:
        by = staff_of(self, request)
        models = list(queryset.values_list("model", flat=True))
        for model in models:
            breaker_close(model=model, by=by)
        text = ngettext("%(n)s model is asked again.", "%(n)s models are asked again.", len(models))
        self.message_user(request, text % {"n": len(models)}, messages.SUCCESS)


class AlertKindFilter(ValueFilter):
    title, parameter_name, values = _("kind"), "kind", Alert.Kind.choices


class SeenFilter(ConditionFilter):
    title, parameter_name = _("seen"), "seen"
    conditions = {"no": (_("Not seen yet"), Q(seen_at=None)), "yes": (_("Seen"), Q(seen_at__isnull=False))}


@admin.register(Alert)
class AlertAdmin(ReadOnlyAdmin):
    list_display = ("raised", "what", "figures", "about", "seen_when", "seen_by")
    list_filter = (SeenFilter, AlertKindFilter)
    list_select_related = ("seen_by",)
    ordering = ("-raised_at",)
    sortable_by = ()
    fields = readonly_fields = ("what", "raised", "about", "figures", "key_of", "seen_when", "seen_by")
    actions: Any = ("seen",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Alert]:
        queryset: QuerySet[Alert] = super().get_queryset(request)
        return queryset.select_related(*self.list_select_related)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.seen_now)
        return [path("<int:object_id>/seen/", view, name="gateway_alert_seen"), *super().get_urls()]

    def page_context(self, request: HttpRequest, obj: Alert) -> dict[str, Any]:
        return {
            "subtitle": obj.get_kind_display(),
            "seen_url": "" if obj.seen_at else reverse("admin:gateway_alert_seen", args=[obj.pk]),
        }

    raised = column(_("raised"), lambda alert: moment(alert.raised_at))
    seen_when = column(_("seen"), lambda alert: moment(alert.seen_at), empty="")
    # It is raised once for each.
    key_of = column(_("key"), lambda alert: alert.key)
    what = column(_("what"), lambda alert: alert.get_kind_display())

    @admin.display(description=_("figures"), empty_value="")
    def figures(self, alert: Alert) -> str:
        """As the event has them, money in cents."""
        return "; ".join(_figure(name, value) for name, value in alert.details.items())

    @admin.display(description=_("about"), empty_value="")
    def about(self, alert: Alert) -> SafeString | str:
        links = about_of(alert)
        return format_html(" · ".join(["{}"] * len(links)), *links) if links else alert.key

    @admin.action(description=_("Seen"))
    def seen(self, request: HttpRequest, queryset: QuerySet[Alert]) -> None:
        self._see(request, list(queryset.order_by().values_list("pk", flat=True)[:SEEN_AT_ONCE]))

    def seen_now(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """The same for one, from its page."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        self._see(request, [object_id] if object_id < 2**63 else [])
        return redirect(list_url("alert", seen="no"))

    def _see(self, request: HttpRequest, ids: list[int]) -> None:
        count = alert_seen(ids=ids, by=staff_of(self, request))
        text = ngettext("%(n)s alert is marked as seen.", "%(n)s alerts are marked as seen.", count) % {"n": count}
        self.message_user(request, text, messages.SUCCESS)


def about_of(alert: Alert) -> list[SafeString | str]:
    """Links to what the alert is about. No query."""
    page = alert_page_of(alert.kind)
    if page is not None:
        return [link(page.url(alert), page.text)]
    account = link(list_url("account", q=alert.key), _("Account"))
    if alert.kind in _OF_SESSIONS:
        return [url for url in (session_link(alert.key), account) if url]
    if alert.kind in (Alert.Kind.USER_DAY_HIGH, Alert.Kind.REFLECTION_COST):
        return [account]
    if alert.kind == Alert.Kind.OVERRUN and _is_uuid(alert.key):
        return [link(page_url("hold", alert.key), _("The call"))]
    if alert.kind == Alert.Kind.THINKER_SHARE:
        return [link(list_url("hold", tier__exact=Tier.THINKER.value), _("Calls to the thinker"))]
    if alert.kind == Alert.Kind.BREAKER_OPEN:
        model = str(alert.details.get("model", alert.key))
        return [link(list_url("breaker", q=model), model)]
    return [link(list_url("operationtiming", violated__exact="1"), _("Timings"))] if alert.kind in _OF_TIMINGS else []


def _figure(name: str, value: Any) -> str:
    if name.endswith(_MICROCENTS) and isinstance(value, int):
        return _("%(name)s: %(cents)s cents") % {"name": name.removesuffix(_MICROCENTS), "cents": cents(value)}
    return f"{name}: {value if isinstance(value, str) else json.dumps(value)}"


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
