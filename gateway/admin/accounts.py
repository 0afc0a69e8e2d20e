"""Budgets, and the page on which staff give one another limit."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from accounts.staff.access import staff_of
from core.admin.tools import ConditionFilter, ReadOnlyAdmin, ReasonForm, column, link
from gateway.admin.entries import accounts_of_key, entries_shown, is_id
from gateway.admin.tools import (
    MoneyField,
    amount_shown,
    cents,
    list_url,
    moment,
    page_that_asks,
    page_url,
    session_link,
)
from gateway.contracts import MICROCENTS, Budget, BudgetMode
from gateway.errors import AdjustmentRefused
from gateway.ledger.chaining import HEADS, chain_key
from gateway.models import Account, Entry
from gateway.services import adjust
from telemetry.chains.signatures import Head
from telemetry.chains.wording import signed_text

ENTRIES_SHOWN = 20

MODES: dict[BudgetMode, str | Promise] = {
    BudgetMode.FULL: pgettext_lazy("budget", "everything"),
    BudgetMode.NO_THINKER: pgettext_lazy("budget", "no thinker"),
    BudgetMode.ECONOMY: pgettext_lazy("budget", "embeddings only"),
    BudgetMode.DETERMINISTIC: pgettext_lazy("budget", "no models"),
}
_ONLY_OF: dict[str, tuple[str, ...]] = {
    "who": (Account.Scope.USER_DAY, Account.Scope.USER_MONTH, Account.Scope.INTEGRATOR_MONTH),
    "timeline": (Account.Scope.SESSION,),
    "calls": (Account.Scope.SESSION,),
}


class HeldFilter(ConditionFilter):
    """Accounts of which something is set aside for calls under way."""

    title, parameter_name = _("held"), "held"
    conditions = {"yes": (_("Something is held"), Q(held__gt=0))}


class LeftFilter(ConditionFilter):
    """Accounts that come to their end."""

    title, parameter_name = _("left"), "left"
    conditions = {
        "low": (_("Less than 20 %"), Q(spent__gt=F("limit") - F("held") - F("limit") / 5)),
        "none": (_("Nothing"), Q(spent=F("limit") - F("held"))),
    }


def _signed(account: Account) -> str | Promise:
    head = Head(account.length, account.head_hash, account.signature)
    return signed_text(HEADS, chain_key(account.scope, account.key), head)


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
        *("escalations", "mode", "floors", "opened", "signed", "timeline", "calls"),
    )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Account], search_term: str
    ) -> tuple[QuerySet[Account], bool]:
        term = search_term.strip()
        return (accounts_of_key(queryset, term) if term else queryset), False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Without what such an account does not have."""
        scope = obj.scope if obj else ""
        return [name for name in self.readonly_fields if scope in _ONLY_OF.get(name, (scope,))]

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
        """Whose day or month it is."""
        number = account.key.partition(":")[0]
        users = User.objects.filter(pk=int(number)) if is_id(number) else User.objects.none()
        return users.values_list("username", flat=True).first() or number

    limit_cents = column(_("limit, cents"), lambda account: cents(account.limit))
    spent_cents = column(_("spent, cents"), lambda account: cents(account.spent))

    @admin.display(description=_("spent by tier, cents"))
    def by_tier(self, account: Account) -> SafeString:
        spent = ((tier.value, cents(amount)) for tier, amount in Budget.from_object(account).by_tier.items())
        return format_html_join(" · ", "{}: {}", spent)

    # Reserved for calls that are not settled yet.
    held_cents = column(_("held, cents"), lambda account: cents(account.held))
    left_cents = column(_("left, cents"), lambda account: cents(account.limit - account.spent - account.held))

    @admin.display(description=_("escalations"))
    def escalations(self, account: Account) -> str:
        return _("%(used)s of %(limit)s") % {"used": account.escalations_used, "limit": account.escalations_limit}

    mode = column(_("still allowed"), lambda account: MODES[Budget.from_object(account).mode])

    @admin.display(description=_("modes change under"))
    def floors(self, account: Account) -> str:
        floors = {"thinker": cents(account.thinker_floor), "economy": cents(account.economy_floor)}
        return _("%(thinker)s cents: no thinker; %(economy)s cents: embeddings only; 0: no models") % floors

    opened = column(_("opened"), lambda account: moment(account.opened_at))
    signed = column(_("signature"), _signed)
    timeline = column(_("session"), lambda account: session_link(account.key))
    calls = column(_("calls"), lambda account: link(list_url("hold", q=account.key), _("All calls of the session")))

    def adjust_page(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Asks for the new limit and the reason; a refusal of the ledger is an error of the form."""
        by = staff_of(self, request)
        account = get_object_or_404(Account, pk=object_id)
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
