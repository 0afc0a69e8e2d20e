"""What the read-only pages of the admin share. None of them counts or sorts a whole table."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import IntegerField, Model, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

ROWS_SHOWN = 10_000

# Django's classes take a type only when they are checked, not when they run.
if TYPE_CHECKING:
    AnyAdmin = admin.ModelAdmin[Any]
    AnyInline = admin.TabularInline[Any, Any]
    _Paginator = Paginator[Any]
else:
    AnyAdmin, AnyInline, _Paginator = admin.ModelAdmin, admin.TabularInline, Paginator
Lookups = list[tuple[str, Any]]  # value and label, which may be translated late


class BoundedPaginator(_Paginator):
    """Counts no further than `ROWS_SHOWN`: pages beyond are reached by filters, not by leafing."""

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]  # the admin pages nothing else
        return rows.order_by().values("pk")[:ROWS_SHOWN].count()  # without what is only shown of each


class BoundedCount(Subquery):
    """How many rows a correlated queryset has for each row of the outer one, counting no further than `ROWS_SHOWN`."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) AS bounded)"
    output_field = IntegerField()

    def __init__(self, queryset: QuerySet[Any]) -> None:
        super().__init__(queryset.order_by().values("pk")[:ROWS_SHOWN])


class ValueFilter(admin.SimpleListFilter):
    """A filter over values known beforehand; the stock one asks the whole table which there are.

    `values` are values, or pairs of a value and its label. `column` is where they are looked for; empty: it is called
    as the parameter is.
    """

    values: ClassVar[Sequence[str | tuple[str, Any]]]
    column: ClassVar[str] = ""

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [value if isinstance(value, tuple) else (value, value) for value in self.values]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return queryset.filter(**{self.column or str(self.parameter_name): value}) if value else queryset


class ConditionFilter(admin.SimpleListFilter):
    """A filter by conditions: each under its value in addresses, with its label."""

    conditions: ClassVar[Mapping[str, tuple[str | Promise, Q]]]

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [(value, label) for value, (label, _condition) in self.conditions.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.conditions.get(self.value() or "")
        return queryset.filter(chosen[1]) if chosen else queryset


class ReadOnlyAdmin(AnyAdmin):
    """Nothing can be added, changed or deleted; everyone with access to the admin may look."""

    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER  # they count every row, once for each value of each filter
    list_per_page = 50
    actions = None

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_staff(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Says in the title when only the first rows are shown, since the count below then stops there."""
        response = super().changelist_view(request, extra_context)
        context = getattr(response, "context_data", None)
        if context and "cl" in context and context["cl"].result_count >= ROWS_SHOWN:
            names = {"rows": self.opts.verbose_name_plural, "limit": ROWS_SHOWN}
            context["title"] = _("%(rows)s: at most %(limit)s are listed, filter for others") % names
        return response

    def page_context(self, request: HttpRequest, obj: Any) -> dict[str, Any]:
        """What the template of one row's page needs beyond the fields."""
        return {}

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        context = {**context, **self.page_context(request, obj)}
        return super().render_change_form(request, context, add, change, form_url, obj)


class ReasonForm(forms.Form):
    """A change of staff with its reason, which is stored."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("It stays on record for good: name no learner here."),
    )


def column(text: str | Promise, value: Callable[[Any], Any], *, empty: str | None = None) -> Callable[[Any, Any], Any]:
    """A column or field that is made of the row alone; `empty` is shown for None and for an empty text."""

    def shown(page: AnyAdmin, row: Any) -> Any:
        return value(row)

    options: dict[str, Any] = {"description": text, "empty_value": empty}
    displayed: Callable[[Any, Any], Any] = admin.display(**options)(shown)
    return displayed


def is_staff(request: HttpRequest) -> bool:
    """Whether any of the staff asks."""
    return bool(request.user.is_active and request.user.is_staff)


def is_list(request: HttpRequest) -> bool:
    """Whether the request is for a list of rows, which needs less of each than the page of one."""
    match = request.resolver_match
    return bool(match and match.url_name and match.url_name.endswith("_changelist"))


def link(url: str, text: str | Promise) -> SafeString:
    """A link, both parts escaped."""
    return format_html('<a href="{}">{}</a>', url, text)


def moment(at: datetime) -> str:
    """A time in the reader's short form."""
    return date_format(timezone.localtime(at), "SHORT_DATETIME_FORMAT")
