"""The panels of the money dashboard that tell of operations: how long they took and what they cost."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from gateway.admin_pages import US_DOLLAR
from gateway.figures_contracts import Figures
from gateway.money_words import in_dollars, in_ms, in_percent, share_of
from telemetry.panels import Bars, Series, Table, TableCell, Text, View, dollars, whole


def latency_view(figures: Figures) -> View | None:
    """Operations beside their targets."""
    timed = figures.latencies
    if not timed:
        return None
    columns: list[Text] = [
        *(gettext_lazy("Operation"), gettext_lazy("Runs"), "p50", "p95", "p99"),
        *(gettext_lazy("Target"), gettext_lazy("Over it"), gettext_lazy("Timed out"), gettext_lazy("From the cache")),
    ]
    rows: list[Sequence[TableCell]] = []
    for one in timed:
        times = [in_ms(time) for time in (one.p50, one.p95, one.p99, one.target)]
        shares = [in_percent(one.timeouts, one.runs), in_percent(one.hits, one.asked)]
        rows.append([one.operation, one.runs, *times, one.violations, *shares])
    series = [
        Series(gettext_lazy("Median"), [one.p50 for one in timed], "first"),
        Series("p95", [one.p95 for one in timed], "second"),
        Series(gettext_lazy("Target"), [one.target or 0 for one in timed], "quiet"),
    ]
    runs, over = sum(one.runs for one in timed), sum(one.violations for one in timed)
    summary = ngettext(
        "%(n)s run, of which %(share)s took longer than its target.",
        "%(n)s runs, of which %(share)s took longer than their targets.",
        runs,
    )
    said = summary % {"n": whole(runs), "share": share_of(over, runs)}
    names = [one.operation for one in timed]
    return View(said, Table(columns, rows), Bars(names, series, sideways=True, unit="ms"))


def operations_view(figures: Figures) -> View | None:
    """What calls were made for, the dearest first."""
    if not figures.operations:
        return None
    columns: list[Text] = [
        *(gettext_lazy("Operation"), gettext_lazy("Calls"), gettext_lazy("US$"), gettext_lazy("Runs")),
        *(gettext_lazy("US$ a run"), gettext_lazy("US$ a run, p95"), gettext_lazy("Cap of a run")),
    ]
    rows: list[Sequence[TableCell]] = [
        [
            *(one.operation, one.calls, in_dollars(one.cost)),
            *(one.per_run.of, in_dollars(one.per_run.mean), in_dollars(one.per_run.p95), in_dollars(one.cap)),
        ]
        for one in figures.operations
    ]
    series = [Series(gettext_lazy("US$"), [one.cost / US_DOLLAR for one in figures.operations], "first")]
    first = figures.operations[0]
    summary = _("The dearest is %(operation)s, with US$ %(cost)s.")
    chart = Bars([one.operation for one in figures.operations], series, sideways=True, unit="dollars")
    said = summary % {"operation": first.operation, "cost": dollars(first.cost)}
    return View(said, Table(columns, rows), chart)
