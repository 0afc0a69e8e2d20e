"""Calls to models, what each cost and who paid; the pages that correct an unverified charge and erase a text."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.formats import localize
from django.utils.functional import Promise
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.staff.access import staff_of
from core.admin.tools import AnyAdmin, Lookups, ReadOnlyAdmin, ReasonForm, ValueFilter, column, is_list, link
from gateway.admin.entries import entries_shown
from gateway.admin.tools import (
    MoneyField,
    cents,
    events_link,
    flags_shown,
    list_url,
    moment,
    page_that_asks,
    page_url,
    session_link,
)
from gateway.client.call_texts import text_erase
from gateway.contracts import MICROCENTS, Outcome
from gateway.errors import AdjustmentRefused
from gateway.models import CallText, Entry, Hold, Price
from gateway.services import correct

_ATTEMPTS_WITHIN = timedelta(hours=1)
_ATTEMPTS_SHOWN = 20
UNVERIFIED = "unverified__exact"


class OutcomeFilter(ValueFilter):
    title, parameter_name = _("outcome"), "outcome"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [(outcome.value, outcome.label) for outcome in Outcome]


class CorrectForm(ReasonForm):
    cost = MoneyField(
        unit=MICROCENTS,
        digits=10,
        label=_("Cost, in cents"),
        help_text=_("What the provider's bill says for this call, to the micro-cent. 0 when it is not on it."),
    )
    field_order = ("cost", "reason")


@admin.register(Hold)
class HoldAdmin(ReadOnlyAdmin):
    """One row for each request to a provider."""

    list_display = (
        *("reserved", "state", "tier", "model", "operation", "cost_cents", "amount_cents"),
        *("ending", "latency", "flags"),
    )
    list_filter = ("state", "tier", OutcomeFilter, "unverified", "escalation")
    ordering = ("-reserved_at",)
    sortable_by = ()
    search_fields = ("chain__exact",)  # what is searched is decided in get_search_results
    search_help_text = _("A model's whole name, a session's or another chain's whole name, or a call's whole id")
    fields = readonly_fields = (
        *("state", "ending", "flags", "tier", "model", "price_version", "operation", "attempts"),
        *("amount_cents", "cost_cents", "overrun_cents", "tokens", "latency", "times"),
        *("user", "payer", "chain_events", "timeline", "purpose", "prompt", "reply"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Hold]:
        queryset: QuerySet[Hold] = super().get_queryset(request)
        if not is_list(request):
            return queryset.select_related("price", "user", "text")
        return queryset.only(
            *("id", "reserved_at", "state", "tier", "model", "operation", "cost", "amount"),
            *("outcome", "unverified", "escalation", "latency_ms"),
        )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Hold], search_term: str
    ) -> tuple[QuerySet[Hold], bool]:
        """A model, a chain or an id, never in one condition with what no index finds."""
        term = search_term.strip()
        if not term:
            return queryset, False
        try:
            call = UUID(term)
        except ValueError:
            is_model = Price.objects.filter(model=term).exists()  # whoever was called has a price
            return (queryset.filter(model=term) if is_model else queryset.filter(chain=term)), False
        return queryset.filter(Q(pk=call) | Q(chain=str(call))), False

    def get_urls(self) -> list[URLPattern]:
        return [
            self._path("correct", self.correct_page),
            self._path("erase-text", self.erase_page),
            *super().get_urls(),
        ]

    def _path(self, name: str, view: Any) -> URLPattern:
        guarded = self.admin_site.admin_view(view)
        route: URLPattern = path(f"<uuid:object_id>/{name}/", guarded, name=f"gateway_hold_{name.replace('-', '_')}")
        return route

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Adds a title to the list of unverified charges."""
        only = request.GET.get(UNVERIFIED) == "1"
        context = {
            "unverified_only": only,
            "unverified_url": unverified_url(),
            **({"title": _("Unverified charges")} if only else {}),
        }
        return super().changelist_view(request, {**context, **(extra_context or {})})

    def page_context(self, request: HttpRequest, obj: Hold) -> dict[str, Any]:
        entries = Entry.objects.filter(hold=obj).select_related("account", "by").order_by("pk")
        return {
            "subtitle": f"{obj.tier} · {obj.model}",
            "entries": entries_shown(entries),
            "attempts": _other_attempts(obj),
            "text": getattr(obj, "text", None),
            "correct_url": reverse("admin:gateway_hold_correct", args=[obj.pk]) if obj.unverified else "",
            "erase_url": reverse("admin:gateway_hold_erase_text", args=[obj.pk]),
        }

    reserved = column(_("reserved"), lambda hold: moment(hold.reserved_at))

    @admin.display(description=_("to look at"), empty_value="")
    def flags(self, hold: Hold) -> str:
        return flags_shown({_("unverified"): hold.unverified, _("escalation"): hold.escalation})

    @admin.display(description=_("call"))
    def attempts(self, hold: Hold) -> str:
        return _("%(call)s, attempt %(number)s") % {"call": hold.call, "number": hold.attempt}

    @admin.display(description=_("tokens"))
    def tokens(self, hold: Hold) -> str | Promise:
        """As the provider counted them."""
        if hold.input_tokens is None:
            return _("Not known")
        text = _("input %(input)s, of which cached %(cached)s; output %(output)s, of which reasoning %(reasoning)s")
        names = ("input", "cached", "output", "reasoning")
        return text % {name: localize(getattr(hold, f"{name}_tokens") or 0) for name in names}

    @admin.display(description=_("times"))
    def times(self, hold: Hold) -> str:
        moments = (
            (_("reserved"), hold.reserved_at),
            (_("dispatched"), hold.dispatched_at),
            (_("closed"), hold.settled_at),
            (_("expires"), hold.expires_at if hold.state in Hold.OPEN else None),
        )
        return format_html_join(mark_safe("<br>"), "{}: {}", ((name, moment(at)) for name, at in moments if at))

    payer = column(_("agent"), lambda hold: hold.agent)

    @admin.display(description=_("what for"), empty_value="")
    def purpose(self, hold: Hold) -> str:
        """Course, mode, and what in the chain it was for, such as a turn."""
        return " · ".join(part for part in (hold.course, hold.mode, hold.subject) if part)

    prompt = column(_("prompt"), lambda hold: _size_and_digest(hold.prompt_bytes, hold.prompt_digest))
    reply = column(_("reply"), lambda hold: _size_and_digest(hold.reply_bytes, hold.reply_digest))
    cost_cents = column(_("cost, ¢"), lambda hold: cents(hold.cost), empty="")
    amount_cents = column(_("set aside, ¢"), lambda hold: cents(hold.amount))
    overrun_cents = column(_("what no account could bear, ¢"), lambda hold: cents(hold.overrun))

    @admin.display(description=_("outcome"), empty_value="")
    def ending(self, hold: Hold) -> str:
        return _outcome_shown(hold)

    latency = column(_("latency, ms"), lambda hold: hold.latency_ms)

    @admin.display(description=_("price"))
    def price_version(self, hold: Hold) -> str:
        return link(page_url("price", hold.price_id), _("version %(number)s") % {"number": hold.price.version})

    chain_events = column(_("events"), lambda hold: events_link(hold.chain))
    timeline = column(_("session"), lambda hold: session_link(hold.chain), empty="")

    def correct_page(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        """Asks for the cost and the reason; a refusal of the ledger is an error of the form."""
        by = staff_of(self, request)
        hold = get_object_or_404(Hold, pk=object_id)
        back = page_url("hold", hold.pk)
        form = CorrectForm(request.POST or None)
        if form.is_valid():
            wanted = form.cleaned_data
            try:
                correct(hold_id=hold.pk, by=by, reason=wanted["reason"], cost=wanted["cost"])
            except AdjustmentRefused as refusal:
                form.add_error("cost", refusal.message)
            else:
                words = {"cost": cents(wanted["cost"]), "before": cents(hold.cost)}
                text = _("The charge is %(cost)s cents now. It was %(before)s, unverified.") % words
                self.message_user(request, text, messages.SUCCESS)
                return redirect(unverified_url())
        context = {"hold": hold, "charged": cents(hold.cost)}
        title = _("Correct this charge?")
        return page_that_asks(self, request, "hold/correct.html", title=title, form=form, back=back, **context)

    def erase_page(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        """Asks, and erases what was sent and came back. What was charged stays."""
        staff_of(self, request)
        hold = get_object_or_404(Hold, pk=object_id)
        back = page_url("hold", hold.pk)
        if request.method == "POST":
            erased = text_erase(hold_id=hold.pk)
            text = _("The text is erased.") if erased else _("There is no text of this call any more.")
            self.message_user(request, text, messages.SUCCESS if erased else messages.WARNING)
            return redirect(back)
        context = {"hold": hold, "kept": CallText.objects.filter(pk=hold.pk, erased_at__isnull=True).exists()}
        title = _("Erase the text of this call?")
        return page_that_asks(self, request, "hold/erase_text.html", title=title, form=None, back=back, **context)


def unverified_url() -> str:
    """The list of unverified charges."""
    return list_url("hold", **{UNVERIFIED: "1"})


def _size_and_digest(size: int, digest: str) -> str:
    """The digest is a keyed hash: two equal texts are seen to be equal, and none is guessed."""
    text = ngettext("%(n)s byte", "%(n)s bytes", size) % {"n": localize(size)}
    return f"{text} · {digest}" if digest else text


def _outcome_shown(hold: Hold) -> str:
    return Outcome(hold.outcome).label if hold.outcome else ""


def _other_attempts(hold: Hold) -> list[tuple[Hold, str, str]]:
    """Retries and fallbacks of the same call, each with its cost and outcome in words.

    They share the chain and are minutes apart: so the index of chain and time finds them.
    """
    near = (hold.reserved_at - _ATTEMPTS_WITHIN, hold.reserved_at + _ATTEMPTS_WITHIN)
    same = Hold.objects.filter(chain=hold.chain, reserved_at__range=near, call=hold.call)
    others = same.exclude(pk=hold.pk).order_by("attempt", "reserved_at")[:_ATTEMPTS_SHOWN]
    return [(other, cents(other.cost), _outcome_shown(other)) for other in others]
