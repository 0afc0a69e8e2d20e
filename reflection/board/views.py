"""The board of the quality of reflections; `urls` has the check of the admin site."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from gateway.selectors import alert_url, alerts_open, alerts_url
from reflection.board.alerts import KINDS
from reflection.board.quality import collected, metrics_listed, quality_board
from telemetry.board.pages import DaysForm, board_page, with_charts

ALERTS_SHOWN = 8


@require_safe
@with_charts
def quality(request: HttpRequest) -> HttpResponse:
    """The metrics of reflections in the days of the query string, with open alerts."""
    form = DaysForm(request.GET.dict())
    figures = collected(form.filters)
    alerts = alerts_open(ALERTS_SHOWN + 1, set(KINDS.values()))
    page = {
        "title": _("Quality of reflections"),
        "form": form,
        "board": quality_board(figures),
        "metrics": metrics_listed(figures.together),
        "alerts": [(alert, alert_url(alert), ()) for alert in alerts[:ALERTS_SHOWN]],
        "more_alerts": len(alerts) > ALERTS_SHOWN,
        "alerts_url": alerts_url(),
    }
    return board_page(request, "reflection/quality.html", page)
