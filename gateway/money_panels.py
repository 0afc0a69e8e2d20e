"""The panels of the money dashboard that tell of calls: figures put into words, rows and bars."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from gateway.admin_pages import US_DOLLAR
from gateway.contracts import Outcome, Tier
from gateway.figures_contracts import Figures
from gateway.money_words import in_dollars, in_ms, in_percent, share_of, tier_name
from gateway.owners import session_url_of
from telemetry.panels import (
    Bars,
    Filters,
    Linked,
    Periods,
    Series,
    Table,
    TableCell,
    Text,
    Tone,
    View,
    dollars,
    whole,
)

TONES: dict[Tier, Tone] = {Tier.CHEAP: "first", Tier.EMBED: "good", Tier.THINKER: "second"}


def periods_of(figures: Figures) -> Periods:
    """How the days are cut into what bars stand for."""
    return Periods(Filters(since=figures.days.since, until=figures.days.until))


def usage_view(figures: Figures) -> View | None:
    """Shares of calls beside what the policy wants of them."""
    if not figures.calls:
        return None
    columns: list[Text] = [
        *(gettext_lazy("Tier"), gettext_lazy("Calls"), gettext_lazy("Share of calls"), gettext_lazy("Policy")),
        *(gettext_lazy("US$"), gettext_lazy("Answer, median"), gettext_lazy("Answer, p95")),
    ]
    rows: list[Sequence[TableCell]] = []
    for use in figures.tiers:
        shares = (in_percent(use.calls, figures.calls), in_percent(use.policy, 1))
        rows.append([tier_name(use.tier), use.calls, *shares, in_dollars(use.cost), in_ms(use.p50), in_ms(use.p95)])
    series = [
        Series(gettext_lazy("Share of calls"), [round(100 * (use.share or 0), 1) for use in figures.tiers], "first"),
        Series(gettext_lazy("Policy"), [round(100 * use.policy, 1) for use in figures.tiers], "quiet"),
    ]
    summary = ngettext(
        "%(n)s call; the share of second opinions is %(share)s, of which the policy wants %(policy)s at most.",
        "%(n)s calls; the share of second opinions is %(share)s, of which the policy wants %(policy)s at most.",
        figures.calls,
    )
    thinker = figures.tier(Tier.THINKER)
    said = {
        "n": whole(figures.calls),
        "share": share_of(thinker.calls, figures.calls),
        "policy": share_of(thinker.policy, 1),
    }
    chart = Bars([tier_name(use.tier) for use in figures.tiers], series, sideways=True, unit="percent")
    return View(summary % said, Table(columns, rows), chart)


def cost_view(figures: Figures) -> View | None:
    """What was charged by day (or week, or month), by tier on top of one another."""
    if not figures.calls:
        return None
    periods = periods_of(figures)
    cost: dict[date, dict[Tier, int]] = {start: defaultdict(int) for start in periods.starts}
    calls: dict[date, int] = dict.fromkeys(periods.starts, 0)
    for one in figures.by_day:
        start = periods.start_of(one.day)
        cost[start][one.tier] += one.cost
        calls[start] += one.calls
    names = [tier_name(tier) for tier in Tier]
    columns: list[Text] = [gettext_lazy("Date"), *names, gettext_lazy("Together"), gettext_lazy("Calls")]
    rows: list[Sequence[TableCell]] = [
        [
            start,
            *(in_dollars(cost[start][tier]) for tier in Tier),
            in_dollars(sum(cost[start].values())),
            calls[start],
        ]
        for start in reversed(periods.starts)
        if calls[start] or cost[start]
    ]
    series = [
        Series(name, [cost[start][tier] / US_DOLLAR for start in periods.starts], TONES[tier])
        for name, tier in zip(names, Tier, strict=True)
    ]
    summary = _("US$ %(cost)s together.") % {"cost": dollars(figures.cost)}
    return View(summary, Table(columns, rows), Bars(periods.starts, series, stacked=True, unit="dollars"))


def failures_view(figures: Figures) -> View | None:
    """Calls without an answer, by how they ended."""
    if not figures.failures:
        return None
    columns: list[Text] = [
        *(gettext_lazy("How it ended"), gettext_lazy("Tier"), gettext_lazy("Model")),
        *(gettext_lazy("Attempts"), gettext_lazy("Charged, US$")),
    ]
    rows: list[Sequence[TableCell]] = [
        [capfirst(one.outcome.label), tier_name(one.tier), one.model, one.calls, in_dollars(one.cost)]
        for one in figures.failures
    ]
    counts: dict[Outcome, dict[Tier, int]] = defaultdict(lambda: defaultdict(int))
    for one in figures.failures:
        counts[one.outcome][one.tier] += one.calls
    ordered = sorted(counts, key=lambda outcome: -sum(counts[outcome].values()))
    series = [Series(tier_name(tier), [counts[outcome][tier] for outcome in ordered], TONES[tier]) for tier in Tier]
    all_ = sum(one.calls for one in figures.failures)
    summary = ngettext("%(n)s attempt brought no answer.", "%(n)s attempts brought no answer.", all_) % {
        "n": whole(all_)
    }
    names = [capfirst(outcome.label) for outcome in ordered]
    chart = Bars(names, series, stacked=True, sideways=True)
    return View(summary % {"n": whole(all_)}, Table(columns, rows), chart)


def costliest_view(figures: Figures) -> View | None:
    """Sessions that cost most, each with a link to its timeline."""
    if not figures.costliest:
        return None
    columns: list[Text] = [
        *(gettext_lazy("Session"), gettext_lazy("Lesson"), gettext_lazy("US$")),
        *(gettext_lazy("Calls"), gettext_lazy("Escalations")),
    ]
    rows: list[Sequence[TableCell]] = []
    for one in figures.costliest:
        url, name = session_url_of(one.session), one.session[:8]
        session = Linked(url, name) if url else name
        rows.append([session, one.course, in_dollars(one.cost), one.calls, one.escalations])
    names = [f"{one.session[:8]} · {one.course}" for one in figures.costliest]
    series = [Series(gettext_lazy("US$"), [one.cost / US_DOLLAR for one in figures.costliest], "first")]
    together = sum(one.cost for one in figures.costliest)
    summary = _("The costliest sessions make up %(share)s of what all calls cost.")
    said = summary % {"share": share_of(together, figures.cost)}
    return View(said, Table(columns, rows), Bars(names, series, sideways=True, unit="dollars"))
