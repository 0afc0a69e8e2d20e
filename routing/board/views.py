"""The board of the consult; `urls` has the check of the admin site."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from routing.admin.values import list_url
from routing.board.consult import consult_board
from routing.board.figures import consult_figures
from routing.board.units import confusion_of
from telemetry.board.pages import DaysForm, board_page, with_charts
from telemetry.panels import Periods


@require_safe
@with_charts
def board(request: HttpRequest) -> HttpResponse:
    """How questions were understood in the days in the query string."""
    form = DaysForm(request.GET.dict())
    periods = Periods(form.filters)
    figures = consult_figures(*form.filters.span, unit=periods.unit)
    page = {
        "title": _("Consult"),
        "form": form,
        "board": consult_board(figures, periods),
        "confusion": confusion_of(figures),
        "lists": {name: list_url(name) for name in ("queryplan", "auditentry", "labelledexample", "packversion")},
    }
    return board_page(request, "admin/routing/board.html", page)
