"""What the gateway's pages of the administration share: exact money, links, and pages that ask before they act."""

import re
from datetime import datetime
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, get_format, localize, time_format
from django.utils.functional import Promise
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from core.admin.tools import ReadOnlyAdmin, link
from gateway.contracts import MICROCENTS
from gateway.ledger.owners import session_url_of

US_DOLLAR = 100 * MICROCENTS
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(\.[0-9]{3})+")


def cents(microcents: int | None) -> str:
    """Exact, with as many decimals as there are: a float would round what auditors add up. Nothing for None."""
    return "" if microcents is None else localize(Decimal(microcents) / MICROCENTS)


def dollars(microcents: int) -> str:
    """US$, exact as well."""
    return localize(Decimal(microcents) / US_DOLLAR)


def moment(at: datetime | None) -> str:
    """To the second, in few letters: many calls are made in one minute. Nothing for None."""
    if at is None:
        return ""
    local = timezone.localtime(at)
    return f"{date_format(local, 'SHORT_DATE_FORMAT')} {time_format(local, 'H:i:s')}"


def flags_shown(flags: dict[str | Promise, bool]) -> SafeString:
    """Those words that hold: what is no cause for a look is not said at all."""
    return format_html_join(" ", '<span class="flag">{}</span>', ((words,) for words, holds in flags.items() if holds))


class MoneyField(forms.DecimalField):
    """Money as people of the page's language write it, in whole micro-cents. `unit` is how many of them are one."""

    def __init__(self, *, unit: int, digits: int, **options: Any) -> None:
        self.unit = unit
        places = len(str(unit)) - 1
        widget = forms.TextInput({"inputmode": "decimal", "autocomplete": "off", "size": digits + places + 1})
        super().__init__(
            min_value=0, max_digits=digits + places, decimal_places=places, localize=True, widget=widget, **options
        )

    def to_python(self, value: Any) -> Any:
        # Where decimals follow a comma, "1.000" is a thousand to some and one to others.
        if isinstance(value, str) and get_format("DECIMAL_SEPARATOR") == "," and _GROUPED.fullmatch(value.strip()):
            raise ValidationError(_("Write thousands without a point, and decimals after a comma."), code="invalid")
        return super().to_python(value)

    def clean(self, value: Any) -> int | None:
        number = super().clean(value)
        return None if number is None else int(number * self.unit)


def amount_shown(microcents: int, unit: int) -> Decimal:
    """Return a stored amount in units of `unit` micro-cents, as a form first shows it."""
    return Decimal(microcents) / unit


def page_that_asks(
    page: ReadOnlyAdmin,
    request: HttpRequest,
    template: str,
    *,
    title: str | Promise,
    form: forms.Form | None,
    back: str,
    **context: Any,
) -> HttpResponse:
    """The page with the form, and what is wrong with it; `back` is where one goes who decides against it."""
    shared = {**page.admin_site.each_context(request), "title": title, "opts": page.opts, "form": form, "back": back}
    path = f"admin/gateway/{template}"
    return TemplateResponse(request, path, {**shared, **context}, status=422 if form and form.errors else 200)


def page_url(model: str, pk: Any) -> str:
    """The page of one row of the gateway's."""
    return reverse(f"admin:gateway_{model}_change", args=[pk])


def list_url(model: str, **query: str) -> str:
    """A list of the gateway's, narrowed by `query`."""
    address = reverse(f"admin:gateway_{model}_changelist")
    return f"{address}?{urlencode(query)}" if query else address


def session_link(chain: str) -> str:
    """The session's timeline, where the chain is a session's; empty for others."""
    url = session_url_of(chain)
    return link(url, _("The session's timeline")) if url else ""


def events_link(chain: str) -> str:
    """The events of a chain."""
    return link(f"{reverse('admin:telemetry_event_changelist')}?{urlencode({'q': chain})}", chain)
