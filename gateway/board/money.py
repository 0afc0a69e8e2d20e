"""The money dashboard: its page, which `urls` shows to those who may enter the admin site."""

from collections.abc import Callable
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from gateway.admin.tools import list_url, page_url
from gateway.admin.watch import about_of
from gateway.board import panels
from gateway.board.numbers import TILES
from gateway.figures.contracts import Days, Figures
from gateway.figures.reading import figures_of
from gateway.selectors import alerts_open, models_configured
from telemetry.board.pages import Board, DaysForm, board_page, panel_shown, with_charts
from telemetry.panels import Heading, View

ALERTS_SHOWN = 8
_NOT_ASKED = _("No model was asked in these days.")
_NOT_CONFIGURED = _(
    "No model was asked in these days, and none is configured: lessons go by rules and the local embedder, which cost"
    " nothing."
)
_PANELS: tuple[tuple[Heading, Callable[[Figures], View | None]], ...] = (
    (
        Heading(
            "usage",
            _("Usage by tier"),
            _(
                "Calls to models by what they are for, beside the policy: 80 % wording, 15 % comparing, 5 % second"
                " opinions. The local embedder costs nothing and makes no call."
            ),
        ),
        panels.usage_view,
    ),
    (
        Heading(
            "cost", _("Cost by day"), _("What was charged for the calls of each day, in US$. Days are those of UTC.")
        ),
        panels.cost_view,
    ),
    (
        Heading(
            "failures",
            _("Calls without an answer"),
            _("How calls ended that brought no answer, and what was charged for them all the same."),
            empty=_("Every call that was made in these days brought an answer."),
        ),
        panels.failures_view,
    ),
    (
        Heading(
            "costliest",
            _("Costliest sessions"),
            _("What sessions cost in these days. Each leads to its timeline."),
            empty=_("No session cost anything in these days."),
        ),
        panels.costliest_view,
    ),
    (
        Heading(
            "latency",
            _("Latency by operation"),
            _("How long operations took, beside their targets. Times are kept for ninety days."),
            empty=_("No operation that has a target ran in these days."),
            wide=True,
        ),
        panels.latency_view,
    ),
    (
        Heading(
            "operations",
            _("Cost by operation"),
            _("What calls were made for. Where a run has a cap, its attempts and votes share it."),
            wide=True,
        ),
        panels.operations_view,
    ),
)


@require_safe
@with_charts
def money(request: HttpRequest) -> HttpResponse:
    """What models cost and how they were used, for the days in the query string; open alerts on top."""
    form = DaysForm(request.GET.dict())
    figures = figures_of(Days(since=form.filters.since, until=form.filters.until))
    alerts = alerts_open(ALERTS_SHOWN + 1)
    page = {
        "title": gettext("Money"),
        "form": form,
        "board": money_board(figures, configured=models_configured()),
        "alerts": [(alert, page_url("alert", alert.pk), about_of(alert)) for alert in alerts[:ALERTS_SHOWN]],
        "more_alerts": len(alerts) > ALERTS_SHOWN,
        "alerts_url": list_url("alert", seen="no"),
    }
    return board_page(request, "gateway/money.html", page)


def money_board(figures: Figures, *, configured: bool) -> Board:
    """`configured`: whether there is a model to ask now."""
    not_asked, unit = _NOT_ASKED if configured else _NOT_CONFIGURED, panels.periods_of(figures).unit
    shown = []
    for heading, view_of in _PANELS:
        if not figures.calls and heading.code != "latency":  # operations run without models too
            heading = replace(heading, empty=not_asked)
        shown.append(panel_shown(heading, view_of(figures), unit=unit))
    return Board(tiles=[(heading, number_of(figures)) for heading, number_of in TILES], panels=shown)
