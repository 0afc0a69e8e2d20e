"""Decides labels of analysis, the chart and the outputs."""

from typing import cast, get_args

from analysis.contracts.requirements import (
    ChartType,
)
from analysis.requirements.case import LIKELY, Case
from analysis.requirements.chances import LABELS
from analysis.requirements.meaning import Reason


def labels_decide(case: Case) -> None:
    for label in LABELS:
        if case.chances.label(label) > LIKELY:
            case.meaning.labels[label] = case.reason(f"analysis:{label}", case.chances.label(label))


def chart_decide(case: Case) -> None:
    charts = get_args(ChartType)
    scores = {chart: case.cue(f"chart:{chart}") for chart in charts}
    chart = max(charts, key=lambda name: scores[name][0])
    if scores[chart][0] > 0.6:
        case.meaning.chart = cast(ChartType, chart)
        case.meaning.chart_reason = Reason(case.text(scores[chart][1]), scores[chart][0])
    any_chart = case.cue("chart:any")
    if case.meaning.chart or any_chart[0] >= 1:
        case.meaning.outputs["chart"] = (
            case.meaning.chart_reason if case.meaning.chart else Reason(case.text(any_chart[1]))
        )
    if (table := case.cue("table"))[0] >= 1:
        case.meaning.outputs["table"] = Reason(case.text(table[1]))
