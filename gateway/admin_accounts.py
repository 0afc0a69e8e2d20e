"""Budgets, and the page on which staff give one another limit."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import F, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from accounts.staff import staff_of
from core.admin_tools import AnyAdmin, Lookups, ReadOnlyAdmin, ReasonForm, link
from gateway.admin_entries import accounts_of_key, entries_shown, is_id
from gateway.admin_pages import (
    MoneyField,
    amount_shown,
    cents,
    list_url,
    moment,
    page_that_asks,
    page_url,
    session_link,
)
from gateway.contracts import MICROCENTS, BudgetMode
from gateway.errors import AdjustmentRefused
from gateway.models import Account, Entry
from gateway.selectors import budget_in
from gateway.services import adjust

ENTRIES_SHOWN = 20
MODES: dict[BudgetMode, str | Promise] = {
    BudgetMode.FULL: pgettext_lazy("budget", "everything"),
    BudgetMode.NO_THINKER: pgettext_lazy("budget", "no thinker"),
    BudgetMode.ECONOMY: pgettext_lazy("budget", "embeddings only"),
    BudgetMode.DETERMINISTIC: pgettext_lazy("budget", "no models"),
}
_ONLY_OF: dict[str, str] = {
    "who": Account.Scope.USER_DAY,
    "timeline": Account.Scope.SESSION,
    "calls": Account.Scope.SESSION,
}
_LEFT = F("limit") - F("spent") - F("held")


class HeldFilter(admin.SimpleListFilter):
    """Accounts of which something is set aside for calls under way."""

    title, parameter_name = _("held"), "held"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [("yes", _("Something is held"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Account]) -> QuerySet[Account]:
        return queryset.filter(held__gt=0) if self.value() == "yes" else queryset


class LeftFilter(admin.SimpleListFilter):
    """Accounts that come to their end."""

    title, parameter_name = _("left"), "left"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [("low", _("Less than 20 %")), ("none", _("Nothing"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Account]) -> QuerySet[Account]:
        if self.value() == "low":
            return queryset.annotate(available=_LEFT).filter(available__lt=F("limit") / 5)
        return queryset.annotate(available=_LEFT).filter(available=0) if self.value() == "none" else queryset


class AdjustForm(ReasonForm):
    limit = MoneyField(unit=MICROCENTS, digits=10, label=_("New limit, in cents"))
    field_order = ("limit", "reason")


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    """Limits and what is used of them, in cents."""

    list_display = (
        *("key", "scope", "limit_cents", "spent_cents", "held_cents", "left_cents"),
        *("escalations", "mode", "opened"),
    )
    list_filter = ("scope", HeldFilter, LeftFilter)
    ordering = ("-id",)
    sortable_by = ()
    search_fields = ("key__exact",)  # what is searched is decided in get_search_results
    search_help_text = _("The whole key, such as a session's id")
    readonly_fields = (
        *("scope", "key", "who", "limit_cents", "spent_cents", "by_tier", "held_cents", "left_cents"),
        *("escalations", "mode", "floors", "opened", "timeline", "calls"),
    )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Account], search_term: str
    ) -> tuple[QuerySet[Account], bool]:
        term = search_term.strip()
        return (accounts_of_key(queryset, term) if term else queryset), False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Without what such an account does not have."""
        scope = obj.scope if obj else ""
        return [name for name in self.readonly_fields if _ONLY_OF.get(name, scope) == scope]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.adjust_page)
        return [path("<int:object_id>/adjust/", view, name="gateway_account_adjust"), *super().get_urls()]

    def page_context(self, request: HttpRequest, obj: Account) -> dict[str, Any]:
        entries = Entry.objects.filter(account=obj).select_related("by").order_by("-pk")
        return {
            "adjust_url": reverse("admin:gateway_account_adjust", args=[obj.pk]),
            "entries": entries_shown(entries[:ENTRIES_SHOWN]),
            "all_entries": list_url("entry", account=str(obj.pk)),
        }

    @admin.display(description=_("who"))
    def who(self, account: Account) -> str:
        """Whose day it is."""
        number = account.key.partition(":")[0]
        found = User.objects.filter(pk=int(number)) if is_id(number) else User.objects.none()
        return found.values_list("username", flat=True).first() or number

    @admin.display(description=_("limit, cents"))
    def limit_cents(self, account: Account) -> str:
        return cents(account.limit)

    @admin.display(description=_("spent, cents"))
    def spent_cents(self, account: Account) -> str:
        return cents(account.spent)

    @admin.display(description=_("spent by tier, cents"))
    def by_tier(self, account: Account) -> SafeString:
        spent = ((tier.value, cents(amount)) for tier, amount in budget_in(account).by_tier.items())
        return format_html_join(" · ", "{}: {}", spent)

    @admin.display(description=_("held, cents"))
    def held_cents(self, account: Account) -> str:
        """Reserved for calls that are not settled yet."""
        return cents(account.held)

    @admin.display(description=_("left, cents"))
    def left_cents(self, account: Account) -> str:
        return cents(account.limit - account.spent - account.held)

    @admin.display(description=_("escalations"))
    def escalations(self, account: Account) -> str:
        return _("%(used)s of %(limit)s") % {"used": account.escalations_used, "limit": account.escalations_limit}

    @admin.display(description=_("still allowed"))
    def mode(self, account: Account) -> str | Promise:
        return MODES[budget_in(account).mode]

    @admin.display(description=_("modes change under"))
    def floors(self, account: Account) -> str:
        floors = {"thinker": cents(account.thinker_floor), "economy": cents(account.economy_floor)}
        return _("%(thinker)s cents: no thinker; %(economy)s cents: embeddings only; 0: no models") % floors

    @admin.display(description=_("opened"))
    def opened(self, account: Account) -> str:
        return moment(account.opened_at)

    @admin.display(description=_("session"))
    def timeline(self, account: Account) -> str:
        return session_link(account.key)

    @admin.display(description=_("calls"))
    def calls(self, account: Account) -> str:
        return link(list_url("hold", q=account.key), _("All calls of the session"))

    def adjust_page(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Asks for the new limit and the reason; what the ledger refuses is said in the form."""
        by = staff_of(self, request)
        account = Account.objects.filter(pk=object_id).first() if object_id < 2**63 else None
        if account is None:
            raise Http404
        back = page_url("account", account.pk)
        form = AdjustForm(request.POST or None, initial={"limit": amount_shown(account.limit, MICROCENTS)})
        if form.is_valid():
            wanted = form.cleaned_data
            try:
                adjust(account_id=account.pk, by=by, reason=wanted["reason"], limit=wanted["limit"])
            except AdjustmentRefused as refusal:
                form.add_error("limit", refusal.message)
            else:
                words = {"limit": cents(wanted["limit"]), "before": cents(account.limit)}
                text = _("The limit is %(limit)s cents now. It was %(before)s.") % words
                self.message_user(request, text, messages.SUCCESS)
                return redirect(back)
        used = {"spent": cents(account.spent), "held": cents(account.held), "limit": cents(account.limit)}
        context = {"account": account, "least": cents(account.spent + account.held), **used}
        title = _("Give this account another limit?")
        return page_that_asks(self, request, "account/adjust.html", title=title, form=form, back=back, **context)
