"""The money dashboard filled in: its tiles and panels, and what each says where there is nothing."""

from collections.abc import Callable

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from gateway import money_operations as operations
from gateway import money_panels as panels
from gateway.figures_contracts import Figures
from gateway.money_numbers import TILES
from telemetry.pages import Board, panel_shown
from telemetry.panels import Heading, View

_Panel = tuple[Heading, Callable[[Figures], View | None]]

_NOT_ASKED = _("No model was asked in these days.")
_NOT_CONFIGURED = _(
    "No model was asked in these days, and none is configured: lessons go by rules and the local embedder, which cost"
    " nothing."
)


def money_board(figures: Figures, *, configured: bool) -> Board:
    """`configured`: whether there is a model to ask now."""
    not_asked, unit = _NOT_ASKED if configured else _NOT_CONFIGURED, panels.periods_of(figures).unit
    filled = [*_of_calls(not_asked, asked=bool(figures.calls)), *_of_operations(not_asked)]
    return Board(
        tiles=[(heading, build(figures)) for heading, build in TILES],
        panels=[panel_shown(heading, build(figures), unit=unit) for heading, build in filled],
    )


def _of_calls(not_asked: Promise, *, asked: bool) -> list[_Panel]:
    return [
        (
            Heading(
                code="usage",
                title=_("Usage by tier"),
                about=_(
                    "Calls to models by what they are for, beside the policy: 80 % wording, 15 % comparing, 5 % second"
                    " opinions. The local embedder costs nothing and makes no call."
                ),
                empty=not_asked,
            ),
            panels.usage_view,
        ),
        (
            Heading(
                code="cost",
                title=_("Cost by day"),
                about=_("What was charged for the calls of each day, in US$. Days are those of UTC."),
                empty=not_asked,
            ),
            panels.cost_view,
        ),
        (
            Heading(
                code="failures",
                title=_("Calls without an answer"),
                about=_("How calls ended that brought no answer, and what was charged for them all the same."),
                empty=_("Every call that was made in these days brought an answer.") if asked else not_asked,
            ),
            panels.failures_view,
        ),
        (
            Heading(
                code="costliest",
                title=_("Costliest sessions"),
                about=_("What sessions cost in these days. Each leads to its timeline."),
                empty=_("No session cost anything in these days.") if asked else not_asked,
            ),
            panels.costliest_view,
        ),
    ]


def _of_operations(not_asked: Promise) -> list[_Panel]:
    return [
        (
            Heading(
                code="latency",
                title=_("Latency by operation"),
                about=_("How long operations took, beside their targets. Times are kept for ninety days."),
                empty=_("No operation that has a target ran in these days."),
                wide=True,
            ),
            operations.latency_view,
        ),
        (
            Heading(
                code="operations",
                title=_("Cost by operation"),
                about=_("What calls were made for. Where a run has a cap, its attempts and votes share it."),
                empty=not_asked,
                wide=True,
            ),
            operations.operations_view,
        ),
    ]
