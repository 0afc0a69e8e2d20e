"""The board of the consult. `admin_urls` lets in whom the admin site lets in."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from routing.admin_shown import list_url
from routing.consult_board import collected, consult_board
from routing.consult_words import confusion_of
from telemetry.pages import DaysForm, board_page, with_charts


@require_safe
@with_charts
def board(request: HttpRequest) -> HttpResponse:
    """How questions were understood in the days in the query string."""
    form = DaysForm(request.GET.dict())
    found = collected(form.filters)
    page = {
        "title": _("Consult"),
        "form": form,
        "board": consult_board(found),
        "confusion": confusion_of(found.figures),
        "lists": {name: list_url(name) for name in ("queryplan", "auditentry", "labelledexample", "packversion")},
    }
    return board_page(request, "admin/routing/board.html", page)
