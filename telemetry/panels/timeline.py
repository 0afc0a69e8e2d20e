"""The usual view of counts over time."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy

from telemetry.panels.figures import Figures
from telemetry.panels.views import Bars, Series, Table, View


def timeline_view(figures: Figures, series: Sequence[Series], summary: str, *, stacked: bool = False) -> View | None:
    """Series over the periods; the table has those periods alone in which there was something, the latest first."""
    if not any(any(one.values) for one in series):
        return None
    starts = figures.periods.starts
    rows = [row for row in zip(starts, *(one.values for one in series), strict=True) if any(row[1:])]
    columns = [gettext_lazy("Date"), *(one.name for one in series)]
    return View(summary, Table(columns, rows[::-1]), Bars(starts, series, stacked=stacked))
