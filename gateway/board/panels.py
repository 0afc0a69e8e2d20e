"""The panels of the money dashboard: figures as words, rows and bars, with their units."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from gateway.admin.tools import US_DOLLAR
from gateway.contracts import Outcome, Tier
from gateway.figures.contracts import Figures
from gateway.ledger.owners import session_url_of
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
    Written,
    dollars,
    percent,
    whole,
)

NOTHING = "–"


def tier_name(tier: Tier) -> str:
    """In words, and as the settings and alerts call it."""
    return f"{tier.label} · {tier.value}"


def share_of(part: float, of: float) -> str:
    """A share to a tenth of a hundredth: 5.4 % is over a limit of 5 %."""
    return percent(part, of, decimals=1)


def in_percent(part: float, of: float) -> Written:
    """The same in a table."""
    return Written(share_of(part, of))


def in_dollars(microcents: int | None) -> Written:
    """US$ in a table."""
    return Written(NOTHING if microcents is None else dollars(microcents))


def in_ms(ms: int | None) -> Written:
    """Milliseconds in a table."""
    return Written(NOTHING if ms is None else f"{whole(ms)} ms")


def latency_view(figures: Figures) -> View | None:
    """Latency of operations, with their targets."""
    timed = figures.latencies
    if not timed:
        return None
    columns: list[Text] = [
        *(gettext_lazy("Operation"), gettext_lazy("Runs"), "p50", "p95", "p99"),
        *(gettext_lazy("Target"), gettext_lazy("Over it"), gettext_lazy("Timed out"), gettext_lazy("From the cache")),
    ]
    rows: list[Sequence[TableCell]] = []
    for timing in timed:
        times = [in_ms(time) for time in (timing.p50, timing.p95, timing.p99, timing.target)]
        shares = [in_percent(timing.timeouts, timing.runs), in_percent(timing.hits, timing.asked)]
        rows.append([timing.operation, timing.runs, *times, timing.violations, *shares])
    series = [
        Series(gettext_lazy("Median"), [timing.p50 for timing in timed], "first"),
        Series("p95", [timing.p95 for timing in timed], "second"),
        Series(gettext_lazy("Target"), [timing.target or 0 for timing in timed], "quiet"),
    ]
    runs, over = sum(timing.runs for timing in timed), sum(timing.violations for timing in timed)
    summary = ngettext(
        "%(n)s run, of which %(share)s took longer than its target.",
        "%(n)s runs, of which %(share)s took longer than their targets.",
        runs,
    )
    sentence = summary % {"n": whole(runs), "share": share_of(over, runs)}
    names = [timing.operation for timing in timed]
    return View(sentence, Table(columns, rows), Bars(names, series, sideways=True, unit="ms"))


def operations_view(figures: Figures) -> View | None:
    """What calls were made for, the dearest first."""
    if not figures.operations:
        return None
    columns: list[Text] = [
        *(gettext_lazy("Operation"), gettext_lazy("Calls"), gettext_lazy("US$"), gettext_lazy("Runs")),
        *(gettext_lazy("US$ a run"), gettext_lazy("US$ a run, p95"), gettext_lazy("Cap of a run")),
    ]
    rows: list[Sequence[TableCell]] = []
    for operation in figures.operations:
        run = operation.per_run
        costs = [in_dollars(cost) for cost in (run.mean, run.p95, operation.cap)]
        rows.append([operation.operation, operation.calls, in_dollars(operation.cost), run.of, *costs])
    series = [Series(gettext_lazy("US$"), [operation.cost / US_DOLLAR for operation in figures.operations], "first")]
    first = figures.operations[0]
    summary = _("The dearest is %(operation)s, with US$ %(cost)s.")
    chart = Bars([operation.operation for operation in figures.operations], series, sideways=True, unit="dollars")
    sentence = summary % {"operation": first.operation, "cost": dollars(first.cost)}
    return View(sentence, Table(columns, rows), chart)


TONES: dict[Tier, Tone] = {Tier.CHEAP: "first", Tier.EMBED: "good", Tier.THINKER: "second"}


def periods_of(figures: Figures) -> Periods:
    """The periods (days, weeks or months) that the bars show."""
    return Periods(Filters(since=figures.since, until=figures.until))


def usage_view(figures: Figures) -> View | None:
    """Shares of calls, with those of the policy."""
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
    sentence = {
        "n": whole(figures.calls),
        "share": share_of(thinker.calls, figures.calls),
        "policy": share_of(thinker.policy, 1),
    }
    chart = Bars([tier_name(use.tier) for use in figures.tiers], series, sideways=True, unit="percent")
    return View(summary % sentence, Table(columns, rows), chart)


def cost_view(figures: Figures) -> View | None:
    """What was charged by day (or week, or month), by tier on top of one another."""
    if not figures.calls:
        return None
    periods = periods_of(figures)
    cost: dict[date, dict[Tier, int]] = {start: defaultdict(int) for start in periods.starts}
    calls: dict[date, int] = dict.fromkeys(periods.starts, 0)
    for use in figures.by_day:
        start = periods.start_of(use.day)
        cost[start][use.tier] += use.cost
        calls[start] += use.calls
    names = [tier_name(tier) for tier in Tier]
    columns: list[Text] = [gettext_lazy("Date"), *names, gettext_lazy("Together"), gettext_lazy("Calls")]
    rows: list[Sequence[TableCell]] = [
        [start, *(in_dollars(cost[start][tier]) for tier in Tier), in_dollars(sum(cost[start].values())), calls[start]]
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
        [
            capfirst(failure.outcome.label),
            tier_name(failure.tier),
            failure.model,
            failure.calls,
            in_dollars(failure.cost),
        ]
        for failure in figures.failures
    ]
    counts: dict[Outcome, dict[Tier, int]] = defaultdict(lambda: defaultdict(int))
    for failure in figures.failures:
        counts[failure.outcome][failure.tier] += failure.calls
    ordered = sorted(counts, key=lambda outcome: -sum(counts[outcome].values()))
    series = [Series(tier_name(tier), [counts[outcome][tier] for outcome in ordered], TONES[tier]) for tier in Tier]
    all_ = sum(failure.calls for failure in figures.failures)
    summary = ngettext("%(n)s attempt brought no answer.", "%(n)s attempts brought no answer.", all_)
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
    for costly in figures.costliest:
        url, name = session_url_of(costly.session), costly.session[:8]
        session = Linked(url, name) if url else name
        rows.append([session, costly.course, in_dollars(costly.cost), costly.calls, costly.escalations])
    names = [f"{costly.session[:8]} · {costly.course}" for costly in figures.costliest]
    series = [Series(gettext_lazy("US$"), [costly.cost / US_DOLLAR for costly in figures.costliest], "first")]
    together = sum(costly.cost for costly in figures.costliest)
    summary = _("The costliest sessions make up %(share)s of what all calls cost.")
    sentence = summary % {"share": share_of(together, figures.cost)}
    return View(sentence, Table(columns, rows), Bars(names, series, sideways=True, unit="dollars"))
