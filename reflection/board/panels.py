"""Reflections on the dashboard, by the gate's decisions. `quality_board` shows their metrics."""

from datetime import UTC, timedelta

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gateway.ledger.owners import AlertPage, alert_page_register
from gateway.models import Alert
from reflection.board.alerts import KINDS
from reflection.contracts import Decision
from reflection.models import DECISION_LABELS
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

REFLECTIONS = Measure(name="reflections", events=(EventName.REFLECTION_MADE,), label=text("decision"))
_TONES: dict[Decision, Tone] = {
    Decision.ACCEPTED: "good",
    Decision.ACCEPTED_WITH_WARNINGS: "partial",
    Decision.REJECTED: "bad",
}


def reflections_view(figures: Figures) -> View | None:
    """The gate's decisions, day by day."""
    series = [
        Series(label, figures.over_time("reflections", decision), _TONES[decision])
        for decision, label in DECISION_LABELS.items()
    ]
    accepted, *others = (sum(line.values) for line in series)
    made = accepted + sum(others)
    summary = _("%(share)s of %(all)s reflections were accepted without a warning.")
    values = {"share": percent(accepted, made), "all": whole(made)}
    return timeline_view(figures, series, summary % values, stacked=True)


PANEL = Panel(
    code="reflections",
    title=gettext_lazy("Reflections on failures"),
    about=gettext_lazy("What the quality gate said of them. Those with warnings wait for staff."),
    empty=gettext_lazy("Nothing was reflected on in these days."),
    wants=lambda _filters: [want("reflections", "day", "label")],
    build=reflections_view,
    of_courses=False,
)


def register() -> None:
    """Register measure, panel and page of alerts; for `AppConfig.ready()`."""
    measure_register(REFLECTIONS)
    panel_register(PANEL)
    alert_page_register(KINDS.values(), AlertPage(_week_before, gettext_lazy("Quality of reflections")))


def _week_before(alert: Alert) -> str:
    """The board of the week that an alert ends."""
    until = alert.raised_at.astimezone(UTC).date()
    return f"{reverse('reflection:quality')}?since={until - timedelta(days=6)}&until={until}"
