"""The panels of the consult's board: figures in words, rows and bars."""

from collections.abc import Sequence
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from routing.admin.values import domain_name, list_url
from routing.board.figures import DECILES, ConsultFigures, Count
from routing.board.figures import NOTHING as NO_COUNT
from routing.board.units import NOTHING, decile_named, share_of
from routing.contracts.values import DOMAIN_KEYS
from routing.models import CONFIDENCE_LABELS
from routing.understanding.flags import flag_title
from telemetry.panels import (
    Bars,
    Line,
    Lines,
    Linked,
    Periods,
    Series,
    Table,
    TableCell,
    Text,
    Tone,
    View,
    Written,
    whole,
)

_CONFIDENCES: dict[str, Tone] = {"high": "good", "medium": "partial", "low": "bad"}
_DOMAINS: tuple[Tone, ...] = ("first", "second", "third", "fourth", "fifth", "sixth", "quiet")
_PLANS = gettext_lazy("Plans")
_CORRECTED = pgettext_lazy("plans", "Corrected")
_SHARE = gettext_lazy("Share")
_DATE = gettext_lazy("Date")


def confidence_view(figures: ConsultFigures, periods: Periods) -> View | None:
    if not figures.together.plans:
        return None
    series = [
        Series(
            CONFIDENCE_LABELS[key],
            [figures.by_confidence.get((start, key), NO_COUNT).plans for start in periods.starts],
            tone,
        )
        for key, tone in _CONFIDENCES.items()
    ]
    high = figures.of_confidence("high").plans
    summary = _("%(share)s of %(all)s plans have a high confidence.") % {
        "share": share_of(high, figures.together.plans),
        "all": whole(figures.together.plans),
    }
    return View(summary, _over_time(periods, series), Bars(periods.starts, series, stacked=True))


def domains_view(figures: ConsultFigures, periods: Periods) -> View | None:
    """First domains over time; only those that occur."""
    counts = {key: count for key in DOMAIN_KEYS if (count := figures.of_domain(key)).plans}
    if not counts:
        return None
    series = [
        Series(
            domain_name(key),
            [figures.by_domain.get((start, key), NO_COUNT).plans for start in periods.starts],
            tone,
        )
        for key, tone in zip(DOMAIN_KEYS, _DOMAINS, strict=True)
        if key in counts
    ]
    largest = max(counts, key=lambda key: counts[key].plans)
    share = share_of(counts[largest].plans, figures.together.plans)
    summary = _("Most often about: %(domain)s, %(share)s.") % {"domain": domain_name(largest), "share": share}
    return View(summary, _over_time(periods, series), Bars(periods.starts, series, stacked=True))


def by_domain_view(figures: ConsultFigures, periods: Periods) -> View | None:
    """How many plans of each domain were corrected."""
    counts = [(key, count) for key in DOMAIN_KEYS if (count := figures.of_domain(key)).plans]
    if not counts:
        return None
    rows: list[Sequence[TableCell]] = [
        [
            Linked(f"{list_url('queryplan')}?domain={key}", str(domain_name(key))),
            count.plans,
            count.corrected,
            _share_cell(count),
        ]
        for key, count in counts
    ]
    worst_key, worst = max(counts, key=lambda pair: pair[1].share or 0)
    summary = _("No plan of these days was corrected.")
    if worst.corrected:
        values = {"domain": domain_name(worst_key), "share": share_of(worst.corrected, worst.plans)}
        summary = _("Corrected most often: %(domain)s, %(share)s.") % values
    series = [
        Series(_PLANS, [count.plans for _key, count in counts], "first"),
        Series(_CORRECTED, [count.corrected for _key, count in counts], "bad"),
    ]
    names = [str(domain_name(key)) for key, _count in counts]
    columns: list[Text] = [gettext_lazy("Domain"), _PLANS, _CORRECTED, _SHARE]
    return View(summary, Table(columns, rows), Bars(names, series, sideways=True))


def flags_view(figures: ConsultFigures, periods: Periods) -> View | None:
    """Flags, the most frequent first."""
    if not figures.by_flag:
        return None
    counts = sorted(figures.by_flag.items(), key=lambda pair: (-pair[1], pair[0]))
    plans = figures.together.plans
    rows: list[Sequence[TableCell]] = [
        [Linked(f"{list_url('queryplan')}?flag={flag}", flag_title(flag)), count, Written(share_of(count, plans))]
        for flag, count in counts
    ]
    values = {"flag": flag_title(counts[0][0]), "share": share_of(counts[0][1], plans)}
    summary = _("Most often: %(flag)s, on %(share)s of the plans.") % values
    chart = Bars(
        [flag_title(flag) for flag, _count in counts],
        [Series(_PLANS, [count for _flag, count in counts], "first")],
        sideways=True,
    )
    return View(summary, Table([gettext_lazy("Flag"), _PLANS, gettext_lazy("Share of plans")], rows), chart)


def corrected_view(figures: ConsultFigures, periods: Periods) -> View | None:
    together = figures.together
    if not together.corrected:
        return None
    counts = [figures.at(start) for start in periods.starts]
    rows: list[Sequence[TableCell]] = [
        [start, count.plans, count.corrected, _share_cell(count)]
        for start, count in zip(periods.starts, counts, strict=True)
        if count.plans
    ]
    shares = [None if count.share is None else round(100 * count.share, 2) for count in counts]
    summary = _("%(n)s of %(all)s plans were corrected: %(share)s.") % {
        "n": whole(together.corrected),
        "all": whole(together.plans),
        "share": share_of(together.corrected, together.plans),
    }
    columns: list[Text] = [_DATE, _PLANS, _CORRECTED, _SHARE]
    lines = Lines(periods.starts, [Line(_SHARE, shares, "bad")], unit="percent")
    return View(summary, Table(columns, rows[::-1]), lines)


def reliability_view(figures: ConsultFigures, periods: Periods) -> View | None:
    """Probability and share without correction, by tenths; the surest first."""
    if not figures.deciles:
        return None
    deciles = figures.deciles[::-1]
    rows: list[Sequence[TableCell]] = []
    for each in deciles:
        uncorrected = each.tally.plans - each.tally.corrected
        stands = [Written(share_of(round(1000 * each.mean), 1000)), Written(share_of(uncorrected, each.tally.plans))]
        rows.append([decile_named(each.number), each.tally.plans, *stands])
    series = [
        Series(gettext_lazy("Probability, mean"), [round(100 * each.mean, 1) for each in deciles], "quiet"),
        Series(
            gettext_lazy("Not corrected"),
            [round(100 * (1 - (each.tally.share or 0)), 1) for each in deciles],
            "first",
        ),
    ]
    sure = next((each for each in deciles if each.number == DECILES - 1), None)
    summary = _("Of plans from 90 %% on: said %(said)s, not corrected %(kept)s.") % {
        "said": share_of(round(1000 * sure.mean), 1000) if sure else NOTHING,
        "kept": share_of(sure.tally.plans - sure.tally.corrected, sure.tally.plans) if sure else NOTHING,
    }
    columns: list[Text] = [
        *(gettext_lazy("Probability"), _PLANS),
        *(gettext_lazy("Probability, mean"), gettext_lazy("Not corrected")),
    ]
    chart = Bars([decile_named(each.number) for each in deciles], series, sideways=True, unit="percent")
    return View(summary, Table(columns, rows), chart)


def made_view(figures: ConsultFigures, periods: Periods) -> View | None:
    """Packs and phases, the most frequent first."""
    if not figures.made:
        return None
    made = sorted(figures.made, key=lambda each: -each.tally.plans)
    names = [_("%(pack)s, phase %(phase)s") % {"pack": each.pack, "phase": each.phase} for each in made]
    rows: list[Sequence[TableCell]] = [
        [name, each.tally.plans, each.tally.corrected, _share_cell(each.tally)]
        for name, each in zip(names, made, strict=True)
    ]
    series = [Series(_PLANS, [each.tally.plans for each in made], "first")]
    columns: list[Text] = [gettext_lazy("Pack and phase"), _PLANS, _CORRECTED, _SHARE]
    return View(_("Most: %(name)s.") % {"name": names[0]}, Table(columns, rows), Bars(names, series, sideways=True))


def errors_view(figures: ConsultFigures, periods: Periods) -> View | None:
    if not figures.failed:
        return None
    values = [figures.errors.get(start, 0) for start in periods.starts]
    series = [Series(gettext_lazy("Errors"), values, "bad")]
    questions = figures.failed + figures.together.plans
    summary = _("%(n)s of %(all)s questions could not be read: %(share)s.") % {
        "n": whole(figures.failed),
        "all": whole(questions),
        "share": share_of(figures.failed, questions),
    }
    return View(summary, _over_time(periods, series), Bars(periods.starts, series))


def _share_cell(count: Count) -> Written:
    return Written(share_of(count.corrected, count.plans))


def _over_time(periods: Periods, series: Sequence[Series]) -> Table:
    """Those periods alone in which there was something, the latest first."""
    every: list[tuple[date | float, ...]] = list(zip(periods.starts, *(line.values for line in series), strict=True))
    rows = [row for row in every if any(row[1:])]
    return Table([_DATE, *(line.name for line in series)], rows[::-1])
