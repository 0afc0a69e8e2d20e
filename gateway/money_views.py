"""The money dashboard. `urls` lets in whom the admin site lets in."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from gateway.admin_pages import list_url, page_url
from gateway.admin_watch import about_of
from gateway.figures import figures_of
from gateway.figures_contracts import Days
from gateway.money_board import money_board
from gateway.selectors import alerts_open, models_configured
from telemetry.pages import DaysForm, board_page, with_charts

ALERTS_SHOWN = 8


@require_safe
@with_charts
def money(request: HttpRequest) -> HttpResponse:
    """What models cost and how they were used, for the days in the query string; open alerts on top."""
    form = DaysForm(request.GET.dict())
    figures = figures_of(Days(since=form.filters.since, until=form.filters.until))
    alerts = alerts_open(ALERTS_SHOWN + 1)
    page = {
        "title": _("Money"),
        "form": form,
        "board": money_board(figures, configured=models_configured()),
        "alerts": [(alert, page_url("alert", alert.pk), about_of(alert)) for alert in alerts[:ALERTS_SHOWN]],
        "more_alerts": len(alerts) > ALERTS_SHOWN,
        "alerts_url": list_url("alert", seen="no"),
    }
    return board_page(request, "gateway/money.html", page)
