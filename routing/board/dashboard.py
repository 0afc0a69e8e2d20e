"""The consult on the dashboard: how sure plans were, corrections and errors. `consult_board` shows more."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from routing.models import CONFIDENCE_LABELS
from telemetry.contracts import EventName
from telemetry.panels import (
    Figures,
    Measure,
    Panel,
    Series,
    Tone,
    View,
    measure_register,
    panel_register,
    percent,
    text,
    timeline_view,
    want,
    whole,
)

PLANNED = Measure(name="queries_planned", events=(EventName.QUERY_PLANNED,), label=text("confidence"))
CORRECTED = Measure(name="queries_corrected", events=(EventName.QUERY_CORRECTED,))
FAILED = Measure(name="queries_failed", events=(EventName.QUERY_FAILED,))
_TONES: dict[str, Tone] = {"high": "good", "medium": "partial", "low": "bad"}


def planned_view(figures: Figures) -> View | None:
    """How sure plans were, day by day."""
    series = [
        Series(CONFIDENCE_LABELS[key], figures.over_time("queries_planned", key), tone) for key, tone in _TONES.items()
    ]
    high, *others = (sum(line.values) for line in series)
    made = high + sum(others)
    summary = _("%(share)s of %(all)s questions were understood with a high confidence.")
    return timeline_view(figures, series, summary % {"share": percent(high, made), "all": whole(made)}, stacked=True)


def trouble_view(figures: Figures) -> View | None:
    """Corrections, and questions that could not be read, day by day."""
    corrected, failed = figures.over_time("queries_corrected"), figures.over_time("queries_failed")
    series: list[Series] = [
        Series(pgettext_lazy("plans", "Corrected"), corrected, "partial"),
        Series(gettext_lazy("Could not be read"), failed, "bad"),
    ]
    summary = _("Corrected: %(corrected)s. Could not be read: %(failed)s.")
    return timeline_view(figures, series, summary % {"corrected": whole(sum(corrected)), "failed": whole(sum(failed))})


PANELS = (
    Panel(
        code="queries",
        title=gettext_lazy("Questions understood"),
        about=gettext_lazy("What was asked in the consult, by how sure the plan was."),
        empty=gettext_lazy("Nobody asked the consult anything in these days."),
        wants=lambda _filters: [want("queries_planned", "day", "label")],
        build=planned_view,
        of_courses=False,
    ),
    Panel(
        code="query-trouble",
        title=gettext_lazy("Questions misunderstood"),
        about=gettext_lazy("Plans that somebody corrected, on the day they did, and questions that could not be read."),
        empty=gettext_lazy("No plan was corrected in these days, and every question could be read."),
        wants=lambda _filters: [want("queries_corrected", "day"), want("queries_failed", "day")],
        build=trouble_view,
        of_courses=False,
    ),
)


def register() -> None:
    """Hand it down to telemetry; for `AppConfig.ready()`."""
    for measure in (PLANNED, CORRECTED, FAILED):
        measure_register(measure)
    for panel in PANELS:
        panel_register(panel)
