"""The panels of the consult's board: figures put into words, rows and bars."""

from collections.abc import Sequence
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from routing.admin_shown import domain_name, list_url
from routing.consult_words import NOTHING, decile_named, share_of
from routing.contracts import DOMAIN_KEYS
from routing.figures_contracts import DECILES, ConsultFigures, Count
from routing.figures_contracts import NOTHING as NO_COUNT
from routing.flags import flag_title
from routing.models import CONFIDENCE_LABELS
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
    """How sure, over time."""
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
    said = _("%(share)s of %(all)s plans have a high confidence.") % {
        "share": share_of(high, figures.together.plans),
        "all": whole(figures.together.plans),
    }
    return View(said, _over_time(periods, series), Bars(periods.starts, series, stacked=True))


def domains_view(figures: ConsultFigures, periods: Periods) -> View | None:
    """What about, over time; only domains that occur."""
    found = {key: count for key in DOMAIN_KEYS if (count := figures.of_domain(key)).plans}
    if not found:
        return None
    series = [
        Series(
            domain_name(key),
            [figures.by_domain.get((start, key), NO_COUNT).plans for start in periods.starts],
            tone,
        )
        for key, tone in zip(DOMAIN_KEYS, _DOMAINS, strict=True)
        if key in found
    ]
    most = max(found, key=lambda key: found[key].plans)
    share = share_of(found[most].plans, figures.together.plans)
    said = _("Most often about: %(domain)s, %(share)s.") % {"domain": domain_name(most), "share": share}
    return View(said, _over_time(periods, series), Bars(periods.starts, series, stacked=True))


def by_domain_view(figures: ConsultFigures, periods: Periods) -> View | None:
    """How many plans of each domain were corrected."""
    found = [(key, count) for key in DOMAIN_KEYS if (count := figures.of_domain(key)).plans]
    if not found:
        return None
    rows: list[Sequence[TableCell]] = [
        [
            Linked(f"{list_url('queryplan')}?domain={key}", str(domain_name(key))),
            count.plans,
            count.corrected,
            _share_cell(count),
        ]
        for key, count in found
    ]
    worst = max(found, key=lambda one: one[1].share or 0)
    if worst[1].corrected:
        values = {"domain": domain_name(worst[0]), "share": share_of(worst[1].corrected, worst[1].plans)}
        said = _("Corrected most often: %(domain)s, %(share)s.") % values
    else:
        said = _("No plan of these days was corrected.")
    series = [
        Series(_PLANS, [count.plans for _key, count in found], "first"),
        Series(_CORRECTED, [count.corrected for _key, count in found], "bad"),
    ]
    names = [str(domain_name(key)) for key, _count in found]
    columns: list[Text] = [gettext_lazy("Domain"), _PLANS, _CORRECTED, _SHARE]
    return View(said, Table(columns, rows), Bars(names, series, sideways=True))


def flags_view(figures: ConsultFigures, periods: Periods) -> View | None:
    """How often each flag, the most frequent first."""
    if not figures.by_flag:
        return None
    found = sorted(figures.by_flag.items(), key=lambda one: (-one[1], one[0]))
    plans = figures.together.plans
    rows: list[Sequence[TableCell]] = [
        [Linked(f"{list_url('queryplan')}?flag={flag}", flag_title(flag)), count, Written(share_of(count, plans))]
        for flag, count in found
    ]
    values = {"flag": flag_title(found[0][0]), "share": share_of(found[0][1], plans)}
    said = _("Most often: %(flag)s, on %(share)s of the plans.") % values
    chart = Bars(
        [flag_title(flag) for flag, _count in found],
        [Series(_PLANS, [count for _flag, count in found], "first")],
        sideways=True,
    )
    return View(said, Table([gettext_lazy("Flag"), _PLANS, gettext_lazy("Share of plans")], rows), chart)


def corrected_view(figures: ConsultFigures, periods: Periods) -> View | None:
    """The share that was corrected, over time."""
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
    said = _("%(n)s of %(all)s plans were corrected: %(share)s.") % {
        "n": whole(together.corrected),
        "all": whole(together.plans),
        "share": share_of(together.corrected, together.plans),
    }
    columns: list[Text] = [_DATE, _PLANS, _CORRECTED, _SHARE]
    lines = Lines(periods.starts, [Line(_SHARE, shares, "bad")], unit="percent")
    return View(said, Table(columns, rows[::-1]), lines)


def reliability_view(figures: ConsultFigures, periods: Periods) -> View | None:
    """Probability against what was not corrected, by tenths; the surest first."""
    if not figures.deciles:
        return None
    found = figures.deciles[::-1]
    rows: list[Sequence[TableCell]] = []
    for one in found:
        uncorrected = one.stood.plans - one.stood.corrected
        stands = [Written(share_of(round(1000 * one.said), 1000)), Written(share_of(uncorrected, one.stood.plans))]
        rows.append([decile_named(one.number), one.stood.plans, *stands])
    series = [
        Series(gettext_lazy("Probability, mean"), [round(100 * one.said, 1) for one in found], "quiet"),
        Series(
            gettext_lazy("Not corrected"),
            [round(100 * (1 - (one.stood.share or 0)), 1) for one in found],
            "first",
        ),
    ]
    sure = next((one for one in found if one.number == DECILES - 1), None)
    said = _("Of plans from 90 %% on: said %(said)s, not corrected %(kept)s.") % {
        "said": share_of(round(1000 * sure.said), 1000) if sure else NOTHING,
        "kept": share_of(sure.stood.plans - sure.stood.corrected, sure.stood.plans) if sure else NOTHING,
    }
    columns: list[Text] = [
        *(gettext_lazy("Probability"), _PLANS),
        *(gettext_lazy("Probability, mean"), gettext_lazy("Not corrected")),
    ]
    chart = Bars([decile_named(one.number) for one in found], series, sideways=True, unit="percent")
    return View(said, Table(columns, rows), chart)


def made_view(figures: ConsultFigures, periods: Periods) -> View | None:
    """What plans were made with, the most frequent first."""
    if not figures.made:
        return None
    found = sorted(figures.made, key=lambda one: -one.stood.plans)
    names = [_("%(pack)s, phase %(phase)s") % {"pack": one.pack, "phase": one.phase} for one in found]
    rows: list[Sequence[TableCell]] = [
        [name, one.stood.plans, one.stood.corrected, _share_cell(one.stood)]
        for name, one in zip(names, found, strict=True)
    ]
    series = [Series(_PLANS, [one.stood.plans for one in found], "first")]
    columns: list[Text] = [gettext_lazy("Pack and phase"), _PLANS, _CORRECTED, _SHARE]
    return View(_("Most: %(name)s.") % {"name": names[0]}, Table(columns, rows), Bars(names, series, sideways=True))


def errors_view(figures: ConsultFigures, periods: Periods) -> View | None:
    """Questions that could not be read, over time."""
    if not figures.failed:
        return None
    values = [figures.errors.get(start, 0) for start in periods.starts]
    series = [Series(gettext_lazy("Errors"), values, "bad")]
    asked = figures.failed + figures.together.plans
    said = _("%(n)s of %(all)s questions could not be read: %(share)s.") % {
        "n": whole(figures.failed),
        "all": whole(asked),
        "share": share_of(figures.failed, asked),
    }
    return View(said, _over_time(periods, series), Bars(periods.starts, series))


def _share_cell(count: Count) -> Written:
    return Written(share_of(count.corrected, count.plans))


def _over_time(periods: Periods, series: Sequence[Series]) -> Table:
    """Those periods alone in which there was something, the latest first."""
    every: list[tuple[date | float, ...]] = list(zip(periods.starts, *(one.values for one in series), strict=True))
    rows = [row for row in every if any(row[1:])]
    return Table([_DATE, *(one.name for one in series)], rows[::-1])
