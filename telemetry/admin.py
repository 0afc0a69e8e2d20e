"""Reading the audit trail. Nothing can be added, changed or deleted here; no page counts or sorts the whole table."""

from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import F, Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from telemetry.contracts import EventName
from telemetry.models import Chain, Event

ROWS_SHOWN = 10_000
COURSES_LISTED = 100
MODES = ("deterministic", "adaptive")

# Django's classes take a type only when they are checked, not when they run.
if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
    _Paginator = Paginator[Any]
else:
    _ModelAdmin, _Paginator = admin.ModelAdmin, Paginator
_Lookups = list[tuple[str, Any]]  # value and label, which may be translated late


class BoundedPaginator(_Paginator):
    """Counts no further than `ROWS_SHOWN`: pages beyond are reached by filters, not by leafing."""

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]  # the admin pages nothing else
        return rows.order_by()[:ROWS_SHOWN].count()


class _ValueFilter(admin.SimpleListFilter):
    """A filter over values known beforehand; the stock one asks the whole table which there are."""

    values: ClassVar[tuple[str, ...]]

    def lookups(self, request: HttpRequest, model_admin: _ModelAdmin) -> _Lookups:
        return [(value, value) for value in self.values]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return queryset.filter(**{str(self.parameter_name): value}) if value else queryset


class EventFilter(_ValueFilter):
    title, parameter_name = _("event"), "event"
    values = tuple(name.value for name in EventName)


class ModeFilter(_ValueFilter):
    title, parameter_name = _("mode"), "mode"
    values = MODES


class CourseFilter(_ValueFilter):
    title, parameter_name = _("course"), "course"

    def lookups(self, request: HttpRequest, model_admin: _ModelAdmin) -> _Lookups:
        courses = Chain.objects.exclude(course="").order_by("course").values_list("course", flat=True).distinct()
        return [(course, course) for course in courses[:COURSES_LISTED]]


class AgeFilter(admin.SimpleListFilter):
    """Instead of a date hierarchy, which reads every row to find the years."""

    title, parameter_name = _("time"), "hours"

    def lookups(self, request: HttpRequest, model_admin: _ModelAdmin) -> _Lookups:
        return [("1", _("Last hour")), ("24", _("Last day")), ("168", _("Last 7 days")), ("720", _("Last 30 days"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Event]) -> QuerySet[Event]:
        value = self.value()
        if value not in {"1", "24", "168", "720"}:
            return queryset
        return queryset.filter(timestamp__gte=timezone.now() - timedelta(hours=int(value)))


class StateFilter(admin.SimpleListFilter):
    title, parameter_name = _("state"), "state"
    _CONDITIONS: ClassVar = {
        "broken": Q(broken_at__isnull=False),
        "due": Q(broken_at=None, length__gt=F("verified_length")),
        "whole": Q(broken_at=None, length=F("verified_length")),
    }

    def lookups(self, request: HttpRequest, model_admin: _ModelAdmin) -> _Lookups:
        return [("broken", _("Broken")), ("due", _("Grown since the last check")), ("whole", _("Whole"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Chain]) -> QuerySet[Chain]:
        condition = self._CONDITIONS.get(self.value() or "")
        return queryset.filter(condition) if condition else queryset


class _ReadOnlyAdmin(_ModelAdmin):
    paginator = BoundedPaginator
    show_full_result_count = False
    list_per_page = 50
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Says in the title that only the first rows are shown, since the count below stops there."""
        title = _("%(rows)s: at most %(limit)s are listed, filter for others")
        names = {"rows": self.opts.verbose_name_plural, "limit": ROWS_SHOWN}
        return super().changelist_view(request, {"title": title % names, **(extra_context or {})})


@admin.register(Event)
class EventAdmin(_ReadOnlyAdmin):
    list_display = ("timestamp", "level", "event", "session", "seq", "course", "mode")
    list_filter = (AgeFilter, EventFilter, "level", CourseFilter, ModeFilter)
    ordering = ("-id",)
    sortable_by = ()  # by another column the database would sort all rows for one page
    search_fields = ("chain__exact",)
    search_help_text = _("A session's whole id")
    fields = ("timestamp", "level", "event", "session", "seq", "course", "mode", "data", "previous_hash", "hash")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        """Rows without what only the page of one event shows."""
        queryset: QuerySet[Event] = super().get_queryset(request)
        match = request.resolver_match
        if match and match.url_name == "telemetry_event_changelist":
            return queryset.defer("data", "previous_hash", "hash")
        return queryset

    @admin.display(description=_("session"))
    def session(self, event: Event) -> str:
        """A link by the key, which the row itself holds: no query for the chain."""
        return _link(reverse("admin:telemetry_chain_change", args=[event.chain_id]), event.chain_id)


@admin.register(Chain)
class ChainAdmin(_ReadOnlyAdmin):
    list_display = ("key", "course", "length", "state", "verified_at")
    list_filter = (StateFilter, CourseFilter)
    ordering = ("key",)
    sortable_by = ()
    search_fields = ("key__exact",)
    search_help_text = _("A session's whole id")
    fields = ("key", "course", "length", "head_hash", "state", "verified_at", "verified_length", "broken_at", "events")
    readonly_fields = fields

    @admin.display(description=_("state"))
    def state(self, chain: Chain) -> str | Promise:
        if chain.broken_at is not None:
            return _("Broken at event %(seq)s") % {"seq": chain.broken_at}
        if chain.length > chain.verified_length:
            return _("Grown since the last check")
        return _("Whole")

    @admin.display(description=_("events"))
    def events(self, chain: Chain) -> str:
        url = reverse("admin:telemetry_event_changelist")
        return _link(f"{url}?q={chain.key}", _("Show"))


def _link(url: str, text: str | Promise) -> str:
    return format_html('<a href="{}">{}</a>', url, text)
