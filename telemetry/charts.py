"""Charts as plotly has them. Colours are left to the page: a trace says what its colour means, in `meta`."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.utils.text import Truncator
from plotly import graph_objects

from telemetry.panels import Bars, Durations, Unit, duration

_NAME_LENGTH = 26
_ROW_HEIGHT, _FRAME_HEIGHT, _USUAL_HEIGHT = 26, 70, 280  # pixels
_BESIDE = 0.6  # of a row's height, for each of several bars side by side
_FEW = 5
_SECONDS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 18_000, 36_000, 86_400)
_ROUNDEST = (1, 10, 60, 600, 3600, 36_000)
_MARKS_AT_MOST = 7
_AXES: dict[Unit, dict[str, Any]] = {
    "dollars": {"tickprefix": "US$ ", "tickformat": ",.4~f", "nticks": 5, "tickangle": 0},
    "ms": {"ticksuffix": " ms", "tickformat": ",d", "nticks": 4, "tickangle": 0},
    "percent": {"ticksuffix": " %", "tickformat": ",.3~g", "nticks": 4, "tickangle": 0},
}


def chart_json(chart: Bars | Durations) -> dict[str, Any]:
    """The figure as JSON values for `Plotly.newPlot`, without colours and fonts."""
    figure = _bars(chart) if isinstance(chart, Bars) else _durations(chart)
    found: dict[str, Any] = figure.to_plotly_json()
    found["layout"].pop("template", None)  # plotly's own look, 7 KB of it
    return found


def _bars(chart: Bars) -> Any:
    names = [day.isoformat() if isinstance(day, date) else day for day in chart.categories]
    traces = []
    for series in chart.series:
        x, y = (series.values, names) if chart.sideways else (names, series.values)
        orientation = "h" if chart.sideways else "v"
        meta = {"tone": series.tone}
        traces.append(graph_objects.Bar(x=x, y=y, name=str(series.name), orientation=orientation, meta=meta))
    beside = 1 if chart.stacked else max(1, _BESIDE * len(traces))
    layout = _layout(round(len(names) * beside) if chart.sideways else None)
    layout |= {"barmode": "stack" if chart.stacked else "group", "showlegend": len(traces) > 1}
    if chart.sideways:
        layout |= {"yaxis": _names(names), "xaxis": _values(chart)}
    else:
        layout |= {"xaxis": {"type": "date"}, "yaxis": _values(chart), "hovermode": "x unified"}
    return graph_objects.Figure(traces, layout)


def _values(chart: Bars) -> dict[str, Any]:
    """An axis of what the bars tell."""
    if chart.unit == "count":
        return _counts(chart)
    return {"rangemode": "tozero", "automargin": True, **_AXES[chart.unit]}


def _counts(chart: Bars) -> dict[str, Any]:
    """An axis of whole numbers: left to itself, plotly marks few of them by halves and fifths."""
    together = sum if chart.stacked else max
    values = zip(*(series.values for series in chart.series), strict=True)
    most = max((together(beside) for beside in values), default=0)
    marks = {"dtick": 1} if most <= _FEW else {}
    return {"rangemode": "tozero", "tickformat": ",d", "automargin": True, **marks}


def _durations(chart: Durations) -> Any:
    low, middle, high = zip(*chart.quartiles, strict=True)
    box = graph_objects.Box(
        q1=low,
        median=middle,
        q3=high,
        lowerfence=low,
        upperfence=high,
        y=chart.names,
        orientation="h",
        hoverinfo="skip",
        meta={"tone": "first"},
    )
    told = [" – ".join(duration(seconds) for seconds in row) for row in chart.quartiles]
    medians = graph_objects.Scatter(
        x=middle, y=chart.names, mode="markers", text=told, hoverinfo="text", meta={"tone": "first"}
    )
    layout = _layout(len(chart.names)) | {"yaxis": _names(chart.names), "showlegend": False}
    return graph_objects.Figure([box, medians], layout | {"xaxis": {"type": "log", **_marks(min(low), max(high))}})


def _marks(low: float, high: float) -> dict[str, Any]:
    """Round times along the axis, as many as there is room for."""
    marks = [seconds for seconds in _SECONDS if low / 2 <= seconds <= high * 2]
    marks = marks if len(marks) <= _MARKS_AT_MOST else [seconds for seconds in marks if seconds in _ROUNDEST]
    return {"tickvals": marks, "ticktext": [duration(seconds) for seconds in marks]} if marks else {"ticksuffix": " s"}


def _layout(rows: int | None) -> dict[str, Any]:
    height = _USUAL_HEIGHT if rows is None else max(_USUAL_HEIGHT // 2, _FRAME_HEIGHT + _ROW_HEIGHT * rows)
    return {"height": height, "bargap": 0.25, "dragmode": False}


def _names(names: Sequence[str]) -> dict[str, Any]:
    """An axis of names from top to bottom. Long ones are cut: the table beside the chart has them whole."""
    shown = [Truncator(name).chars(_NAME_LENGTH) for name in names]
    rows = [len(names) - 0.5, -0.5]
    return {"type": "category", "range": rows, "automargin": True, "tickvals": names, "ticktext": shown}
