"""What models cost, now and before, and the page on which staff set a new version. Nothing here changes an old one."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.staff.access import staff_of
from core.admin.tools import ConditionFilter, ReadOnlyAdmin, ReasonForm, column
from gateway.admin.tools import US_DOLLAR, MoneyField, amount_shown, dollars, list_url, moment, page_that_asks
from gateway.client.tiers import model_of
from gateway.contracts import Tier, TokenPrices
from gateway.errors import ModelNotConfigured, PriceRefused
from gateway.models import TIERS, Price
from gateway.services import price_set

FIGURES = {
    "input": _("Input"),
    "cached": _("Cached input"),
    "output": _("Output"),
    "reasoning": _("Reasoning"),
    "embedding": _("Embedding"),
}
_SHOWN = (
    *("model", "tier", "version", "current"),
    *("input_usd", "cached_usd", "output_usd", "reasoning_usd", "embedding_usd"),
    *("since", "by", "reason"),
)


class CurrentFilter(ConditionFilter):
    """The versions that calls from now on are charged by."""

    title, parameter_name = _("current"), "current"
    conditions = {"yes": (_("Yes"), Q(newer=False)), "no": (_("No"), Q(newer=True))}


class PriceForm(ReasonForm):
    """A price's next version. `after` is the version that the form was shown with."""

    tier = forms.ChoiceField(label=_("Tier"), choices=TIERS)
    model = forms.CharField(label=_("Model"), max_length=120, help_text=_("As the provider calls it, to the letter."))
    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    input, cached, output, reasoning, embedding = (
        MoneyField(unit=US_DOLLAR, digits=4, label=label) for label in FIGURES.values()
    )
    field_order = ("tier", "model", *FIGURES, "reason", "after")

    def prices(self) -> TokenPrices:
        """The five figures, in micro-cents."""
        return TokenPrices(**{name: self.cleaned_data[name] for name in FIGURES})


@admin.register(Price)
class PriceAdmin(ReadOnlyAdmin):
    """US$ for 1,000 tokens, exact."""

    list_display = _SHOWN
    list_filter = ("tier", CurrentFilter)
    list_select_related = ("by",)
    ordering = ("tier", "model", "-version")
    sortable_by = ()
    search_fields = ("model__exact",)
    search_help_text = _("A model's whole name")
    fields = readonly_fields = _SHOWN

    def get_queryset(self, request: HttpRequest) -> QuerySet[Price]:
        queryset: QuerySet[Price] = super().get_queryset(request).select_related(*self.list_select_related)
        newer = Price.objects.filter(
            tier=OuterRef("tier"), model=OuterRef("model"), version__gt=OuterRef("version")
        ).order_by()
        return queryset.annotate(newer=Exists(newer))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.set_page)
        return [path("set/", view, name="gateway_price_set"), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """With a warning for models that are set and have no price, and so are not asked."""
        missing = [(tier.value, model, _set_url(tier.value, model)) for tier, model in _without_price()]
        return super().changelist_view(request, {"missing": missing, "set_url": _set_url(), **(extra_context or {})})

    def page_context(self, request: HttpRequest, obj: Price) -> dict[str, Any]:
        return {"set_url": _set_url(obj.tier, obj.model)}

    @admin.display(description=_("current"), boolean=True)
    def current(self, price: Any) -> bool:
        return not price.newer

    since = column(_("since"), lambda price: moment(price.created_at))
    input_usd = column(FIGURES["input"], lambda price: dollars(price.input))
    cached_usd = column(FIGURES["cached"], lambda price: dollars(price.cached))
    output_usd = column(FIGURES["output"], lambda price: dollars(price.output))
    reasoning_usd = column(FIGURES["reasoning"], lambda price: dollars(price.reasoning))
    embedding_usd = column(FIGURES["embedding"], lambda price: dollars(price.embedding))

    def set_page(self, request: HttpRequest) -> HttpResponse:
        """Asks for the figures and the reason. Who was overtaken sees the version that came meanwhile."""
        by = staff_of(self, request)
        if request.method == "POST":
            form = PriceForm(request.POST)
            if form.is_valid():
                refused = self._set(request, form, by)
                if refused is None:
                    return redirect(list_url("price"))
                form = refused
            tier, model = str(form.data.get("tier", "")), str(form.data.get("model", "")).strip()
            newest = _newest(tier, model)
        else:
            tier, model = request.GET.get("tier", ""), request.GET.get("model", "").strip()
            newest = _newest(tier, model)
            form = PriceForm(initial=_initial(tier, model, newest))
        title = _("Set a new price")
        figures = [(label, dollars(getattr(newest, name))) for name, label in FIGURES.items()] if newest else []
        context = {"newest": newest, "figures": figures}
        return page_that_asks(
            self, request, "price/set.html", title=title, form=form, back=list_url("price"), **context
        )

    def _set(self, request: HttpRequest, form: PriceForm, by: User) -> PriceForm | None:
        """Store the version; when that is refused, the form that says why and follows the newest version."""
        wanted = form.cleaned_data
        tier, model = Tier(wanted["tier"]), wanted["model"]
        try:
            row = price_set(
                tier=tier, model=model, prices=form.prices(), after=wanted["after"], reason=wanted["reason"], by=by
            )
        except PriceRefused as refusal:
            again: QueryDict = request.POST.copy()
            newest = _newest(tier.value, model)
            again["after"] = str(newest.version if newest else 0)
            refused = PriceForm(again)
            refused.add_error(None, refusal.message)
            return refused
        words = {"model": model, "number": row.version}
        text = _("Calls to %(model)s are charged by version %(number)s from now on; those under way keep their price.")
        self.message_user(request, text % words, messages.SUCCESS)
        return None


def _set_url(tier: str = "", model: str = "") -> str:
    address = reverse("admin:gateway_price_set")
    return f"{address}?{urlencode({'tier': tier, 'model': model})}" if model else address


def _newest(tier: str, model: str) -> Price | None:
    if not model or "\x00" in model + tier:
        return None
    return Price.objects.filter(tier=tier, model=model).select_related("by").order_by("-version").first()


def _initial(tier: str, model: str, newest: Price | None) -> dict[str, Any]:
    """What the form begins with: of a model with a price its figures, of another none, so that each is looked up."""
    if newest is None:
        return {"tier": tier, "model": model, "after": 0}
    figures = {name: amount_shown(getattr(newest, name), US_DOLLAR) for name in FIGURES}
    return {"tier": tier, "model": model, "after": newest.version, **figures}


def _without_price() -> list[tuple[Tier, str]]:
    """Models of the settings that have no price. One query, none without models."""
    wanted = []
    for tier in Tier:
        try:
            wanted.append((tier, model_of(tier)))
        except ModelNotConfigured:
            continue
    if not wanted:
        return []
    priced = set(Price.objects.filter(model__in=[model for _tier, model in wanted]).values_list("tier", "model"))
    return [(tier, model) for tier, model in wanted if (tier.value, model) not in priced]
