"""The entries of the ledger: every movement of an account's money, to look at."""

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from core.admin.tools import AnyAdmin, Lookups, ReadOnlyAdmin, ValueFilter, column, link
from gateway.admin.tools import cents, moment, page_url
from gateway.models import Account, Entry

FEW = 100
KEY_SHOWN = 16


def accounts_of_key(accounts: QuerySet[Account], key: str) -> QuerySet[Account]:
    """Those of a whole key, whichever their scope."""
    # With the scopes named, the index of scope and key finds them.
    return accounts.filter(scope__in=Account.Scope.values, key=key)


class Moved(NamedTuple):
    """An entry and what it moved, in cents with a sign."""

    entry: Entry
    granted: str
    available: str
    held: str
    spent: str


def entries_shown(entries: Iterable[Entry]) -> list[Moved]:
    """Entries as the tables on other pages show them."""
    return [Moved(entry, *map(_signed, (entry.granted, entry.available, entry.held, entry.spent))) for entry in entries]


class EntryScopeFilter(ValueFilter):
    title, parameter_name, values = _("scope"), "scope", Account.Scope.choices

    def queryset(self, request: HttpRequest, queryset: QuerySet[Entry]) -> QuerySet[Entry]:
        value = self.value()
        if not value:
            return queryset
        # Months and days that many share are few accounts with most entries: named, the database knows of how many.
        few = list(Account.objects.filter(scope=value).order_by().values_list("pk", flat=True)[: FEW + 1])
        return queryset.filter(account__scope=value) if len(few) > FEW else queryset.filter(account_id__in=few)


class OneAccountFilter(admin.SimpleListFilter):
    """Entries of one account, to which its page leads."""

    title, parameter_name = _("account"), "account"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        wanted = request.GET.get(str(self.parameter_name), "")
        account = Account.objects.filter(pk=int(wanted)).first() if is_id(wanted) else None
        return [(wanted, f"{account.get_scope_display()} {account.key}")] if account else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Entry]) -> QuerySet[Entry]:
        value = self.value() or ""
        return queryset.filter(account_id=int(value)) if is_id(value) else queryset


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = (*("time", "kind", "account_short", "available_cents", "held_cents", "spent_cents", "call", "why"),)
    list_filter = ("kind", EntryScopeFilter, OneAccountFilter)
    list_select_related = ("account", "by")
    ordering = ("-id",)
    sortable_by = ()
    search_fields = ("account__key__exact",)  # what is searched is decided in get_search_results
    search_help_text = _("An account's whole key, or a call's whole id")
    fields = readonly_fields = (
        *("time", "kind", "account_of", "granted_cents", "available_cents", "held_cents", "spent_cents"),
        *("call", "by", "reason"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        queryset: QuerySet[Entry] = super().get_queryset(request)
        return queryset.select_related(*self.list_select_related)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Entry], search_term: str
    ) -> tuple[QuerySet[Entry], bool]:
        """By what an index finds: a session's id, which a call's id looks like, is tried as both."""
        term = search_term.strip()
        if not term:
            return queryset, False
        accounts = list(accounts_of_key(Account.objects.all(), term).values_list("pk", flat=True))
        try:
            call = UUID(term)
        except ValueError:
            return queryset.filter(account_id__in=accounts), False
        return (queryset.filter(account_id__in=accounts) if accounts else queryset.filter(hold_id=call)), False

    time = column(_("time"), lambda entry: moment(entry.at))

    @admin.display(description=_("account"))
    def account_short(self, entry: Entry) -> str:
        """With the beginning of the key, enough to distinguish accounts."""
        name = f"{entry.account.get_scope_display()} {Truncator(entry.account.key).chars(KEY_SHOWN)}"
        return link(page_url("account", entry.account_id), name)

    @admin.display(description=_("who and why"), empty_value="")
    def why(self, entry: Entry) -> str:
        return f"{entry.by.get_username()}: {entry.reason}" if entry.by else entry.reason

    @admin.display(description=_("account"))
    def account_of(self, entry: Entry) -> str:
        return link(page_url("account", entry.account_id), f"{entry.account.get_scope_display()} {entry.account.key}")

    granted_cents = column(_("granted, ¢"), lambda entry: _signed(entry.granted))
    available_cents = column(_("available, ¢"), lambda entry: _signed(entry.available))
    held_cents = column(_("held, ¢"), lambda entry: _signed(entry.held))
    spent_cents = column(_("spent, ¢"), lambda entry: _signed(entry.spent))

    @admin.display(description=_("call"), empty_value="")
    def call(self, entry: Entry) -> str:
        return link(page_url("hold", entry.hold_id), str(entry.hold_id)[:8]) if entry.hold_id else ""


def is_id(text: str) -> bool:
    """Whether it can be a row's number."""
    return text.isascii() and text.isdecimal() and len(text) < 19


def _signed(microcents: int) -> str:
    return f"+{cents(microcents)}" if microcents > 0 else cents(microcents)
