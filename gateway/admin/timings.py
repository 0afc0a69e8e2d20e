"""How long operations took, to look at."""

from django.contrib import admin
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.admin.tools import AnyAdmin, Lookups, ReadOnlyAdmin, ValueFilter, column
from gateway.admin.tools import flags_shown, moment
from gateway.models import OperationTiming
from gateway.operations.registry import operations_all


class OperationFilter(ValueFilter):
    title, parameter_name = _("operation"), "operation"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [(operation.name, operation.name) for operation in operations_all()]


@admin.register(OperationTiming)
class OperationTimingAdmin(ReadOnlyAdmin):
    list_display = ("time", "operation", "ms", "target_ms", "over", "outcome", "cache", "user_id")
    list_filter = (OperationFilter, "violated", "outcome")
    ordering = ("-at",)
    sortable_by = ()
    fields = readonly_fields = list_display

    time = column(_("time"), lambda timing: moment(timing.at))
    over = column(_("to look at"), lambda timing: flags_shown({_("over its target"): timing.violated}), empty="")

    @admin.display(description=_("from the cache"), empty_value="")
    def cache(self, timing: OperationTiming) -> str | Promise:
        """Empty for an operation that has no cache."""
        return "" if timing.cache_hit is None else _("Yes") if timing.cache_hit else _("No")
