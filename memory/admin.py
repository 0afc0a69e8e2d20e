"""What is remembered of people, to look at. Nothing here sorts or counts all of it."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from core.admin.tools import (
    ROWS_SHOWN,
    AnyAdmin,
    ConditionFilter,
    Lookups,
    ReadOnlyAdmin,
    ValueFilter,
    column,
    is_list,
    moment,
)
from memory.contracts import OUTCOME_LABELS
from memory.models import Episode, Preference, StrategyAdjustment
from memory.strategy.registry import task_types_all

_SHOWN = 100
NO_TYPE = "-"
_LASTS, _KEPT = Q(expires_at__gt=Now()), Q(withdrawn_at=None)


class TaskTypeFilter(admin.SimpleListFilter):
    """Those that were registered; any other is found by searching for it."""

    title, parameter_name = _("task type"), "task_type"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [(NO_TYPE, pgettext_lazy("task type", "none")), *((name, name) for name in task_types_all())]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return queryset if value is None else queryset.filter(task_type="" if value == NO_TYPE else value)


class OutcomeFilter(ValueFilter):
    title, parameter_name, values = _("outcome"), "outcome", tuple(OUTCOME_LABELS.items())


class ExpiryFilter(ConditionFilter):
    """What has expired is not read any more, until it is deleted."""

    title, parameter_name = _("expired"), "expired"
    conditions = {"yes": (_("Yes"), ~_LASTS), "no": (_("No"), _LASTS)}


class ForceFilter(ConditionFilter):
    """Adjustments that hold now: neither withdrawn nor expired."""

    title, parameter_name = _("in force"), "holds"
    conditions = {"yes": (_("Yes"), _LASTS & _KEPT), "no": (_("No"), ~(_LASTS & _KEPT))}


class _PeoplesAdmin(ReadOnlyAdmin):
    """Rows of users, found by user."""

    sortable_by = ()
    search_fields = ("task_type__exact",)  # what is searched is decided in get_search_results
    text_field = "content"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        queryset: QuerySet[Any] = super().get_queryset(request).select_related("user")
        return queryset

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """A person, a task type or an id by their index; else words, in the latest rows alone."""
        term = search_term.strip().replace("\0", "")
        if not term:
            return queryset, False
        person = User.objects.filter(username__iexact=term).values_list("pk", flat=True).first()
        if person is not None:
            return queryset.filter(user_id=person), False
        if (name := self.found_by_name(term)) is not None:
            return queryset.filter(name), False
        latest = self.model._default_manager.order_by(*self.ordering or ()).values("pk")[:ROWS_SHOWN]
        return queryset.filter(Q(task_type=term) | Q(**{f"{self.text_field}__icontains": term}), pk__in=latest), False

    def found_by_name(self, term: str) -> Q | None:
        """How to find what is called exactly so; None where `term` cannot be such a name."""
        return None

    time = column(_("time"), lambda row: moment(row.created_at))

    expires = column(_("expires"), lambda row: moment(row.expires_at))


@admin.register(Episode)
class EpisodeAdmin(_PeoplesAdmin):
    list_display = ("time", "beginning", "outcome", "task_type", "user", "expires")
    list_filter = (OutcomeFilter, ExpiryFilter, TaskTypeFilter)
    ordering = ("-expires_at",)  # all are kept equally long, and this has an index
    search_help_text = _("A user's whole name, an episode's whole id, or a task type or words of the latest 10,000")
    fields = readonly_fields = (
        *("user", "task_type", "outcome", "content", "metadata", "source"),
        *("embedder", "bytes", "time", "expires"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        queryset = super().get_queryset(request).defer("embedding")
        return queryset.defer("metadata") if is_list(request) else queryset

    def found_by_name(self, term: str) -> Q | None:
        try:
            return Q(pk=UUID(term))
        except ValueError:
            return None

    beginning = column(_("content"), lambda episode: Truncator(episode.content).chars(_SHOWN))


@admin.register(Preference)
class PreferenceAdmin(_PeoplesAdmin):
    list_display = ("time", "text", "task_type", "user")
    list_filter = (TaskTypeFilter,)
    ordering = ("-pk",)
    text_field = "text"
    search_help_text = _("A user's whole name, or a task type or words of the latest 10,000")
    fields = readonly_fields = ("user", "task_type", "text", "time")


@admin.register(StrategyAdjustment)
class StrategyAdjustmentAdmin(_PeoplesAdmin):
    list_display = ("time", "change", "state", "task_type", "user", "agent", "reflection_id")
    list_filter = (ForceFilter, "operation", TaskTypeFilter)
    ordering = ("-created_at",)
    text_field = "text"
    search_help_text = _("A user's whole name, a reflection's whole id, or a task type or words of the latest 10,000")
    fields = readonly_fields = (
        *("user", "agent", "task_type", "reflection_id", "position", "change", "text"),
        *("operation", "setting", "value", "previous", "relative", "time", "expires", "withdrawn", "state"),
    )

    def found_by_name(self, term: str) -> Q | None:
        is_known = StrategyAdjustment.objects.filter(reflection_id=term).exists()
        return Q(reflection_id=term) if is_known else None

    @admin.display(description=_("change"))
    def change(self, adjustment: StrategyAdjustment) -> str:
        """As written; where nothing was, as it is stored."""
        stored = f"{adjustment.operation} {adjustment.setting} {adjustment.value}"
        return Truncator(adjustment.text or stored).chars(_SHOWN)

    @admin.display(description=_("state"))
    def state(self, adjustment: StrategyAdjustment) -> str | Promise:
        if adjustment.withdrawn_at is not None:
            return _("withdrawn")
        return _("in force") if adjustment.expires_at > timezone.now() else _("expired")

    time = column(_("since"), lambda adjustment: moment(adjustment.created_at))

    withdrawn = column(
        _("withdrawn"), lambda adjustment: moment(adjustment.withdrawn_at) if adjustment.withdrawn_at else ""
    )
