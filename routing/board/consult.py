"""The board of the consult: confidence, domains, corrections and reliability of plans."""

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from routing.admin.values import list_url
from routing.board import panels
from routing.board.figures import ConsultFigures
from routing.board.units import NOTHING, share_of
from telemetry.board.pages import Board, panel_shown
from telemetry.panels import Heading, Number, Periods, View, whole

_NONE = gettext_lazy("Nobody asked anything in these days.")
_UNCORRECTED = gettext_lazy("No plan of these days was corrected.")

_PANELS: dict[Callable[[ConsultFigures, Periods], View | None], Heading] = {
    panels.confidence_view: Heading(
        "confidence",
        gettext_lazy("Confidence"),
        gettext_lazy("How sure the router was of the plans that questions got at first."),
        _NONE,
    ),
    panels.domains_view: Heading(
        "domains",
        gettext_lazy("Domains over time"),
        gettext_lazy("What questions were understood to be about: the first domain of each plan."),
        _NONE,
    ),
    panels.by_domain_view: Heading(
        "sure",
        gettext_lazy("Corrections by domain"),
        gettext_lazy("Plans by their first domain, and how many of them somebody corrected."),
        _NONE,
    ),
    panels.flags_view: Heading(
        "flags",
        gettext_lazy("Flags"),
        gettext_lazy("How many plans have a flag; one plan can have several."),
        gettext_lazy("No plan of these days has a flag."),
    ),
    panels.corrected_view: Heading(
        "corrected",
        gettext_lazy("Corrected"),
        gettext_lazy("Plans of which somebody said that the question is about another domain, by when it was asked."),
        _UNCORRECTED,
    ),
    panels.reliability_view: Heading(
        "reliability",
        gettext_lazy("Reliability"),
        gettext_lazy(
            "What the router said how probable its first domain is, beside the share of plans that nobody corrected."
            " Not corrected does not mean right: few people correct what is wrong, so that the second bar is the most"
            " that can have been right. Where it is the shorter one, the router claims too much for certain."
        ),
        _NONE,
    ),
    panels.made_view: Heading(
        "made",
        gettext_lazy("Packs and phases"),
        gettext_lazy("What plans were made with."),
        _NONE,
    ),
    panels.errors_view: Heading(
        "errors",
        gettext_lazy("Errors on record"),
        gettext_lazy("Questions that could not be read. Each has an audit entry that says why."),
        gettext_lazy("Every question of these days could be read."),
    ),
}


def consult_board(figures: ConsultFigures, periods: Periods) -> Board:
    """All of it but the confusion, which is a table of its own."""
    shown = [panel_shown(heading, view(figures, periods), unit=periods.unit) for view, heading in _PANELS.items()]
    return Board([(heading, build(figures)) for heading, build in _TILES], shown)


def _asked(figures: ConsultFigures) -> Number:
    return Number(whole(figures.together.plans), url=list_url("queryplan"))


def _sure(figures: ConsultFigures) -> Number:
    return _share(figures.of_confidence("high").plans, figures, "confidence=high")


def _unclear(figures: ConsultFigures) -> Number:
    return _share(figures.by_flag.get("needs-clarification", 0), figures, "flag=needs-clarification")


def _corrected(figures: ConsultFigures) -> Number:
    return _share(figures.together.corrected, figures, "corrected=yes")


def _sure_and_wrong(figures: ConsultFigures) -> Number:
    """Corrections of plans with high confidence."""
    high = figures.of_confidence("high")
    note = _("%(n)s of %(all)s of high confidence") % {"n": whole(high.corrected), "all": whole(high.plans)}
    return Number(share_of(high.corrected, high.plans), note, tone="bad" if high.corrected else None)


def _failed(figures: ConsultFigures) -> Number:
    note = _("all are on record") if figures.failed else ""
    url = f"{list_url('auditentry')}?status=error"
    return Number(whole(figures.failed), note, url, tone="bad" if figures.failed else None)


def _waiting(figures: ConsultFigures) -> Number:
    note = ngettext("example for staff to look at", "examples for staff to look at", figures.waiting)
    return Number(whole(figures.waiting), note, f"{list_url('labelledexample')}?state=waits")


def _broken(figures: ConsultFigures) -> Number:
    note = _("at their last check") if figures.broken else _("none at their last check")
    url = f"{list_url('auditchain')}?state=broken"
    return Number(whole(figures.broken), note, url, tone="bad" if figures.broken else None)


def _share(part: int, figures: ConsultFigures, query: str) -> Number:
    plans = figures.together.plans
    if not plans:
        return Number(NOTHING)
    note = _("%(n)s of %(all)s plans") % {"n": whole(part), "all": whole(plans)}
    return Number(share_of(part, plans), note, f"{list_url('queryplan')}?{query}")


_TILES: tuple[tuple[Heading, Callable[[ConsultFigures], Number]], ...] = (
    (Heading("asked", gettext_lazy("Questions understood")), _asked),
    (Heading("sure", gettext_lazy("High confidence")), _sure),
    (Heading("unclear", gettext_lazy("Needed clarification")), _unclear),
    (Heading("corrected", gettext_lazy("Corrected")), _corrected),
    (Heading("wrong", gettext_lazy("High, and corrected")), _sure_and_wrong),
    (Heading("failed", gettext_lazy("Could not be read")), _failed),
    (Heading("waiting", gettext_lazy("Corrections to review")), _waiting),
    (Heading("broken", gettext_lazy("Broken audit chains")), _broken),
)
