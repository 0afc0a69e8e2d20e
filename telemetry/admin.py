"""Reading the audit trail. Nothing can be added, changed or deleted here; no page counts or sorts the whole table."""

from datetime import timedelta
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.admin.utils import quote
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.admin.tools import AnyAdmin, ConditionFilter, Lookups, ReadOnlyAdmin, ValueFilter, is_list, link
from telemetry.chains.signatures import Head
from telemetry.chains.wording import signed_text
from telemetry.contracts import EventName
from telemetry.models import Chain, Event

COURSES_LISTED = 100
MODES = ("deterministic", "adaptive")
CHAIN_HELP = _("A session's whole id, lesson: and a lesson's slug, or exports")


class EventFilter(ValueFilter):
    title, parameter_name = _("event"), "event"
    values = tuple(name.value for name in EventName)


class ModeFilter(ValueFilter):
    title, parameter_name = _("mode"), "mode"
    values = MODES


class CourseFilter(ValueFilter):
    title, parameter_name = _("course"), "course"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        courses = Chain.objects.exclude(course="").order_by("course").values_list("course", flat=True).distinct()
        return [(course, course) for course in courses[:COURSES_LISTED]]


class AgeFilter(admin.SimpleListFilter):
    """Instead of a date hierarchy, which reads every row to find the years."""

    title, parameter_name = _("time"), "hours"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [("1", _("Last hour")), ("24", _("Last day")), ("168", _("Last 7 days")), ("720", _("Last 30 days"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Event]) -> QuerySet[Event]:
        value = self.value()
        if value not in {"1", "24", "168", "720"}:
            return queryset
        return queryset.filter(timestamp__gte=timezone.now() - timedelta(hours=int(value)))


class StateFilter(ConditionFilter):
    title, parameter_name = _("state"), "state"
    conditions = {
        "broken": (_("Broken"), Q(broken_at__isnull=False)),
        "due": (_("Grown since the last check"), Q(broken_at=None, length__gt=F("verified_length"))),
        "whole": (_("Whole"), Q(broken_at=None, length=F("verified_length"))),
    }


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ("timestamp", "level", "event", "chain_link", "seq", "course", "mode")
    list_filter = (AgeFilter, EventFilter, "level", CourseFilter, ModeFilter)
    ordering = ("-id",)
    sortable_by = ()  # by another column the database would sort all rows for one page
    search_fields = ("chain__exact",)
    search_help_text = CHAIN_HELP
    fields = ("timestamp", "level", "event", "chain_link", "seq", "course", "mode", "data", "previous_hash", "hash")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        """Rows without what only the page of one event shows."""
        queryset: QuerySet[Event] = super().get_queryset(request)
        return queryset.defer("data", "previous_hash", "hash") if is_list(request) else queryset

    @admin.display(description=_("chain"))
    def chain_link(self, event: Event) -> str:
        """A link by the key, which the row itself holds: no query for the chain."""
        return link(reverse("admin:telemetry_chain_change", args=[quote(event.chain_id)]), event.chain_id)


@admin.register(Chain)
class ChainAdmin(ReadOnlyAdmin):
    list_display = ("key", "course", "length", "state", "verified_at")
    list_filter = (StateFilter, CourseFilter)
    ordering = ("key",)
    sortable_by = ()
    search_fields = ("key__exact",)
    search_help_text = CHAIN_HELP
    fields = (
        *("key", "course", "length", "head_hash", "signed", "state", "verified_at", "verified_length", "broken_at"),
        "events",
    )
    readonly_fields = fields

    @admin.display(description=_("state"))
    def state(self, chain: Chain) -> str | Promise:
        if chain.broken_at is not None:
            return _("Broken at event %(seq)s") % {"seq": chain.broken_at}
        if chain.length > chain.verified_length:
            return _("Grown since the last check")
        return _("Whole")

    @admin.display(description=_("signature"))
    def signed(self, chain: Chain) -> str | Promise:
        return signed_text(Chain._meta.db_table, chain.key, Head(chain.length, chain.head_hash, chain.signature))

    @admin.display(description=_("events"))
    def events(self, chain: Chain) -> str:
        url = reverse("admin:telemetry_event_changelist")
        return link(f"{url}?{urlencode({'q': chain.key})}", _("Show"))
