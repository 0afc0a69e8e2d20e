"""Budgets, to look at. Money moves only through the gateway's services."""

from decimal import Decimal

from django.contrib import admin
from django.utils.formats import localize
from django.utils.translation import gettext_lazy as _

from core.admin_tools import ReadOnlyAdmin
from gateway.contracts import MICROCENTS
from gateway.models import Account


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    """Limits and what is used of them, in cents."""

    list_display = (
        "key",
        "scope",
        "limit_cents",
        "spent_cents",
        "held_cents",
        "left_cents",
        "escalations",
        "opened_at",
    )
    list_filter = ("scope",)
    ordering = ("-id",)
    sortable_by = ()
    search_fields = ("key__exact",)
    search_help_text = _("The whole key, such as a session's id")
    fields = ("scope", "key", "limit_cents", "spent_cents", "held_cents", "left_cents", "escalations", "opened_at")
    readonly_fields = fields

    @admin.display(description=_("limit, cents"))
    def limit_cents(self, account: Account) -> str:
        return _cents(account.limit)

    @admin.display(description=_("spent, cents"))
    def spent_cents(self, account: Account) -> str:
        return _cents(account.spent)

    @admin.display(description=_("held, cents"))
    def held_cents(self, account: Account) -> str:
        """Reserved for calls that are not settled yet."""
        return _cents(account.held)

    @admin.display(description=_("left, cents"))
    def left_cents(self, account: Account) -> str:
        return _cents(account.limit - account.spent - account.held)

    @admin.display(description=_("escalations"))
    def escalations(self, account: Account) -> str:
        return _("%(used)s of %(limit)s") % {"used": account.escalations_used, "limit": account.escalations_limit}


def _cents(microcents: int) -> str:
    """Exact, with as many decimals as there are: a float would round what auditors add up."""
    return localize(Decimal(microcents) / MICROCENTS)
