"""What the dashboard shows of plans and what came of them."""

from collections import Counter

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from planning.contracts import PlanOutcome
from planning.models import OUTCOME_LABELS, SOURCE_LABELS
from telemetry.contracts import EventName
from telemetry.panels import (
    Bars,
    Figures,
    Measure,
    Panel,
    Series,
    Table,
    TableCell,
    Text,
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

MEASURES = (
    Measure(
        name="plans",
        events=(EventName.PLAN_CREATED,),
        label=f"{text('taskType')} || '|' || {text('source')}",
    ),
    Measure(name="plan_outcomes", events=(EventName.PLAN_EVALUATED,), label=text("outcome")),
    Measure(name="plans_quarantined", events=(EventName.PLAN_QUARANTINED,)),
)
_DRAWN = 15
"""Types that get a bar; the table has all."""
_TONES: dict[PlanOutcome, Tone] = {
    PlanOutcome.SUCCESS: "good",
    PlanOutcome.FAILURE: "bad",
    PlanOutcome.UNKNOWN: "quiet",
}


def plans_view(figures: Figures) -> View | None:
    """Types of tasks from the most frequent one on, each with where its plans came from."""
    types: dict[str, Counter[str]] = {}
    for label, count in figures.counts("plans").items():
        task_type, _bar, source = label.rpartition("|")
        types.setdefault(task_type, Counter())[source] += count
    if not types:
        return None
    ordered = sorted(types, key=lambda name: (-types[name].total(), name))
    columns: list[Text] = [gettext_lazy("Task type"), *SOURCE_LABELS.values(), gettext_lazy("All")]
    rows: list[list[TableCell]] = [
        [name, *(types[name][source] for source in SOURCE_LABELS), types[name].total()] for name in ordered
    ]
    tones: tuple[Tone, ...] = ("good", "first", "second")
    drawn = ordered[:_DRAWN]
    series = [
        Series(label, [types[name][source] for name in drawn], tone)
        for (source, label), tone in zip(SOURCE_LABELS.items(), tones, strict=True)
    ]
    all_, cached = sum(counts.total() for counts in types.values()), sum(counts["cache"] for counts in types.values())
    summary = _("%(all)s plans, %(share)s of them from the cache.") % {
        "all": whole(all_),
        "share": percent(cached, all_),
    }
    return View(summary, Table(columns, rows), Bars(drawn, series, sideways=True, stacked=True))


def outcomes_view(figures: Figures) -> View | None:
    """How results were evaluated, day by day, and how many plans the failures took out of the cache."""
    series = [
        Series(label, figures.over_time("plan_outcomes", outcome), _TONES[outcome])
        for outcome, label in OUTCOME_LABELS.items()
    ]
    counts = [sum(line.values) for line in series]
    summary = _("%(share)s of %(all)s results reached what was planned.")
    summary_text = summary % {"share": percent(counts[0], sum(counts)), "all": whole(sum(counts))}
    if quarantined := sum(cell.count for cell in figures.of("plans_quarantined")):
        words = ngettext(
            "%(n)s plan was kept from serving others.", "%(n)s plans were kept from serving others.", quarantined
        )
        summary_text = f"{summary_text} {words % {'n': whole(quarantined)}}"
    return timeline_view(figures, series, summary_text, stacked=True)


PANELS = (
    Panel(
        code="plans",
        title=gettext_lazy("Plans by type of task"),
        about=gettext_lazy("Plans that were made, and whether from a template, by a model or from the cache."),
        empty=gettext_lazy("No plan was made in these days."),
        wants=lambda _filters: [want("plans", "label")],
        build=plans_view,
        of_courses=False,
    ),
    Panel(
        code="plan-outcomes",
        title=gettext_lazy("What came of plans"),
        about=gettext_lazy("Results held against their plans. Unknown: nothing in the result could be checked."),
        empty=gettext_lazy("No result was evaluated in these days."),
        wants=lambda _filters: [want("plan_outcomes", "day", "label"), want("plans_quarantined")],
        build=outcomes_view,
        of_courses=False,
    ),
)


def register() -> None:
    """Hand it down to telemetry; for `AppConfig.ready()`."""
    for measure in MEASURES:
        measure_register(measure)
    for panel in PANELS:
        panel_register(panel)
