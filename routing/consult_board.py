"""The board of the consult: how sure plans were, what about, what was corrected, and how far that bears them out."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from routing import consult_panels as panels
from routing.admin_shown import list_url
from routing.consult_words import NOTHING, share_of
from routing.figures import consult_figures
from routing.figures_contracts import ConsultFigures
from telemetry.pages import Board, panel_shown
from telemetry.panels import Filters, Heading, Number, Periods, View, whole

_A_DAY = timedelta(days=1)
_NONE = gettext_lazy("Nobody asked anything in these days.")
_UNCORRECTED = gettext_lazy("No plan of these days was corrected.")


@dataclass(frozen=True)
class Collected:
    """The figures of some days, and by what the days are cut into."""

    figures: ConsultFigures
    periods: Periods


@dataclass(frozen=True)
class _Panel:
    code: str
    title: Promise
    about: Promise
    build: Callable[[ConsultFigures, Periods], View | None]
    empty: Promise = _NONE


_PANELS = (
    _Panel(
        "confidence",
        gettext_lazy("Confidence"),
        gettext_lazy("How sure the router was of the plans that questions got at first."),
        panels.confidence_view,
    ),
    _Panel(
        "domains",
        gettext_lazy("Domains over time"),
        gettext_lazy("What questions were understood to be about: the first domain of each plan."),
        panels.domains_view,
    ),
    _Panel(
        "sure",
        gettext_lazy("Corrections by domain"),
        gettext_lazy("Plans by their first domain, and how many of them somebody corrected."),
        panels.by_domain_view,
    ),
    _Panel(
        "flags",
        gettext_lazy("Flags"),
        gettext_lazy("How many plans have a flag; one plan can have several."),
        panels.flags_view,
        gettext_lazy("No plan of these days has a flag."),
    ),
    _Panel(
        "corrected",
        gettext_lazy("Corrected"),
        gettext_lazy("Plans of which somebody said that the question is about another domain, by when it was asked."),
        panels.corrected_view,
        _UNCORRECTED,
    ),
    _Panel(
        "reliability",
        gettext_lazy("Reliability"),
        gettext_lazy(
            "What the router said how probable its first domain is, beside the share of plans that nobody corrected."
            " Not corrected does not mean right: few people correct what is wrong, so that the second bar is the most"
            " that can have been right. Where it is the shorter one, the router claims too much for certain."
        ),
        panels.reliability_view,
    ),
    _Panel(
        "made",
        gettext_lazy("Packs and phases"),
        gettext_lazy("What plans were made with."),
        panels.made_view,
    ),
    _Panel(
        "errors",
        gettext_lazy("Errors on record"),
        gettext_lazy("Questions that could not be read. Each has an audit entry that says why."),
        panels.errors_view,
        gettext_lazy("Every question of these days could be read."),
    ),
)


def collected(filters: Filters) -> Collected:
    """The figures of the days of the filters. Two queries."""
    since = datetime.combine(filters.since, time(), UTC)
    until = datetime.combine(filters.until + _A_DAY, time(), UTC)
    periods = Periods(filters)
    return Collected(consult_figures(since, until, unit=periods.unit), periods)


def consult_board(found: Collected) -> Board:
    """All of it but the confusion, which is a table of its own."""
    figures, periods = found.figures, found.periods
    shown = [
        panel_shown(Heading(one.code, one.title, one.about, one.empty), one.build(figures, periods), unit=periods.unit)
        for one in _PANELS
    ]
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
    """Of those that were called high: what nobody should have to correct."""
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
