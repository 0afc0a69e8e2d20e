"""The board of the quality of reflections: the metrics of RT-010, 8 over time, with their targets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from reflection.board.contracts import TARGETS, CollectedMetric, QualityFigures
from reflection.board.figures import quality_by_day, quality_figures
from reflection.board.units import (
    RATES,
    SHORT,
    STANDINGS,
    TITLES,
    TONES,
    alert_shown,
    standing_shown,
    target_shown,
    value_shown,
)
from telemetry.board.pages import Board, panel_shown
from telemetry.panels import (
    Bars,
    Filters,
    Heading,
    Line,
    Lines,
    Mark,
    Number,
    Periods,
    Series,
    Table,
    TableCell,
    Text,
    Tone,
    Unit,
    View,
    Written,
    period,
    whole,
)

_NONE = gettext_lazy("No reflection was made in these days.")
_NO_PATTERN = gettext_lazy("No reflection of these days identified a pattern.")


@dataclass(frozen=True)
class Collected:
    """The figures of some days, together and by period."""

    together: QualityFigures
    by_start: Mapping[date, QualityFigures]
    periods: Periods

    @cached_property
    def latest(self) -> date | None:
        """The latest period with a reflection."""
        return max(self.by_start, default=None)

    def values(self, metric: str) -> list[float | None]:
        """For each period; None where there is nothing to compute it from."""
        return [self.by_start[start][metric] if start in self.by_start else None for start in self.periods.starts]


@dataclass(frozen=True)
class _Panel:
    """Metrics that share a chart: drawn as lines, or counted in bars. The first may have a target."""

    code: str
    metrics: tuple[str, ...]
    title: Promise
    about: Promise
    empty: Promise = _NONE
    unit: Unit = "score"
    bars: bool = False


_PANELS = (
    _Panel(
        "quality",
        (CollectedMetric.QUALITY_AVG, CollectedMetric.QUALITY_P50, CollectedMetric.QUALITY_P95),
        gettext_lazy("Quality score"),
        gettext_lazy("The weighted mean of the metrics of a reflection: its mean, median and p95."),
    ),
    _Panel(
        "depth",
        (CollectedMetric.DEPTH_AVG,),
        gettext_lazy("Depth"),
        gettext_lazy("Whether analyses name a root cause and not just symptoms."),
    ),
    _Panel(
        "actionability",
        (CollectedMetric.ACTIONABILITY_AVG,),
        gettext_lazy("Actionability"),
        gettext_lazy("Whether adjustments are concrete and can be executed."),
    ),
    _Panel(
        "completeness",
        (CollectedMetric.COMPLETENESS_AVG,),
        gettext_lazy("Completeness"),
        gettext_lazy("How many of the four fields a reflection has."),
    ),
    _Panel(
        "rejection",
        (CollectedMetric.REJECTION_RATE,),
        gettext_lazy("Rejection rate"),
        gettext_lazy("Reflections that the gate rejected, of all that were made."),
        unit="percent",
    ),
    _Panel(
        "gate",
        (CollectedMetric.WITH_WARNINGS, CollectedMetric.REJECTED),
        gettext_lazy("Held back or rejected"),
        gettext_lazy("Reflections that the gate accepted with warnings, for staff to look at, or rejected."),
        unit="count",
        bars=True,
    ),
    _Panel(
        "validity",
        (CollectedMetric.VALIDITY_AVG,),
        gettext_lazy("Validity of patterns"),
        gettext_lazy("How far episodes bear out the patterns that reflections identified."),
        empty=_NO_PATTERN,
    ),
    _Panel(
        "invalid",
        (CollectedMetric.PATTERNS_INVALID,),
        gettext_lazy("Invalid patterns"),
        gettext_lazy("Patterns with a confidence under 0.75, or seen in fewer than three episodes."),
        empty=_NO_PATTERN,
        unit="count",
        bars=True,
    ),
    _Panel(
        "success",
        (CollectedMetric.SUCCESS_RATE,),
        gettext_lazy("Valid in the end"),
        gettext_lazy("Reflections that met every standard when no further attempt was made."),
        unit="percent",
    ),
    _Panel(
        "attempts",
        (CollectedMetric.ITERATIONS_AVG,),
        gettext_lazy("Attempts a reflection"),
        gettext_lazy("How often a reflection was written until it was good enough: at most three times."),
        unit="count",
    ),
)
_TONES: tuple[Tone, ...] = ("first", "second", "quiet")
_BAR_TONES: dict[str, Tone] = {
    CollectedMetric.WITH_WARNINGS: "partial",
    CollectedMetric.REJECTED: "bad",
    CollectedMetric.PATTERNS_INVALID: "bad",
}


def collected(filters: Filters) -> Collected:
    """The figures of the days of the filters. Two queries."""
    periods = Periods(filters)
    by_start = {period.start: period.figures for period in quality_by_day(*filters.span, unit=periods.unit)}
    return Collected(quality_figures(*filters.span), by_start, periods)


def quality_board(figures: Collected) -> Board:
    """The seven metrics with a target as numbers; all twelve, and the rejection rate, as charts."""
    tiles = [(Heading("reflections", gettext_lazy("Reflections")), _made(figures.together))]
    tiles += [(Heading(metric, TITLES[metric]), _tile(figures.together, metric)) for metric in TARGETS]
    panels = [
        panel_shown(
            Heading(panel.code, panel.title, panel.about, panel.empty),
            _view(figures, panel),
            unit=figures.periods.unit,
        )
        for panel in _PANELS
    ]
    return Board(tiles, panels)


def metrics_listed(figures: QualityFigures) -> list[dict[str, str]]:
    """Each metric by its documented name, with its targets and standing."""
    return [
        {
            "name": metric,
            "title": str(title),
            "value": value_shown(metric, figures[metric]),
            "target": target_shown(metric),
            "alert": alert_shown(metric),
            "standing": _standing(figures, metric),
        }
        for metric, title in TITLES.items()
    ]


def _standing(figures: QualityFigures, metric: str) -> str:
    standing = figures.standing(metric)
    return str(STANDINGS[standing]) if standing else ""


def _made(figures: QualityFigures) -> Number:
    patterns = ngettext("%(n)s pattern identified", "%(n)s patterns identified", figures.patterns)
    return Number(whole(figures.reflections), patterns % {"n": whole(figures.patterns)})


def _tile(figures: QualityFigures, metric: str) -> Number:
    standing = figures.standing(metric)
    note = standing_shown(metric, standing) or _("target: %(target)s") % {"target": target_shown(metric)}
    return Number(value_shown(metric, figures[metric]), note, tone=TONES[standing] if standing else None)


def _view(figures: Collected, panel: _Panel) -> View | None:
    """None where no period has a value."""
    first = panel.metrics[0]
    if figures.together[first] is None or (first == CollectedMetric.PATTERNS_INVALID and not figures.together.patterns):
        return None
    chart = _bars(figures, panel) if panel.bars else _lines(figures, panel)
    return View(_summary(figures, panel), _table(figures, panel), chart)


def _summary(figures: Collected, panel: _Panel) -> str:
    """The values in these days with their standing, and the latest one."""
    parts = []
    for metric in panel.metrics:
        value = f"{SHORT[metric]}: {value_shown(metric, figures.together[metric])}"
        standing = standing_shown(metric, figures.together.standing(metric))
        parts.append(f"{value} ({standing})" if standing else value)
    summary = "; ".join(parts) + "."
    if figures.latest is None or len(figures.by_start) == 1:
        return summary
    first, at = panel.metrics[0], figures.by_start[figures.latest]
    values = {"value": value_shown(first, at[first]), "day": period(figures.latest, figures.periods.unit)}
    latest = _("Latest, %(day)s: %(value)s.") % values
    return f"{summary} {latest}"


def _table(figures: Collected, panel: _Panel) -> Table:
    first = panel.metrics[0]
    against = [gettext_lazy("Target")] if first in TARGETS else []
    columns: list[Text] = [
        *(gettext_lazy("Date"), *(SHORT[metric] for metric in panel.metrics), *against),
        gettext_lazy("Reflections"),
    ]
    rows: list[Sequence[TableCell]] = []
    for start in sorted(figures.by_start, reverse=True):
        of_period = figures.by_start[start]
        standing = [_standing(of_period, first)] if against else []
        values = [Written(value_shown(metric, of_period[metric])) for metric in panel.metrics]
        rows.append([start, *values, *standing, of_period.reflections])
    return Table(columns, rows)


def _lines(figures: Collected, panel: _Panel) -> Lines:
    lines = [
        Line(SHORT[metric], _hundredths(metric, figures.values(metric)), tone)
        for metric, tone in zip(panel.metrics, _TONES, strict=False)
    ]
    return Lines(figures.periods.starts, lines, _marks(panel.metrics[0]), panel.unit)


def _marks(metric: str) -> list[Mark]:
    """The target and where an alert begins, each named on its better, or worse, side."""
    target = TARGETS.get(metric)
    if target is None:
        return []
    wanted, alarming = _hundredths(metric, [target.target, target.alert])
    assert wanted is not None
    assert alarming is not None
    more = target.more_is_better
    return [
        Mark((_("Target"), target_shown(metric)), wanted, "good", above=more),
        Mark((_("Alert"), alert_shown(metric)), alarming, "bad", above=not more),
    ]


def _hundredths(metric: str, values: Sequence[float | None]) -> list[float | None]:
    """Rates in hundredths, as charts have them."""
    times = 100 if metric in RATES else 1
    return [None if value is None else round(times * value, 4) for value in values]


def _bars(figures: Collected, panel: _Panel) -> Bars:
    series = [
        Series(SHORT[metric], [value or 0 for value in figures.values(metric)], _BAR_TONES[metric])
        for metric in panel.metrics
    ]
    return Bars(figures.periods.starts, series, stacked=True)
